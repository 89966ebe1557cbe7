"""Departures: what happens to components that the tool built and that are not built any longer.

Takes the record, the selection and what is in the project; gives what is removed, which only `--prune` asks for, what
is kept and why, and what the record forgets. The rules are in `docs/building.md`.
"""

from collections.abc import Mapping

from msgspec import Struct

from pipeline.building.plan import Step, Target, kept_step, removal_step
from pipeline.building.record import Record, archive_name
from pipeline.report.run_notes import KeptComponents
from pipeline.selection.choices import Choice
from pipeline.selection.select import Selection


class Departures(Struct, frozen=True):
    """The paths of recorded components that are not built."""

    left_out: tuple[str, ...] = ()
    """Those that the selection leaves out."""
    gone: tuple[str, ...] = ()
    """Those whose archive is not in the drop."""
    in_doubt: bool = False
    """Whether none may be removed: an archive is refused, which may hold any of them, or this is another drop."""

    @property
    def paths(self) -> tuple[str, ...]:
        """All of them."""
        return (*self.left_out, *self.gone)


class DepartureSteps(Struct, frozen=True):
    """What a run does about departures."""

    steps: tuple[Step, ...] = ()
    """The removals, or the steps of what is kept."""
    absent: tuple[str, ...] = ()
    """The paths where nothing is, which the record forgets."""
    notes: tuple[KeptComponents, ...] = ()


def departures(record: Record, selection: Selection, *, is_elsewhere: bool = False) -> Departures:
    """Find the recorded components that are not built.

    What a refused archive holds is unknown: what is recorded of it neither is left out nor has gone. `is_elsewhere`
    says that this is probably not the drop.
    """
    known = tuple(choice for choice in selection.choices if choice.reason.rule != "refused")
    selected = {choice.component.path for choice in known if choice.selected}
    unselected = {choice.component.path for choice in known if not choice.selected}
    closed = frozenset(archive_name(choice.archive.file) for choice in known if not choice.archive.component)
    doubtful = frozenset(_whole_name(choice) for choice in selection.choices if _is_doubtful(choice))
    others = {path: each.archive for path, each in sorted(record.components.items()) if path not in selected}
    left_out = tuple(path for path, archive in others.items() if path in unselected or _is_of(archive, closed))
    gone = tuple(path for path, archive in others.items() if path not in left_out and not _is_of(archive, doubtful))
    return Departures(left_out, gone, in_doubt=bool(doubtful) or is_elsewhere)


def removals(record: Record, targets: Mapping[str, Target]) -> DepartureSteps:
    """Remove departures, given what is in the place of each. Where something is in the way, the step has a conflict."""
    absent = _absent(targets)
    present = sorted(targets.keys() - absent)
    return DepartureSteps(tuple(removal_step(path, targets[path], record.components[path]) for path in present), absent)


def retentions(record: Record, leaving: Departures, targets: Mapping[str, Target]) -> DepartureSteps:
    """Keep departures, given what is in the place of each. Where something is in the way, nothing is done or said."""
    left_out, gone = (
        tuple(path for path in paths if targets[path].standing == "present")
        for paths in (leaving.left_out, leaving.gone)
    )
    present = (*left_out, *gone)
    notes = (KeptComponents(left_out, gone, leaving.in_doubt),) if present else ()
    return DepartureSteps(tuple(kept_step(path, record.components[path]) for path in present), _absent(targets), notes)


def _absent(targets: Mapping[str, Target]) -> tuple[str, ...]:
    return tuple(path for path, target in targets.items() if target.standing == "absent")


def _is_doubtful(choice: Choice) -> bool:
    """Whether an archive is refused that is not left out: what it holds may be any component."""
    return bool(choice.archive.refusals) and (choice.selected or choice.reason.rule == "refused")


def _whole_name(choice: Choice) -> str:
    """What the record calls the archive file that a choice comes from: for a member, its bundle."""
    file = choice.archive.file
    return archive_name(file).removesuffix(f"!{file.member}")


def _is_of(archive: str, files: frozenset[str]) -> bool:
    """Whether an archive is one of these files, or a member of a bundle among them."""
    return archive in files or any(archive.startswith(f"{file}!") for file in files)
