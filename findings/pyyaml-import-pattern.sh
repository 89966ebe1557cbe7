#!/usr/bin/env bash
# PyYAML 6.0.4: two fifths of `import yaml` goes into compiling one pattern, which its C parser never uses.
#
# Expected: a program that reads with the C parser pays for loading a library, and little else.
# Happens: `yaml.reader`, which the C parser does not need, compiles a character class that reaches up to U+10FFFF.
# Python's `re` first lays such a class out as a table of 65,536 entries. That takes more time than any other module
# of the package, in every process, before a byte of YAML is read.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pyyaml==6.0.4
"$folder/venv/bin/python" -c 'import yaml' # so that everything is compiled to bytecode
"$folder/venv/bin/python" - <<'EOF'
import re
import subprocess
import sys

import yaml

print("Python", sys.version.split()[0], "PyYAML", yaml.__version__, "C parser:", yaml.__with_libyaml__)
# Of several runs, the quickest for each module: other programs only add time.
quickest = {}
for _ in range(15):
    # What others share is loaded first.
    command = (sys.executable, "-X", "importtime", "-c", "import base64, datetime, re, types; import yaml")
    log = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    for own, name in re.findall(r"import time: +(\d+) \| +\d+ \| +(yaml\S*)", log):
        quickest[name] = min(int(own), quickest.get(name, int(own)))
ranking = sorted(quickest, key=quickest.get, reverse=True)
share = quickest["yaml.reader"] / sum(quickest.values())
for name in ranking[:3]:
    print(f"{name}: {quickest[name]} µs")
print(f"yaml.reader is {share:.0%} of the import")
if ranking[0] != "yaml.reader" or share < 0.25:
    sys.exit("changed: yaml.reader is no longer the largest part of the import")
EOF
