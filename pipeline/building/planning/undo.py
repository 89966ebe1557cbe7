"""Undo: the steps of a plan that offers what the last run that changed the project has replaced, instead of archives.

What that run left is the base of the merge, what it replaced stands for the archive, so what was added or edited since
stays (`docs/building.md`).
"""

from collections.abc import Callable, Collection, Mapping
from hashlib import sha256

from returns.result import Failure, Success

from pipeline.archives.versions import are_equal, compare_versions
from pipeline.building.draft import Draft
from pipeline.building.merging.files_merge import merge_files
from pipeline.building.merging.outcomes import FileOutcome, Merge
from pipeline.building.merging.preference import Preference
from pipeline.building.names import canonical_name, near
from pipeline.building.planning.surveys import of_its_version, replaced
from pipeline.building.steps import Step
from pipeline.building.stores.changes import Change
from pipeline.building.stores.journal import Journal
from pipeline.building.stores.layout import PATCH_MARKS, PATCHES
from pipeline.building.stores.record import Files, FileState, Record, RecordedComponent, are_alike, implied_folders
from pipeline.building.stores.undoable import Undoable, record_before
from pipeline.building.survey import Survey
from pipeline.report.diagnostics.bases import Command
from pipeline.report.diagnostics.building import NothingToUndo
from pipeline.report.diagnostics.drop import ComponentNotFound
from pipeline.report.diagnostics.patches import patch_stays
from pipeline.report.events import Action
from pipeline.report.outcome import BuildOutcome
from pipeline.report.wording import SUGGESTION_LIMIT
from pipeline.values import replace


def belongs_to(previous: Undoable, record: Record) -> bool:
    """Whether the folders of components are those of the record, which has none if it has no component."""
    return not record.components or previous.places == record.places


def named_changes(
    names: Collection[str],
    previous: Journal,
    undoes: Undoable,
    known: Mapping[str, Collection[str]],
    advised: tuple[Command, Mapping[str, tuple[str, ...]]],
) -> BuildOutcome[Undoable]:
    """The part of what can be undone that names stand for; without names, all of it.

    `known` are the paths of components by what each is called. The names of kept versions are advised, by path.

    Errors: one for each name that is not known, or of which nothing is to be undone.
    """
    command, versions = advised
    paths = set[str]()
    errors = list[ComponentNotFound | NothingToUndo]()
    for number, name in enumerate(dict.fromkeys(names)):
        meant = known.get(canonical_name(name), ())
        found = undoes.paths.intersection(meant)
        paths |= found
        if not meant:
            suggestions = near(name, known) if number < SUGGESTION_LIMIT else ()
            errors.append(ComponentNotFound(name, "", suggestions))
        elif not found:
            path = min(meant)
            is_undone = previous.run.kind == "undo" and path in previous.paths
            run = previous.run if is_undone else undoes.run
            others = versions.get(path, ())
            errors.append(NothingToUndo("part" if is_undone else "other", path, run.words, others, command))
    if errors:
        return Failure(tuple(errors))
    return Success(undoes.only(paths) if names else undoes)


def offer_previous(previous: Undoable, draft: Draft) -> Draft:
    """A step for each component that the run changed, in its order, and the record as it was before.

    Last come those of which only the record changed.
    """
    found = draft.found
    moves = previous.moves
    kind_of = previous.places.kind_of
    places = found.places([each.path for each in moves])
    last = draft.state.components
    surveys = [
        Survey(kind=kind_of(path), path=path, target=places[path], written=_built(change), last=last.get(path))
        for path, change in ((each.path, each) for each in moves)
    ]
    installed = found.installed({each.path: each.files for each in surveys if each.written and each.may_be_replaced})
    candidates = of_its_version(draft)
    steps = [
        _step(change, replaced(survey, installed.get(change.path), {}, candidates), draft.options.prefer)
        for change, survey in zip(moves, surveys, strict=True)
    ]
    recorded_only = [each for each in previous.changes if each.entry_after.recorded and not each.slot]
    steps += [
        Step(
            survey=Survey(kind=kind_of(each.path), path=each.path, written=each.entry_after.recorded),
            component=each.entry_before.recorded,
        )
        for each in recorded_only
    ]
    return replace(
        draft.with_plan(replace(draft.plan, steps=tuple(steps))), record=record_before(previous, draft.record)
    )


def offer_patches(previous: Undoable, draft: Draft) -> Draft:
    """The patches that the run wrote or removed, as they were before it; one that has changed since stays."""
    moves = (move for change in previous.patches for move in change.file_moves)
    back = [move.back for move in moves if move.name not in PATCH_MARKS]
    there = {move.name: draft.found.patches.read(move.name) for move in back}
    stays = [move for move in back if not are_alike(_file_of(there[move.name]), move.current)]
    given_back = tuple(move for move in back if move not in stays)
    warnings = (patch_stays(f"{PATCHES}/{move.name}", "since") for move in stays)
    return replace(draft, plan=replace(draft.plan, given_back=given_back)).with_warnings(*warnings)


def _file_of(data: object) -> FileState | None:
    """A file as it was read; `None` if it is not there."""
    if data == b"":
        return None
    if isinstance(data, bytes):
        return FileState(digest=sha256(data).hexdigest())
    return FileState(kind="other")


def _built(change: Change) -> RecordedComponent | None:
    """What the run left of what the archive gave."""
    built = None if change.removes else change.entry_after.recorded
    return built and replace(built, files={name: change.after[name] for name in built.files if name in change.after})


def _step(change: Change, survey: Survey, prefer: Preference) -> Step:
    recorded = change.entry_before.recorded
    there = survey.files
    after = {} if change.removes else change.after
    before = _without_same(change.before, after, there)
    after = _without_same(after, change.before, there)
    merged = merge_files(after, there, before, lambda name: prefer.of(f"{change.path}/{name}"))
    if survey.is_there and recorded:  # perhaps nothing is written: only record and state change
        merged = _with_backups(merged, recorded.files)
    wrong: tuple[NothingToUndo, ...] = ()
    if survey.target.occupancy == "absent" and not (change.adds or change.removes):
        wrong = (NothingToUndo("gone", change.path),)
    elif survey.is_replaced and not (recorded and are_equal(recorded.version, survey.version)):
        wrong = (NothingToUndo("replaced", change.path, survey.version or ""),)
    action = _action(survey, has_files=bool(before), is_left=bool(before or merged.files))
    return Step(survey=survey, action=action, component=recorded, merge=merged, wrong=wrong)


def _action(survey: Survey, *, has_files: bool, is_left: bool) -> Action:
    """What is done, given whether the component had files before the run, and whether any is left after the undo."""
    if survey.is_there:
        return "update" if is_left else "remove"
    return "add" if has_files else "keep"


def _with_backups(merged: Merge, given: Files) -> Merge:
    """The same, in which what stays and is not as the archive gave it is the user's, as a build counts it."""
    same = FileOutcome("same")
    stays = {name: state for name, state in merged.files.items() if merged.outcomes.get(name, same).verdict == "same"}
    edited = {
        name: FileOutcome("edited" if name in given else "added", state)
        for name, state in stays.items()
        if state.kind != "folder" and not are_alike(state, given.get(name))
    }
    return replace(merged, outcomes={**merged.outcomes, **edited})


def _without_same(files: Files, others: Files, there: Files) -> dict[str, FileState]:
    """Leave out files that the run did not change and somebody has deleted since: they were not saved."""
    present = {*there, *implied_folders(there)}
    return {name: state for name, state in files.items() if name in present or others.get(name) != state}


def rebuilt(previous: Undoable, is_in_drop: Callable[[RecordedComponent], bool]) -> tuple[str, ...]:
    """The archives of the drop that a build after the undoing would build again.

    Where no file was changed, the run took over what was there, or undid that, and no archive is built over it; nor
    over a newer one whose archive is in the drop as well.
    """
    archives: list[str] = []
    for each in previous.moves:
        undone = each.entry_after.recorded
        back = each.entry_before.recorded
        if undone is None or each.before == each.after or not is_in_drop(undone):
            continue
        is_newer = back is not None and compare_versions(undone.version, back.version) == "newer"
        stays = back and (back.source == undone.source or (is_newer and is_in_drop(back)))
        if not stays:
            archives.append(undone.archive)
    return tuple(sorted(archives))
