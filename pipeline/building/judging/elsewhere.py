"""Elsewhere: components that the project has in another folder that its system searches.

The rules are in `docs/building.md`.
"""

from collections.abc import Mapping

from pipeline.archives.entry_names import last_part
from pipeline.archives.places import KINDS, FolderProbe, joined
from pipeline.building.draft import MergedDraft
from pipeline.building.steps import Step
from pipeline.building.stores.record import Record
from pipeline.report.diagnostics.updates import BuiltElsewhere
from pipeline.selection.choices import Choice
from pipeline.systems.residences import Host, folders_around, with_inner_folders


def leave_copies(draft: MergedDraft) -> MergedDraft:
    """Leave out the components that the project has in another folder."""
    if draft.options.forces_named:
        return draft
    probe = draft.reader.probe
    folders = {kind: _around(draft.record.places.of(kind), probe) for kind in KINDS}
    skipped = list[Step]()
    errors = list[BuiltElsewhere]()
    for step in draft.plan.steps:
        choice = step.survey.choice
        if choice is None or step.target.occupancy != "absent":
            continue
        other = _elsewhere(choice, folders[step.kind], probe)
        if other:
            skipped.append(step)
            errors.append(BuiltElsewhere(step.path, other, step.kind))
    return draft.skipping(skipped, *errors)


def _around(target: str, project: FolderProbe) -> Mapping[str, frozenset[str]]:
    """The other folders that the system searches, with the names of the folders in each."""
    others = dict[str, frozenset[str]]()
    for folder in with_inner_folders(folders_around(target)):
        if folder != target:
            others[folder] = frozenset(project.folders(folder))
    return others


def _elsewhere(choice: Choice, folders: Mapping[str, frozenset[str]], project: FolderProbe) -> str:
    """The path of the same component in another folder that the system searches; empty if
    there is none.
    """
    name = last_part(choice.path)
    marker = choice.component.marker
    for folder, names in folders.items():
        if name in names and project.is_there(f"{folder}/{name}/{marker}"):
            return f"{folder}/{name}"
    return ""


def stays_in_project(
    choice: Choice, host: Host | None, record: Record, project: FolderProbe, *, prunes: bool
) -> bool:
    """Whether the project has a component where its system finds it, and the run does not
    remove it. `prunes` says that the run removes the recorded components that it does not build.
    """
    component = choice.component
    folders = folders_around(record.places.of(component.built_kind))
    if host:
        folders = (*folders, *host.folders(record.places, project))
    for folder in with_inner_folders(folders):
        path = joined(folder, component.name)
        is_removed = prunes and path in record.components
        if not is_removed and project.is_there(joined(path, component.marker)):
            return True
    return False
