"""Residences: which systems a project has, and in which of its folders components are."""

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from pathlib import PurePath
from typing import Final

from msgspec import Struct
from toolz import concat, unique

from pipeline.archives.places import FolderProbe, Places, joined
from pipeline.systems.system import System
from pipeline.systems.table import SYSTEMS

_AROUND: Final = ".."
_INNER: Final = tuple(unique(concat(system.folders.inner for system in SYSTEMS)))
_BESIDE: Final = tuple(unique(concat(system.folders.beside for system in SYSTEMS)))
_AGAIN: Final = tuple(unique(system.folders.again for system in SYSTEMS if system.folders.again))


class Residence(Struct, frozen=True):
    """A system that lives in a project, its root there, and the folders in which it keeps its components."""

    system: System
    root: str
    places: Places

    @property
    def name(self) -> str:
        """The name of the system."""
        return self.system.name

    @property
    def marker(self) -> str:
        """The file that shows it."""
        return joined(self.root, self.system.found_by.marker)

    def __str__(self) -> str:
        return f"{self.name} ({self.marker})"


def residences(probe: FolderProbe) -> Iterator[Residence]:
    """The systems that live in a project, each once: of two folders that are the same, that which is no link."""
    for system in SYSTEMS:
        for root in roots_of(system, system.roots, probe):
            yield Residence(system, root, system.folders.at(root, probe))
    for system in SYSTEMS:
        if probe.name == system.folders.content and _is_at(system, _AROUND, probe):
            yield Residence(system, _AROUND, system.folders.in_content)


def roots_of(system: System, folders: Iterable[str], probe: FolderProbe) -> tuple[str, ...]:
    """Those of some folders of a project that have a system in them, each once."""
    return probe.each_once(folder for folder in folders if _is_at(system, folder, probe))


def _is_at(system: System, folder: str, probe: FolderProbe) -> bool:
    """Whether a system is in a folder of a project, and not one that has been made from it."""
    signs = (each.found_by for each in SYSTEMS if each.made_from == system.name)
    return system.found_by.is_at(folder, probe) and not any(sign.is_at(folder, probe) for sign in signs)


@cache
def folders_around(target: str) -> tuple[str, ...]:
    """The folders in which a system may have components of the same kind as in a target folder."""
    folder = PurePath(target)
    top = folder.parent if folder.name in _INNER[:1] else folder
    root = top.parent
    again = (_across(root, other) / top.name for other in _AGAIN)
    return tuple(path.as_posix() for path in (top, *(root / beside for beside in _BESIDE), *again))


def _across(folder: PurePath, again: str) -> PurePath:
    """The other of the two folders in which a system has folders of the same names: its root, or one further down."""
    parts = PurePath(again).parts
    return folder.parents[len(parts) - 1] if folder.parts[-len(parts) :] == parts else folder / again


@lru_cache(maxsize=16)
def with_inner_folders(folders: tuple[str, ...]) -> tuple[str, ...]:
    """Folders, each with those in it in which a system looks, too."""
    return tuple(joined(each, inner) for each in folders for inner in ("", *_INNER))
