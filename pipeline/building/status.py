"""Status: how components on disk differ from the last build, and from the drop.

Takes the selection and a preview of the plan; gives an event for each component. The rules are in
`docs/building.md`.
"""

from collections.abc import Iterable, Iterator

from msgspec import UNSET, Struct
from toolz import unique

from pipeline.archives.archive import Component
from pipeline.archives.prestashop import is_rewritten
from pipeline.building.draft import Found
from pipeline.building.given import Readable, digest_of, patched_names
from pipeline.building.record import Files, RecordedComponent, archive_name, are_alike
from pipeline.building.removals import Removals, removals
from pipeline.building.state import State
from pipeline.building.steps import Conflict, Plan, Step
from pipeline.report.diagnostics.building import OutOfDate, files_edited
from pipeline.report.diagnostics.conflicts import ComponentReplaced, OutputConflict
from pipeline.report.diagnostics.patches import PatchConflict
from pipeline.report.events import InDrop, Obstacle, StatusEvent
from pipeline.selection.choices import Choice
from pipeline.selection.select import Selection
from pipeline.selection.versions import compare_versions


class Differences(Struct, frozen=True):
    """The paths of a component that are not as they were written."""

    edited: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    mode: tuple[str, ...] = ()
    """Those whose content is as it was written, and whose executable bit is not."""


def file_differences(written: Files, current: Files) -> Differences:
    """Compare the files of a component with what the record says."""
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


def status_events(selection: Selection, preview: Plan, state: State) -> Iterator[StatusEvent]:
    """An event for each component that is built or selected, if it was looked at: themes first."""
    record, leaving = preview.before, removals(preview.before, selection)
    disputed = [(each.path, file) for each in preview.conflicts for file in _in_conflict(each)]
    replaced = {each.path: each.version for each in preview.conflicts if isinstance(each, ComponentReplaced)}
    steps = {step.path: step for step in preview.steps}
    built = ((choice.path, choice) for choice in selection.choices if choice.is_built)
    choices = {path: choice for path, choice in built if path in preview.places}
    for path in sorted({*record.components, *choices}, key=lambda path: (record.places.kind_of(path) != "theme", path)):
        recorded, choice, step, target = (
            record.components.get(path),
            choices.get(path),
            steps.get(path),
            preview.places[path],
        )
        gives = step.component.files if step and step.component else None
        compared = gives if recorded is None and target.files else None
        is_there, update = bool(step and step.is_there), step if step and _is_update(step) else None
        obstacle = Obstacle(target.obstacle, target.occupancy) if target.occupancy in ("file", "link") else None
        written = (gives if is_there else recorded.files if recorded else compared) or {}
        changed = Differences() if obstacle else file_differences(written, target.files)
        source = recorded.archive if recorded and not is_there else choice and archive_name(choice.archive.file)
        yield StatusEvent(
            kind=record.places.kind_of(path),
            name=path.rpartition("/")[2],
            path=path,
            version=recorded.version if recorded else None,
            archive=source or "",
            drop="there" if is_there else _in_drop(recorded, choice) if choice else _departed(path, leaving),
            available=choice.component.version if choice else None,
            edited=changed.edited,
            added=changed.added,
            deleted=changed.deleted,
            mode=changed.mode,
            alike=UNSET if compared is None else _alike(written, changed),
            obstacle=obstacle or UNSET,
            missing=(recorded is not None and target.occupancy == "absent") or UNSET,
            conflicts=tuple(unique(file for owner, file in disputed if owner == path)) or UNSET,
            installed=replaced.get(path, (step and step.unbuilt) or UNSET),
            declined=_declined(path, state, changed) or UNSET,
            changes=update.merge.changed if update else UNSET,
            removed=(len(update.merge.gone) if update else 0) or UNSET,
            patched=_patched(recorded, target.files, preview.patches.get(path)) or UNSET,
        )


def _is_update(step: Step) -> bool:
    """Whether a step builds another archive than the one that was built, or with another patch."""
    base, component = step.recorded, step.component
    is_same = base and component and (base.source, base.patch) == (component.source, component.patch)
    return step.action == "update" and step.choice is not None and base is not None and not is_same


def _in_conflict(error: Conflict) -> tuple[str, ...]:
    """The files that a conflict is about, if it is about single ones."""
    if isinstance(error, PatchConflict):
        return (error.name,)
    disputed = error.disputed if isinstance(error, OutputConflict) else ()
    return tuple(each.path.removeprefix(f"{error.path}/") for each in disputed)


def _patched(recorded: RecordedComponent | None, current: Files, patch: Readable | None) -> tuple[str, ...]:
    """The files that are as they were built with the patch."""
    if recorded is None or recorded.patch != digest_of(patch):
        return ()
    names = (name for name in patched_names(patch) if name not in recorded.unpatched)
    return tuple(name for name in names if are_alike(current.get(name), recorded.files.get(name)))


def _alike(written: Files, changed: Differences) -> int:
    """How many files have the content that they were written with, or that the archive gives."""
    files = {name for name, state in written.items() if state.kind != "folder"}
    return len(files.difference(changed.edited, changed.deleted))


def _declined(path: str, state: State, changed: Differences) -> dict[str, str]:
    """The files of an archive that were declined, and that still differ, with its version."""
    last, differing = state.components.get(path), {*changed.edited, *changed.added, *changed.deleted}
    return {name: version for name, version in last.declined.items() if name in differing} if last else {}


def departed(events: Iterable[StatusEvent], preview: Plan, found: Found) -> tuple[OutOfDate, ...]:
    """The components that are missing or edited; files that the system rewrites do not count."""
    likely = [event for event in events if departs(event)]
    components = found.installed({each.path: preview.places[each.path].files for each in likely}) if likely else {}
    return tuple(files_edited(each.path) for each in likely if departs(each, components.get(each.path)))


def departs(event: StatusEvent, component: Component | None = None) -> bool:
    """Whether a recorded component is missing, or edited by anything but its system."""
    edited = any(component is None or not is_rewritten(component, name) for name in event.edited)
    if event.drop == "there":
        return True
    return event.drop != "new" and bool(edited or event.deleted or event.missing is True or event.obstacle)


def _in_drop(recorded: RecordedComponent | None, choice: Choice) -> InDrop:
    """How the archive in the drop stands to the one that was built."""
    if recorded is None:
        return "new"
    if recorded.comes_from(choice.archive):
        return "same"
    if recorded.instead_of == choice.archive.digest:
        return "adopted"
    if recorded.content == choice.archive.content:
        return "repacked"
    return compare_versions(recorded.version, choice.component.version)


def _departed(path: str, leaving: Removals) -> InDrop:
    if path in leaving.left_out:
        return "unselected"
    return "gone" if path in leaving.gone else "unknown"
