"""Patch names: how the names in a patch can be read, and which of them a file of a component can have.

A name can be read in several ways: without some of its leading folders, and without the path of the component after
that. Which one is right, the files of the archive decide: one number of folders for the whole patch (`naming.py`).
"""

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from pipeline.archives.entry_names import is_junk, last_part, name_fault

Sides: TypeAlias = tuple[str, str]
"""The names of a file before and after; empty where there is none."""
Way: TypeAlias = Literal["", "project", "name"]
"""What is taken off after the leading folders: nothing, the component's path in the project, or its name."""
_DEEPEST: Final = 20
"""How many leading folders are taken off, at the most."""
_OLD_NAMES: Final = (".orig", ".bak", "~")
"""What programs append to the name of a file for its old version."""
_KINDS: Final = {"themes": "themes", "modules": "modules", "plugins": "modules"}
"""What folders have in them that are called so."""


class Reading(Struct, frozen=True):
    """One way to read the name of a file."""

    name: str
    """Its path in the component."""
    taken: int
    """How many leading folders are taken off."""
    way: Way
    is_below: bool
    """Whether the last of these folders has components like this one."""


def first_folder(name: str) -> str:
    """The first folder of a path; empty if it has none."""
    folder, slash, _ = name.partition("/")
    if slash:
        return folder
    return ""


def have_two_roots(sides: Sides) -> bool:
    """Whether two names begin with different folders, as `a/` and `b/`."""
    return all(sides) and first_folder(sides[0]) != first_folder(sides[1])


def readings_of(sides: Sides, component: str) -> Iterator[Reading]:
    """How the name of a file can be read, the likeliest first: of two names, the shorter."""
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
    """A name without what marks it as an old version, if the other name is the same without that."""
    others = {_below(side) for side in sides if side}
    for mark in _OLD_NAMES:
        if name.endswith(mark) and _below(name).removesuffix(mark) in others:
            return name.removesuffix(mark)
    return name


def _below(name: str) -> str:
    """A path without its first folder, if it has one."""
    return name.partition("/")[2] or name


def _is_no_folder(taken: list[str]) -> bool:
    """Whether the last of some leading folders leads out of those before, or may be in no name."""
    *before, last = taken or [""]
    return (last == ".." and any(part != ".." for part in before)) or last == ".git" or (not last and bool(before))


def _inside(rest: str, taken: list[str], component: str) -> Iterator[Reading]:
    """The readings of what is left of a name when some folders are taken off."""
    folder, _, last = component.rpartition("/")
    is_below = bool(taken) and _kind(taken[-1], folder) == _kind(last_part(folder), folder)
    ways: dict[Way, str] = {"project": f"{component}/", "": "", "name": f"{last}/"}
    for way, before in ways.items():
        if rest.startswith(before) and len(rest) > len(before):
            yield Reading(rest.removeprefix(before), len(taken), way, is_below)


def _kind(folder: str, home: str) -> str:
    """What a folder has in it, by its name: themes, modules, or what the folder of the component has."""
    if folder in _KINDS:
        return _KINDS[folder]
    if folder == last_part(home):
        return "modules"
    return ""


def leads_elsewhere(name: str, component: str) -> bool:
    """Whether a name is that of a file in another component of a project."""
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
