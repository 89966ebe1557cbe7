"""Copies: find out whether a project has a component already, under another name or in another folder.

Two copies of a component are a fatal error of PHP, so none is built beside another. The rules are in
`docs/building.md`.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct
from toolz import concat, groupby, unique

from pipeline.archives.archive import Archive, Component
from pipeline.archives.entry_names import last_part
from pipeline.archives.naming import is_of_a_product, suggested_by
from pipeline.archives.places import KINDS, USUAL, FolderProbe
from pipeline.building.draft import Draft
from pipeline.building.stores.record import Record
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.updates import BuiltElsewhere, built_under_folder, other_copies
from pipeline.report.events import ComponentKind
from pipeline.selection.choices import Choice
from pipeline.selection.select import Selection
from pipeline.systems.residences import folders_around, with_inner_folders
from pipeline.systems.table import system_called
from pipeline.values import replace

_SEPARATORS: Final = " -_"


class Home(Struct, frozen=True):
    """Where a project has a component."""

    folder: str = ""
    """The name of its folder; empty if the project does not have it."""
    others: tuple[str, ...] = ()
    """The names of other folders that may have it, if nobody can tell."""


def homes(archives: Iterable[Archive], record: Record, project: FolderProbe) -> Mapping[tuple[str, str], Home]:
    """Where the project has the components of archives, by their kinds and names."""
    components = [each.component for each in archives if each.component and not each.component.what]
    own = {(each.built_kind, each.name): each for each in reversed(components)}
    found: dict[tuple[str, str], Home] = {key: Home(key[1]) for key in own if _is_there(*key, record, project)}
    for kind in KINDS:
        others = {key: each for key, each in own.items() if key not in found and each.built_kind == kind}
        markers = frozenset(each.marker for each in others.values() if each.marker)
        having = _having(kind, markers, record, project) if markers else {}
        named = {marker: {name for name in names if (kind, name) not in own} for marker, names in having.items()}
        called = _called(frozenset(concat(named.values())))
        found |= {key: _home(each, named.get(each.marker, set()), called) for key, each in others.items()}
    return {key: found[key] for key in own}


def _is_there(kind: ComponentKind, name: str, record: Record, project: FolderProbe) -> bool:
    """Whether a component was built, or anything is in its place."""
    path = f"{record.places.of(kind)}/{name}"
    return path in record.components or project.is_there(path)


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


def _home(component: Component, having: set[str], called: Mapping[str, set[str]]) -> Home:
    """Where the project has a component that is not in its place, given the folders of nobody else with its marker."""
    stem = last_part(component.marker).partition(".")[0]
    is_named = stem == component.name  # then any folder may have it
    names = having if is_named else having & called.get(_plain(component.name), set())
    same = [each for each in names if _plain(component.name) in map(_plain, suggested_by(each))]
    if len(same) == 1 and not system_called(component.system).is_strict:
        return Home(same[0])
    alike = [each for each in names if each in same or _may_be(each, component)]
    return Home(others=tuple(sorted(alike)))


def _plain(name: str) -> str:
    """A name without case, blanks and what may stand for them."""
    return name.casefold().translate(dict.fromkeys(map(ord, _SEPARATORS)))


def _may_be(folder: str, component: Component) -> bool:
    """Whether a folder with the marker of a component may be a copy of it: its marker or its name says so."""
    stem = last_part(component.marker).partition(".")[0]
    rest = folder.casefold().removeprefix(component.name.casefold())
    is_longer = len(rest) < len(folder) and not rest[:1].isalnum()
    return stem == component.name or (is_longer and not is_of_a_product(rest))


def is_moved(archive: Archive, homes: Mapping[tuple[str, str], Home]) -> bool:
    """Whether the project has the component of an archive under another name than its own."""
    component = archive.component
    if component is None or component.what:
        return False
    return homes[component.built_kind, component.name].folder not in {"", component.name}


def placed(selection: Selection, homes: Mapping[tuple[str, str], Home], record: Record) -> Selection:
    """Give each component the folder in which the project has it, or will; report that, and possible copies."""
    choices = list[Choice]()
    warnings = list[WarningDiagnostic]()
    places = record.places
    for each in selection.choices:
        kind = each.component.built_kind
        own = each.component.name
        home = homes.get((kind, own), Home())
        folder = "" if each.component.what or places == USUAL else places.of(kind)
        choice = replace(each, folder=folder, name="" if home.folder == own else home.folder)
        choices.append(choice)
        warnings += _warnings(choice, home, record) if choice.is_built else ()
    return replace(selection, choices=tuple(choices), warnings=(*selection.warnings, *unique(warnings)))


def _warnings(choice: Choice, home: Home, record: Record) -> Iterator[WarningDiagnostic]:
    archive = choice.archive.file.display_path
    if choice.name and choice.path not in record.components:
        yield built_under_folder(archive, choice.component.name, choice.path)
    if home.others:
        folder = choice.path.rpartition("/")[0]
        paths = tuple(f"{folder}/{each}" for each in home.others)
        yield other_copies(archive, choice.path, paths, choice.component.marker)


def leave_copies(draft: Draft) -> Draft:
    """Leave out the components that the project has in another folder."""
    if draft.options.consents:
        return draft
    folders = {kind: _around(draft.record.places.of(kind), draft.found.probe) for kind in KINDS}
    others = {
        step.path: _elsewhere(step.survey.choice, folders[step.kind], draft.found.probe)
        for step in draft.plan.steps
        if step.survey.choice and step.target.occupancy == "absent"
    }
    passed_over = [step for step in draft.plan.steps if others.get(step.path)]
    return draft.passing_over(
        passed_over, *(BuiltElsewhere(step.path, others[step.path], step.kind) for step in passed_over)
    )


def _around(target: str, project: FolderProbe) -> Mapping[str, frozenset[str]]:
    """The other folders in which the system looks for components, with the names of the folders in them."""
    others = (each for each in with_inner_folders(folders_around(target)) if each != target)
    return {folder: frozenset(project.folders(folder)) for folder in others}


def _elsewhere(choice: Choice, folders: Mapping[str, frozenset[str]], project: FolderProbe) -> str:
    """The path of the same component in another folder in which the system looks; empty if there is none."""
    name = last_part(choice.path)
    marker = choice.component.marker
    paths = (f"{folder}/{name}" for folder, names in folders.items() if name in names)
    return next((path for path in paths if project.is_there(f"{path}/{marker}")), "")
