"""Undo: the steps of a plan that restores what the last run that changed the project replaced.

The files that the run left are the base of the merge, and those that it replaced take the part of
the archive, so that later additions and edits stay (`docs/building.md`).
"""

from collections.abc import Iterable
from hashlib import sha256

from toolz import concat

from pipeline.archives.versions import are_equal
from pipeline.building.draft import Draft, JudgedDraft
from pipeline.building.merging.files_merge import merge_files
from pipeline.building.merging.outcomes import FileOutcome, Merge
from pipeline.building.merging.preference import Preference
from pipeline.building.planning.surveys import candidate_finder, with_replacement
from pipeline.building.steps import Step
from pipeline.building.stores.changes import Change, FileMove
from pipeline.building.stores.layout import PATCH_MARKS, PATCHES
from pipeline.building.stores.record import (
    Files,
    FileState,
    RecordedComponent,
    are_alike,
    implied_folders,
    without_folders,
)
from pipeline.building.stores.undoable import Undoable, record_before
from pipeline.building.survey import Survey
from pipeline.report.diagnostic import Command, WarningDiagnostic
from pipeline.report.diagnostics.building import NothingToUndo
from pipeline.report.diagnostics.patches import patch_stays
from pipeline.report.events import Action
from pipeline.values import replace


def offer_previous(previous: Undoable, draft: Draft) -> JudgedDraft:
    """The draft with a step for each component that the run changed, in its order, and the record
    from before it. An undo decides its steps at once.

    The components of which only the record changed come last.
    """
    moves = previous.moves
    kind_of = previous.places.kind_of
    targets = draft.reader.view_targets([change.path for change in moves])
    surveys = list[Survey]()
    unlike = dict[str, Files]()
    for change in moves:
        path = change.path
        survey = Survey(
            kind=kind_of(path),
            path=path,
            target=targets[path],
            written=_built(change),
            last=draft.state.components.get(path),
        )
        surveys.append(survey)
        if survey.written and survey.may_be_replaced:
            unlike[path] = survey.files
    installed = draft.reader.recognise_installed(unlike)
    candidates = candidate_finder(draft)
    steps = list[Step]()
    known = [
        with_replacement(survey, installed.get(survey.path), {}, candidates) for survey in surveys
    ]
    refusals = _refusals(known, previous, draft.reader.command)
    for change, survey in zip(moves, known, strict=True):
        steps.append(_step(change, survey, draft.options.prefer, refusals.get(change.path)))
    for change in previous.changes:
        if change.entry_after.recorded and not change.has_files:
            survey = Survey(
                kind=kind_of(change.path), path=change.path, written=change.entry_after.recorded
            )
            steps.append(Step(survey=survey, component=change.entry_before.recorded))
    draft = draft.with_plan(replace(draft.plan, steps=tuple(steps)))
    return replace(draft, record=record_before(previous, draft.record)).become(JudgedDraft)


def _refusals(
    surveys: Iterable[Survey], previous: Undoable, command: Command
) -> dict[str, NothingToUndo]:
    """Why components cannot be made whole from the replaced files, by path.

    Each refusal names the components that can be undone without these; `redo` takes no names.
    """
    refusals = dict[str, NothingToUndo]()
    changes = {change.path: change for change in previous.moves}
    for survey in surveys:
        refusal = _refusal(changes[survey.path], survey)
        if refusal:
            refusals[survey.path] = refusal
    if previous.run.kind == "undo":
        return refusals
    others = tuple(sorted(previous.paths - refusals.keys()))
    return {
        path: replace(refusal, others=others, command=command) for path, refusal in refusals.items()
    }


def _refusal(change: Change, survey: Survey) -> NothingToUndo | None:
    """Why a component cannot be made whole from the replaced files; `None` if it can."""
    recorded = change.entry_before.recorded
    if survey.target.occupancy == "absent" and not (change.adds or change.removes):
        return NothingToUndo("gone", change.path)
    if survey.is_replaced and not (recorded and are_equal(recorded.version, survey.version)):
        return NothingToUndo("replaced", change.path, survey.version or "")
    return None


def offer_patches(previous: Undoable, draft: Draft) -> Draft:
    """The draft that restores the patches that the run wrote or removed, and warns of those that
    were edited since, which stay.
    """
    patch_moves = list[FileMove]()
    warnings = list[WarningDiagnostic]()
    for move in concat(change.file_moves for change in previous.patches):
        if move.name in PATCH_MARKS:
            continue
        current = _file_of(draft.reader.patches.read(move.name))
        if are_alike(current, move.wanted):
            patch_moves.append(move.back)
        else:
            warnings.append(patch_stays(f"{PATCHES}/{move.name}", "since"))
    draft = draft.with_plan(replace(draft.plan, patch_moves=tuple(patch_moves)))
    return draft.with_warnings(*warnings)


def _file_of(data: object) -> FileState | None:
    """The state of a patch file, given what reading it returned; `None` for a missing file."""
    if data == b"":
        return None
    if isinstance(data, bytes):
        return FileState(digest=sha256(data).hexdigest())
    return FileState(kind="other")


def _built(change: Change) -> RecordedComponent | None:
    """The component as the run left it, with only the files of its archive; `None` if the
    run removed it.
    """
    recorded = change.entry_after.recorded
    if recorded is None or change.removes:
        return None
    files = {name: change.after[name] for name in recorded.files if name in change.after}
    return replace(recorded, files=files)


def _step(
    change: Change, survey: Survey, prefer: Preference, refusal: NothingToUndo | None
) -> Step:
    """Decide the step of a component that is undone, given why it cannot be, if it cannot."""
    recorded = change.entry_before.recorded
    there = survey.files
    left: Files = change.after
    if change.removes:
        left = {}
    before = _without_same(change.before, left, there)
    after = _without_same(left, change.before, there)
    merged = merge_files(after, there, before, lambda name: prefer.of(f"{change.path}/{name}"))
    # Perhaps no file is written, and only record and state change.
    if survey.is_there and recorded:
        merged = _with_backups(merged, recorded.files)
    wrong = tuple[NothingToUndo, ...]()
    if refusal:
        wrong = (refusal,)
    action = _action(survey, has_files=bool(before), is_left=bool(before or merged.files))
    return Step(survey=survey, action=action, component=recorded, merge=merged, errors=wrong)


def _action(survey: Survey, *, has_files: bool, is_left: bool) -> Action:
    """The action of an undo, given whether the component had files before the run, and has any
    after the undo.
    """
    if survey.is_there and is_left:
        return "update"
    if survey.is_there:
        return "remove"
    if has_files:
        return "add"
    return "keep"


def _with_backups(merged: Merge, archive: Files) -> Merge:
    """The merge in which files that stay and differ from the archive count as the user's, as in a
    build.
    """
    same = FileOutcome("same")
    outcomes = {**merged.outcomes}
    for name, state in without_folders(merged.files).items():
        stays = merged.outcomes.get(name, same).verdict == "same"
        if not stays or are_alike(state, archive.get(name)):
            continue
        if name in archive:
            outcomes[name] = FileOutcome("edited", state)
        else:
            outcomes[name] = FileOutcome("added", state)
    return replace(merged, outcomes=outcomes)


def _without_same(files: Files, others: Files, there: Files) -> dict[str, FileState]:
    """The files, without those that the run did not change and that somebody has deleted since:
    they were not saved.
    """
    present = {*there, *implied_folders(there)}
    return {
        name: state for name, state in files.items() if name in present or others.get(name) != state
    }
