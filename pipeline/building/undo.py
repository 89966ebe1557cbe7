"""Undo: the steps of a plan that offers what the last run that changed the project has replaced, instead of archives.

What that run left is the base of the merge, what it replaced stands for the archive, so what was added or edited since
stays (`docs/building.md`).
"""

from collections.abc import Callable

from msgspec.structs import replace

from pipeline.archives.archive import Component
from pipeline.building.base import Survey, replaced
from pipeline.building.draft import Draft
from pipeline.building.merging.files_merge import Merge, merge_files
from pipeline.building.steps import Step, Target, kept_step
from pipeline.building.stores.journal import Change, Journal, record_before
from pipeline.building.stores.record import Files, FileState, Record, RecordedComponent, are_alike, implied_folders
from pipeline.report.diagnostics.building import NothingToUndo
from pipeline.report.events import ComponentKind
from pipeline.selection.versions import are_equal, compare_versions


def belongs_to(previous: Journal, record: Record) -> bool:
    """Whether the folders of components are those of the record, which has none if it has no component."""
    return not record.components or previous.places == record.places


def offer_previous(previous: Journal, draft: Draft) -> Draft:
    """A step for each component that the run changed, in its order, and the record as it was before.

    Last come those of which only the record changed.
    """
    found, moves = draft.found, previous.moves
    places = found.places([each.path for each in moves])
    suspects = {
        each.path: places[each.path].files
        for each in moves
        if (built := _built(each)) and Survey(path=each.path, target=places[each.path], written=built).may_be_replaced
    }
    installed = found.installed(suspects)
    kinds = previous.places
    steps = tuple(
        _step(each, kinds.kind_of(each.path), places[each.path], draft, installed.get(each.path)) for each in moves
    )
    alone = tuple(
        replace(kept_step(kinds.kind_of(each.path), each.path, each.says.recorded), component=each.said.recorded)
        for each in previous.changes
        if each.says.recorded and not each.slot
    )
    return draft.with_plan(steps=steps + alone, record=record_before(previous, draft.record))


def _built(change: Change) -> RecordedComponent | None:
    """What the run left of what the archive gave."""
    built = None if change.removes else change.says.recorded
    return built and replace(built, files={name: change.after[name] for name in built.files if name in change.after})


def _step(change: Change, kind: ComponentKind, target: Target, draft: Draft, found: Component | None) -> Step:
    recorded, after = change.said.recorded, {} if change.removes else change.after
    before, after = _without_same(change.before, after, target.files), _without_same(after, change.before, target.files)
    prefer = draft.options.prefer
    merged = merge_files(after, target.files, before, lambda name: prefer.of(f"{change.path}/{name}"))
    step = Step(
        kind=kind,
        path=change.path,
        action="add" if before else "keep",
        files=len(recorded.files if recorded else target.files),
        target=target,
        merge=merged,
        recorded=change.says.recorded,
        component=recorded,
        found=found,
    )
    last, built = draft.state.components.get(change.path), _built(change)
    if target.occupancy == "absent" and not (change.adds or change.removes):
        return replace(step, wrong=(NothingToUndo("gone", change.path),))
    survey = replaced(Survey(path=change.path, target=target, written=built, last=last), found, {})
    if survey.is_replaced and not (recorded and are_equal(recorded.version, survey.version)):
        return replace(step, wrong=(NothingToUndo("replaced", change.path, survey.version or ""),))
    return _with(step, merged, before) if target.occupancy == "present" else step


def _with(step: Step, merged: Merge, before: Files) -> Step:
    """A step about the files on disk: perhaps of none, as only record and state change, which can be undone, too."""
    merged = _with_users(merged, step.component.files) if step.component else merged
    return replace(step, action="update" if before or merged.files else "remove", merge=merged)


def _with_users(merged: Merge, given: Files) -> Merge:
    """The same, in which what stays and is not as the archive gave it is the user's, as a build counts it."""
    stays = ((name, each) for name, each in merged.outcomes.items() if each.verdict == "same")
    users = {
        name: replace(each, verdict="edited" if name in given else "added")
        for name, each in stays
        if each.result and each.result.kind != "folder" and not are_alike(each.result, given.get(name))
    }
    return replace(merged, outcomes={**merged.outcomes, **users})


def _without_same(files: Files, others: Files, there: Files) -> dict[str, FileState]:
    """Leave out files that the run did not change and somebody has deleted since: they were not saved."""
    left = {*there, *implied_folders(there)}
    return {name: state for name, state in files.items() if name in left or others.get(name) != state}


def rebuilt(previous: Journal, is_in_drop: Callable[[RecordedComponent], bool]) -> tuple[str, ...]:
    """The archives of the drop that a build after the undoing would build again.

    Where no file was changed, the run took over what was there, or undid that, and no archive is built over it; nor
    over a newer one whose archive is in the drop as well.
    """
    changed = (each for each in previous.moves if each.before != each.after)
    given = ((each.says.recorded, each.said.recorded) for each in changed)
    archives = (
        component.archive
        for component, recorded in given
        if component and is_in_drop(component) and not (recorded and _stays(recorded, component, is_in_drop))
    )
    return tuple(sorted(archives))


def _stays(
    recorded: RecordedComponent, undone: RecordedComponent, is_in_drop: Callable[[RecordedComponent], bool]
) -> bool:
    """Whether what comes back is what a build would choose."""
    is_newer = compare_versions(undone.version, recorded.version) == "newer"
    return recorded.source == undone.source or (is_newer and is_in_drop(recorded))
