"""Patch names: how the names in a patch can be read, and which of them a file of a component can have.

A name can be read in several ways, with and without its first folder and the path of the component: which one is right,
the files of the archive decide (`patches.py`).
"""

from collections.abc import Iterator

from msgspec import Struct

from pipeline.archives.entry_names import is_junk, last_part, name_fault


class Reading(Struct, frozen=True):
    """One way to read the name of a file."""

    name: str
    """Its path in the component."""
    way: str
    """What is taken off: the first folder, the path of the component, or both."""

    @property
    def is_from_project(self) -> bool:
        """Whether the path of the component in the project is taken off."""
        return self.way.endswith("project")


def readings_of(names: tuple[bytes, bytes], component: str) -> Iterator[Reading]:
    """How the name of a file can be read, given its names before and after, the likeliest first."""
    one, other = (name.decode(errors="surrogateescape") for name in names)
    if one == f"{other}.orig" or _below(one) == f"{_below(other)}.orig":
        one = one.removesuffix(".orig")
    named = [name for name in (one, other) if name != "/dev/null"]
    bases = list[tuple[str, str]]()
    if len({*named}) == 1:
        bases.append(("", named[0]))
    if len({_below(name) for name in named}) == 1:
        bases.append(("folder", _below(named[0])))
    if len(named) == 1 and named[0].startswith(("a/", "b/")):
        bases.reverse()
    for taken, name in bases:
        inside = {"project": _after(component, name), "": name, "name": _after(last_part(component), name)}
        yield from (Reading(path, f"{taken} {what}") for what, path in inside.items() if path)


def _below(name: str) -> str:
    """A path without its first folder; empty if it has none."""
    return name.partition("/")[2]


def _after(folder: str, path: str) -> str:
    """What follows a folder in a path, wherever it is in it; empty if it is not."""
    return f"/{path}".partition(f"/{folder}/")[2]


def wrong_name(name: str) -> str:
    """Why a file cannot have this name; empty if it can."""
    if fault := name_fault(name):
        return f"of a file, {fault.partition('; ')[0]}"
    return "it is about a file that operating systems leave behind" if is_junk(name) else ""
