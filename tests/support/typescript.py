"""TypeScript's own parser, as a second opinion on what a script says."""

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from pipeline.report.location import Location

_MODULES: Final = Path(sys.prefix) / "node" / "node_modules"
_PROGRAM: Final = Path(__file__).parent / "scripts.cjs"

Places = list[tuple[Location, Any]]
"""Locations, each with the value that is there."""


def look(scripts: Iterable[tuple[str, str, Places]]) -> list[dict[str, Any]]:
    """What TypeScript sees in scripts, each given by its name, its text and places in it
    (`scripts.cjs`).
    """
    asked = [
        {"name": name, "text": text, "places": [(_in_utf16(text, at), data) for at, data in places]}
        for name, text, places in scripts
    ]
    command: list[str | Path] = ["node", _PROGRAM, _MODULES]
    ran = subprocess.run(
        command, input=json.dumps(asked), capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    answers: list[dict[str, Any]] = json.loads(ran.stdout)
    for answer in answers:
        # As Python writes it.
        answer["value"] = answer["value"] and json.dumps(json.loads(answer["value"]))
    return answers


def _in_utf16(text: str, at: Location) -> int:
    """The offset of a location."""
    lines = text.split("\n")
    before = "\n".join([*lines[: at.line - 1], lines[at.line - 1][: at.column - 1]])
    return len(before.encode("utf-16-le", "surrogatepass")) // 2
