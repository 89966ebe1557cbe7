"""Copies: find out whether a project has a component already, under another name.

Two copies of a component are a fatal error of PHP, so none is built beside another. The rules are in
`docs/building.md`.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from pathlib import PurePath
from typing import Final, TypeAlias

from msgspec import Struct
from toolz import concat, groupby, unique

from pipeline.archives.archive import Archive, ArchiveFile, Component
from pipeline.archives.entry_names import last_part
from pipeline.archives.naming import (
    by_folder,
    is_of_a_product,
    is_safe,
    is_set_aside,
    says_nothing,
    suggested_by,
    without_version,
)
from pipeline.archives.places import KINDS, USUAL, FolderProbe
from pipeline.building.stores.record import Record, archive_name
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.updates import built_under_folder, other_copies
from pipeline.report.events import ComponentKind
from pipeline.selection.choices import Choice
from pipeline.selection.select import Selection
from pipeline.systems.table import system_called
from pipeline.values import replace

_SEPARATORS: Final = " -_"
_Key: TypeAlias = tuple[str, str]
"""The kind and the name of a component."""


class Home(Struct, frozen=True):
    """Where a project has a component."""

    folder: str = ""
    """The name of its folder; empty if the project does not have it."""
    others: tuple[str, ...] = ()
    """The names of other folders that may have it, if nobody can tell."""


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


def homes(archives: Iterable[Archive], record: Record, project: FolderProbe) -> Mapping[_Key, Home]:
    """Where the project has the components of archives, by their kinds and names."""
    own = {
        (each.component.built_kind, each.component.name): each
        for each in reversed(tuple(archives))
        if each.component and not each.component.what
    }
    found: dict[_Key, Home] = {key: Home(key[1]) for key in own if _is_there(*key, record, project)}
    for kind in KINDS:
        new = {key: each for key, each in own.items() if key not in found and key[0] == kind}
        if new:
            names = frozenset(name for other, name in own if other == kind)
            here = _look(kind, new.values(), names, record, project)
            found |= {key: _home(archive, archive.component, here) for key, archive in new.items() if archive.component}
    return {key: found[key] for key in own}


def _is_there(kind: str, name: str, record: Record, project: FolderProbe) -> bool:
    """Whether a component was built, or anything is in its place."""
    path = f"{record.places.of('theme' if kind == 'theme' else 'module')}/{name}"
    return path in record.components or project.is_there(path)


def _look(
    kind: ComponentKind, archives: Iterable[Archive], taken: frozenset[str], record: Record, project: FolderProbe
) -> _Project:
    """Look into the folders of a project for the components of archives that are not in their places."""
    markers = frozenset(each.component.marker for each in archives if each.component and each.component.marker)
    having = _having(kind, markers, record, project) if markers else {}
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
            inside = {each.casefold() for each in project.names(f"{folder}/{above}" if above else folder)}
            for marker in concat(spelled[each] for each in inside.intersection(spelled)):
                if project.is_there(f"{folder}/{marker}"):
                    having[marker].add(name)
    return having


def _called(folders: Collection[str]) -> Mapping[str, set[str]]:
    """Folders by the plain names that components may have which are in them, so that not each is compared with each."""
    called = defaultdict[str, set[str]](set)
    for folder in folders:
        begins = (folder[:place] for place, letter in enumerate(folder) if not letter.isalnum())
        for name in (*suggested_by(folder), *begins):
            called[_plain(name)].add(folder)
    return called


def _home(archive: Archive, component: Component, here: _Project) -> Home:
    """Where the project has a component that is not in its place.

    The record decides, then the name of a folder, then the title in the marker if the component's name is a guess.
    """
    own = _plain(component.name)
    stem = last_part(component.marker).partition(".")[0]
    is_named = stem == component.name  # then any folder may have it
    free = here.free.get(component.marker, set())
    names = free if is_named else free & here.called.get(own, set())
    built = _built_from(archive, component, here)
    same = {each for each in names if own in map(_plain, suggested_by(each))}
    titled = {*here.titled(component)}
    live = {each for each in same if not _is_set_aside(each, component)}
    sure = set[str]()
    if component.is_guessed and len(titled) == 1:
        sure = {each for each in titled - here.taken - here.recorded if not _is_set_aside(each, component)}
    if component.built_kind not in system_called(component.system).is_strict:
        decided = next((each for each in (built, live, sure) if len(each) == 1), set[str]())
        for folder in decided:
            return Home(folder)
    alike = (each for each in names if _may_be(each, component))
    return Home(others=tuple(sorted({*built, *same, *titled, *alike})))


def _built_from(archive: Archive, component: Component, here: _Project) -> set[str]:
    """The recorded folders that were built from an archive, or from another version of it.

    The name of the download does not tell of a component with another name, if its marker names it.
    """
    source = archive.digest, archive.content
    same = here.by_source.get(source, set()) if archive.digest else set()
    if same or says_nothing(archive.file.stem, system_called(component.system).naming):
        return same - here.taken
    others = here.by_download.get(_download(archive_name(archive.file)), set()) - here.taken
    return {each for each in others if component.named_by or _plain(component.name) in map(_plain, suggested_by(each))}


def _download(archive: str) -> str:
    """The name of a recorded archive without version, branch and digits."""
    whole, bang, member = archive.partition("!")
    return f"{without_version(PurePath(whole).stem).lower()}{bang}{member}"


def _is_set_aside(folder: str, component: Component) -> bool:
    """Whether somebody has set a component aside in a folder: its name says so."""
    return any(is_set_aside(folder, name) for name in (component.name, *suggested_by(last_part(component.root[:-1]))))


def _plain(name: str) -> str:
    """A name without case, blanks and what may stand for them."""
    return name.casefold().translate(dict.fromkeys(map(ord, _SEPARATORS)))


def _may_be(folder: str, component: Component) -> bool:
    """Whether a folder with the marker of a component may be a copy of it: its marker or its name says so."""
    stem = last_part(component.marker).partition(".")[0]
    rest = folder.casefold().removeprefix(component.name.casefold())
    is_longer = len(rest) < len(folder) and not rest[:1].isalnum()
    return stem == component.name or (is_longer and not is_of_a_product(rest))


def with_known_name(archive: Archive, homes: Mapping[_Key, Home]) -> Archive:
    """Give a component whose name is only guessed that of the folder in which the project has it."""
    component = archive.component
    if component is None or component.what or not component.is_guessed:
        return archive
    folder = homes[component.built_kind, component.name].folder
    if folder in {"", component.name} or not is_safe(folder):
        return archive
    return replace(archive, component=replace(component, name=folder, named_by=by_folder(folder), is_guessed=False))


def placed(
    selection: Selection, homes: Mapping[_Key, Home], record: Record, names: Mapping[ArchiveFile, str] | None = None
) -> Selection:
    """Give each component the folder in which the project has it, or will; report that, and possible copies.

    `names` are those that archives would give by themselves.
    """
    choices = list[Choice]()
    warnings = list[WarningDiagnostic]()
    places = record.places
    for each in selection.choices:
        kind = each.component.built_kind
        own = each.component.name
        home = homes.get((kind, own), Home())
        folder = "" if each.component.what or places == USUAL else places.of(kind)
        choice = replace(each, folder=folder, name="" if home.folder == own else home.folder)
        if choice.is_built:
            above = choice.path.rpartition("/")[0]
            choice = replace(choice, copies=tuple(f"{above}/{other}" for other in home.others))
            warnings += _warnings(choice, (names or {}).get(each.archive.file, own), record)
        choices.append(choice)
    warnings += _twins(choices, homes)
    return replace(selection, choices=tuple(choices), warnings=(*selection.warnings, *unique(warnings)))


def _warnings(choice: Choice, name: str, record: Record) -> Iterator[WarningDiagnostic]:
    archive = choice.archive.file.display_path
    if name != last_part(choice.path) and choice.path not in record.components:
        yield built_under_folder(archive, name, choice.path)
    if choice.copies:
        yield other_copies(archive, choice.path, choice.copies, choice.component.marker)


def _twins(choices: Iterable[Choice], homes: Mapping[_Key, Home]) -> Iterator[WarningDiagnostic]:
    """Warn of new components of which another archive of the drop has a copy under another name."""
    titled = [each for each in choices if each.is_built and each.component.title]
    by_title: Mapping[tuple[str, str, str], list[Choice]] = groupby(
        lambda each: (each.component.kind, each.component.marker, each.component.title), titled
    )
    for group in by_title.values():
        paths = dict.fromkeys(each.path for each in group)
        for choice in group:
            key = choice.component.built_kind, choice.component.name
            others = tuple(path for path in paths if path != choice.path and path not in choice.copies)
            if others and not homes.get(key, Home()).folder:
                yield other_copies(choice.archive.file.display_path, choice.path, others, choice.component.marker)
