"""Given: the files that building a component gives: those of its archive, with its patch applied.

They are a function of archive and patch alone. What the archive is (kind, name, version) is read without the patch.
"""

from collections.abc import Collection, Iterator, Mapping
from hashlib import sha256
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pipeline.archives.archive import Archive
from pipeline.archives.entry_names import folders_above
from pipeline.archives.zip.structure import ENTRY_LIMIT
from pipeline.building.patching.patch_file import Patch, PatchFault
from pipeline.building.patching.patches import Misplaced, Patched, apply_patch, with_names
from pipeline.building.stores.layout import PATCH_SUFFIX, PATCHES
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
from pipeline.report.diagnostics.patches import PatchConflict, PatchInvalid, Unused, unused_patch
from pipeline.selection.choices import Choice

Readable: TypeAlias = Patch | PatchInvalid | FileSystemProblem
"""The patch of a component, or why it is none."""


class Given(Struct, frozen=True):
    """What building a component gives."""

    files: Files = {}
    bare: Files = {}
    """The files that its patch is about, as the archive has them without it."""
    texts: Mapping[str, bytes] = {}
    """The contents of files that come from the patch."""
    removed: tuple[str, ...] = ()
    """The files that the patch removes."""
    patch: str = ""
    """The digest of the patch; empty without one."""
    invalid: PatchInvalid | FileSystemProblem | None = None
    """Why the patch cannot be read."""
    conflicts: tuple[PatchConflict, ...] = ()
    """Where the patch does not fit. These files are given as the archive has them."""
    skipped: tuple[WarningDiagnostic, ...] = ()
    """What there is to say of the parts of the patch that are not applied."""

    @property
    def unpatched(self) -> Files:
        """The files that the archive gives without the patch."""
        return {**{name: state for name, state in self.files.items() if name not in self.texts}, **self.bare}

    def recorded(self, archive: Archive) -> RecordedComponent:
        """What the record says about the component."""
        return replace(as_recorded(archive, self.files), patch=self.patch)

    def as_written(self, written: Files, disk: Files) -> Files:
        """What was written, where files that are there without the patch count as written like that."""
        return {**written, **{name: state for name, state in self.bare.items() if are_alike(state, disk.get(name))}}


def patch_path(component: str) -> str:
    """The path of the patch of a component in the project."""
    return f"{PATCHES}/{component}{PATCH_SUFFIX}"


def digest_of(patch: Readable | None) -> str:
    """The digest of a patch that can be read; else an empty one."""
    return patch.digest if isinstance(patch, Patch) else ""


def with_patch(
    choice: Choice, files: Files, patch: Readable | None, texts: Mapping[str, bytes], *, ignores_case: bool = False
) -> Given:
    """What a component gives, given the files of its archive, and the contents of those that its patch may be about."""
    if not isinstance(patch, Patch):
        return Given(files, invalid=patch)
    named = with_names(patch, texts, ignores_case=ignores_case)
    if isinstance(named, PatchFault):
        return Given(files, invalid=_invalid(choice, named))
    if len({*files, *named.names}) > ENTRY_LIMIT:
        too_many = PatchFault(1, f"with it, the component has more than {ENTRY_LIMIT:,} files")
        return Given(files, invalid=_invalid(choice, too_many))
    done = apply_patch(named, texts)
    other = tuple(_of_another_kind(named, files))
    unfit = {each.name for each in (*done.misplaced, *other)}
    contents = {name: content for name, content in done.files.items() if name not in unfit}
    patched = {name: state for name, state in files.items() if name not in contents}
    for name, content in contents.items():
        if content is not None:
            executable = files[name].executable if name in files else name in done.executable
            patched[name] = FileState(executable=executable, digest=sha256(content).hexdigest())
    return Given(
        files=_without_implied(patched) if contents else files,
        bare={name: files[name] for name in named.names if name in files},
        texts=_texts(done, unfit),
        removed=_removed(done, unfit),
        patch=named.digest,
        conflicts=tuple(_conflict(choice, each) for each in (*done.misplaced, *other)),
        skipped=tuple(_skipped(choice, done, unfit)),
    )


def given_again(choice: Choice, recorded: RecordedComponent, patch: Patch, texts: Mapping[str, bytes]) -> Given:
    """The same of a component that was built from this archive with this patch, where what is skipped was said."""
    named = with_names(patch, texts)
    if isinstance(named, PatchFault):
        return Given(recorded.files, invalid=_invalid(choice, named))
    done = apply_patch(named, texts)
    unfit = {each.name for each in done.misplaced}
    return Given(
        files=recorded.files,
        bare={name: FileState(digest=sha256(text).hexdigest()) for name, text in texts.items() if name in named.names},
        texts=_texts(done, unfit),
        removed=_removed(done, unfit),
        patch=named.digest,
        conflicts=tuple(_conflict(choice, each) for each in done.misplaced),
    )


def _texts(done: Patched, unfit: Collection[str]) -> dict[str, bytes]:
    """The contents of the files that come from the patch."""
    return {name: content for name, content in done.files.items() if content is not None and name not in unfit}


def _removed(done: Patched, unfit: Collection[str]) -> tuple[str, ...]:
    return tuple(name for name, content in done.files.items() if content is None and name not in unfit)


def _skipped(choice: Choice, done: Patched, unfit: Collection[str]) -> Iterator[WarningDiagnostic]:
    """What there is to say of the parts of a patch that change nothing; of a file once."""
    had = {name: line for name, line in reversed(done.had) if name not in unfit}
    skipped: tuple[tuple[Unused, Mapping[str, int]], ...] = (("absent", dict(done.absent)), ("present", had))
    for why, files in skipped:
        for name, line in files.items():
            yield unused_patch(patch_path(choice.path), why, f"{choice.path}/{name}", line=line)


def _invalid(choice: Choice, fault: PatchFault) -> PatchInvalid:
    return PatchInvalid(patch_path(choice.path), fault.line, fault.reason)


def _of_another_kind(patch: Patch, files: Files) -> Iterator[Misplaced]:
    """What a patch is about where the archive has a link, or a folder, or has it below a file."""
    implied = implied_folders(files)
    for each in patch.files:
        is_file = files[each.name].kind == "file" if each.name in files else each.name not in implied
        if not is_file or any(files[above].kind != "folder" for above in folders_above(each.name) if above in files):
            yield Misplaced(name=each.name, line=each.line, why="kind")


def _without_implied(files: Files) -> Files:
    """Files without the empty folders that others are in by now."""
    implied = implied_folders(files)
    return {name: state for name, state in files.items() if state.kind != "folder" or name not in implied}


def _conflict(choice: Choice, misplaced: Misplaced) -> PatchConflict:
    return PatchConflict(
        patch_path(choice.path),
        misplaced.line,
        path=choice.path,
        name=misplaced.name,
        archive=archive_name(choice.archive.file),
        why=misplaced.why,
        at_line=misplaced.at,
        expected=_shown(misplaced.expected, misplaced.found),
        found=_shown(misplaced.found, misplaced.expected),
    )


def _shown(line: bytes, other: bytes) -> str:
    """A line as a message has it: with blanks and its end if it is blank, or differs from the other in these alone."""
    text = line.strip()
    return (repr(line)[2:-1] if text in {b"", other.strip()} else text.decode(errors="backslashreplace"))[:200]
