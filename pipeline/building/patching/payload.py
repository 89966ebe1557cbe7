"""Payload: the files that a component is built of: those of its archive, with its patch applied
(`docs/building.md`, "Patches").

The payload depends only on archive and patch. The kind, name and version of the component are read
from the archive without the patch.
"""

from collections.abc import Collection, Iterator, Mapping
from hashlib import sha256
from operator import itemgetter
from typing import Final

from msgspec import Struct
from toolz import unique

from pipeline.archives.archive import Archive
from pipeline.archives.entry_names import folders_above
from pipeline.archives.zip.structure import ENTRY_LIMIT
from pipeline.building.patching.naming import with_names
from pipeline.building.patching.patch import Patch, patch_path
from pipeline.building.patching.patches import Skipped, apply_patch
from pipeline.building.stores.record import (
    Files,
    FileState,
    RecordedComponent,
    archive_name,
    are_alike,
    as_recorded,
    implied_folders,
)
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.disk import FileSystemProblem
from pipeline.report.diagnostics.patches import (
    PatchConflict,
    PatchInvalid,
    patch_moved,
    unused_patch,
)
from pipeline.selection.choices import Choice
from pipeline.values import replace

_ABSENT: Final = {"absent", "elsewhere"}
"""Why parts of a patch are skipped because the archive lacks their file."""


class Payload(Struct, frozen=True):
    """The files that a component is built of, and how its patch was applied."""

    files: Files = {}
    originals: Files = {}
    """The files that the patch names, as the archive has them."""
    texts: Mapping[str, bytes] = {}
    """The contents of the files that the patch changes or adds."""
    patch: str = ""
    """The digest of the patch; empty without a patch."""
    invalid: PatchInvalid | FileSystemProblem | None = None
    """Why the patch cannot be read."""
    conflicts: tuple[PatchConflict, ...] = ()
    """The files that the patch does not fit; they are built as the archive has them."""
    skipped: tuple[WarningDiagnostic, ...] = ()
    """Warnings of parts of the patch that are not applied, or are applied at other lines."""
    absent: tuple[tuple[PatchConflict, WarningDiagnostic | None], ...] = ()
    """The parts of the patch whose files the archive lacks, each as a conflict and as a warning.

    The last build decides which of the two is reported (`with_lost_files`).
    """
    rewritten: Patch | None = None
    """The patch that replaces the present one; without parts if the archive has all of its changes;
    `None` if the patch stays.
    """

    @property
    def removed(self) -> tuple[str, ...]:
        """The files that the patch removes."""
        return tuple(name for name in self.originals if name not in self.files)

    @property
    def unpatched(self) -> Files:
        """The files of the archive without the patch."""
        unchanged = {name: state for name, state in self.files.items() if name not in self.texts}
        return {**unchanged, **self.originals}

    def recorded(
        self, archive: Archive, known: RecordedComponent | None = None
    ) -> RecordedComponent:
        """The entry of the component in the record, which may share the files of a
        `known` entry.
        """
        return replace(as_recorded(archive, self.files, known), patch=self.patch)

    def as_written(self, written: Files, disk: Files) -> Files:
        """The files that the tool wrote, given those that the stores list; a file that is on disk
        as in the archive counts as written without the patch.
        """
        if not self.originals:
            return written
        files = {**written}
        for name, state in self.originals.items():
            if are_alike(state, disk.get(name)):
                files[name] = state
        return files


def with_patch(
    choice: Choice,
    files: Files,
    patch: Patch,
    texts: Mapping[str, bytes],
    *,
    ignores_case: bool = False,
) -> Payload:
    """The payload of an archive with a patch.

    `files` are all files of the archive; `texts` has the contents of those that the patch may name.
    Files that the patch does not fit, or all if it cannot be read, stay as the archive has them.
    """
    named = with_names(patch, texts, files, ignores_case=ignores_case)
    if len({*files, *named.names}) > ENTRY_LIMIT:
        named = named.refused(1, f"with it, the component has more than {ENTRY_LIMIT:,} files")
    if named.error:
        return Payload(files, invalid=named.error)
    done = apply_patch(named, texts)
    misplaced = (*done.misplaced, *_of_another_kind(named, files))
    unfit = {conflict.name for conflict in misplaced}
    contents = {name: content for name, content in done.files.items() if name not in unfit}
    archive = archive_name(choice.archive.file)
    skipped = list[WarningDiagnostic]()
    absent = list[tuple[PatchConflict, WarningDiagnostic]]()
    for part in unique(done.skipped, key=itemgetter(0, 1)):
        why, name, line = part
        if name in unfit:
            continue
        warning = _skipped_part(part, choice)
        if why in _ABSENT:
            absent.append((absent_from(archive, patch, name, line), warning))
        else:
            skipped.append(warning)
    for name, line, by in unique(done.moved, key=itemgetter(0, 2)):
        skipped.append(patch_moved(patch.path, f"{choice.path}/{name}", line, by))
    return Payload(
        files=_patched(files, named, contents),
        originals={name: files[name] for name in named.names if name in files},
        texts={name: content for name, content in contents.items() if content is not None},
        patch=named.digest,
        conflicts=tuple(replace(conflict, archive=archive) for conflict in misplaced),
        skipped=tuple(skipped),
        absent=tuple(absent),
    )


def _patched(files: Files, patch: Patch, contents: Mapping[str, bytes | None]) -> Files:
    """The files of an archive with the contents that a patch makes; `None` removes a file."""
    if not contents:
        return files
    executables = {section.name for section in patch.files if section.executable}
    patched = {**files}
    for name, content in contents.items():
        old = patched.pop(name, None)
        is_executable = name in executables
        if old:
            is_executable = old.executable
        if content is not None:
            patched[name] = FileState(executable=is_executable, digest=sha256(content).hexdigest())
    return _without_implied(patched)


def absent_from(archive: str, patch: Patch, name: str, line: int) -> PatchConflict:
    """The conflict of a patch with an archive that lacks a file."""
    return PatchConflict(
        patch.path, line, path=patch.component, name=name, archive=archive, why="absent"
    )


def _skipped_part(skipped: Skipped, choice: Choice) -> WarningDiagnostic:
    """The warning of a part of a patch that is not applied."""
    why, name, line = skipped
    of = f"{choice.path}/{name}"
    if why == "elsewhere":
        of = name
    return unused_patch(patch_path(choice.path), why, of, line=line)


def as_built(
    choice: Choice, built: RecordedComponent, patch: Patch, texts: Mapping[str, bytes]
) -> Payload:
    """The payload of an archive that was built with the same patch before; earlier warnings are
    not repeated.
    """
    originals = {name: FileState(digest=sha256(text).hexdigest()) for name, text in texts.items()}
    payload = with_patch(choice, built.files, patch, texts)
    absent = tuple((conflict, None) for conflict, _ in payload.absent)
    return replace(payload, files=built.files, originals=originals, skipped=(), absent=absent)


def _of_another_kind(patch: Patch, files: Files) -> Iterator[PatchConflict]:
    """The conflicts of files that are a link or a folder in the archive, or are below a
    file there.
    """
    implied = implied_folders(files)
    for section in patch.files:
        if not _can_be_file(section.name, files, implied):
            yield section.misfit("kind")


def _can_be_file(name: str, files: Files, implied: Collection[str]) -> bool:
    """Whether an archive has a file at a path, or could have one."""
    for above in folders_above(name):
        if above in files and files[above].kind != "folder":
            return False
    if name in files:
        return files[name].kind == "file"
    return name not in implied


def _without_implied(files: Files) -> Files:
    """The files without the folders that are not empty any more."""
    implied = implied_folders(files)
    return {
        name: state
        for name, state in files.items()
        if state.kind != "folder" or name not in implied
    }
