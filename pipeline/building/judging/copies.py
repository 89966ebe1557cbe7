"""Copies: find out whether a project has a component already, under another name.

Two copies of a component are a fatal error of PHP, so none is built beside another. The rules are in
`docs/building.md`.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache
from pathlib import PurePath
from typing import Final, TypeAlias

from msgspec import Struct
from toolz import concat, groupby

from pipeline.archives.archive import Archive, Component
from pipeline.archives.entry_names import last_part
from pipeline.archives.naming import (
    is_of_a_product,
    is_set_aside,
    says_nothing,
    suggested_by,
    without_version,
)
from pipeline.archives.places import FolderProbe
from pipeline.building.stores.record import Record, archive_name
from pipeline.report.events import ComponentKind
from pipeline.systems.table import system_called

_SEPARATORS: Final = " -_"
Key: TypeAlias = tuple[str, str]
"""The kind and the name of a component."""


class Home(Struct, frozen=True):
    """Where a project has a component."""

    folder: str = ""
    """The name of its folder; empty if the project does not have it."""
    others: tuple[str, ...] = ()
    """The names of other folders that may have it, if nobody can tell."""


class _Archived(Struct, frozen=True):
    """A component of the drop, with its archive."""

    archive: Archive
    component: Component


class _Project(Struct, frozen=True):
    """What a project has of one kind of components."""

    free: Mapping[str, set[str]]
    """The names of the folders that have a marker and are not called as a component of the drop, by the marker."""
    called: Mapping[str, set[str]]
    """The names of folders by the plain names that components in them may have."""
    by_source: Mapping[tuple[str, str], set[str]]
    """Those that the record has, by the digest of the archive and of the component's content."""
    by_download: Mapping[str, set[str]]
    """The same by the name of the download."""
    recorded: frozenset[str]
    taken: frozenset[str]
    """Those that are called as a component of the drop."""
    titled: Callable[[Component], Collection[str]]
    """The folders in which the marker of a component has its title."""


def homes(archives: Iterable[Archive], record: Record, project: FolderProbe) -> Mapping[Key, Home]:
    """Where the project has the components of archives, by their kinds and names."""
    by_kind = defaultdict[ComponentKind, dict[str, _Archived]](dict)
    for archive in reversed(tuple(archives)):
        component = archive.component
        if component and not component.what:
            by_kind[component.built_kind][component.name] = _Archived(archive, component)
    found = dict[Key, Home]()
    for kind, by_name in by_kind.items():
        new = dict[str, _Archived]()
        for name, archived in by_name.items():
            if _is_there(kind, name, record, project):
                found[kind, name] = Home(name)
            else:
                new[name] = archived
        if new:
            components = [archived.component for archived in new.values()]
            here = _look(kind, components, frozenset(by_name), record, project)
            found |= {(kind, name): _home(archived, here) for name, archived in new.items()}
    return found


def _is_there(kind: ComponentKind, name: str, record: Record, project: FolderProbe) -> bool:
    """Whether a component was built, or anything is in its place."""
    path = f"{record.places.of(kind)}/{name}"
    return path in record.components or project.is_there(path)


def _look(
    kind: ComponentKind, components: Iterable[Component], taken: frozenset[str], record: Record, project: FolderProbe
) -> _Project:
    """Look into the folders of a project for the components of archives that are not in their places."""
    markers = frozenset(component.marker for component in components if component.marker)
    having: Mapping[str, set[str]] = {}
    if markers:
        having = _having(kind, markers, record, project)
    by_source = defaultdict[tuple[str, str], set[str]](set)
    by_download = defaultdict[str, set[str]](set)
    for path, component in record.components.items():
        if record.places.kind_of(path) == kind:
            by_source[component.source].add(last_part(path))
            by_download[_download(component.archive)].add(last_part(path))

    @cache
    def by_title(marker: str, system: str, field: str) -> Mapping[str, list[str]]:
        title_in = system_called(system).title_in
        top = record.places.of(kind)
        folders: Collection[str] = having.get(marker, ())
        titles: Mapping[str, list[str]] = groupby(
            lambda folder: title_in(project.content(f"{top}/{folder}/{marker}"), field), folders
        )
        return titles

    def titled(component: Component) -> Collection[str]:
        if not component.title:
            return ()
        return by_title(component.marker, component.system, component.field).get(component.title, ())

    return _Project(
        free={marker: folders - taken for marker, folders in having.items()},
        called=_called(frozenset(concat(having.values())) - taken),
        by_source=by_source,
        by_download=by_download,
        recorded=frozenset(concat(by_source.values())),
        taken=taken,
        titled=titled,
    )


def _having(
    kind: ComponentKind, markers: frozenset[str], record: Record, project: FolderProbe
) -> Mapping[str, set[str]]:
    """The names of the folders that have some markers, by these. Each folder is looked into once, for all of them."""
    having = defaultdict[str, set[str]](set)
    for path, component in record.components.items():
        if record.places.kind_of(path) == kind:
            for marker in markers.intersection(component.files):
                having[marker].add(last_part(path))
    top = record.places.of(kind)
    for above, below in groupby(lambda marker: marker.rpartition("/")[0], markers).items():
        spelled = groupby(lambda marker: last_part(marker).casefold(), below)  # as a disk may ignore case
        for name in project.folders(top):
            folder = f"{top}/{name}"
            inside = set(map(str.casefold, project.names(f"{folder}/{above}".rstrip("/"))))
            for spelling in inside.intersection(spelled):
                for marker in spelled[spelling]:
                    if project.is_there(f"{folder}/{marker}"):
                        having[marker].add(name)
    return having


def _called(folders: Collection[str]) -> Mapping[str, set[str]]:
    """Folders by the plain names that components may have which are in them, so that not each is compared with each."""
    called = defaultdict[str, set[str]](set)
    for folder in folders:
        for name in suggested_by(folder):
            called[_plain(name)].add(folder)
        for place, letter in enumerate(folder):
            if not letter.isalnum():
                called[_plain(folder[:place])].add(folder)
    return called


def _home(archived: _Archived, here: _Project) -> Home:
    """Where the project has a component that is not in its place.

    The record decides, then the name of a folder, then the title in the marker if the component's name is a guess.
    """
    component = archived.component
    built = _built_from(archived, here)
    similar = _similar(component, here)
    same = {folder for folder in similar if _suggests(folder, component)}
    titled = set(here.titled(component))
    by_title = set[str]()
    if component.is_guessed and len(titled) == 1:
        by_title = titled - here.taken - here.recorded
    if component.built_kind not in system_called(component.system).strict_kinds:
        for folders in (built, _in_use(same, component), _in_use(by_title, component)):
            if len(folders) == 1:
                (folder,) = folders
                return Home(folder)
    alike = [folder for folder in similar if _may_be(folder, component)]
    return Home(others=tuple(sorted({*built, *same, *titled, *alike})))


def _similar(component: Component, here: _Project) -> set[str]:
    """The free folders with the marker of a component that may be called like it: any, if the marker names it."""
    folders = here.free.get(component.marker, set())
    if last_part(component.marker).partition(".")[0] == component.name:
        return folders
    return folders & here.called.get(_plain(component.name), set())


def _suggests(folder: str, component: Component) -> bool:
    """Whether the name of a folder suggests that of a component."""
    return _plain(component.name) in map(_plain, suggested_by(folder))


def _in_use(folders: Iterable[str], component: Component) -> set[str]:
    """The folders that nobody has set aside."""
    return {folder for folder in folders if not _is_set_aside(folder, component)}


def _built_from(archived: _Archived, here: _Project) -> set[str]:
    """The recorded folders that were built from an archive, or from another version of it.

    The name of the download does not tell of a component with another name, if its marker names it.
    """
    archive = archived.archive
    component = archived.component
    same = set[str]()
    if archive.digest:
        same = here.by_source.get((archive.digest, archive.content), set())
    if same or says_nothing(archive.file.stem, system_called(component.system).naming):
        return same - here.taken
    others = here.by_download.get(_download(archive_name(archive.file)), set()) - here.taken
    if component.named_by:
        return others
    return {folder for folder in others if _suggests(folder, component)}


def _download(archive: str) -> str:
    """The name of a recorded archive without version, branch and digits."""
    whole, bang, member = archive.partition("!")
    return f"{without_version(PurePath(whole).stem).lower()}{bang}{member}"


def _is_set_aside(folder: str, component: Component) -> bool:
    """Whether somebody has set a component aside in a folder: its name says so."""
    names = (component.name, *suggested_by(last_part(component.root[:-1])))
    return any(is_set_aside(folder, name) for name in names)


def _plain(name: str) -> str:
    """A name without case, blanks and what may stand for them."""
    return name.casefold().translate(dict.fromkeys(map(ord, _SEPARATORS)))


def _may_be(folder: str, component: Component) -> bool:
    """Whether a folder with the marker of a component may be a copy of it: its marker or its name says so."""
    stem = last_part(component.marker).partition(".")[0]
    rest = folder.casefold().removeprefix(component.name.casefold())
    is_longer = len(rest) < len(folder) and not rest[:1].isalnum()
    return stem == component.name or (is_longer and not is_of_a_product(rest))
