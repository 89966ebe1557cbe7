"""Elsewhere: leave out the components that a project has in another folder in which its system looks, too.

The rules are in `docs/building.md`.
"""

from collections.abc import Mapping

from pipeline.archives.entry_names import last_part
from pipeline.archives.places import KINDS, FolderProbe
from pipeline.building.draft import Draft
from pipeline.report.diagnostics.updates import BuiltElsewhere
from pipeline.selection.choices import Choice
from pipeline.systems.residences import folders_around, with_inner_folders


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
