"""Residences: which systems a project has, and which of its folders hold components."""

from collections.abc import Collection, Iterable, Iterator
from functools import cache, lru_cache
from pathlib import PurePath
from typing import Final

from msgspec import Struct
from toolz import concat, unique

from pipeline.archives.archive import Component
from pipeline.archives.formats import constant_in
from pipeline.archives.markers import Root
from pipeline.archives.places import KINDS, FolderProbe, Places, joined
from pipeline.report.events import ComponentKind
from pipeline.systems.system import System
from pipeline.systems.table import SYSTEMS, system_called
from pipeline.values import replace

_AROUND: Final = ".."
_INNER: Final = tuple(unique(concat(system.folders.inner for system in SYSTEMS)))
_BESIDE: Final = tuple(unique(concat(system.folders.beside for system in SYSTEMS)))
_AGAIN: Final = tuple(unique(system.folders.again for system in SYSTEMS if system.folders.again))


class Residence(Struct, frozen=True):
    """A system in a project, its root there, and the folders in which it keeps components."""

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


class Host(Struct, frozen=True):
    """The system that decides for a project: the one whose root contains the folders
    of components.
    """

    system: System
    root: str
    version: str = ""
    """The version; empty if its files do not name it."""

    @property
    def name(self) -> str:
        """The name of the system."""
        return self.system.name

    def takes(self, component: Component) -> bool:
        """Whether a component is for this system, or is a module for the one that this system is
        made from.
        """
        is_of_origin = (
            component.system == self.system.made_from and component.built_kind == "module"
        )
        return component.system == self.name or (bool(component.system) and is_of_origin)

    def as_taken(self, component: Component) -> Component:
        """A component as this system accepts it, although others do not."""
        if component.what and self.system.adopts(component, self.version):
            return replace(component, kind="theme", what=None)
        return component

    def is_known_to(self, component: Component) -> bool:
        """Whether the versions that a component runs on are versions of this system."""
        return self.name == component.system or self.name in system_called(component.system).kin

    def has_at(self, root: Root) -> Iterator[tuple[ComponentKind, str]]:
        """The kinds and names of the components that it finds at a root; an empty name is that of
        the folder.
        """
        if self.system.named_at:
            return self.system.named_at(root)
        return ((each.built_kind, each.name) for each in self.system.recognise(root))

    def folders(self, places: Places, probe: FolderProbe) -> tuple[str, ...]:
        """The folders in which it finds components, each once; `places` are those in which they
        are built.
        """
        folders = self.system.folders
        around = concat(folders_around(places.of(kind)) for kind in KINDS)
        own = (*(folders.places.of(kind) for kind in KINDS), *folders.own)
        spread = concat(_spread(joined(self.root, folder), probe) for folder in own)
        return probe.each_once((*around, *spread))

    def runs(self, component: Component) -> bool | None:
        """Whether a component runs on this version; `None` if that is unknown."""
        if not (component.runs_on and self.version) or not self.is_known_to(component):
            return None
        return system_called(component.system).accepts(self.version, component.runs_on)


def host_of(places: Places, probe: FolderProbe) -> Host | None:
    """The system whose root contains the folders of themes and modules, the nearest to them.

    `None` if there is none or more than one.
    """
    themes = _nearest(places.themes, probe)
    modules = themes
    if PurePath(places.modules).parent != PurePath(places.themes).parent:
        modules = _nearest(places.modules, probe)
    if len(themes) != 1 or themes != modules:
        return None
    system, root = themes[0]
    return Host(system, root, _version_at(system, root, probe))


def _nearest(folder: str, probe: FolderProbe) -> list[tuple[System, str]]:
    """The systems at the nearest root around a folder, with that root."""
    for parent in PurePath(folder).parents:
        root = parent.as_posix()
        found = [(system, root) for system in SYSTEMS if _is_at(system, root, probe)]
        if found:
            return found
    around = [system for system in SYSTEMS if system.folders.content == probe.name and probe.name]
    return [(system, _AROUND) for system in around if _is_at(system, _AROUND, probe)]


def _version_at(system: System, root: str, probe: FolderProbe) -> str:
    """The version that the files of a system at a root name."""
    for file in system.versions:
        version = constant_in(probe.content(joined(root, file.path)), file.constant)
        if version:
            return version
    return ""


def residences(probe: FolderProbe) -> Iterator[Residence]:
    """The systems in a project, each once; of two paths to the same folder, the one that is
    no link.
    """
    for system in SYSTEMS:
        for root in roots_of(system, system.roots, probe):
            yield Residence(system, root, system.folders.at(root, probe))
    for system in SYSTEMS:
        if probe.name == system.folders.content and _is_at(system, _AROUND, probe):
            yield Residence(system, _AROUND, system.folders.in_content)


def roots_of(system: System, folders: Iterable[str], probe: FolderProbe) -> tuple[str, ...]:
    """The folders of a project, among those given, that have a system in them, each once."""
    return probe.each_once(folder for folder in folders if _is_at(system, folder, probe))


def _is_at(system: System, folder: str, probe: FolderProbe) -> bool:
    """Whether a folder of a project has a system in it, and not one that is made from it."""
    signs = (each.found_by for each in SYSTEMS if each.made_from == system.name)
    return system.found_by.is_at(folder, probe) and not any(
        sign.is_at(folder, probe) for sign in signs
    )


def _spread(folder: str, probe: FolderProbe) -> tuple[str, ...]:
    """The folders that a path with a `*` matches; any other path is itself."""
    above, star, below = folder.partition("/*/")
    if not star:
        return (folder,)
    return tuple(joined(above, name, below) for name in probe.folders(above))


def groups_around(target: str, probe: FolderProbe) -> tuple[str, ...]:
    """The folders in which a project's systems have components of the same kind as in a
    target folder.

    The first contains the others, if there are any: `modules`, `modules/contrib`, `modules/custom`.
    """
    groups = tuple(unique(concat(each.system.folders.inner for each in residences(probe))))
    top = _above_groups(target, groups)
    return tuple(joined(str(top), group) for group in ("", *groups))


def _above_groups(target: str, groups: Collection[str]) -> PurePath:
    """The folder around a target folder that is a group inside it; any other target folder
    is itself.
    """
    folder = PurePath(target)
    if folder.name in groups:
        return folder.parent
    return folder


@cache
def folders_around(target: str) -> tuple[str, ...]:
    """The folders in which a system may have components of the same kind as in a target folder."""
    top = _above_groups(target, _INNER[:1])
    root = top.parent
    again = (_across(root, other) / top.name for other in _AGAIN)
    return tuple(path.as_posix() for path in (top, *(root / beside for beside in _BESIDE), *again))


def _across(folder: PurePath, again: str) -> PurePath:
    """The other of the two folders in which a system has folders with these names: its root, or one
    further down.
    """
    parts = PurePath(again).parts
    if folder.parts[-len(parts) :] == parts:
        return folder.parents[len(parts) - 1]
    return folder / again


@lru_cache(maxsize=16)
def with_inner_folders(folders: tuple[str, ...]) -> tuple[str, ...]:
    """Folders, each with the folders inside it in which a system also looks."""
    return tuple(joined(each, inner) for each in folders for inner in ("", *_INNER))
