"""Next steps: what the system in a project needs after a run changed
components (`docs/howto/other-systems.md`).
"""

from collections.abc import Iterable, Iterator

from pipeline.building.steps import Step
from pipeline.building.stores.changes import RunKind
from pipeline.building.stores.journal import Journal
from pipeline.building.stores.record import version_of
from pipeline.report.events import NextEvent
from pipeline.systems.residences import Host
from pipeline.systems.system import Alteration, Happening


def alterations_of(steps: Iterable[Step], kind: RunKind) -> Iterator[Alteration]:
    """The alterations that the steps of a run make to components that the system may know."""
    for step in steps:
        version = step.edited_version or step.version
        match step.action:
            case "remove":
                yield Alteration(step.kind, step.path, "removed", version)
            case "update":
                yield Alteration(step.kind, step.path, _updated(kind), step.previous, version)
            case "add" if kind != "build":  # the system knows the version that was there before
                yield Alteration(step.kind, step.path, "brought back", version, version)


def finished_alterations(journal: Journal) -> Iterator[Alteration]:
    """The alterations of a killed run that was finished later."""
    for change in journal.moves:
        kind = journal.places.kind_of(change.path)
        after = version_of(change.entry_after.recorded)
        before = change.previous or version_of(change.entry_before.recorded)
        if change.removes:
            yield Alteration(kind, change.path, "removed", before)
        elif not change.adds:
            yield Alteration(kind, change.path, _updated(journal.run.kind), before, after)
        elif journal.run.kind != "build":
            yield Alteration(kind, change.path, "brought back", after, after)


def _updated(kind: RunKind) -> Happening:
    if kind == "build":
        return "updated"
    return "brought back"


def next_events(
    alterations: Iterable[Alteration], host: Host | None, *, is_before: bool = False
) -> Iterator[NextEvent]:
    """The steps that the system in a project needs after a run, or before it; none
    without a system.
    """
    if host and (steps := host.system.needs(tuple(alterations), is_before=is_before)):
        yield NextEvent(host.name, steps)
