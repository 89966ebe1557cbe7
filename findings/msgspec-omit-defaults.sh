#!/usr/bin/env bash
# msgspec 0.22.0: `omit_defaults` omits a default of 256 from what it has read, and writes a default of 257.
#
# Expected: a field that equals its default is omitted, so two equal structs are written as the same text.
# Happens: only empty collections are compared by value. Anything else has to be the very object of the default, so
# small integers, which CPython makes once, are omitted, and the float, the text and the tuple beside them are not.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check msgspec==0.22.0
"$folder/venv/bin/python" - <<'EOF'
import sys
import msgspec


class Settings(msgspec.Struct, omit_defaults=True):
    small: int = 256
    large: int = 257
    share: float = 0.5
    title: str = "a title"
    sizes: tuple[int, ...] = (1, 2)
    names: list[str] = []


made = Settings()
read = msgspec.json.decode(
    b'{"small": 256, "large": 257, "share": 0.5, "title": "a title", "sizes": [1, 2], "names": []}', type=Settings
)
print("msgspec", msgspec.__version__)
print("equal:", made == read)
print("made:", msgspec.json.encode(made).decode())
print("read:", msgspec.json.encode(read).decode())
written = list(msgspec.json.decode(msgspec.json.encode(read)))
if (made == read, msgspec.json.encode(made), written) != (True, b"{}", ["large", "share", "title", "sizes"]):
    sys.exit("changed: other fields are written")
EOF
