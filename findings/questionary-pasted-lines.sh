#!/usr/bin/env bash
# questionary 2.1.1 with prompt_toolkit 3.0.53: a question of one line takes a pasted column as one answer.
#
# Expected: a question without `multiline` gives an answer without line breaks: the first ends it, or it is dropped.
# Happens: what a terminal marks as pasted goes into the answer with its line breaks, which typed ones never do.
# Names that somebody copies from a list arrive as one name, and code that splits at commas does not notice.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check questionary==2.1.1 prompt-toolkit==3.0.53
"$folder/venv/bin/python" - <<'EOF'
import sys
from importlib.metadata import version
import questionary
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput


def answer(keys):
    with create_pipe_input() as terminal:
        terminal.send_text(keys)
        return questionary.text("Names", multiline=False, input=terminal, output=DummyOutput()).unsafe_ask()


print("questionary", version("questionary"), "prompt_toolkit", version("prompt_toolkit"))
typed = answer("apple\rpear\r")
pasted = answer("\x1b[200~apple\rpear\x1b[201~\r")
print("typed:", repr(typed))
print("pasted:", repr(pasted))
if (typed, pasted) != ("apple", "apple\npear"):
    sys.exit("changed: a pasted column gives another answer")
EOF
