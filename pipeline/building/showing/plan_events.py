"""Plan events: report the selection, the plan and the end of a run (`docs/reference/events.md`)."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import PurePath

from msgspec import UNSET, UnsetType
from toolz import frequencies

from pipeline.archives.versions import compare_versions
from pipeline.building.steps import Plan, Step
from pipeline.building.stores.changes import Change
from pipeline.building.stores.journal import Journal
from pipeline.building.stores.layout import BACKUPS, PATCH_SUFFIX, PATCHES
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics import ComponentError, Error
from pipeline.report.diagnostics.archives import one_each
from pipeline.report.diagnostics.building import BackedUp, backed_up
from pipeline.report.diagnostics.patches import Rewritten, patch_rewritten, patch_stays
from pipeline.report.events import (
    Action,
    ArchiveEvent,
    ComponentEvent,
    HookEvent,
    HookStatus,
    RunOutcome,
    SummaryEvent,
)
from pipeline.selection.choices import Choice, reason_text
from pipeline.values import replace


def archive_event(choice: Choice) -> ArchiveEvent:
    """The event of an archive: what it is, and why it is selected or not."""
    component = choice.component
    event = ArchiveEvent(
        archive=choice.archive.file.display_path,
        kind=component.kind,
        name=component.name,
        version=component.version,
        selected=choice.selected,
        reason=reason_text(choice.reason),
        evidence=component.evidence,
        refused=choice.is_refused,
    )
    if choice.reason.rule == "refused":  # what it is, nobody knows
        return replace(event, kind=None, name=None)
    return event


def component_event(step: Step) -> ComponentEvent:
    """The event of a component: the action of its step, and what it changes."""
    merge = step.merge
    is_update = step.action == "update"
    changes: tuple[str, ...] | UnsetType = UNSET
    if is_update:
        changes = merge.changed
    return ComponentEvent(
        kind=step.kind,
        name=step.name,
        action=step.action,
        path=step.path,
        files=step.file_count,
        version=step.version,
        previous=step.previous,
        archive=step.archive,
        edited=len(merge.edited),
        added=len(merge.of("added")),
        downgrade=(is_update or step.is_recorded_only)
        and compare_versions(step.previous, step.version) == "older",
        restored=(is_update and len(merge.of("restored"))) or UNSET,
        merged=len(step.texts) or UNSET,
        patched=(step.action != "keep" and len(step.payload.texts)) or UNSET,
        changes=changes,
        removed=(is_update and len(merge.gone)) or UNSET,
        recorded=step.is_recorded_only or UNSET,
    )


def hook_events(plan: Plan) -> tuple[HookEvent, ...]:
    """An event for each hook script: planned, or skipped because a flag or variable forbids it."""
    status: HookStatus = "planned"
    if plan.hooks.forbidden_by:
        status = "skipped"
    reason = plan.hooks.forbidden_by or UNSET
    return tuple(
        HookEvent(script.stage, script.path.name, status, reason=reason)
        for script in plan.hooks.scripts
    )


def actions_of(steps: Iterable[Step], finished: Journal | None) -> dict[str, Action]:
    """The action of each component, by path, in the steps or in a killed run that was finished
    before them.
    """
    actions = dict[str, Action]()
    if finished:
        actions = {change.path: _action(change) for change in finished.moves}
    for step in steps:
        if step.action != "keep" or step.path not in actions:
            actions[step.path] = step.action
    return actions


def _action(change: Change) -> Action:
    if change.adds:
        return "add"
    if change.removes:
        return "remove"
    return "update"


def summary(
    project: PurePath,
    outcome: RunOutcome,
    actions: Iterable[Action],
    passed_over: Sequence[Error],
    seconds: float,
) -> SummaryEvent:
    """The event that counts what a run did or would do to components, and says how long it took.

    `passed_over` has the errors that did not stop the run.
    """
    count: dict[str, int] = frequencies(actions)
    stopped = {error.path: error for error in passed_over if isinstance(error, ComponentError)}
    unbuilt = [error for error in stopped.values() if not error.stops]
    refused = one_each(error for error in passed_over if not isinstance(error, ComponentError))
    return SummaryEvent(
        project=str(project),
        outcome=outcome,
        added=count.get("add", 0),
        updated=count.get("update", 0),
        kept=count.get("keep", 0),
        removed=count.get("remove", 0),
        refused=len(refused),
        seconds=round(seconds, 3),
        conflicts=len(stopped) - len(unbuilt),
        not_built=len(unbuilt) or UNSET,
    )


def planned_backups(plan: Plan, project: str) -> Iterator[WarningDiagnostic]:
    """Note the files that a plan would move to the backup; `project` is as the user wrote it."""
    for step in plan.changes:
        yield from backups_of(step, step.backed_up, PurePath(project, BACKUPS).as_posix(), dry=True)


def patches_written(
    plan: Plan, stays: Collection[str] = (), *, dry: bool = False
) -> Iterator[WarningDiagnostic]:
    """Note the patches that a plan rewrites, restores or removes, and those that stay, named
    below `patches/`.
    """
    for step in plan.steps:
        patch = step.payload.rewritten
        if patch and f"{step.path}{PATCH_SUFFIX}" not in stays:
            done: Rewritten = "removed"
            if patch.parts:
                done = "merged"
            yield patch_rewritten(patch.path, done, step.archive, dry=dry)
    for move in plan.patch_moves:
        if move.name not in stays:
            undone: Rewritten = "removed again"
            if move.wanted:
                undone = "brought back"
            yield patch_rewritten(f"{PATCHES}/{move.name}", undone, dry=dry)
    for name in stays:
        yield patch_stays(f"{PATCHES}/{name}")


def backups_of(
    step: Step, names: Collection[str], place: str, *, dry: bool = False
) -> Iterator[WarningDiagnostic]:
    """Note what a step puts in the backup: the user's files, copies of merged files, and the
    archive's files.
    """
    merge = step.merge
    files: dict[BackedUp, list[str]] = {"moved": [], "copied": [], "archive's": []}
    for name in merge.backed_up:
        if name in step.texts:
            files["copied"].append(name)
        else:
            files["moved"].append(name)
    files["archive's"] += merge.archive_backed_up
    for done, paths in files.items():
        in_scope = tuple(path for path in paths if path in names)
        if in_scope:
            yield backed_up(step.path, in_scope, place, done, dry=dry)
