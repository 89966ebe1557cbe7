"""Status: how components on disk differ from the last build, and from the drop.

Takes the selection and the plan of the next run; gives an event for each component. The rules are in
`docs/building.md`.
"""

from collections.abc import Collection, Iterable, Iterator

from msgspec import UNSET, Struct
from toolz import unique

from pipeline.archives.archive import Component
from pipeline.archives.entry_names import can_run, last_part
from pipeline.archives.versions import compare_versions
from pipeline.building.draft import Found
from pipeline.building.merging.preference import is_matched
from pipeline.building.planning.removals import Removals, removals
from pipeline.building.steps import Conflict, Plan, Step
from pipeline.building.stores.record import Files, Record, RecordedComponent, archive_name, are_alike
from pipeline.report.diagnostics.building import OutOfDate, not_as_built, not_complete
from pipeline.report.diagnostics.conflicts import OutputConflict
from pipeline.report.diagnostics.patches import PatchConflict
from pipeline.report.events import BaseCertainty, InDrop, Obstacle, StatusEvent
from pipeline.selection.choices import Choice
from pipeline.selection.select import Selection
from pipeline.systems.table import is_rewritten


class Differences(Struct, frozen=True):
    """The paths of a component that are not as they were written."""

    edited: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    mode: tuple[str, ...] = ()
    """Those whose content is as it was written, and whose executable bit is not."""


def file_differences(written: Files, current: Files) -> Differences:
    """Compare the files of a component with what the record says."""
    if written == current:
        return Differences()  # nearly always: cheaper than to compare path by path
    both = sorted(written.keys() & current.keys())
    edited = tuple(name for name in both if not are_alike(written[name], current[name]))
    return Differences(
        edited=edited,
        added=tuple(name for name in sorted(current.keys() - written.keys()) if current[name].kind != "folder"),
        deleted=tuple(sorted(written.keys() - current.keys())),
        mode=tuple(
            name for name in both if name not in edited and written[name].executable != current[name].executable
        ),
    )


def status_events(selection: Selection, plan: Plan, record: Record) -> Iterator[StatusEvent]:
    """An event for each component that is built or selected, if it was looked at: themes first."""
    leaving = removals(record, selection)
    ambiguous = {each.path for each in selection.choices if each.is_ambiguous}
    disputed = [(each.path, file) for each in plan.conflicts for file in _in_conflict(each)]
    for step in sorted(plan.surveyed.values(), key=lambda step: (step.kind != "theme", step.path)):
        survey = step.survey
        path = step.path
        base = step.base
        target = step.target
        choice = survey.choice
        recorded = survey.written
        obstacle = Obstacle(target.obstacle, target.occupancy) if target.occupancy in ("file", "link") else None
        is_seen = not (obstacle or target.is_closed)
        changed = file_differences(base.files, step.disk) if base and is_seen else Differences()
        source = base or recorded
        selected = archive_name(choice.archive.file) if choice else ""
        update = step if step.action == "update" and base and not step.is_built_again else None
        alike = len(base.files) - len(changed.edited) - len(changed.deleted) if base else 0
        yield StatusEvent(
            kind=step.kind,
            name=step.name,
            path=path,
            version=recorded.version if recorded else None,
            archive=source.archive if source else selected,
            drop=_in_drop(recorded, base, choice) if choice else _departed(path, leaving, ambiguous),
            available=choice.component.version if choice else None,
            edited=changed.edited,
            added=changed.added,
            deleted=changed.deleted,
            mode=changed.mode,
            alike=alike if survey.is_foreign and base and recorded is None else UNSET,
            obstacle=obstacle or UNSET,
            missing=(recorded is not None and target.occupancy == "absent") or UNSET,
            conflicts=tuple(unique(file for owner, file in disputed if owner == path)) or UNSET,
            installed=(survey.is_foreign and step.there) or UNSET,
            base=_certainty(step, plan) or UNSET,
            changes=update.merge.changed if update else UNSET,
            removed=(len(update.merge.gone) if update else 0) or UNSET,
            patched=_patched(step) or UNSET,
        )


def _certainty(step: Step, plan: Plan) -> BaseCertainty | None:
    """Why a component that no run here has written stays as it is; `None` if it does not, or its archive is refused."""
    if not step.survey.is_foreign or step.component:
        return None
    if step.survey.choice is None:
        return None if step.base else "unknown"
    if step.wrong:
        return "unknown"
    return "behind" if step in plan.steps else None


def unsaved_edits(plan: Plan) -> tuple[str, ...]:
    """The edited files that stay and that no patch holds, as paths in the project."""
    return tuple(f"{path}/{name}" for path, step in sorted(plan.surveyed.items()) for name in _unsaved(step, plan))


def _unsaved(step: Step, plan: Plan) -> Iterator[str]:
    if step.choice:
        component = step.choice.component
        names = step.merge.of("edited", "merged", "declined", "disputed")
        yield from (name for name in names if name in step.target.files and not is_rewritten(component, name))
    elif step.base:
        patch = plan.patches.get(step.path)
        held = patch.names if patch else ()
        yield from (name for name in file_differences(step.base.files, step.disk).edited if name not in held)


def interrupted_events(paths: Iterable[str], record: Record) -> Iterator[StatusEvent]:
    """An event for each component that a killed run has begun."""
    for path in sorted(paths):
        recorded = record.components.get(path)
        yield StatusEvent(
            kind=record.places.kind_of(path),
            name=last_part(path),
            path=path,
            version=recorded.version if recorded else None,
            archive=recorded.archive if recorded else "",
            drop="unknown",
            state="interrupted",
        )


def _in_conflict(error: Conflict) -> tuple[str, ...]:
    """The files that a conflict is about, if it is about single ones."""
    if isinstance(error, PatchConflict):
        return (error.name,)
    disputed = error.disputed if isinstance(error, OutputConflict) else ()
    return tuple(each.path.removeprefix(f"{error.path}/") for each in disputed)


def _patched(step: Step) -> tuple[str, ...]:
    """The files that are as they were built with the patch."""
    base = step.base
    there = step.target.files
    if not (base and step.component and base.patch == step.component.patch):
        return ()
    names = sorted({*step.given.texts, *step.given.removed})
    return tuple(name for name in names if are_alike(there.get(name), base.files.get(name)))


def departed(
    events: Iterable[StatusEvent], plan: Plan, found: Found, passes: tuple[str, ...] = ()
) -> Iterator[OutOfDate]:
    """The components that are not as they were built, but for the files that patterns let pass."""
    for event in events:
        if event.state:
            yield not_complete(event.path)
        elif departs(event, passes=passes):
            component = found.installed({event.path: plan.surveyed[event.path].target.files}).get(event.path)
            if departs(event, component, passes):
                yield not_as_built(event.path, departures(event, component, passes))


def departs(event: StatusEvent, component: Component | None = None, passes: tuple[str, ...] = ()) -> bool:
    """Whether a recorded component is missing or replaced, or any of its files departs."""
    if event.installed and event.version:
        return True
    is_gone = event.missing is True or event.obstacle
    return event.drop != "new" and bool(is_gone or departures(event, component, passes))


def departures(event: StatusEvent, component: Component | None, passes: tuple[str, ...]) -> tuple[str, ...]:
    """The files that are missing, edited by anything but the system, or added and can run: those of an intruder."""
    edited = (name for name in event.edited if component is None or not is_rewritten(component, name))
    added = filter(can_run, event.added)
    return tuple(name for name in (*edited, *event.deleted, *added) if not is_matched(passes, f"{event.path}/{name}"))


def _in_drop(recorded: RecordedComponent | None, base: RecordedComponent | None, choice: Choice) -> InDrop:
    """How the archive in the drop stands to the one that what is on disk was made from."""
    if recorded is None:
        return "new"
    if base is None:
        return "other"
    if base.comes_from(choice.archive):
        return "same"
    if base.content == choice.archive.content:
        return "repacked"
    return compare_versions(base.version, choice.component.version)


def _departed(path: str, leaving: Removals, ambiguous: Collection[str]) -> InDrop:
    if path in ambiguous:
        return "ambiguous"
    if path in leaving.left_out:
        return "unselected"
    return "gone" if path in leaving.gone else "unknown"
