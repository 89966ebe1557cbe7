#!/usr/bin/env bash
# msgspec 0.20.0 and 0.21.0: a broken document raises a ValueError in one of them only.
#
# Expected: `except ValueError` means the same in both, as it catches the error of `json` of the standard library.
# Happens: `DecodeError` is a ValueError since 0.21.0. With 0.20.0 the same handler lets the error through, and a
# requirement of `msgspec>=0.20` is met by both.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat > "$folder/read.py" <<'EOF'
import msgspec
try:
    msgspec.json.decode(b'{"a": ')
except ValueError:
    print("caught as ValueError")
except msgspec.DecodeError:
    print("DecodeError, but no ValueError")
EOF
seen=
for version in 0.20.0 0.21.0; do
  python3 -m venv --clear "$folder/venv"
  "$folder/venv/bin/pip" install --quiet --disable-pip-version-check "msgspec==$version"
  seen+="msgspec $version: $("$folder/venv/bin/python" "$folder/read.py")"$'\n'
done
printf %s "$seen"
[ "$seen" = $'msgspec 0.20.0: DecodeError, but no ValueError\nmsgspec 0.21.0: caught as ValueError\n' ] \
  || { echo "changed: the two versions do not differ in this way" >&2; exit 1; }
