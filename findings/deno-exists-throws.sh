#!/usr/bin/env bash
# Deno 2.9.8: `fs.existsSync` and `fs.statSync(…, { throwIfNoEntry: false })` of `node:fs` throw.
#
# Expected: Node's `existsSync` gives true or false and never throws, and code that looks for a file in the folders
# above relies on it. A path that may not be read does not exist for the script, or false is given all the same.
# Happens: both throw NotCapable for a path that `--allow-read` does not name, and the error has no `code`, by which
# code for Node tells such errors apart.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check deno==2.9.8
deno="$folder/venv/bin/deno"
export HOME="$folder" NO_COLOR=1
cd "$folder"
"$deno" --version | head -n 1
mkdir inside
cat > inside/script.mjs <<'EOF'
import fs from "node:fs";
const calls = {
  existsSync: () => fs.existsSync("../missing.json"),
  statSync: () => fs.statSync("../missing.json", { throwIfNoEntry: false }),
};
for (const [name, call] of Object.entries(calls)) {
  try {
    console.log(name, "gives", call());
  } catch (error) {
    console.log(name, "throws", error.name, error.code);
  }
}
EOF
cd inside
allowed=$("$deno" run --no-prompt --allow-read script.mjs 2>&1) || true
denied=$("$deno" run --no-prompt --allow-read=. script.mjs 2>&1) || true
printf -- '--allow-read:\n%s\n--allow-read=.:\n%s\n' "$allowed" "$denied"
[ "$allowed" = $'existsSync gives false\nstatSync gives undefined' ] \
  && [ "$denied" = $'existsSync throws NotCapable undefined\nstatSync throws NotCapable undefined' ] \
  || { echo "changed: the two functions answer otherwise" >&2; exit 1; }
