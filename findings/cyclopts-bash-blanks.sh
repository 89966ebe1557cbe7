#!/usr/bin/env bash
# cyclopts 5.5.2: its completion for bash offers a folder with a blank in its name as two words.
#
# Expected: `demo show m` and Tab give `my\ folder/`, as bash itself does behind most programs.
# Happens: the script puts the lines of `compgen -f` into an array by splitting words, and does not say that they are
# names of files. So `my folder` becomes `my` and `folder`, and `out` gets a blank behind it instead of a slash.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check cyclopts==5.5.2
"$folder/venv/bin/python" - > "$folder/demo.bash" <<'EOF'
from pathlib import Path
from cyclopts import App

app = App(name="demo")


@app.command
def show(folder: Path):
    """Show a folder."""


print(app.generate_completion(shell="bash"))
EOF
mkdir "$folder/here" "$folder/here/my folder"
cd "$folder/here"
echo "cyclopts 5.5.2, bash $BASH_VERSION"
seen=$(bash --norc -c '
  source ../demo.bash
  COMP_WORDS=(demo show m) COMP_CWORD=2 COMP_LINE="demo show m" COMP_POINT=11
  _demo
  printf "offered: [%s]\n" "${COMPREPLY[@]}" | sort
  complete -p demo')
echo "$seen"
[ "$seen" = $'offered: [folder]\noffered: [my]\ncomplete -F _demo demo' ] \
  || { echo "changed: the folder is offered in another way" >&2; exit 1; }
