#!/usr/bin/env bash
# questionary 2.1.1 with prompt_toolkit 3.0.53: the signal SIGINT ends a question for text, and no list.
#
# Expected: each kind of question raises KeyboardInterrupt when another process, such as `timeout --signal=INT`,
# interrupts the program, as each does for Ctrl-C on the keyboard.
# Happens: `select` and `checkbox` bind the key Ctrl-C alone. prompt_toolkit turns the signal into a key of its own,
# to which nothing is bound in them, so they go on and take the next Enter for an answer.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check questionary==2.1.1 prompt-toolkit==3.0.53
"$folder/venv/bin/python" - <<'EOF'
import asyncio
import os
import signal
import sys
from importlib.metadata import version
import questionary
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

KINDS = {
    "text": lambda **ends: questionary.text("Which", **ends),
    "confirm": lambda **ends: questionary.confirm("Which", **ends),
    "select": lambda **ends: questionary.select("Which", choices=["first", "second"], **ends),
    "checkbox": lambda **ends: questionary.checkbox("Which", choices=["first", "second"], **ends),
}


def answer(kind):
    with create_pipe_input() as terminal:
        question = KINDS[kind](input=terminal, output=DummyOutput())
        drawings = []

        def interrupt(application):
            drawings.append(application)
            if len(drawings) == 1:
                os.kill(os.getpid(), signal.SIGINT)
                asyncio.get_running_loop().call_later(1, terminal.send_text, "\r")

        question.application.after_render += interrupt
        try:
            return question.unsafe_ask()
        except KeyboardInterrupt:
            return "KeyboardInterrupt"


print("questionary", version("questionary"), "prompt_toolkit", version("prompt_toolkit"))
seen = {kind: answer(kind) for kind in KINDS}
print(*(f"{kind}: {result!r}" for kind, result in seen.items()), sep="\n")
if seen != {"text": "KeyboardInterrupt", "confirm": "KeyboardInterrupt", "select": "first", "checkbox": []}:
    sys.exit("changed: other questions end at the signal")
EOF
