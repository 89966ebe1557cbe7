"""What is broken at every call: a project, and a run that changes it."""

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from msgspec import Struct

Tool = Callable[[], int]
"""Builds the project in a folder."""


class Scenario(Struct, frozen=True):
    """How a project is prepared in a folder, and the run that is broken."""

    prepare: Callable[[Path, Tool], None]
    args: tuple[str, ...] = ("create",)
    exchange: bool = True
    """Whether the system can exchange two folders in one step."""
    in_place: str = ""
    """The name of the error with which the system refuses to move folders of components; empty if it does not."""


def _archive(root: Path, name: str, files: dict[str, str]) -> None:
    with zipfile.ZipFile(root / f"{name}.zip", "w") as archive:
        for file, content in files.items():
            archive.writestr(zipfile.ZipInfo(file, (2026, 1, 1, 0, 0, 0)), content)


def _first(root: Path, tool: Tool) -> None:
    _archive(root, "m", {"m/m.php": "old", "m/a/b": "old", "m/gone": "old"})
    _archive(root, "n", {"n/n.php": "n"})
    if tool() != 0:
        raise AssertionError("the first build failed")


def _second(root: Path) -> None:
    _archive(root, "m", {"m/m.php": "new", "m/a/b": "new", "m/came": "new"})


def _add(root: Path, tool: Tool) -> None:
    _archive(root, "n", {"n/n.php": "n"})
    _archive(root, "theme", {"theme.json": '{"name": "t"}', "a": "a"})


def _update(root: Path, tool: Tool) -> None:
    _first(root, tool)
    _second(root)


def _force(root: Path, tool: Tool) -> None:
    _first(root, tool)
    (root / "modules/m/m.php").write_text("mine", encoding="utf-8")
    (root / "modules/m/a/mine").write_text("mine", encoding="utf-8")
    (root / "modules/m/empty").mkdir()
    (root / "modules/n/n.php").write_text("mine", encoding="utf-8")
    _second(root)


def _carry(root: Path, tool: Tool) -> None:
    _first(root, tool)
    (root / "modules/m/a/b").write_text("mine", encoding="utf-8")
    (root / "modules/m/a/mine").write_text("mine", encoding="utf-8")
    (root / "modules/m/own").mkdir()
    (root / "modules/m/own/link").symlink_to("../m.php")
    _archive(root, "m", {"m/m.php": "new", "m/a/b": "old", "m/came": "new"})


def _legacy(root: Path, tool: Tool) -> None:
    _add(root, tool)
    (root / ".tool.json").write_text('{"excludeModules": ["x"], "version": "0.9"}', encoding="utf-8")


SCENARIOS: Final = {
    "add": Scenario(_add),
    "update": Scenario(_update),
    "update in three renames": Scenario(_update, exchange=False),
    "carry": Scenario(_carry),
    "carry in three renames": Scenario(_carry, exchange=False),
    "carry in place": Scenario(_carry, in_place="EXDEV"),
    "force in place": Scenario(_force, ("create", "--force"), in_place="EBUSY"),
    "prune": Scenario(_first, ("create", "--exclude=m", "--prune")),
    "prune what was edited": Scenario(_force, ("create", "--exclude=m", "--exclude=n", "--prune")),
    "legacy lift": Scenario(_legacy),
    "force": Scenario(_force, ("create", "--force")),
    "force, in three renames": Scenario(_force, ("create", "--force"), exchange=False),
    "mine": Scenario(_force, ("create", "--mine")),
}
