"""Frozen: refuse deviations from the record with `--frozen`, and report them with `--check`.

The rules are in `docs/building.md`.
"""

from collections.abc import Iterator

from returns.result import Failure, Success

from pipeline.archives.entry_names import is_within
from pipeline.building.draft import Draft, MergedDraft
from pipeline.building.patching.patch import patch_path
from pipeline.building.planning.patching import unused_patches
from pipeline.building.steps import Plan, Step
from pipeline.building.stores.layout import RECORD_FILE
from pipeline.building.stores.record import (
    Files,
    Record,
    RecordedComponent,
    archive_name,
    are_alike,
)
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.building import (
    OutOfDate,
    files_edited,
    gives_others,
    not_as_recorded,
    patch_differs,
    patch_unfit,
    patch_unused,
    would_change,
)
from pipeline.report.diagnostics.drop import repacked_archive
from pipeline.report.diagnostics.updates import BuiltElsewhere
from pipeline.report.outcome import BuildOutcome
from pipeline.selection.choices import Choice
from pipeline.values import replace


def check_frozen(draft: MergedDraft) -> BuildOutcome[MergedDraft]:
    """With `--frozen`, refuse a run that would change the record, or leave a file other than
    as recorded.

    An archive that was repacked with the same files passes. So do edited files if `mine`
    is preferred.
    """
    if not draft.options.frozen:
        return Success(draft)
    errors = list[OutOfDate]()
    warnings = list[WarningDiagnostic]()
    skipped = {step.path for step in draft.plan.skipped}
    copies = {error.path for error in draft.plan.refused if isinstance(error, BuiltElsewhere)}
    for path, step in sorted(draft.plan.surveyed.items()):
        choice = step.survey.choice
        before = step.survey.recorded
        if before and (choice is None or path in copies):
            errors.append(not_as_recorded(path, before.archive, before.digest, ""))
        elif choice is None or path in skipped:
            continue  # an error of its own says why
        elif before is None:
            errors.append(
                not_as_recorded(path, archive_name(choice.archive.file), "", choice.archive.digest)
            )
        elif difference := _difference(path, before, choice, step.component):
            errors.append(difference)
        else:
            if before.digest != choice.archive.digest:
                warnings.append(repacked_archive(archive_name(choice.archive.file), path))
            errors += _edited(step, before, choice, draft)
    errors += [patch_unused(warning.message, warning.location) for warning in unused_patches(draft)]
    if errors:
        return Failure(tuple(errors))
    return Success(draft.with_warnings(*warnings))


def _edited(
    step: Step, before: RecordedComponent, choice: Choice, draft: Draft
) -> Iterator[OutOfDate]:
    """The errors of a component's files that would not be as recorded, and of patches
    that do not fit.
    """
    files = _deviating_files(step, _files_built(before, choice), draft)
    if files:
        yield files_edited(step.path, files)
    for conflict in step.waived_conflicts:
        yield patch_unfit(step.path, conflict.patch, conflict.file)


def _difference(
    path: str, before: RecordedComponent, choice: Choice, after: RecordedComponent | None
) -> OutOfDate | None:
    """The error of a component whose entry in the record would change; `None` if it would not."""
    digest = choice.archive.digest
    has_others = after is not None and _files_built(before, choice) != _files_built(after, choice)
    if before.digest != digest and (after is None or has_others or before.patch != after.patch):
        return not_as_recorded(path, archive_name(choice.archive.file), before.digest, digest)
    if after and before.patch != after.patch:
        return patch_differs(path, patch_path(path), before.patch, after.patch)
    if has_others:
        return gives_others(path, before.archive)
    return None


def _files_built(recorded: RecordedComponent, choice: Choice) -> Files:
    """The recorded files that belong to the build; an older record may have others."""
    apart = choice.component.apart
    return {name: state for name, state in recorded.files.items() if not is_within(name, apart)}


def _deviating_files(step: Step, recorded: Files, draft: Draft) -> tuple[str, ...]:
    """The recorded files that would deviate after the run, except edits for which `mine`
    is preferred.
    """
    is_built = step.component is not None and not step.target.obstacle
    outcome: Files = step.merge.files if is_built else step.target.files
    deviating = list[str]()
    for name, state in recorded.items():
        if are_alike(outcome.get(name), state):
            continue
        if not is_built or draft.options.prefer.of(f"{step.path}/{name}") != "mine":
            deviating.append(name)
    return tuple(deviating)


def out_of_date(plan: Plan, before: Record) -> tuple[OutOfDate, ...]:
    """An error for each component that a run would change, or one for the record, given the
    present record.
    """
    if plan.changes or not changes_record(plan, before):
        return tuple(would_change(step.path, step.action) for step in plan.changes)
    return (would_change(RECORD_FILE, "update"),)


def changes_record(plan: Plan, before: Record) -> bool:
    """Whether a run would change the record: `plan.record` itself, or the components that the
    plan changes.
    """
    after = dict(plan.record.components)
    for step in plan.changes:
        after.pop(step.path, None)
        if step.component:
            after[step.path] = _with_files(step.component, before.components.get(step.path))
    return after != before.components


def _with_files(
    component: RecordedComponent, recorded: RecordedComponent | None
) -> RecordedComponent:
    """A component to build; if it is built as recorded and a preview has not read its files, with
    the recorded ones.
    """
    if recorded and not component.files and component.built_alike(recorded):
        return replace(component, files=recorded.files)
    return component
