"""Undo: what the last run that changed the project put aside, and the steps that exchange it back.

Takes what that run did and what is there; gives steps as a build has them. What it left is the base of the merge, what
it put aside stands for the archive, so what was added or edited since stays (`docs/building.md`).
"""

from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from pipeline.building.fates import Winner
from pipeline.building.journal import Journal, Run, Swap
from pipeline.building.ownership import merge_files
from pipeline.building.places import USUAL, Places
from pipeline.building.record import Files, FileState, Record, RecordedComponent, are_inside
from pipeline.building.sealed import unseal
from pipeline.building.stamps import KnownFiles
from pipeline.building.state import Built, LastBuild, State, restored
from pipeline.building.steps import Step, Target
from pipeline.report.events import ComponentKind


class PutAside(Struct, frozen=True, kw_only=True):
    """A component that a run changed."""

    path: str
    slot: str
    """The name of the folder in which it was put aside: all of it or, if `in_place`, the files that were replaced."""
    before: dict[str, FileState] = {}
    """Its files before the run; none if it was added."""
    after: dict[str, FileState] = {}
    """Its files after the run; none if it was removed."""
    recorded: RecordedComponent | None = None
    """What the record said before the run."""
    component: RecordedComponent | None = None
    """What it has said since."""
    last: LastBuild | None = None
    """What was last written here before the run."""
    in_place: bool = False


class Previous(Struct, frozen=True, kw_only=True):
    """What the last run that changed the project did, as it is kept beside what it put aside."""

    time: str
    command: tuple[str, ...]
    components: tuple[PutAside, ...]
    before: Record | None
    """The record before the run; `None` if there was none."""
    places: Places = USUAL
    """The folders that components went into."""
    record: str
    """The digest of the record after the run; empty if there is none."""
    undoes: bool = False
    """Whether the run has undone another."""

    @property
    def all_places(self) -> tuple[Places, ...]:
        """The folders of components after the run, and before it."""
        return (self.places, self.before.places) if self.before else (self.places,)


def read_previous(data: bytes) -> Previous | None:
    """Decode what a run did; `None` if it is damaged, or has a path that leads elsewhere."""
    previous = unseal(data, Previous)
    if previous is None or not all(places.is_sound for places in previous.all_places):
        return None
    sound = all(
        any(places.holds(each.path) for places in previous.all_places)
        and each.slot.isdecimal()
        and are_inside((*each.before, *each.after))
        for each in previous.components
    )
    return previous if sound else None


def previous_of(journal: Journal, run: Run, swaps: Iterable[Swap], record: str) -> Previous:
    """What a run did, given the swaps that are done and the digest of the record since."""
    recorded = run.before.components if run.before else {}
    components = tuple(_put_aside(swap, recorded.get(swap.path), run.last.get(swap.path)) for swap in swaps)
    return Previous(
        time=run.time,
        command=run.command,
        components=components,
        before=run.before,
        places=journal.places,
        record=record,
        undoes=run.undoes,
    )


def _put_aside(swap: Swap, recorded: RecordedComponent | None, last: LastBuild | None) -> PutAside:
    return PutAside(
        path=swap.path,
        slot=swap.slot,
        before=swap.before if swap.old is not None else {},
        after=swap.after if swap.new is not None else {},
        recorded=recorded,
        component=swap.component,
        last=last,
        in_place=bool(swap.in_place),
    )


def undo_steps(previous: Previous, places: Mapping[str, Target], wins: Winner) -> tuple[Step, ...]:
    """What undoing a run does about each component that it changed, in the order of their paths."""
    components = sorted(previous.components, key=lambda each: each.path)
    return tuple(_undo_step(_kind_of(each.path, previous), each, places[each.path], wins) for each in components)


def _kind_of(path: str, previous: Previous) -> ComponentKind:
    is_theme = any(places.kind_of(path) == "theme" for places in previous.all_places)
    return "theme" if is_theme else "module"


def _undo_step(kind: ComponentKind, aside: PutAside, target: Target, wins: Winner) -> Step:
    before, after = aside.before, aside.after
    if aside.in_place:  # what is the same on both sides was not put aside
        before, after = _without_same(before, after, target.files), _without_same(after, before, target.files)
    merged = merge_files(after, target.files, before, wins)
    action: Literal["add", "keep", "remove", "update"]
    is_there = target.standing == "present"
    if not is_there:
        action = "add" if before else "keep"
    elif not before and not merged.outcome:
        action = "remove"
    else:
        action = "update"  # perhaps of no file: record and state change, and that, too, can be undone
    return Step(
        kind=kind,
        path=aside.path,
        action=action,
        files=len(aside.recorded.files if aside.recorded else target.files),
        target=target,
        merge=merged,
        recorded=aside.component,
        component=aside.recorded,
    )


def _without_same(files: Files, others: Files, there: Files) -> dict[str, FileState]:
    """The files without those that both sides have alike and that somebody has deleted since."""
    return {name: state for name, state in files.items() if name in there or others.get(name) != state}


def left_by(previous: Previous) -> dict[str, LastBuild | None]:
    """What was last written here of each component before the run that is undone; `None` if it was not there."""
    return {
        each.path: each.last or (LastBuild(component=each.recorded) if each.recorded else None)
        for each in previous.components
    }


def state_before(previous: Previous, steps: Iterable[Step], state: State, built: Built) -> State:
    """What was last written here, as it was before the run that is undone; files that are there have new stamps."""
    known = {step.path: built.get(step.path, (None, step.target.known))[1] for step in steps}
    left = left_by(previous)
    return restored(state, {path: last and _left(last, known[path]) for path, last in left.items()})


def _left(last: LastBuild, known: KnownFiles) -> LastBuild:
    """What is left of a component. What departs from what was written, but did not before, may be another version."""
    written = {name: state.digest for name, state in last.component.files.items()}
    kept = {
        name: (stamp, digest)
        for name, (stamp, digest) in known.items()
        if digest in {written.get(name, digest), last.known.get(name, ((), ""))[1]}
    }
    return replace(last, known=kept)


def rebuilt(previous: Previous) -> tuple[str, ...]:
    """The archives that a build after the undoing would build again, if they are in the drop.

    Where no file was changed, the run took over what was there, or undid that, and no archive is built over it.
    """
    return tuple(
        each.component.archive
        for each in previous.components
        if each.component and each.before != each.after
        if each.recorded is None or each.recorded.source != each.component.source
    )
