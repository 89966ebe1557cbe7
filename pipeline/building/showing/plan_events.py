"""Plan events: report the selection, the plan and the end of a run (`docs/reference/events.md`)."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import PurePath

from msgspec import UNSET
from toolz import frequencies

from pipeline.archives.versions import compare_versions
from pipeline.building.steps import Conflict, NotBuilt, Plan, Step
from pipeline.building.stores.changes import Change
from pipeline.building.stores.journal import Journal
from pipeline.building.stores.layout import BACKUPS, PATCH_SUFFIX, PATCHES
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics import Error
from pipeline.report.diagnostics.archives import one_each
from pipeline.report.diagnostics.bases import UnknownBase
from pipeline.report.diagnostics.building import BackedUp, backed_up
from pipeline.report.diagnostics.patches import Rewritten, patch_rewritten, patch_stays
from pipeline.report.events import Action, ArchiveEvent, ComponentEvent, HookEvent, HookStatus, RunOutcome, SummaryEvent
from pipeline.selection.choices import Choice, reason_text


def archive_event(choice: Choice) -> ArchiveEvent:
    """The event of an archive: its kind, and why it is used or skipped."""
    is_known = choice.reason.rule != "refused"
    return ArchiveEvent(
        archive=choice.archive.file.display_path,
        kind=choice.component.kind if is_known else None,
        name=choice.component.name if is_known else None,
        version=choice.component.version,
        selected=choice.selected,
        reason=reason_text(choice.reason),
        evidence=choice.component.evidence,
        refused=choice.is_refused,
    )


def component_event(step: Step) -> ComponentEvent:
    """The event of a component: its action."""
    merge = step.merge
    is_update = step.action == "update"
    return ComponentEvent(
        kind=step.kind,
        name=step.name,
        action=step.action,
        path=step.path,
        files=step.files,
        version=step.version,
        previous=step.previous,
        archive=step.archive,
        edited=len(merge.edited),
        added=len(merge.of("added")),
        downgrade=(is_update or step.is_recorded_only) and compare_versions(step.previous, step.version) == "older",
        restored=(is_update and len(merge.of("restored"))) or UNSET,
        merged=len(step.texts) or UNSET,
        patched=(step.action != "keep" and len(step.given.texts)) or UNSET,
        changes=merge.changed if is_update else UNSET,
        removed=(is_update and len(merge.gone)) or UNSET,
        recorded=step.is_recorded_only or UNSET,
    )


def hook_events(plan: Plan) -> tuple[HookEvent, ...]:
    """An event for each script that would run, or that is not to run."""
    reason = plan.hooks.forbidden_by
    scripts = plan.hooks.scripts
    status: HookStatus = "skipped" if reason else "planned"
    return tuple(HookEvent(each.stage, each.path.name, status, reason=reason or UNSET) for each in scripts)


def actions_of(steps: Iterable[Step], finished: Journal | None) -> dict[str, Action]:
    """What becomes of each component in steps, or in a killed run that was finished before, by its path."""
    actions = {change.path: _action(change) for change in finished.moves} if finished else {}
    for step in steps:
        if step.action != "keep" or step.path not in actions:
            actions[step.path] = step.action
    return actions


def _action(change: Change) -> Action:
    if change.adds:
        return "add"
    return "remove" if change.removes else "update"


def summary(
    project: PurePath, outcome: RunOutcome, actions: Iterable[Action], passed_over: Sequence[Error], seconds: float
) -> SummaryEvent:
    """The event that says what a run did or would do to each component, and how long it took.

    `passed_over` are the errors that did not end it, with `--keep-going`.
    """
    count: dict[str, int] = frequencies(actions)
    stopped = {error.path: error for error in passed_over if isinstance(error, Conflict)}
    unbuilt = [error for error in stopped.values() if isinstance(error, NotBuilt)]
    not_built = sum(len(error.components) if isinstance(error, UnknownBase) else 1 for error in unbuilt)
    return SummaryEvent(
        project=str(project),
        outcome=outcome,
        added=count.get("add", 0),
        updated=count.get("update", 0),
        kept=count.get("keep", 0),
        removed=count.get("remove", 0),
        refused=len(one_each(each for each in passed_over if not isinstance(each, Conflict))),
        seconds=round(seconds, 3),
        conflicts=len(stopped) - len(unbuilt),
        not_built=not_built or UNSET,
    )


def planned_backups(plan: Plan, project: str) -> Iterator[WarningDiagnostic]:
    """Note the files that a plan moves to the backup; `project` is the project as the user wrote it."""
    for step in plan.changes:
        yield from backups_of(step, step.backed_up, PurePath(project, BACKUPS).as_posix(), dry=True)


def patches_written(plan: Plan, stays: Collection[str] = (), *, dry: bool = False) -> Iterator[WarningDiagnostic]:
    """Note the patches that a plan writes anew, brings back or removes, but those that stay, by their names there."""
    for step in plan.steps:
        patch = step.given.rewritten
        if patch and f"{step.path}{PATCH_SUFFIX}" not in stays:
            yield patch_rewritten(patch.path, "merged" if patch.parts else "removed", step.archive, dry=dry)
    for move in plan.given_back:
        if move.name not in stays:
            what: Rewritten = "brought back" if move.wanted else "removed again"
            yield patch_rewritten(f"{PATCHES}/{move.name}", what, dry=dry)
    for name in stays:
        yield patch_stays(f"{PATCHES}/{name}")


def backups_of(step: Step, names: Collection[str], place: str, *, dry: bool = False) -> Iterator[WarningDiagnostic]:
    """Note what a step puts in the backup: the user's files, copies of those that are merged, and the archive's."""
    merge = step.merge
    kinds: tuple[tuple[BackedUp, tuple[str, ...]], ...] = (
        ("moved", tuple(name for name in merge.backed_up if name not in step.texts)),
        ("copied", tuple(name for name in merge.backed_up if name in step.texts)),
        ("archive's", merge.archive_backed_up),
    )
    for what, files in kinds:
        if those := tuple(name for name in files if name in names):
            yield backed_up(step.path, those, place, what, dry=dry)
