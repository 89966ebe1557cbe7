"""Foreign: what is in the folders of themes and modules but was not built by the
tool (`tool status --all`).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import UNSET
from toolz import groupby, keyfilter, unique

from pipeline.archives.archive import Component
from pipeline.archives.entry_names import last_part
from pipeline.archives.places import KINDS, FolderProbe, Places
from pipeline.building.draft import ProjectReader
from pipeline.building.showing.status import archive_in_drop, available
from pipeline.building.stores.kept import SHORTEST, KeptBuild
from pipeline.building.stores.record import Record
from pipeline.report.events import ComponentKind, InDrop, StatusEvent
from pipeline.selection.choices import Choice
from pipeline.selection.select import Selection
from pipeline.systems.residences import groups_around


def folders_on_disk(places: Places, probe: FolderProbe) -> dict[str, ComponentKind]:
    """The kind of each folder within the folders of themes and modules, by path, built by the
    tool or not.
    """
    return _on_disk(places, probe, probe.folders)


def _on_disk(
    places: Places, probe: FolderProbe, names_in: Callable[[str], Sequence[str]]
) -> dict[str, ComponentKind]:
    """The kind of each entry in the folders of themes and modules, and in the system's folders
    within these.
    """
    kinds = dict[str, ComponentKind]()
    for kind in KINDS:
        groups = groups_around(places.of(kind), probe)
        paths = (f"{group}/{name}" for group in groups for name in names_in(group))
        kinds.update((path, kind) for path in paths if path not in groups)
    return kinds


def foreign_events(
    selection: Selection,
    record: Record,
    reader: ProjectReader,
    is_asked: Callable[[str], bool],
    kept: Iterable[KeptBuild] = (),
) -> Iterator[StatusEvent]:
    """An event for each entry in these folders whose path is asked for, themes first."""
    kinds = _on_disk(record.places, reader.probe, reader.probe.names)
    kinds = keyfilter(is_asked, kinds)
    builds: dict[str, list[KeptBuild]] = groupby(lambda build: build.built.path, kept)
    choices = {choice.path: choice for choice in selection.choices}
    has_refused = any(choice.is_refused for choice in selection.choices)
    for path, occupant in reader.recognise_occupants(kinds).items():
        choice = choices.get(path)
        component = occupant.component or Component(kind=kinds[path], name=last_part(path))
        yield StatusEvent(
            kind=kinds[path],
            name=last_part(path),
            path=path,
            version=None,
            archive=archive_in_drop(choice),
            drop=_in_drop(choice, has_refused=has_refused),
            available=available(choice),
            installed=component.version or UNSET,
            foreign=occupant.kind,
            system=component.system or UNSET,
            kept=tuple(unique(map(_version, builds.get(path, ())))) or UNSET,
        )


def _version(build: KeptBuild) -> str:
    """The version or digest that names a kept archive after `@`."""
    return build.built.version or build.digest[:SHORTEST]


def _in_drop(choice: Choice | None, *, has_refused: bool) -> InDrop:
    """How the drop relates to a foreign component, given the choice of its path."""
    if choice and choice.is_ambiguous:
        return "ambiguous"
    if choice and not choice.is_refused:
        return "unselected"
    if has_refused:
        return "unknown"
    return "gone"
