#!/usr/bin/env bash
# PyYAML 6.0.3: a tab before a comment is an error for its Python parser, and blank space for its C parser.
#
# Expected: `CSafeLoader` is the faster `SafeLoader`; what one reads, the other reads. YAML allows the tab.
# Happens: with a tab between a value and `#`, or behind a colon, `SafeLoader` raises a ScannerError. A program that
# takes the C parser where it is compiled reads such a file on one machine and refuses it on the next.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pyyaml==6.0.3
"$folder/venv/bin/python" - <<'EOF'
import sys
import yaml


def read(text, loader):
    try:
        return yaml.load(text, loader)
    except yaml.YAMLError as error:
        return type(error).__name__


print("PyYAML", yaml.__version__)
if not yaml.__with_libyaml__:
    sys.exit("changed: this wheel has no C parser to compare with")
seen = []
for text in ("a: 1\t# one\n", "a:\t1\n", "a: 1 # one\n"):
    results = (read(text, yaml.SafeLoader), read(text, yaml.CSafeLoader))
    print(repr(text), "SafeLoader:", results[0], "CSafeLoader:", results[1])
    seen.append(results)
if seen != [("ScannerError", {"a": 1}), ("ScannerError", {"a": 1}), ({"a": 1}, {"a": 1})]:
    sys.exit("changed: the two parsers do not differ in this way")
EOF
