"""Elsewhere: modules and themes that are in a project, whoever put them there."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath
from typing import Final

_DEPTH: Final = 4
"""How deep below a folder of modules a module in a module may be."""
_LIMIT: Final = 50_000
"""How many names are looked at. Beyond, as in a folder that cannot be read, anything may be there."""
_NEVER: Final = frozenset(
    {"assets", "config", "css", "images", "js", "node_modules", "src", "templates", "tests", "translations", "vendor"}
)
"""Folders in which no module is."""


def elsewhere(
    project: PurePath, folders: Sequence[str], names: frozenset[str], removed: frozenset[str], is_deep: bool
) -> frozenset[str]:
    """Which of some names modules or themes below some folders of a project have, or may have.

    Paths that are `removed` do not count, nor does it matter how a name is capitalised.
    """
    folded = {name.casefold() for name in names}
    forms = {f"{name}{suffix}": name for name in folded for suffix in ("", ".info.yml", ".info", ".php")}
    found = set[str]()
    try:
        for number, entry in enumerate(_entries(project, folders, removed, _DEPTH if is_deep else 1)):
            if number == _LIMIT:
                return names
            found.add(forms.get(entry.casefold(), ""))
    except OSError:
        return names
    return frozenset(name for name in names if name.casefold() in found)


def _entries(project: PurePath, folders: Sequence[str], removed: frozenset[str], depth: int) -> Iterator[str]:
    """The names of what is below some folders, down to a depth. Raises `OSError` where there is no telling."""
    for top in folders:
        for place, inside, files in os.walk(Path(project, top), onerror=_unless_missing, followlinks=True):
            path = PurePath(place).relative_to(project)
            inside[:] = [name for name in inside if str(path / name) not in removed and name not in _NEVER]
            yield from (*inside, *files)
            if len(path.relative_to(top).parts) + 1 >= depth:
                inside.clear()


def _unless_missing(error: OSError) -> None:
    if not isinstance(error, FileNotFoundError):
        raise error
