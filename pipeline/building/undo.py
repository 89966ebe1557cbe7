"""Undo: what the last run that changed the project put aside, and the steps that exchange it back.

Takes what that run did and what is there; gives steps as a build has them. What it left is the base of the merge, what
it put aside stands for the archive, so what was added or edited since stays (`docs/building.md`).
"""

from collections.abc import Collection, Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from pipeline.archives.archive import Component
from pipeline.building.files_merge import Merge, Preferred, leave, merge_files, replace_all
from pipeline.building.journal import Run, Swap, are_sound
from pipeline.building.places import USUAL, Places
from pipeline.building.record import Files, FileState, Record, RecordedComponent, are_alike, implied_folders
from pipeline.building.replaced import departs_widely, other_version
from pipeline.building.sealed import unseal
from pipeline.building.state import Built, LastBuild, State, restored
from pipeline.building.steps import Step, Target
from pipeline.building.tree import Tree
from pipeline.report.diagnostics.conflicts import ComponentReplaced
from pipeline.report.events import ComponentKind


class Previous(Struct, frozen=True, kw_only=True):
    """What the last run that changed the project did, as it is kept beside what it put aside."""

    run: Run
    swaps: tuple[Swap, ...]
    """The slot of each names the folder in which the component was put aside: all of it or, if files were replaced one
    by one, these."""
    places: Places = USUAL
    """The folders that components went into."""
    record: str
    """The digest of the record after the run; empty if there is none."""
    recorded_alone: tuple[str, ...] = ()
    """The components that it changed in the record alone."""

    def belongs_to(self, record: Record) -> bool:
        """Whether the folders of components are those of the record, which has none if it has no component."""
        return not record.components or self.places == record.places

    def recorded(self, path: str) -> RecordedComponent | None:
        """What the record said of a component before the run."""
        return self.run.before.components.get(path) if self.run.before else None


def read_previous(data: bytes) -> Previous | None:
    """Decode what a run did; `None` if it is damaged, or has a path that leads elsewhere."""
    previous = unseal(data, Previous)
    return previous if previous and are_sound(previous.swaps, previous.places, previous.run) else None


class Other(Struct, frozen=True):
    """Another version than the one that the run left, and what somebody had added to that one."""

    version: str
    added: Collection[str] = ()


def suspects(previous: Previous, places: Mapping[str, Target]) -> dict[str, Files]:
    """The files of components in whose place another version may be than the one that the run left."""
    return {
        path: places[path].files for path, left in _built(previous).items() if departs_widely(left, places[path].files)
    }


def _built(previous: Previous) -> dict[str, RecordedComponent]:
    """What the run left of what archives gave."""
    return {
        swap.path: replace(
            swap.component, files={name: swap.after[name] for name in swap.component.files if name in swap.after}
        )
        for swap in previous.swaps
        if swap.component and swap.new is not None
    }


def replaced_since(
    previous: Previous, places: Mapping[str, Target], state: State, found: Mapping[str, Component | None]
) -> dict[str, Other]:
    """What has replaced the components that the run left, by paths, given what suspects say that they are.

    What was there before the run is no other version.
    """
    others: dict[str, Other] = {}
    for path, left in _built(previous).items():
        before, last = previous.recorded(path), state.components.get(path)
        if there := found.get(path):
            version = other_version(left, places[path].files, last, there)
            if version is not None and not (before and before.version == version):
                others[path] = Other(version, last.added if last else ())
    return others


def undo_steps(
    previous: Previous, places: Mapping[str, Target], prefer: Preferred, others: Mapping[str, Other] = {}
) -> tuple[Step, ...]:
    """What undoing a run does about each component that it changed, in the order of that run.

    In the places of some are `others`, which have replaced what the run left.
    """
    return tuple(
        _undo_step(swap, previous, places[swap.path], prefer, others.get(swap.path)) for swap in previous.swaps
    )


def _about_another(step: Step, swap: Swap, prefer: Preferred, other: Other) -> Step:
    """The step for a component that was replaced since: it stays, or all of it is as before the run.

    Where files were replaced one by one, what the run did not change was not put aside, and cannot be brought back.
    """
    there, built, before = step.target.files, step.recorded, step.component
    if prefer == "mine":
        return _with(step, leave(swap.before, there), swap.before)
    if prefer == "theirs" and not swap.in_place:
        return _with(step, replace_all(there, swap.before, other.added), swap.before)
    problem = ComponentReplaced(
        step.path,
        version=other.version,
        built=(built.version if built else "") or "",
        archive=before.archive if before else "",
        available=(before.version if before else "") or "",
        undoing="in place" if swap.in_place else "whole",
    )
    return replace(step, replaced=problem)


def _kind_of(path: str, previous: Previous) -> ComponentKind:
    before = previous.run.before.places if previous.run.before else previous.places
    return "theme" if "theme" in {before.kind_of(path), previous.places.kind_of(path)} else "module"


def _undo_step(swap: Swap, previous: Previous, target: Target, prefer: Preferred, other: Other | None) -> Step:
    before, after, recorded = swap.before, swap.after if swap.new is not None else {}, previous.recorded(swap.path)
    if swap.in_place:  # what is the same on both sides was not put aside
        before, after = _without_same(before, after, target.files), _without_same(after, before, target.files)
    merged = merge_files(after, target.files, before, prefer)
    step = Step(
        kind=_kind_of(swap.path, previous),
        path=swap.path,
        action="add" if before else "keep",
        files=len(recorded.files if recorded else target.files),
        target=target,
        merge=merged,
        recorded=swap.component,
        component=recorded,
    )
    if other:
        return _about_another(step, swap, prefer, other)
    return _with(step, merged, before) if target.standing == "present" else step


def _with(step: Step, merged: Merge, before: Files) -> Step:
    """A step about what is there: perhaps of no file, as record and state change, and that, too, can be undone."""
    return replace(step, action="update" if before or merged.files else "remove", merge=merged)


def _without_same(files: Files, others: Files, there: Files) -> dict[str, FileState]:
    """The files without those that both sides have alike and that somebody has deleted since."""
    left = {*there, *implied_folders(there)}
    return {name: state for name, state in files.items() if name in left or others.get(name) != state}


def left_by(previous: Previous) -> dict[str, LastBuild | None]:
    """What was last written here of each component before the run that is undone; `None` if it was not there."""
    return {
        path: previous.run.last.get(path) or (LastBuild(component=recorded) if recorded else None)
        for path in (*(swap.path for swap in previous.swaps), *previous.recorded_alone)
        for recorded in (previous.recorded(path),)
    }


def state_before(previous: Previous, steps: Iterable[Step], state: State, built: Built) -> State:
    """What was last written here, before the run that is undone; what is there has new stat signatures."""
    trees = {step.path: built.get(step.path, (None, step.target.tree))[1] for step in steps}
    left = left_by(previous)
    return restored(
        state, {path: _left(last, trees[path]) if last and path in trees else last for path, last in left.items()}
    )


def _left(last: LastBuild, tree: Tree) -> LastBuild:
    """What is left of a component. What departs from what was written, but did not before, may be another version."""
    written, left = last.component.files, last.tree.files
    kept = {
        name: state
        for name, state in tree.files.items()
        if are_alike(state, written.get(name, state if name in left else None)) or are_alike(state, left.get(name))
    }
    return replace(last, tree=Tree(kept, {name: each for name, each in tree.signatures.items() if name in kept}))


def rebuilt(previous: Previous, left: Collection[str] = ()) -> tuple[str, ...]:
    """The archives that a build after the undoing would build again, if they are in the drop.

    Where no file was changed, the run took over what was there, or undid that, and no archive is built over it; nor
    over another version that is `left` in its place.
    """
    changed = (swap for swap in previous.swaps if swap.before != swap.after and swap.path not in left)
    given = ((swap.component, previous.recorded(swap.path)) for swap in changed)
    archives = (
        component.archive
        for component, recorded in given
        if component and (recorded is None or recorded.source != component.source)
    )
    return tuple(sorted(archives))
