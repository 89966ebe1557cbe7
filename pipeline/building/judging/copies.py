"""Copies: find out whether a project has a component already, under another name or in another folder.

Two copies of a component are a fatal error of PHP, so none is built beside another. The rules are in
`docs/building.md`.
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct
from toolz import unique

from pipeline.archives.archive import Archive, Component
from pipeline.archives.entry_names import last_part
from pipeline.archives.naming import is_of_a_product, suggested_by
from pipeline.archives.places import USUAL, FolderProbe, Places
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
    return {key: _home(each, own, record, project) for key, each in own.items()}


def _home(
    component: Component, own: Container[tuple[ComponentKind, str]], record: Record, project: FolderProbe
) -> Home:
    """Where the project has a component. The folders of others are passed over, given the names that these have."""
    kind = component.built_kind
    folder = record.places.of(component.built_kind)
    if (path := f"{folder}/{component.name}") in record.components or project.is_there(path):
        return Home(component.name)
    marker = component.marker
    if not marker:
        return Home()
    recorded = (
        last_part(path)
        for path, each in record.components.items()
        if record.places.kind_of(path) == kind and marker in each.files
    )
    on_disk = (name for name in project.folders(folder) if project.is_there(f"{folder}/{name}/{marker}"))
    names = [each for each in unique((*recorded, *on_disk)) if (kind, each) not in own]
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
    others = {
        step.path: _elsewhere(step.survey.choice, draft.record.places, draft.found.probe)
        for step in draft.plan.steps
        if step.survey.choice and step.target.occupancy == "absent"
    }
    passed_over = [step for step in draft.plan.steps if others.get(step.path)]
    return draft.passing_over(
        passed_over, *(BuiltElsewhere(step.path, others[step.path], step.kind) for step in passed_over)
    )


def _elsewhere(choice: Choice, places: Places, project: FolderProbe) -> str:
    """The path of the same component in another folder in which the system looks; empty if there is none."""
    name = last_part(choice.path)
    marker = choice.component.marker
    target = places.of(choice.component.built_kind)
    others = (each for each in with_inner_folders(folders_around(target)) if each != target)
    paths = (f"{folder}/{name}" for folder in others if name in project.folders(folder))
    return next((path for path in paths if project.is_there(f"{path}/{marker}")), "")
