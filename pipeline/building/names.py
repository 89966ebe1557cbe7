"""Names: the components that the names on a command line stand for (`docs/building.md`).

A name restricts a run to a part of the selection, or of the changes that an undo takes back; it
overrides no setting.
"""

from collections.abc import Collection, Iterable, Mapping
from pathlib import PurePath

from returns.result import Failure, Success
from toolz import concat, groupby

from pipeline.archives.archive import Archive, ArchiveFile
from pipeline.archives.entry_names import last_part
from pipeline.archives.places import USUAL, Places
from pipeline.building.stores.journal import Journal
from pipeline.building.stores.record import Record, archive_name
from pipeline.building.stores.undoable import Undoable
from pipeline.report.diagnostic import Command, WarningDiagnostic
from pipeline.report.diagnostics import BuildError
from pipeline.report.diagnostics.building import NothingToUndo
from pipeline.report.diagnostics.drop import ComponentNotFound
from pipeline.report.diagnostics.selection import (
    ComponentAmbiguous,
    ThemeAmbiguous,
    ThemeNotFound,
)
from pipeline.report.outcome import BuildOutcome
from pipeline.report.wording import SUGGESTION_LIMIT, suggest
from pipeline.selection.choices import Choice
from pipeline.selection.hosting import Hosting
from pipeline.selection.select import Selection
from pipeline.values import replace


def canonical_name(name: str) -> str:
    """A name as typed, without the slash that a shell appends to a folder."""
    return PurePath(name).as_posix()


def canonical_path(name: str, places: Places) -> str:
    """The canonical form of a name as typed: `themes/<name>` for any path in the
    folder of themes.
    """
    plain = canonical_name(name)
    if places.holds(plain):
        return f"{places.kind_of(plain)}s/{last_part(plain)}"
    return plain


def path_in_project(name: str, places: Places) -> str:
    """The project path of a name as typed: for `themes/<name>`, the path in the target folder."""
    plain = canonical_name(name)
    if USUAL.holds(plain):
        return f"{places.of(USUAL.kind_of(plain))}/{last_part(plain)}"
    return plain


def known_components(
    selection: Selection,
    record: Record,
    interrupted: Collection[str] = (),
    on_disk: Iterable[str] = (),
) -> Mapping[str, Collection[str]]:
    """The paths of the known components, by every name that each can be called.

    A component is called by its own name, the name of its folder, its path, or `modules/<name>` or
    `themes/<name>`. Components of the drop, the record and an interrupted run are known, and those
    in `on_disk`.
    """
    paths = {*record.components, *interrupted, *on_disk}
    known = dict[str, Collection[str]]()
    for choice in selection.choices:
        paths.add(choice.path)
        known[choice.component.name] = (choice.path,)
    by_folder: dict[str, list[str]] = groupby(last_part, sorted(paths))
    known |= by_folder
    for path in paths:
        known[canonical_path(path, record.places)] = (path,)
    for path in paths:
        known[path] = (path,)
    return known


def suggest_names(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """Suggest the known names most similar to an unknown one; with a folder if the unknown one
    has a folder.
    """
    plain = canonical_name(name)
    return suggest(plain, (other for other in known if ("/" in other) == ("/" in plain)))


def resolve_names(
    names: Collection[str], known: Mapping[str, Collection[str]], selection: Selection, drop: str
) -> BuildOutcome[frozenset[str] | None]:
    """The paths of the components that the names stand for; `None` without names, which means
    all components.

    Errors: a `ComponentNotFound` for each unknown name, and those of archives that were not
    recognised, as they may hold the component.
    """
    if not names:
        return Success(None)
    unknown = [name for name in dict.fromkeys(names) if canonical_name(name) not in known]
    if not unknown:
        return Success(frozenset(concat(known[canonical_name(name)] for name in names)))
    errors = list[BuildError]()
    for number, name in enumerate(unknown):
        suggestions = tuple[str, ...]()
        if number < SUGGESTION_LIMIT:
            suggestions = suggest_names(name, known)
        errors.append(ComponentNotFound(name, drop, suggestions))
    refused = concat(
        choice.archive.refusals for choice in selection.choices if choice.reason.rule == "refused"
    )
    return Failure((*errors, *refused))


def named_changes(
    names: Collection[str],
    previous: Journal,
    undoes: Undoable,
    known: Mapping[str, Collection[str]],
    advised: tuple[Command, Mapping[str, tuple[str, ...]]],
) -> BuildOutcome[Undoable]:
    """The part of the undoable changes that the names stand for; without names, all of them.

    `known` has the paths of components by every name. `advised` has the command and the kept
    versions, by path, that an error suggests.

    Errors: one for each name that is unknown, or that has nothing to undo.
    """
    command, versions = advised
    paths = set[str]()
    errors = list[ComponentNotFound | NothingToUndo]()
    for number, name in enumerate(dict.fromkeys(names)):
        meant = known.get(canonical_name(name), ())
        found = undoes.paths.intersection(meant)
        paths |= found
        if not meant:
            suggestions = tuple[str, ...]()
            if number < SUGGESTION_LIMIT:
                suggestions = suggest_names(name, known)
            errors.append(ComponentNotFound(name, "", suggestions))
        elif not found:
            path = min(meant)
            others = versions.get(path, ())
            if previous.run.kind == "undo" and path in previous.paths:
                errors.append(NothingToUndo("part", path, previous.run.words, others, command))
            else:
                errors.append(NothingToUndo("other", path, undoes.run.words, others, command))
    if errors:
        return Failure(tuple(errors))
    if not names:
        return Success(undoes)
    return Success(undoes.only(paths))


def restrict_to_names(
    selection: Selection, names: frozenset[str] | None, record: Record
) -> Selection:
    """The part of a selection in scope: the archives of the named components, with their
    warnings and errors.
    """
    if names is None:
        return selection
    choices = list[Choice]()
    refused = set[BuildError]()
    archives = set[str]()
    called = set[str]()
    for choice in selection.choices:
        if _is_of(choice, names, record):
            choices.append(choice)
            refused.update(choice.archive.refusals)
            archives.update((choice.archive.file.display_path, choice.archive.file.whole))
            called.add(choice.component.name)
    errors = tuple(
        error for error in selection.errors if _stops(error, names, record.places, refused)
    )

    def in_scope(warnings: Iterable[WarningDiagnostic]) -> tuple[WarningDiagnostic, ...]:
        return tuple(warning for warning in warnings if _is_on(warning, archives, called))

    return Selection(tuple(choices), in_scope(selection.warnings), errors, in_scope(selection.once))


def _is_of(choice: Choice, names: frozenset[str], record: Record) -> bool:
    """Whether an archive is of a named component.

    An archive that was not recognised counts if it is called like a named component, or if one was
    built from it.
    """
    if choice.path in names:
        return True
    if choice.archive.component is not None:
        return False
    if choice.component.name in set(map(last_part, names)):
        return True
    file = archive_name(choice.archive.file)
    for path in names:
        recorded = record.components.get(path)
        if recorded and is_from(recorded.archive, (file,)):
            return True
    return False


def is_from(source: str, files: Collection[str]) -> bool:
    """Whether a recorded archive is one of the files, or a member of a bundle among them."""
    return source in files or any(source.startswith(f"{file}!") for file in files)


def _stops(
    error: BuildError, names: frozenset[str], places: Places, refused: Collection[BuildError]
) -> bool:
    """Whether an error of the whole selection concerns a named component."""
    match error:
        case ThemeAmbiguous() | ThemeNotFound():
            return any(places.kind_of(path) == "theme" for path in names)
        case ComponentAmbiguous(kind=kind, name=name):
            return any((places.kind_of(path), last_part(path)) == (kind, name) for path in names)
        case _:  # an archive is refused
            return error in refused


def _is_on(warning: WarningDiagnostic, archives: Collection[str], called: set[str]) -> bool:
    """Whether a warning concerns these archives, the components in them, or a setting.

    A warning that is only true of the whole drop does not count.
    """
    if warning.components:
        return not called.isdisjoint(warning.components)
    if warning.location and warning.location.inside == "drop":
        return warning.location.name in archives
    return warning.about != "drop"


def with_recorded(hosting: Hosting, archives: Iterable[Archive], record: Record) -> Hosting:
    """The hosting with the archives that the record names, and those of recorded components."""
    sources = {component.source for component in record.components.values()}
    named = set[ArchiveFile]()
    alike = set[ArchiveFile]()
    for archive in archives:
        if (archive.digest, archive.content) in sources:
            named.add(archive.file)
        if _is_as_recorded(archive, hosting, record):
            alike.add(archive.file)
    return replace(hosting, recorded=frozenset(named), as_recorded=frozenset(named | alike))


def _is_as_recorded(archive: Archive, hosting: Hosting, record: Record) -> bool:
    """Whether the component of an archive is recorded with the same marker."""
    component = archive.component
    if component is None:
        return False
    kind = component.built_kind
    folder = hosting.folders.get((kind, component.name), component.name)
    known = record.components.get(f"{record.places.of(kind)}/{folder}")
    return known is not None and component.marker in known.files
