"""Frozen: what is not as the record says: what `--frozen` refuses, and what `--check` finds (`docs/building.md`)."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from returns.result import Failure, Success

from pipeline.building.draft import Draft
from pipeline.building.given import Given, digest_of, patch_path
from pipeline.building.layout import RECORD_FILE
from pipeline.building.patching import contents_with_patches
from pipeline.building.preference import Preference
from pipeline.building.record import Files, Record, RecordedComponent, are_alike, as_recorded
from pipeline.building.steps import Plan, Step
from pipeline.report.diagnostics.building import (
    OutOfDate,
    files_edited,
    not_as_recorded,
    patch_differs,
    patch_unfit,
    would_change,
)
from pipeline.report.diagnostics.drop import repacked_archive
from pipeline.report.outcome import BuildOutcome, collect
from pipeline.selection.choices import Choice

_NOTHING: Final = RecordedComponent(archive="", digest="", content="", files={})


def check_recorded(draft: Draft) -> BuildOutcome[Draft]:
    """With `frozen`, refuse what is not as the record says, and warn of what was packed again with the same files."""
    if not draft.options.frozen:
        return Success(draft)
    recorded = draft.record.components
    others = [
        each for each in draft.choices if recorded.get(each.path, _NOTHING).stands_for not in {"", each.archive.digest}
    ]
    given = contents_with_patches(others, draft.found, draft.plan.patches)
    return collect(given).bind(partial(_judged, draft, others))


def _judged(draft: Draft, others: Sequence[Choice], given: Sequence[Given]) -> BuildOutcome[Draft]:
    """The verdict, given what the archives give that are not the recorded ones."""
    recorded, names = draft.record.components, draft.options.names
    asked = recorded.keys() if names is None else recorded.keys() & names
    selected = {each.path: as_recorded(each.archive, {}) for each in draft.choices}
    read = {each.path: gives.recorded(each.archive) for each, gives in zip(others, given, strict=True)}
    repacked = {path for path, each in read.items() if each.files == recorded[path].files}
    errors = tuple(
        not_as_recorded(path, new.archive or old.archive, old.stands_for, new.digest)
        for path in sorted({*asked, *selected} - repacked)
        if (old := recorded.get(path, _NOTHING)).stands_for != (new := selected.get(path, _NOTHING)).digest
    )
    errors += tuple(
        patch_differs(path, patch_path(path), old.patch, digest)
        for path in sorted(recorded.keys() & selected.keys())
        if (old := recorded[path]).patch != (digest := digest_of(draft.plan.patches.get(path))) and not old.instead_of
    )
    warnings = (repacked_archive(selected[path].archive, path) for path in sorted(repacked))
    return Failure(errors) if errors else Success(draft.with_warnings(*warnings))


def check_untouched(draft: Draft) -> BuildOutcome[Draft]:
    """With `frozen`, refuse what would not be as recorded after the run.

    Where the disk's version is to win, edited files pass; a component that would be taken over does not. What cannot be
    built stays as it is, also where that is passed over.
    """
    options, recorded = draft.options, draft.record.components
    if not options.frozen:
        return Success(draft)
    errors = tuple(
        files_edited(step.path, touched)
        for step in draft.plan.steps
        if step.action != "add"
        and step.path in recorded
        and (touched := _touched(step, recorded[step.path].files, options.prefer))
    )
    errors += tuple(
        patch_unfit(each.path, each.patch, each.file) for step in draft.plan.steps for each in step.left_out
    )
    return Failure(errors) if errors else Success(draft)


def _is_taken_over(step: Step) -> bool:
    return bool(step.component and step.component.instead_of and step.component != step.recorded)


def _touched(step: Step, recorded: Files, prefer: Preference) -> tuple[str, ...]:
    outcome = step.target.files if step.replaced or step.target.obstacle else step.merge.files
    touched = (name for name, state in recorded.items() if not are_alike(outcome.get(name), state))
    return tuple(name for name in touched if _is_taken_over(step) or prefer.of(f"{step.path}/{name}") != "mine")


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
