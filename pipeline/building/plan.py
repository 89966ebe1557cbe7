"""Plan: what a run will do to the project, as a value. A dry run prints it; a real run does exactly that.

Takes the selection, the record and what is in the project; gives the plan, or every conflict. The rules are in
`docs/building.md`.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import Literal, TypeAlias

from msgspec import Struct
from returns.result import Failure, Result, Success
from toolz import concat, frequencies, unique

from pipeline.archives.entry_names import clashes
from pipeline.building.hooks import Hook
from pipeline.building.layout import RECORD_FILE
from pipeline.building.record import Files, Record, RecordedComponent
from pipeline.report.build_problems import ComponentAmbiguous, OutOfDate, OutputConflict
from pipeline.report.events import (
    Action,
    ArchiveEvent,
    ComponentEvent,
    ComponentKind,
    HookEvent,
    RunOutcome,
    SummaryEvent,
)
from pipeline.selection.choices import Choice, reason_text
from pipeline.selection.select import Selection

Standing: TypeAlias = Literal["absent", "same", "stale", "different", "file", "link"]


class Target(Struct, frozen=True, kw_only=True):
    """What is already where a component goes, or on the way there."""

    standing: Standing
    """`stale` is a component without files of the user that is incomplete, or not what its archive has."""
    users: tuple[str, ...] = ()
    """The user's files, if the component is `different`."""
    obstacle: str = ""
    """The path of the `file` or `link` that is in the way."""
    seen: Files = {}
    """Every file of the component."""
    recorded: RecordedComponent | None = None
    """What the record says, or should say, about a component that is the `same`."""


class Step(Struct, frozen=True, kw_only=True):
    """One component of the plan."""

    kind: ComponentKind
    name: str
    action: Action
    files: int
    target: Target
    choice: Choice | None = None
    """The selected component; `None` for one that is only recorded."""

    @property
    def path(self) -> str:
        """Relative to the project."""
        return f"{self.kind}s/{self.name}"

    @property
    def users(self) -> tuple[str, ...]:
        """The user's files that are moved to the backup."""
        return self.target.users


class Plan(Struct, frozen=True, kw_only=True):
    """Everything that a run will do: first init hooks, then components, then post hooks."""

    project: PurePath
    steps: tuple[Step, ...]
    record: Record = Record()
    """The record before the run, brought up to date with what was found in the project."""
    init: tuple[Hook, ...] = ()
    post: tuple[Hook, ...] = ()

    @property
    def changes(self) -> tuple[Step, ...]:
        """The steps that change the project."""
        return tuple(step for step in self.steps if step.action != "keep")


class Departures(Struct, frozen=True):
    """The paths of recorded components that are not selected: to be removed, or to be kept."""

    removed: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    """Those to be kept, because their archive is not in the drop."""


def path_of(choice: Choice) -> str:
    """Where a component goes: `themes/<name>` or `modules/<name>`."""
    return f"{choice.component.kind}s/{choice.component.name}"


def departures(record: Record, selection: Selection, refused: Iterable[str], *, prune: bool) -> Departures:
    """Decide what happens to recorded components that are not built.

    `refused` are archives whose components are unknown. They may include any recorded one, so nothing is pruned.
    """
    known = tuple(choice for choice in selection.choices if choice.reason.rule != "refused")
    selected = {path_of(choice) for choice in known if choice.selected}
    left_out = {path_of(choice) for choice in known if not choice.selected}
    closed = frozenset(choice.archive.file.display_path for choice in known if not choice.archive.component)
    unsure = frozenset(refused) | {choice.archive.file.whole for choice in selection.choices if is_doubtful(choice)}
    others = {path: each.archive for path, each in record.components.items() if path not in selected}
    removed = {path for path, archive in others.items() if path in left_out or _is_of(archive, closed)}
    gone = {path for path, archive in others.items() if path not in removed and not _is_of(archive, unsure)}
    leaving, staying = (removed | gone, set[str]()) if prune and not unsure else (removed, gone)
    return Departures(tuple(sorted(leaving)), tuple(sorted(staying)))


def is_doubtful(choice: Choice) -> bool:
    """Whether an archive is refused that is not left out: what it holds may be any component."""
    return bool(choice.archive.refusals) and (choice.selected or choice.reason.rule == "refused")


def _is_of(archive: str, files: frozenset[str]) -> bool:
    """Whether an archive is one of these files, or a member of a bundle among them."""
    return archive in files or any(archive.startswith(f"{file}!") for file in files)


def build_step(choice: Choice, target: Target) -> Step:
    """Decide what is done about a selected component."""
    component = choice.component
    return Step(
        kind=component.kind,
        name=component.name,
        action=_ACTIONS[target.standing],
        files=choice.archive.files,
        target=target,
        choice=choice,
    )


def departing_step(path: str, action: Literal["keep", "remove"], target: Target) -> Step:
    """The step for a recorded component that is not built."""
    shelf, _, name = path.partition("/")
    kind: ComponentKind = "theme" if shelf == "themes" else "module"
    return Step(kind=kind, name=name, action=action, files=len(target.seen), target=target)


def record_found(record: Record, steps: Iterable[Step], absent: Collection[str]) -> Record:
    """The record, brought up to date: with components that are already in place, and without those that are absent."""
    kept = {path: each for path, each in record.components.items() if path not in absent}
    return Record({**kept, **{step.path: step.target.recorded for step in steps if step.target.recorded}})


def without_conflict(steps: Iterable[Step], *, force: bool) -> Result[tuple[Step, ...], tuple[OutputConflict, ...]]:
    """The steps, if none of them would touch what is the user's. With `force`, the user's files are moved."""
    planned = tuple(steps)
    wrong = tuple(unique(concat(conflicts(step.path, step.target, force=force) for step in planned)))
    return Failure(wrong) if wrong else Success(planned)


def conflicts(path: str, target: Target, *, force: bool) -> Iterator[OutputConflict]:
    """The conflicts of building or removing a component with what is already there."""
    match target.standing:
        case "different" if not force:
            yield OutputConflict(path, tuple(f"{path}/{name}" for name in target.users))
        case "file" | "link":
            yield OutputConflict(target.obstacle, reason=target.standing)


def out_of_date(plan: Plan, before: Record) -> tuple[OutOfDate, ...]:
    """What a run would change, a problem for each component; `before` is the record that is there."""
    changes = tuple(OutOfDate(step.path, step.action) for step in plan.changes)
    return changes or ((OutOfDate(RECORD_FILE, "update"),) if plan.record != before else ())


def told_apart_by_case(steps: Iterable[Step]) -> Iterator[ComponentAmbiguous]:
    """Components that would be in each other's place on a disk that ignores case."""
    built = {step.path: step.choice for step in steps if step.choice}
    for one, other in clashes(built):
        archives = (built[path].archive.file.display_path for path in (one, other) if path in built)
        yield ComponentAmbiguous(built[other].component.kind, built[other].component.name, tuple(archives))


def archive_events(selection: Selection) -> tuple[ArchiveEvent, ...]:
    """An event for each archive: what it is, and why it is used or skipped."""
    return tuple(
        ArchiveEvent(
            archive=choice.archive.file.display_path,
            kind=choice.component.kind,
            name=choice.component.name,
            version=choice.component.version,
            selected=choice.selected,
            reason=reason_text(choice.reason),
            evidence=choice.component.evidence,
        )
        for choice in selection.choices
    )


def component_events(plan: Plan) -> tuple[ComponentEvent, ...]:
    """An event for each component: what is done about it."""
    return tuple(
        ComponentEvent(kind=step.kind, name=step.name, action=step.action, path=step.path, files=step.files)
        for step in plan.steps
    )


def hook_events(plan: Plan) -> tuple[HookEvent, ...]:
    """An event for each script that would run."""
    return tuple(HookEvent(hook.stage, hook.script, "planned") for hook in (*plan.init, *plan.post))


def summary(
    project: PurePath, outcome: RunOutcome, steps: Iterable[Step], refused: int, seconds: float
) -> SummaryEvent:
    """The event that says what a run did or would do, and how long it took."""
    count: Mapping[str, int] = frequencies(step.action for step in steps)
    return SummaryEvent(
        project=str(project),
        outcome=outcome,
        added=count.get("add", 0),
        updated=count.get("update", 0),
        kept=count.get("keep", 0),
        removed=count.get("remove", 0),
        refused=refused,
        seconds=round(seconds, 3),
    )


_ACTIONS: Mapping[Standing, Action] = {
    "absent": "add",
    "same": "keep",
    "stale": "update",
    "different": "update",
    "file": "update",
    "link": "update",
}
