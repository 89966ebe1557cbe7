"""Main files: warn of modules that an update switches off, because their main file gets
another name.
"""

from collections.abc import Iterator

from toolz import concat

from pipeline.building.draft import Draft, MergedDraft
from pipeline.building.steps import Step
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.updates import main_file_renamed
from pipeline.systems.table import system_called


def warn_of_renamed(draft: MergedDraft) -> MergedDraft:
    """Warn of each module that an update switches off, with its old and its new main file."""
    return draft.with_warnings(*concat(_renamed(step, draft) for step in draft.plan.changes))


def _renamed(step: Step, draft: Draft) -> Iterator[WarningDiagnostic]:
    choice = step.choice
    if choice is None or step.action != "update" or step.kind == "theme":
        return
    system = system_called(choice.component.system)
    after = choice.component.marker
    if system.is_main_file is None or after not in step.merge.touched:
        return
    installed = draft.reader.recognise_installed({step.path: step.disk}).get(step.path)
    before = after
    if installed and installed.system == system.name:
        before = installed.marker
    if before == after:
        return
    if before in step.payload.files:
        stays = draft.reader.texts.read_archive(choice, [before]).get(before, b"")
        if system.is_main_file(stays):
            return
    yield main_file_renamed(step.path, system.name, f"{step.name}/{before}", f"{step.name}/{after}")
