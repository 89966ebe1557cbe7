"""Status: how components on disk differ from the last build and from the drop.

Takes the selection and the plan of the next run; returns an event for each component. The rules are
in `docs/building.md`.
"""

from collections.abc import Collection, Iterable, Iterator

from msgspec import UNSET, Struct, UnsetType
from toolz import concat, unique

from pipeline.archives.archive import Component
from pipeline.archives.entry_names import can_run, last_part
from pipeline.archives.versions import compare_versions
from pipeline.building.draft import ProjectReader
from pipeline.building.merging.preference import is_matched
from pipeline.building.patching.patch import Patch
from pipeline.building.planning.removals import Removals, find_removals
from pipeline.building.steps import Plan, Step
from pipeline.building.stores.record import Files, Record, archive_name, are_alike, version_of
from pipeline.building.survey import Target
from pipeline.report.diagnostics import ComponentError
from pipeline.report.diagnostics.building import OutOfDate, not_as_built, not_complete
from pipeline.report.diagnostics.conflicts import OutputConflict
from pipeline.report.diagnostics.patches import PatchConflict
from pipeline.report.events import BaseCertainty, InDrop, Obstacle, StatusEvent
from pipeline.selection.choices import Choice
from pipeline.selection.select import Selection
from pipeline.systems.table import is_rewritten


class Differences(Struct, frozen=True):
    """The paths of a component's files that differ from what was written."""

    edited: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    mode: tuple[str, ...] = ()
    """The files that differ only in the executable bit."""


def file_differences(written: Files, current: Files) -> Differences:
    """Compare the files of a component with those that were written."""
    if written == current:
        return Differences()  # nearly always: cheaper than to compare path by path
    both = sorted(written.keys() & current.keys())
    edited = tuple(name for name in both if not are_alike(written[name], current[name]))
    return Differences(
        edited=edited,
        added=tuple(
            name
            for name in sorted(current.keys() - written.keys())
            if current[name].kind != "folder"
        ),
        deleted=tuple(sorted(written.keys() - current.keys())),
        mode=tuple(
            name
            for name in both
            if name not in edited and written[name].executable != current[name].executable
        ),
    )


def status_events(selection: Selection, plan: Plan, record: Record) -> Iterator[StatusEvent]:
    """An event for each surveyed component, themes first."""
    removals = find_removals(record, selection)
    ambiguous = {choice.path for choice in selection.choices if choice.is_ambiguous}
    for step in sorted(plan.surveyed.values(), key=lambda step: (step.kind != "theme", step.path)):
        yield _status_of(step, plan, _in_drop(step, removals, ambiguous))


def _status_of(step: Step, plan: Plan, drop: InDrop) -> StatusEvent:
    survey = step.survey
    differences = _differences(step)
    changes: tuple[str, ...] | UnsetType = UNSET
    removed: int | UnsetType = UNSET
    if step.action == "update" and step.base and not step.is_built_again:
        changes = step.merge.changed
        removed = len(step.merge.gone) or UNSET
    return StatusEvent(
        kind=step.kind,
        name=step.name,
        path=step.path,
        version=version_of(survey.written),
        archive=_archive_of(step),
        drop=drop,
        available=available(survey.choice),
        edited=differences.edited,
        added=differences.added,
        deleted=differences.deleted,
        mode=differences.mode,
        alike=_alike(step, differences),
        obstacle=_obstacle(step.target) or UNSET,
        missing=(survey.written is not None and step.target.occupancy == "absent") or UNSET,
        conflicts=_conflicts(step, plan) or UNSET,
        installed=(survey.is_foreign and step.version_on_disk) or UNSET,
        base=_certainty(step, plan) or UNSET,
        changes=changes,
        removed=removed,
        patched=_patched(step) or UNSET,
    )


def _differences(step: Step) -> Differences:
    """How a component differs from its base; empty if the base is unknown or the folder
    cannot be read.
    """
    if step.base is None or step.target.is_closed or _obstacle(step.target):
        return Differences()
    return file_differences(step.base.files, step.disk)


def _obstacle(target: Target) -> Obstacle | None:
    if target.occupancy in ("file", "link"):
        return Obstacle(target.obstacle, target.occupancy)
    return None


def _archive_of(step: Step) -> str:
    """The archive that a component was built from, else the archive that it would be built from."""
    source = step.base or step.survey.written
    if source:
        return source.archive
    return archive_in_drop(step.survey.choice)


def archive_in_drop(choice: Choice | None) -> str:
    """The name of a component's archive in the drop; empty if there is none."""
    if choice is None:
        return ""
    return archive_name(choice.archive.file)


def available(choice: Choice | None) -> str | None:
    """The version of a component's archive in the drop; `None` if it is unknown or
    there is none.
    """
    if choice is None:
        return None
    return choice.component.version


def _alike(step: Step, differences: Differences) -> int | UnsetType:
    """How many files equal the base of a component that the tool never wrote; unset for
    other components.
    """
    survey = step.survey
    if step.base and survey.is_foreign and survey.written is None:
        return len(step.base.files) - len(differences.edited) - len(differences.deleted)
    return UNSET


def _conflicts(step: Step, plan: Plan) -> tuple[str, ...]:
    """The conflicting files of a component."""
    own = (conflict for conflict in plan.component_errors if conflict.path == step.path)
    return tuple(unique(concat(map(_in_conflict, own))))


def _certainty(step: Step, plan: Plan) -> BaseCertainty | None:
    """Why a component that the tool did not write stays as it is; `None` if it does not,
    or is refused.
    """
    if not step.survey.is_foreign or step.component:
        return None
    if step.errors:
        return "unknown"
    if step.survey.choice and step in plan.steps:
        return "behind"
    if step.survey.choice or step.base:
        return None
    return "unknown"


def unsaved_edits(plan: Plan) -> tuple[str, ...]:
    """The project paths of edited files that no patch holds, in components that are not removed."""
    removed = {step.path for step in plan.changes if step.action == "remove"}
    return tuple(
        f"{path}/{name}"
        for path, step in sorted(plan.surveyed.items())
        if path not in removed
        for name in _unsaved(step, plan)
    )


def _unsaved(step: Step, plan: Plan) -> Iterator[str]:
    if step.choice:
        component = step.choice.component
        names = step.merge.of("edited", "merged", "declined", "disputed")
        yield from (
            name
            for name in names
            if name in step.target.files and not is_rewritten(component, name)
        )
    elif step.base:
        patch = plan.patches.get(step.path, Patch(step.path))
        yield from (
            name
            for name in file_differences(step.base.files, step.disk).edited
            if name not in patch.names
        )


def interrupted_events(paths: Iterable[str], record: Record) -> Iterator[StatusEvent]:
    """An event for each component that a killed run began to change."""
    for path in sorted(paths):
        recorded = record.components.get(path)
        yield StatusEvent(
            kind=record.places.kind_of(path),
            name=last_part(path),
            path=path,
            version=version_of(recorded),
            archive=recorded.archive if recorded else "",
            drop="unknown",
            state="interrupted",
        )


def _in_conflict(error: ComponentError) -> tuple[str, ...]:
    """The files that an error of a component names; empty if it concerns the whole component."""
    match error:
        case PatchConflict():
            return (error.name,)
        case OutputConflict():
            return tuple(file.path.removeprefix(f"{error.path}/") for file in error.disputed)
        case _:
            return ()


def _patched(step: Step) -> tuple[str, ...]:
    """The patched files that are on disk as they were built."""
    base = step.base
    there = step.target.files
    if not (base and step.component and base.patch == step.component.patch):
        return ()
    names = sorted({*step.payload.texts, *step.payload.removed})
    return tuple(name for name in names if are_alike(there.get(name), base.files.get(name)))


def deviations(
    events: Iterable[StatusEvent], plan: Plan, reader: ProjectReader, passes: tuple[str, ...] = ()
) -> Iterator[OutOfDate]:
    """The errors of components that deviate from their build, except in files that the patterns
    `passes` match.
    """
    for event in events:
        if event.state:
            yield not_complete(event.path)
        elif deviates(event, passes=passes):
            component = reader.recognise_installed(
                {event.path: plan.surveyed[event.path].target.files}
            ).get(event.path)
            if deviates(event, component, passes):
                yield not_as_built(event.path, deviating_files(event, component, passes))


def deviates(
    event: StatusEvent, component: Component | None = None, passes: tuple[str, ...] = ()
) -> bool:
    """Whether a recorded component is missing or replaced, or one of its files deviates."""
    if event.installed and event.version:
        return True
    is_gone = event.missing is True or event.obstacle
    return event.drop != "new" and bool(is_gone or deviating_files(event, component, passes))


def deviating_files(
    event: StatusEvent, component: Component | None, passes: tuple[str, ...]
) -> tuple[str, ...]:
    """The files that are missing, edited but not by the system, or added and executable as code."""
    edited = (
        name for name in event.edited if component is None or not is_rewritten(component, name)
    )
    added = filter(can_run, event.added)
    return tuple(
        name
        for name in (*edited, *event.deleted, *added)
        if not is_matched(passes, f"{event.path}/{name}")
    )


def _in_drop(step: Step, removals: Removals, ambiguous: Collection[str]) -> InDrop:
    """How the archive in the drop compares with the component's base, or why the drop has none."""
    if step.survey.choice:
        return _compared(step, step.survey.choice)
    if step.path in ambiguous:
        return "ambiguous"
    if step.path in removals.left_out:
        return "unselected"
    if step.path in removals.without_archive:
        return "gone"
    return "unknown"


def _compared(step: Step, choice: Choice) -> InDrop:
    if step.survey.written is None:
        return "new"
    if step.base is None:
        return "other"
    if step.base.comes_from(choice.archive):
        return "same"
    if step.base.content == choice.archive.content:
        return "repacked"
    return compare_versions(step.base.version, choice.component.version)
