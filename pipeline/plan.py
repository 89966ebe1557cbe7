"""Plan: what a run will do to the project, as a value. A dry run prints it; a real run does exactly it.

Takes the selection and what is in the project already; gives the plan, or every conflict. The rules are in
`docs/building.md`.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import Literal, TypeAlias

from msgspec import Struct
from returns.result import Failure, Result, Success
from toolz import concat, frequencies, unique

from pipeline.choices import Choice, because
from pipeline.events import Action, ArchiveEvent, ComponentEvent, HookEvent, SummaryEvent
from pipeline.hooks import Hook
from pipeline.problems import OutputConflict
from pipeline.select import Selection

Standing: TypeAlias = Literal["absent", "same", "different", "file", "link"]


class Target(Struct, frozen=True):
    """What stands where a component goes, or on the way there."""

    standing: Standing
    files: tuple[str, ...] = ()
    """Of a component that differs, the files that do; else the path of the file or link that is in the way."""


class Step(Struct, frozen=True, kw_only=True):
    """One component of the plan."""

    choice: Choice
    action: Action
    path: str
    """Relative to the project."""

    @property
    def displaces(self) -> bool:
        """Whether something that stands in the way is moved aside first."""
        return self.action == "update"


class Plan(Struct, frozen=True, kw_only=True):
    """All that a run will do, in order: init hooks, components, post hooks."""

    project: PurePath
    steps: tuple[Step, ...]
    init: tuple[Hook, ...] = ()
    post: tuple[Hook, ...] = ()


def path_of(choice: Choice) -> str:
    """Where a component goes: `themes/<name>` or `modules/<name>`."""
    return f"{choice.component.kind}s/{choice.component.name}"


def plan_steps(
    choices: Iterable[Choice], targets: Mapping[str, Target], *, force: bool
) -> Result[tuple[Step, ...], tuple[OutputConflict, ...]]:
    """Decide what is done for each selected component; without `force`, what differs is a conflict."""
    found = tuple((choice, path_of(choice), targets[path_of(choice)]) for choice in choices)
    wrong = tuple(unique(concat(conflicts(path, target, force=force) for _, path, target in found)))
    steps = (Step(choice=choice, action=_ACTIONS[target.standing], path=path) for choice, path, target in found)
    return Failure(wrong) if wrong else Success(tuple(steps))


def conflicts(path: str, target: Target, *, force: bool) -> Iterator[OutputConflict]:
    """What is wrong with building a component where something stands already."""
    match target.standing:
        case "different" if not force:
            yield OutputConflict(path, target.files)
        case "file" | "link":
            yield OutputConflict(target.files[0], found=target.standing)


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
        ComponentEvent(
            kind=step.choice.component.kind,
            name=step.choice.component.name,
            action=step.action,
            path=step.path,
            files=step.choice.archive.files,
        )
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
    "different": "update",
    "file": "update",
    "link": "update",
}
