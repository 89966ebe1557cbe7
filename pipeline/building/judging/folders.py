"""Folders: give each component the folder in which a project has it, or will have it.

The rules are in `docs/building.md`.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from toolz import unique

from pipeline.archives.archive import Archive, ArchiveFile
from pipeline.archives.entry_names import last_part
from pipeline.archives.naming import by_folder, is_safe
from pipeline.archives.places import USUAL
from pipeline.building.judging.copies import Home, Key
from pipeline.building.stores.record import Record
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.updates import built_under_folder, other_copies
from pipeline.selection.choices import Choice
from pipeline.selection.select import Selection
from pipeline.values import replace


def with_known_name(archive: Archive, homes: Mapping[Key, Home]) -> Archive:
    """Give a component with a guessed name the name of the folder in which the project has it."""
    component = archive.component
    if component is None or component.what or not component.is_guessed:
        return archive
    folder = homes[component.built_kind, component.name].folder
    if folder in {"", component.name} or not is_safe(folder):
        return archive
    return replace(
        archive,
        component=replace(component, name=folder, named_by=by_folder(folder), is_guessed=False),
    )


def with_folders(
    selection: Selection,
    homes: Mapping[Key, Home],
    record: Record,
    names: Mapping[ArchiveFile, str] | None = None,
) -> Selection:
    """Give each component the folder in which the project has it, or will have it.

    Warns of components that are built under another name, and of possible copies. `names` are the
    names that the archives themselves suggest.
    """
    choices = list[Choice]()
    warnings = list[WarningDiagnostic]()
    places = record.places
    for selected in selection.choices:
        component = selected.component
        home = homes.get((component.built_kind, component.name), Home())
        folder = ""
        if not component.what and places != USUAL:
            folder = places.of(component.built_kind)
        name = ""
        if home.folder != component.name:
            name = home.folder
        choice = replace(selected, folder=folder, name=name)
        if choice.is_built:
            above = choice.path.rpartition("/")[0]
            choice = replace(choice, copies=tuple(f"{above}/{other}" for other in home.others))
            warnings += _warnings(
                choice, (names or {}).get(choice.archive.file, component.name), record
            )
        choices.append(choice)
    warnings += _twins(choices, homes)
    return replace(
        selection, choices=tuple(choices), warnings=(*selection.warnings, *unique(warnings))
    )


def _warnings(choice: Choice, name: str, record: Record) -> Iterator[WarningDiagnostic]:
    archive = choice.archive.file.display_path
    if name != last_part(choice.path) and choice.path not in record.components:
        yield built_under_folder(archive, name, choice.path)
    if choice.copies:
        yield other_copies(archive, choice.path, choice.copies, choice.component.marker)


def _twins(choices: Iterable[Choice], homes: Mapping[Key, Home]) -> Iterator[WarningDiagnostic]:
    """Warn of new components that another archive in the drop has under another name."""
    by_title = defaultdict[tuple[str, str, str], list[Choice]](list)
    for choice in choices:
        component = choice.component
        if choice.is_built and component.title:
            by_title[component.kind, component.marker, component.title].append(choice)
    for group in by_title.values():
        paths = tuple(unique(choice.path for choice in group))
        for choice in group:
            key = choice.component.built_kind, choice.component.name
            others = tuple(
                path for path in paths if path != choice.path and path not in choice.copies
            )
            if others and not homes.get(key, Home()).folder:
                yield other_copies(
                    choice.archive.file.display_path, choice.path, others, choice.component.marker
                )
