"""Runs that are broken at every call, each with the project that it changes.

`data/scenarios.json` has them: the steps before, which several scenarios may share by a name, and
the run. A step packs archives for the drop, writes files or links, removes some, or runs a build or
another command, which has to succeed.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from tests.support import miniatures

Tool = Callable[..., int]
"""Runs the command in a folder."""
_DATA: Final = msgspec.json.decode((Path(__file__).parent / "data/scenarios.json").read_bytes())


class Scenario(Struct, frozen=True):
    """How a project is prepared in a folder, and the run that is broken."""

    before: tuple[Any, ...]
    args: tuple[str, ...] = ("create",)
    apart: str = ""
    """The name of the error with which the system refuses to move whole components; empty if
    it does not.
    """
    is_update: bool = False
    """Whether the run only updates components, so that the marker of each is the old or the
    new one.
    """
    code_again: int = 0
    """The exit code of the run if everything is done already; what was removed has no name then."""

    def prepare(self, root: Path, tool: Tool) -> None:
        """Take the steps before the run."""
        for step in self.before:
            _do(step, root, tool)


def pack(root: Path, name: str, files: miniatures.Files) -> None:
    """Make the archive of a component."""
    (root / f"{name}.zip").write_bytes(miniatures.pack(files))


def _do(step: Any, root: Path, tool: Tool) -> None:
    for each in _DATA["steps"][step] if isinstance(step, str) else ():
        _do(each, root, tool)
    match step:
        case {"drop": archives}:
            for name, files in archives.items():
                pack(root, name, files)
        case {"files": texts}:
            for name, text in texts.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
        case {"folders": names}:
            for name in names:
                (root / name).mkdir()
        case {"links": targets}:
            for name, target in targets.items():
                (root / name).symlink_to(target)
        case {"gone": names}:
            for name in names:
                (root / name).unlink()
        case {"build": flags} if tool("create", *flags) != 0:
            raise AssertionError("a build failed")
        case {"run": args} if tool(*args) != 0:
            raise AssertionError("a run failed")


SCENARIOS: Final = msgspec.convert(_DATA["scenarios"], dict[str, Scenario])
