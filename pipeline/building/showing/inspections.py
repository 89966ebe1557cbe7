"""Inspections: what the archives in scope are, and why each is built or not
(`tool inspect`, `docs/archives.md`).
"""

from collections.abc import Iterator

from msgspec import UNSET

from pipeline.archives.archive import Archive, ArchiveFile, Component
from pipeline.archives.inspection import Inspection, inspection
from pipeline.archives.naming import by_folder
from pipeline.building.draft import ProjectReader
from pipeline.building.showing.foreign import folders_on_disk
from pipeline.building.stores.record import Record, RecordedComponent
from pipeline.selection.choices import reason_text
from pipeline.selection.select import Selection
from pipeline.values import replace


def inspections_of(
    selection: Selection, names: frozenset[str], record: Record, reader: ProjectReader
) -> Iterator[Inspection]:
    """The inspections of the archives in scope, and of named components without an archive."""
    for choice in selection.choices:
        yield replace(
            _as_built(inspection(choice.archive), record.components.get(choice.path)),
            name=choice.component.name,
            selected=choice.selected,
            reason=reason_text(choice.reason),
        )
    for path in sorted(names - {choice.path for choice in selection.choices}):
        recorded = record.components.get(path)
        if recorded is None:
            yield _on_disk(path, reader, record)
            continue
        inspected = Inspection(
            archive=path,
            kind=record.places.kind_of(path),
            name=path.rpartition("/")[2],
            version=recorded.version,
            files=len(recorded.files),
            selected=False,
            reason="the drop has no archive of it; it stays until a run with `--prune`",
        )
        yield _as_built(inspected, recorded)


def _on_disk(path: str, reader: ProjectReader, record: Record) -> Inspection:
    """The inspection of a component that is only on disk."""
    folder = path.rpartition("/")[2]
    kind = folders_on_disk(record.places, reader.probe).get(path) or record.places.kind_of(path)
    occupant = reader.recognise_occupants({path: kind})[path]
    unmarked = Component(kind=kind, name=folder, named_by=by_folder(folder))
    file = ArchiveFile(path=reader.project / path, display_path=path)
    return replace(
        inspection(
            Archive(
                file=file, component=occupant.component or unmarked, file_count=occupant.file_count
            )
        ),
        selected=False,
        reason="the drop has no archive of it, nor does the record have it; it stays as it is",
    )


def _as_built(inspected: Inspection, recorded: RecordedComponent | None) -> Inspection:
    if recorded is None:
        return inspected
    return replace(inspected, built_from=recorded.archive, built_version=recorded.version or UNSET)
