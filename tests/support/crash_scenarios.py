"""What is broken at every call: a project, and a run that changes it."""

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from msgspec import Struct

Tool = Callable[..., int]
"""Builds the project in a folder, with flags."""


class Scenario(Struct, frozen=True):
    """How a project is prepared in a folder, and the run that is broken."""

    prepare: Callable[[Path, Tool], None]
    args: tuple[str, ...] = ("create",)
    apart: str = ""
    """The name of the error with which the system refuses to move whole components; empty if it does not."""


def pack(root: Path, name: str, files: dict[str, str]) -> None:
    """Make the archive of a component."""
    with zipfile.ZipFile(root / f"{name}.zip", "w") as archive:
        for file, content in files.items():
            archive.writestr(zipfile.ZipInfo(file, (2026, 1, 1, 0, 0, 0)), content)


def _first(root: Path, tool: Tool) -> None:
    pack(root, "m", {"m/m.php": "old", "m/a/b": "old", "m/gone": "old"})
    pack(root, "n", {"n/n.php": "n"})
    if tool() != 0:
        raise AssertionError("the first build failed")


def _gone(root: Path, tool: Tool) -> None:
    _first(root, tool)
    (root / "m.zip").unlink()
    pack(root, "n", {"n/n.php": "new"})


def _installed(root: Path, tool: Tool) -> None:
    for version, name in (("2.0", "modules/m"), ("1.0", "m")):
        files = {"module.json": f'{{"name": "m", "version": "{version}"}}', "a/b": version, "same": "s"}
        if name == "m":
            pack(root, name, {f"{name}/{file}": content for file, content in files.items()})
            continue
        for file, content in files.items():
            (root / name / file).parent.mkdir(parents=True, exist_ok=True)
            (root / name / file).write_text(content, encoding="utf-8")


def _forced(root: Path, tool: Tool) -> None:
    _installed(root, tool)
    if tool(".", "m", "--force") != 0:
        raise AssertionError("the first build failed")


def _second(root: Path) -> None:
    pack(root, "m", {"m/m.php": "new", "m/a/b": "new", "m/came": "new"})


def _add(root: Path, tool: Tool) -> None:
    pack(root, "n", {"n/n.php": "n"})
    pack(root, "theme", {"theme.json": '{"name": "t"}', "a": "a"})


def _update(root: Path, tool: Tool) -> None:
    _first(root, tool)
    _second(root)


def _patch(root: Path, component: str, file: str, old: str, new: str) -> None:
    """Put a patch in the project that changes the first line of a file."""
    path = root / f"patches/modules/{component}.patch"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"--- {file}\n+++ {file}\n@@ -1 +1 @@\n-{old}\n+{new}\n", encoding="utf-8")


def _edited(root: Path, tool: Tool) -> None:
    """A patch that does not fit the archive of the drop, beside an edit."""
    lines = "1\n2\n3\n4\n5\n"
    pack(root, "m", {"m/m.php": lines, "m/a": "a\n"})
    _patch(root, "m", "m.php", "1", "one")
    if tool() != 0:
        raise AssertionError("the first build failed")
    (root / "modules/m/a").write_text("mine\n", encoding="utf-8")
    (root / "modules/m/m.php").write_text(lines.replace("1", "one").replace("3", "three"), encoding="utf-8")
    pack(root, "m", {"m/m.php": f"0\n{lines.replace('5', 'five')}", "m/a": "a\n"})


def _both(root: Path, tool: Tool) -> None:
    """Updates of two components, each with a file that stays the same, which a patch of one changes."""
    _patch(root, "m", "same", "same", "ours")
    for text in ("old", "new"):
        for name in ("m", "n"):
            pack(root, name, {f"{name}/{name}.php": text, f"{name}/same": "same\n", f"{name}/a/{text}": text})
        if text == "old" and tool() != 0:
            raise AssertionError("the first build failed")


def _both_edited(root: Path, tool: Tool) -> None:
    """Updates of two components, each edited since."""
    _both(root, tool)
    if tool() != 0:
        raise AssertionError("the second build failed")
    for name in ("m", "n"):
        (root / f"modules/{name}/{name}.php").write_text(f"mine of {name}", encoding="utf-8")


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
    (root / "modules/m/live").write_text("mine", encoding="utf-8")
    (root / "modules/m/cache").mkdir()
    (root / "modules/m/cache/x").write_text("mine", encoding="utf-8")
    pack(root, "m", {"m/m.php": "new", "m/a/b": "old", "m/came": "new"})


def _packed_again(root: Path, tool: Tool) -> None:
    """The same files in another archive, so the record alone changes."""
    _first(root, tool)
    pack(root, "m", {"m/": "", "m/m.php": "old", "m/a/b": "old", "m/gone": "old"})


def _recorded(root: Path, tool: Tool) -> None:
    _packed_again(root, tool)
    if tool() != 0:
        raise AssertionError("the second build failed")


def _in_wordpress(prepare: Callable[[Path, Tool], None]) -> Callable[[Path, Tool], None]:
    """The same in a project in which WordPress lives, which has no component yet."""

    def prepared(root: Path, tool: Tool) -> None:
        (root / "wp-includes").mkdir()
        (root / "wp-includes/version.php").touch()
        prepare(root, tool)

    return prepared


def _updated(root: Path, tool: Tool) -> None:
    _update(root, tool)
    if tool() != 0:
        raise AssertionError("the second build failed")


def _legacy(root: Path, tool: Tool) -> None:
    _add(root, tool)
    (root / ".tool.json").write_text('{"excludeModules": ["x"], "version": "0.9"}', encoding="utf-8")


def _undo(root: Path, tool: Tool) -> None:
    """An update after which somebody has added and edited files."""
    _first(root, tool)
    (root / "modules/m/a/mine").write_text("mine", encoding="utf-8")
    pack(root, "m", {"m/m.php": "new", "m/a/b": "old", "m/came": "new"})
    pack(root, "new", {"new/new.php": "new"})
    (root / "n.zip").rename(root / "n.away")
    if tool() != 0:
        raise AssertionError("the second build failed")
    (root / "modules/m/a/b").write_text("mine since", encoding="utf-8")
    (root / "modules/m/since").write_text("mine since", encoding="utf-8")


def _adopted(root: Path, tool: Tool) -> None:
    """A first build over a component that was there, with a file of its own."""
    (root / "wp-content/plugins/m").mkdir(parents=True)
    (root / "wp-content/plugins/m/mine").write_text("mine", encoding="utf-8")
    _first(root, tool)


SCENARIOS: Final = {
    "add": Scenario(_add),
    "add file by file": Scenario(_add, apart="EXDEV"),
    "update": Scenario(_update),
    "update two": Scenario(_both),
    "carry": Scenario(_carry),
    "force": Scenario(_force, ("create", "--force")),
    "prune": Scenario(_first, ("create", "--exclude=m", "--prune")),
    "prune what was edited": Scenario(_force, ("create", "--exclude=m", "--exclude=n", "--prune")),
    "prune file by file": Scenario(_force, ("create", "--exclude=m", "--exclude=n", "--prune"), apart="EBUSY"),
    "legacy lift": Scenario(_legacy),
    "mine": Scenario(_force, ("create", "--mine")),
    "force over what a system installed": Scenario(_installed, ("create", ".", "m", "--force")),
    "add in WordPress": Scenario(_in_wordpress(_add)),
    "update in WordPress": Scenario(_in_wordpress(_update)),
    "prune by name, in WordPress": Scenario(_in_wordpress(_gone), ("create", ".", "m", "n", "--prune")),
    "undo in WordPress": Scenario(_in_wordpress(_updated), ("undo",)),
    "undo of the first build in WordPress": Scenario(_in_wordpress(_adopted), ("undo",)),
    "undo": Scenario(_undo, ("undo",)),
    "undo file by file": Scenario(_undo, ("undo",), apart="EXDEV"),
    "undo of force over what a system installed": Scenario(_forced, ("undo",)),
    "packed again": Scenario(_packed_again),
    "undo of packed again": Scenario(_recorded, ("undo",)),
    "undo two with --force": Scenario(_both_edited, ("undo", "--force")),
    "patch": Scenario(_edited, ("patch", ".", "m")),
}
