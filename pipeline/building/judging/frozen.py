"""Frozen: what is not as the record says: what `--frozen` refuses, and what `--check` finds (`docs/building.md`)."""

from collections.abc import Iterator

from returns.result import Failure, Success

from pipeline.building.draft import Draft
from pipeline.building.patching.given import patch_path
from pipeline.building.patching.patching import unused_patches
from pipeline.building.steps import Plan, Step
from pipeline.building.stores.layout import RECORD_FILE
from pipeline.building.stores.record import Files, Record, RecordedComponent, are_alike, as_recorded
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
from pipeline.report.outcome import BuildOutcome
from pipeline.selection.choices import Choice


def check_frozen(draft: Draft) -> BuildOutcome[Draft]:
    """With `frozen`, refuse a run after which the record, or a recorded file on disk, would not be as recorded.

    An archive that was packed again with the same files passes, and so do edited files where the disk's are preferred.
    """
    if not draft.options.frozen:
        return Success(draft)
    recorded, names = draft.record.components, draft.options.names
    choices, steps = {each.path: each for each in draft.choices}, {each.path: each for each in draft.plan.steps}
    asked = {*choices, *(recorded if names is None else recorded.keys() & names)}
    errors: list[OutOfDate] = []
    repacked: dict[str, str] = {}
    for path in sorted(asked):
        choice, step, before = choices.get(path), steps.get(path), recorded.get(path)
        if choice and step is None:
            continue  # its archive is refused, or it is left out
        after = step.component if step else None
        if before and choice and after and _is_repacked(before, after):
            repacked[path] = after.archive
        elif wrong := tuple(_differences(path, before, choice, after)):
            errors += wrong
            continue
        if step and before and (files := _departing(step, before.files, draft)):
            errors.append(files_edited(path, files))
        errors += [patch_unfit(path, each.patch, each.file) for each in (step.left_out if step else ())]
    errors += [patch_unused(each.message, each.location) for each in unused_patches(draft)]
    warnings = (repacked_archive(archive, path) for path, archive in repacked.items())
    return Failure(tuple(errors)) if errors else Success(draft.with_warnings(*warnings))


def _is_repacked(before: RecordedComponent, after: RecordedComponent) -> bool:
    """Whether another archive gives the same files."""
    return before.digest != after.digest and (before.files, before.patch) == (after.files, after.patch)


def _differences(
    path: str, before: RecordedComponent | None, choice: Choice | None, after: RecordedComponent | None
) -> Iterator[OutOfDate]:
    """Why the record after the run would not be the one before."""
    now = as_recorded(choice.archive, {}) if choice else None
    if before is None or now is None or before.digest != now.digest:
        archive = now.archive if now else before.archive if before else ""
        yield not_as_recorded(path, archive, before.digest if before else "", now.digest if now else "")
    elif after and before.patch != after.patch:
        yield patch_differs(path, patch_path(path), before.patch, after.patch)
    elif after and before.files != after.files:
        yield gives_others(path, before.archive)


def _departing(step: Step, recorded: Files, draft: Draft) -> tuple[str, ...]:
    """The recorded files that would not be as recorded after the run, without those that the user prefers."""
    is_built = step.component is not None and not step.target.obstacle
    outcome: Files = step.merge.files if is_built else step.target.files
    prefer = draft.options.prefer
    departing = (name for name, state in recorded.items() if not are_alike(outcome.get(name), state))
    return tuple(name for name in departing if not is_built or prefer.of(f"{step.path}/{name}") != "mine")


def out_of_date(plan: Plan, before: Record) -> tuple[OutOfDate, ...]:
    """What a run would change, an error for each component; `before` is the record that is there."""
    changes = tuple(would_change(step.path, step.action) for step in plan.changes)
    is_recorded = plan.record.components == before.components
    return changes or (() if is_recorded else (would_change(RECORD_FILE, "update"),))


def changes_record(plan: Plan, before: Record) -> bool:
    """Whether a run would change the record."""
    steps = ((each, before.components.get(each.path)) for each in plan.changes)
    changed = any(step.component != recorded for step, recorded in steps if step.component or recorded)
    return changed or plan.record.components != before.components
