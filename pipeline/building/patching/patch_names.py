"""Patch names: the ways to read the names in a patch, and which names a file of a component can
have (`docs/building.md`, "Patches").

A name has several readings: without some of its leading folders, and then without the path of the
component. The files of the archive decide which reading is right (`naming.py`).
"""

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from pipeline.archives.entry_names import is_junk, last_part, name_fault

Sides: TypeAlias = tuple[str, str]
"""The names of a file before and after; an empty name stands for no file."""
Way: TypeAlias = Literal["", "project", "name"]
"""What a reading strips after the leading folders: nothing, the component's project path,
or its name.
"""
_DEEPEST: Final = 20
"""The most leading folders that a reading strips."""
_OLD_NAMES: Final = (".orig", ".bak", "~")
"""Suffixes that programs append to the name of a file's old version."""
_KINDS: Final = {"themes": "themes", "modules": "modules", "plugins": "modules"}
"""The kind of components in folders with these names."""


class Reading(Struct, frozen=True):
    """One way to read the name of a file."""

    name: str
    """The path of the file in the component."""
    taken: int
    """How many leading folders the reading strips."""
    way: Way
    """What the reading strips after the leading folders."""
    is_below: bool
    """Whether the last stripped folder holds components of this kind."""


def first_folder(name: str) -> str:
    """The first folder of a path; empty if it has none."""
    folder, slash, _ = name.partition("/")
    if slash:
        return folder
    return ""


def have_two_roots(sides: Sides) -> bool:
    """Whether two names begin with different folders, such as `a/` and `b/`."""
    return all(sides) and first_folder(sides[0]) != first_folder(sides[1])


def readings_of(sides: Sides, component: str) -> Iterator[Reading]:
    """The readings of a file's name, the likeliest first, given its names before and after the
    change. The readings of the shorter name come first.
    """
    least = int(have_two_roots(sides))
    for name in sorted({_without_mark(side, sides) for side in sides if side}, key=len):
        parts = name.split("/")
        for taken in range(min(len(parts), _DEEPEST + 1)):
            if _is_no_folder(parts[:taken]):
                break
            rest = "/".join(parts[taken:])
            if taken >= least:
                yield from _inside(rest, parts[:taken], component)
                if leads_elsewhere(rest, component):
                    break


def _without_mark(name: str, sides: Sides) -> str:
    """The name without the suffix of an old version, if the other name is the same without it."""
    others = {_below(side) for side in sides if side}
    for mark in _OLD_NAMES:
        if name.endswith(mark) and _below(name).removesuffix(mark) in others:
            return name.removesuffix(mark)
    return name


def _below(name: str) -> str:
    """The path without its first folder; unchanged if it has none."""
    return name.partition("/")[2] or name


def _is_no_folder(taken: list[str]) -> bool:
    """Whether the last of the leading folders cannot be stripped: it leads out of the others, or is
    no name of a folder.
    """
    *before, last = taken or [""]
    return (
        (last == ".." and any(part != ".." for part in before))
        or last == ".git"
        or (not last and bool(before))
    )


def _inside(rest: str, taken: list[str], component: str) -> Iterator[Reading]:
    """The readings of the rest of a name after some leading folders are stripped."""
    folder, _, last = component.rpartition("/")
    is_below = bool(taken) and _kind(taken[-1], folder) == _kind(last_part(folder), folder)
    ways: dict[Way, str] = {"project": f"{component}/", "": "", "name": f"{last}/"}
    for way, before in ways.items():
        if rest.startswith(before) and len(rest) > len(before):
            yield Reading(rest.removeprefix(before), len(taken), way, is_below)


def _kind(folder: str, home: str) -> str:
    """The kind of components in a folder, by its name: `themes`, `modules`, or empty if unknown."""
    if folder in _KINDS:
        return _KINDS[folder]
    if folder == last_part(home):
        return "modules"
    return ""


def leads_elsewhere(name: str, component: str) -> bool:
    """Whether a name is the path of a file in another component of the project."""
    folder, _, last = component.rpartition("/")
    first, *between = name.split("/")[:-1] or [""]
    kind = _kind(first, folder)
    if not (kind and between):
        return False
    return kind != _kind(last_part(folder), folder) or last not in between


def wrong_name(name: str) -> str:
    """Why a file cannot have this name; empty if it can."""
    if fault := name_fault(name):
        return f"of a file, {fault.partition('; ')[0]}"
    if is_junk(name):
        return "it is about a file that operating systems leave behind"
    return ""
