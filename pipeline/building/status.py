"""Status: how what is there differs from what the tool wrote, and from what the drop has.

Takes the record, the files that are there and the selection; gives an event for each component. The rules are in
`docs/everyday.md`.
"""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import UNSET, Struct

from pipeline.building.departures import Departures
from pipeline.building.ownership import are_alike
from pipeline.building.plan import Target
from pipeline.building.record import Files, Record, RecordedComponent, archive_name, kind_and_name
from pipeline.report.build_problems import OutputConflict
from pipeline.report.events import InDrop, Obstacle, StatusEvent
from pipeline.selection.choices import Choice
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


def status_events(
    record: Record,
    selected: Iterable[Choice],
    leaving: Departures,
    current: Mapping[str, Target],
    conflicts: Iterable[OutputConflict] = (),
) -> Iterator[StatusEvent]:
    """An event for each component that is built or selected, in the order of their paths.

    `leaving` says which recorded ones are not selected, `current` has what is in the place of each, and `conflicts` why
    a run would stop.
    """
    disputed = {each.path: each.disputed for each in conflicts}
    choices = {choice.component.path: choice for choice in selected}
    for path in sorted({*record.components, *choices}):
        recorded, choice = record.components.get(path), choices.get(path)
        kind, name = kind_and_name(path)
        target = current[path]
        obstacle = _obstacle(target)
        changed = Differences() if obstacle else file_differences(recorded.files if recorded else {}, target.files)
        yield StatusEvent(
            kind=kind,
            name=name,
            path=path,
            version=recorded.version if recorded else None,
            archive=recorded.archive if recorded else archive_name(choice.archive.file) if choice else "",
            drop=_in_drop(recorded, choice) if choice else _departed(path, leaving),
            available=choice.component.version if choice else None,
            edited=changed.edited,
            added=changed.added,
            deleted=changed.deleted,
            mode=changed.mode,
            obstacle=obstacle or UNSET,
            missing=(recorded is not None and target.standing == "absent") or UNSET,
            conflicts=tuple(each.path.removeprefix(f"{path}/") for each in disputed.get(path, ())) or UNSET,
        )


def _obstacle(target: Target) -> Obstacle | None:
    match target.standing:
        case "file" | "link" as kind:
            return Obstacle(target.obstacle, kind)
        case _:
            return None


def _in_drop(recorded: RecordedComponent | None, choice: Choice) -> InDrop:
    """How the archive in the drop stands to the one that was built."""
    if recorded is None:
        return "new"
    if recorded.comes_from(choice.archive):
        return "same"
    if recorded.content == choice.archive.content:
        return "repacked"
    return compare_versions(recorded.version, choice.component.version)


def _departed(path: str, leaving: Departures) -> InDrop:
    if path in leaving.left_out:
        return "unselected"
    return "gone" if path in leaving.gone else "unknown"
