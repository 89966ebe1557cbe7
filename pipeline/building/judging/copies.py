"""Copies: find out whether a project already has a component under another name.

Two copies of a component are a fatal error in PHP, so the tool never builds one beside another. The
rules are in `docs/building.md`.
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
from pipeline.selection.choices import Choice
from pipeline.systems.table import system_called

_SEPARATORS: Final = " -_"
Key: TypeAlias = tuple[str, str]
"""The kind and the name of a component."""


class Home(Struct, frozen=True):
    """The folder in which a project has a component, or other folders that may hold it."""

    folder: str = ""
    """The name of the component's folder; empty if the project does not have the component."""
    others: tuple[str, ...] = ()
    """The names of other folders that may hold the component, if that cannot be decided."""


class _Archived(Struct, frozen=True):
    """A component of the drop, with its archive."""

    archive: Archive
    component: Component


class _FolderIndex(Struct, frozen=True):
    """The folders of a project that may hold components of one kind, by what is known of them."""

    free: Mapping[str, set[str]]
    """The names of folders that are not called like a component of the drop, by the
    marker in them.
    """
    by_plain_name: Mapping[str, set[str]]
    """The names of folders, by the plain names that components in them may have."""
    by_source: Mapping[tuple[str, str], set[str]]
    """The names of recorded folders, by the digest of the archive and the component's content."""
    by_download: Mapping[str, set[str]]
    """The names of recorded folders, by the name of the download."""
    recorded: frozenset[str]
    taken: frozenset[str]
    """The names of components in the drop; a folder with one of these names is taken."""
    by_marker_title: Callable[[str, str, str], Mapping[str, Collection[str]]]
    """The folders with a marker, by the titles in it, given the marker, the system, and the field
    of the title.
    """

    def by_title(self, component: Component) -> Collection[str]:
        """The folders whose marker has the same title as a component."""
        if not component.title:
            return ()
        titles = self.by_marker_title(component.marker, component.system, component.field)
        return titles.get(component.title, ())


def find_homes(
    archives: Iterable[Archive], record: Record, project: FolderProbe
) -> Mapping[Key, Home]:
    """Where a project has the components of archives, by kind and name."""
    by_kind = defaultdict[ComponentKind, dict[str, _Archived]](dict)
    for archive in reversed(tuple(archives)):
        component = archive.component
        if component and not component.what:
            by_kind[component.built_kind][component.name] = _Archived(archive, component)
    homes = dict[Key, Home]()
    for kind, by_name in by_kind.items():
        new = dict[str, _Archived]()
        for name, archived in by_name.items():
            if _is_there(kind, name, record, project):
                homes[kind, name] = Home(name)
            else:
                new[name] = archived
        if new:
            components = [archived.component for archived in new.values()]
            index = _index(kind, components, frozenset(by_name), record, project)
            homes |= {(kind, name): _home(archived, index) for name, archived in new.items()}
    return homes


def may_be_base(choice: Choice, homes: Mapping[Key, Home], record: Record) -> bool:
    """Whether the component in the project may have been made from the archive of a choice."""
    component = choice.component
    home = homes.get((component.built_kind, component.name), Home())
    recorded = record.components.get(f"{record.places.of(component.built_kind)}/{home.folder}")
    return bool(home.folder) and (recorded is None or recorded.comes_from(choice.archive))


def _is_there(kind: ComponentKind, name: str, record: Record, project: FolderProbe) -> bool:
    """Whether a component is recorded, or anything is at its path."""
    path = f"{record.places.of(kind)}/{name}"
    return path in record.components or project.is_there(path)


def _index(
    kind: ComponentKind,
    components: Iterable[Component],
    taken: frozenset[str],
    record: Record,
    project: FolderProbe,
) -> _FolderIndex:
    """Search the folders of a project for components that are not in the folder of their name."""
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
    def by_marker_title(marker: str, system: str, field: str) -> Mapping[str, list[str]]:
        title_in = system_called(system).title_in
        top = record.places.of(kind)
        folders: Collection[str] = having.get(marker, ())
        titles: Mapping[str, list[str]] = groupby(
            lambda folder: title_in(project.content(f"{top}/{folder}/{marker}"), field), folders
        )
        return titles

    return _FolderIndex(
        free={marker: folders - taken for marker, folders in having.items()},
        by_plain_name=_by_plain_name(frozenset(concat(having.values())) - taken),
        by_source=by_source,
        by_download=by_download,
        recorded=frozenset(concat(by_source.values())),
        taken=taken,
        by_marker_title=by_marker_title,
    )


def _having(
    kind: ComponentKind, markers: frozenset[str], record: Record, project: FolderProbe
) -> Mapping[str, set[str]]:
    """The names of the folders that have each marker. Each folder is read once for all markers."""
    having = defaultdict[str, set[str]](set)
    for path, component in record.components.items():
        if record.places.kind_of(path) == kind:
            for marker in markers.intersection(component.files):
                having[marker].add(last_part(path))
    top = record.places.of(kind)
    for above, below in groupby(lambda marker: marker.rpartition("/")[0], markers).items():
        # A disk may ignore the case of names, so they are compared without it.
        spelled = groupby(lambda marker: last_part(marker).casefold(), below)
        for name in project.folders(top):
            folder = f"{top}/{name}"
            inside = set(map(str.casefold, project.names(f"{folder}/{above}".rstrip("/"))))
            for spelling in inside.intersection(spelled):
                for marker in spelled[spelling]:
                    if project.is_there(f"{folder}/{marker}"):
                        having[marker].add(name)
    return having


def _by_plain_name(folders: Collection[str]) -> Mapping[str, set[str]]:
    """The folders, by the plain names of the components that they may hold."""
    by_name = defaultdict[str, set[str]](set)
    for folder in folders:
        for name in suggested_by(folder):
            by_name[_plain(name)].add(folder)
        for place, letter in enumerate(folder):
            if not letter.isalnum():
                by_name[_plain(folder[:place])].add(folder)
    return by_name


def _home(archived: _Archived, index: _FolderIndex) -> Home:
    """Where the project has a component that is not in the folder of its name.

    The record decides, then the name of a folder, then the title in the marker if the component's
    name is a guess.
    """
    component = archived.component
    built = _built_from(archived, index)
    similar = _similar(component, index)
    same = {folder for folder in similar if _suggests(folder, component)}
    titled = set(index.by_title(component))
    same_title = set[str]()
    if component.is_guessed and len(titled) == 1:
        same_title = titled - index.taken - index.recorded
    if component.built_kind not in system_called(component.system).strict_kinds:
        for folders in (built, _in_use(same, component), _in_use(same_title, component)):
            if len(folders) == 1:
                (folder,) = folders
                return Home(folder)
    alike = [folder for folder in similar if _may_be(folder, component)]
    return Home(others=tuple(sorted({*built, *same, *titled, *alike})))


def _similar(component: Component, index: _FolderIndex) -> set[str]:
    """The free folders with a component's marker that may be called like it; all, if the
    marker names it.
    """
    folders = index.free.get(component.marker, set())
    if last_part(component.marker).partition(".")[0] == component.name:
        return folders
    return folders & index.by_plain_name.get(_plain(component.name), set())


def _suggests(folder: str, component: Component) -> bool:
    """Whether the name of a folder suggests the name of a component."""
    return _plain(component.name) in map(_plain, suggested_by(folder))


def _in_use(folders: Iterable[str], component: Component) -> set[str]:
    """The folders that nobody has set aside."""
    return {folder for folder in folders if not _is_set_aside(folder, component)}


def _built_from(archived: _Archived, index: _FolderIndex) -> set[str]:
    """The recorded folders that were built from an archive, or from another version of it.

    If the marker names the component, the name of the download alone is not enough.
    """
    archive = archived.archive
    component = archived.component
    same = set[str]()
    if archive.digest:
        same = index.by_source.get((archive.digest, archive.content), set())
    if same or says_nothing(archive.file.stem, system_called(component.system).naming):
        return same - index.taken
    others = index.by_download.get(_download(archive_name(archive.file)), set()) - index.taken
    if component.named_by:
        return others
    return {folder for folder in others if _suggests(folder, component)}


def _download(archive: str) -> str:
    """The name of a download: a recorded archive without version, branch and digits."""
    whole, bang, member = archive.partition("!")
    return f"{without_version(PurePath(whole).stem).lower()}{bang}{member}"


def _is_set_aside(folder: str, component: Component) -> bool:
    """Whether the name of a folder says that somebody set the component aside."""
    names = (component.name, *suggested_by(last_part(component.root[:-1])))
    return any(is_set_aside(folder, name) for name in names)


def _plain(name: str) -> str:
    """A name in lower case, without blanks, hyphens and underscores."""
    return name.casefold().translate(dict.fromkeys(map(ord, _SEPARATORS)))


def _may_be(folder: str, component: Component) -> bool:
    """Whether a folder with a component's marker may hold a copy of it, judging by marker and
    folder name.
    """
    stem = last_part(component.marker).partition(".")[0]
    rest = folder.casefold().removeprefix(component.name.casefold())
    is_longer = len(rest) < len(folder) and not rest[:1].isalnum()
    return stem == component.name or (is_longer and not is_of_a_product(rest))
