"""Foreign: what lies in the folders of themes and modules, and was not built by the tool (`tool status --all`)."""

from collections.abc import Collection, Iterator

from msgspec import UNSET

from pipeline.archives.archive import Component
from pipeline.archives.entry_names import last_part
from pipeline.archives.places import KINDS, FolderProbe, Places
from pipeline.building.draft import Found
from pipeline.building.showing.status import archive_in_drop, available
from pipeline.building.stores.record import Record
from pipeline.report.events import InDrop, StatusEvent
from pipeline.selection.choices import Choice
from pipeline.selection.select import Selection


def folders_on_disk(places: Places, probe: FolderProbe) -> tuple[str, ...]:
    """The paths of the folders in those of themes and modules, whoever made them."""
    return tuple(f"{places.of(kind)}/{name}" for kind in KINDS for name in probe.folders(places.of(kind)))


def foreign_events(
    selection: Selection, record: Record, found: Found, known: Collection[str], names: Collection[str] | None
) -> Iterator[StatusEvent]:
    """An event for each thing that lies there and is not known: themes first. `names` are the paths asked for."""
    places = record.places
    every = (f"{places.of(kind)}/{name}" for kind in KINDS for name in found.probe.names(places.of(kind)))
    paths = [path for path in every if path not in known and (names is None or path in names)]
    choices = {choice.path: choice for choice in selection.choices}
    has_refused = any(choice.is_refused for choice in selection.choices)
    for path, occupant in found.occupants(paths).items():
        choice = choices.get(path)
        component = occupant.component or Component(kind=places.kind_of(path), name=last_part(path))
        yield StatusEvent(
            kind=places.kind_of(path),
            name=last_part(path),
            path=path,
            version=None,
            archive=archive_in_drop(choice),
            drop=_in_drop(choice, has_refused=has_refused),
            available=available(choice),
            installed=component.version or UNSET,
            foreign=occupant.kind,
            system=component.system or UNSET,
        )


def _in_drop(choice: Choice | None, *, has_refused: bool) -> InDrop:
    """Whether an archive of the drop is it."""
    if choice and choice.is_ambiguous:
        return "ambiguous"
    if choice and not choice.is_refused:
        return "unselected"
    if has_refused:
        return "unknown"
    return "gone"
