"""TypeScript's own parser, as a second opinion on what a script says."""

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

_MODULES: Final = Path(sys.prefix) / "node" / "node_modules"
_PROGRAM: Final = Path(__file__).parent / "scripts.cjs"

Places = list[tuple[int, Any, bool]]
"""Offsets, each with the value that is there, and whether it is written there or computed."""


def look(scripts: Iterable[tuple[str, str, Places]]) -> list[dict[str, Any]]:
    """What TypeScript makes of scripts, each given by its name, its text and places in it (`scripts.cjs`)."""
    asked = [
        {"name": name, "text": text, "places": [(_in_utf16(text, at), *more) for at, *more in places]}
        for name, text, places in scripts
    ]
    command = ["node", _PROGRAM, _MODULES]
    ran = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    answers: list[dict[str, Any]] = json.loads(ran.stdout)
    for answer in answers:
        answer["value"] = answer["value"] and json.dumps(json.loads(answer["value"]))  # as Python writes it
    return answers


def _in_utf16(text: str, at: int) -> int:
    return len(text[:at].encode("utf-16-le", "surrogatepass")) // 2
