"""How an archive made of names and texts is recognised, and why one is refused."""

from collections.abc import Callable
from pathlib import PurePath

from msgspec.structs import replace
from toolz import unique

from pipeline.archives.archive import Archive, ArchiveFile, Component, Entry, Shelf
from pipeline.archives.places import FolderProbe, joined
from pipeline.archives.vet import vet, vet_links
from pipeline.recognition.bundles import recognise_folders
from pipeline.recognition.recognise import find_roots, recognise
from pipeline.recognition.unmarked import without_marker
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.archives import ArchiveRejected, Flaw
from pipeline.report.diagnostics.disk import FileSystemProblem
from pipeline.report.events import ComponentKind
from pipeline.systems.system import System
from pipeline.systems.table import SYSTEMS
from tests.support.miniatures import Files


def reader(files: Files) -> Callable[[str, int], bytes]:
    """Reads the files of an archive."""
    data = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}
    return lambda name, limit: data.get(name, b"")[:limit]


def recognitions_of(
    files: Files, name: str = "x.zip", shelf: Shelf = "", named: bool = False
) -> tuple[Archive, ...]:
    """The recognitions of an archive, by its markers or else by its name."""
    file = ArchiveFile(
        path=PurePath("/drop") / name, display_path=name, shelf=shelf, is_theme_setting=named
    )
    roots = find_roots(tuple(Entry(name=path) for path in files), reader(files))
    return (
        recognise(file, roots) or recognise_folders(file, roots) or (without_marker(file, roots),)
    )


def outcome_of(
    files: Files, name: str = "x.zip", shelf: Shelf = "", named: bool = False
) -> (
    tuple[Component, tuple[WarningDiagnostic, ...]]
    | tuple[ArchiveRejected | FileSystemProblem, ...]
):
    """The one component of an archive, without its system and what its version is from, or why
    it is refused.
    """
    (recognition,) = recognitions_of(files, name, shelf, named)
    bare = recognition.component and replace(
        recognition.component,
        system="",
        field="",
        version_by="",
        lacks=(),
        has_sources=False,
        unusable=(),
    )
    return (bare, recognition.warnings) if bare else recognition.refusals


def warned(files: Files) -> tuple[WarningDiagnostic, ...]:
    """The warnings about an archive of one component."""
    (recognition,) = recognitions_of(files)
    return recognition.warnings


def component(
    kind: ComponentKind, name: str, version: str | None, evidence: str | None, root: str
) -> Component:
    """A component in one line."""
    return Component(kind=kind, name=name, version=version, evidence=evidence, root=root)


def refusals_of(
    entries: tuple[Entry, ...], root: str = "", record_flaws: tuple[Flaw, ...] = ()
) -> tuple[ArchiveRejected, ...]:
    """The reasons to refuse `x.zip` as a whole and for its links, given the folder of the
    component.
    """
    return tuple(unique((*vet("x.zip", entries, record_flaws), *vet_links("x.zip", entries, root))))


def project_with(system: System, root: str = ".") -> FolderProbe:
    """A project with the files by which a system is found, and those of the system that it was made
    from.
    """
    signs = [each.found_by for each in SYSTEMS if each.name in {system.name, system.made_from}]
    texts = {joined(root, sign.text_in or sign.marker): sign.text for sign in signs}
    there = {joined(root, path) for sign in signs for path in sign.paths}
    return FolderProbe(
        "site", (there | {*texts}).__contains__, str, lambda path: texts.get(path, b"")
    )
