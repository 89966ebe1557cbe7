"""Plan: what a run will do to the project, as a value. A dry run prints it; a real run does exactly it.

Takes the selection, the record and what stands in the project; gives the plan, or every conflict. The rules are
in `docs/building.md`.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import Literal, TypeAlias

from msgspec import Struct
from returns.result import Failure, Result, Success
from toolz import concat, frequencies, unique

from pipeline.choices import Choice, because
from pipeline.entry_names import clashes
from pipeline.events import Action, ArchiveEvent, ComponentEvent, HookEvent, Kind, SummaryEvent
from pipeline.hooks import Hook
from pipeline.problems import ComponentAmbiguous, OutputConflict
from pipeline.record import Files, Record, RecordedComponent
from pipeline.select import Selection

Standing: TypeAlias = Literal["absent", "same", "stale", "different", "file", "link"]


class Target(Struct, frozen=True, kw_only=True):
    """What stands where a component goes, or on the way there."""

    standing: Standing
    """`stale` is a component without files of the user that is not, or not whole, what the archive gives."""
    users: tuple[str, ...] = ()
    """In a component that is `different`, the user's files."""
    obstacle: str = ""
    """The path of the `file` or `link` that is in the way."""
    seen: Files = {}
    """Every file of the component."""
    recorded: RecordedComponent | None = None
    """Of a component that is the `same`, what the record says of it, or should."""


class Step(Struct, frozen=True, kw_only=True):
    """One component of the plan."""

    kind: Kind
    name: str
    action: Action
    files: int
    target: Target
    choice: Choice | None = None
    """What is built; none where a component is kept or removed."""

    @property
    def path(self) -> str:
        """Relative to the project."""
        return f"{self.kind}s/{self.name}"

    @property
    def users(self) -> tuple[str, ...]:
        """The user's files that are moved to the backup."""
        return self.target.users


class Plan(Struct, frozen=True, kw_only=True):
    """All that a run will do, in order: init hooks, components, post hooks."""

    project: PurePath
    steps: tuple[Step, ...]
    record: Record = Record()
    """The record of before, with what was found to stand already."""
    init: tuple[Hook, ...] = ()
    post: tuple[Hook, ...] = ()

    @property
    def changes(self) -> tuple[Step, ...]:
        """The steps that change the project."""
        return tuple(step for step in self.steps if step.action != "keep")


class Departures(Struct, frozen=True):
    """What the record has and the selection does not: by path, to be removed or kept."""

    removed: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    """Those whose archive is not in the drop."""


def path_of(choice: Choice) -> str:
    """Where a component goes: `themes/<name>` or `modules/<name>`."""
    return f"{choice.component.kind}s/{choice.component.name}"


def departures(record: Record, selection: Selection, refused: Iterable[str], *, prune: bool) -> Departures:
    """Say what becomes of recorded components that are not built.

    `refused` are archives that could not be told: what they hold may be any component, so that nothing is pruned.
    """
    known = tuple(choice for choice in selection.choices if choice.reason.rule != "refused")
    selected = {path_of(choice) for choice in known if choice.selected}
    left_out = {path_of(choice) for choice in known if not choice.selected}
    closed = frozenset(choice.archive.file.shown for choice in known if not choice.archive.component)
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
    """Whether an archive is one of these files, or a member of one that is a bundle."""
    return archive in files or any(archive.startswith(f"{file}!") for file in files)


def build_step(choice: Choice, target: Target) -> Step:
    """Decide what is done for a component that is selected."""
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
    """What is done for a component of the record that is not built."""
    shelf, _, name = path.partition("/")
    kind: Kind = "theme" if shelf == "themes" else "module"
    return Step(kind=kind, name=name, action=action, files=len(target.seen), target=target)


def record_found(record: Record, steps: Iterable[Step], absent: Collection[str]) -> Record:
    """The record of before with what was found: what stands already is in it, what is absent is not."""
    kept = {path: each for path, each in record.components.items() if path not in absent}
    return Record({**kept, **{step.path: step.target.recorded for step in steps if step.target.recorded}})


def without_conflict(steps: Iterable[Step], *, force: bool) -> Result[tuple[Step, ...], tuple[OutputConflict, ...]]:
    """Give the steps if none of them would touch what is the user's; with `force` the user's files are moved."""
    planned = tuple(steps)
    wrong = tuple(unique(concat(conflicts(step.path, step.target, force=force) for step in planned)))
    return Failure(wrong) if wrong else Success(planned)


def conflicts(path: str, target: Target, *, force: bool) -> Iterator[OutputConflict]:
    """What is wrong with building or removing a component where something stands already."""
    match target.standing:
        case "different" if not force:
            yield OutputConflict(path, tuple(f"{path}/{name}" for name in target.users))
        case "file" | "link":
            yield OutputConflict(target.obstacle, found=target.standing)


def told_apart_by_case(steps: Iterable[Step]) -> Iterator[ComponentAmbiguous]:
    """Components of which a disk that ignores case would hold only one."""
    built = {step.path: step.choice for step in steps if step.choice}
    for one, other in clashes(built):
        archives = (built[path].archive.file.shown for path in (one, other) if path in built)
        yield ComponentAmbiguous(built[other].component.kind, built[other].component.name, tuple(archives))


def archive_events(selection: Selection) -> tuple[ArchiveEvent, ...]:
    """Tell of each archive what it is, and why it is in or out."""
    return tuple(
        ArchiveEvent(
            archive=choice.archive.file.shown,
            kind=choice.component.kind,
            name=choice.component.name,
            version=choice.component.version,
            selected=choice.selected,
            reason=because(choice.reason),
            evidence=choice.component.evidence,
        )
        for choice in selection.choices
    )


def component_events(plan: Plan) -> tuple[ComponentEvent, ...]:
    """Tell of each component what is done."""
    return tuple(
        ComponentEvent(kind=step.kind, name=step.name, action=step.action, path=step.path, files=step.files)
        for step in plan.steps
    )


def hook_events(plan: Plan) -> tuple[HookEvent, ...]:
    """Tell which scripts would run."""
    return tuple(HookEvent(hook.stage, hook.script, "planned") for hook in (*plan.init, *plan.post))


def summary(plan: Plan, seconds: float) -> SummaryEvent:
    """Tell what a run did, or would do, and how long it took."""
    count: Mapping[str, int] = frequencies(step.action for step in plan.steps)
    return SummaryEvent(
        project=str(plan.project),
        added=count.get("add", 0),
        updated=count.get("update", 0),
        kept=count.get("keep", 0),
        removed=count.get("remove", 0),
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
