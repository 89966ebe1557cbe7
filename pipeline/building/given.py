"""Given: the files that building a component gives: those of its archive, with its patch applied.

They are a function of archive and patch alone. What the archive is (kind, name, version) is read without the patch.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pipeline.archives.archive import Archive
from pipeline.archives.entry_names import folders_above
from pipeline.building.layout import PATCH_SUFFIX, PATCHES
from pipeline.building.patch_file import Patch
from pipeline.building.patches import Misplaced, Patched, apply_patch
from pipeline.building.record import (
    Files,
    FileState,
    RecordedComponent,
    archive_name,
    are_alike,
    as_recorded,
    implied_folders,
)
from pipeline.report.diagnostics.patches import PatchConflict, PatchInvalid
from pipeline.selection.choices import Choice

Readable: TypeAlias = Patch | PatchInvalid
"""The patch of a component, or why it is none."""


class Given(Struct, frozen=True):
    """What building a component gives."""

    files: Files = {}
    bare: Files = {}
    """The files that its patch is about, as the archive has them without it."""
    texts: Mapping[str, bytes] = {}
    """The contents of files that come from the patch."""
    patch: str = ""
    """The digest of the patch; empty without one."""
    invalid: PatchInvalid | None = None
    conflicts: tuple[PatchConflict, ...] = ()
    """Where the patch does not fit. These files are given as the archive has them."""
    had: tuple[tuple[str, int], ...] = ()
    """The hunks that the archive has already, each with its file and its line in the patch."""

    @property
    def unpatched(self) -> Files:
        """The files that the archive gives without the patch."""
        return {**{name: state for name, state in self.files.items() if name not in self.texts}, **self.bare}

    def recorded(self, archive: Archive) -> RecordedComponent:
        """What the record says about the component."""
        unpatched = tuple(sorted({each.name for each in self.conflicts}))
        return replace(as_recorded(archive, self.files), patch=self.patch, unpatched=unpatched)

    def as_written(self, written: Files, disk: Files) -> Files:
        """What was written, where files that are there without the patch count as written like that."""
        return {**written, **{name: state for name, state in self.bare.items() if are_alike(state, disk.get(name))}}


def patch_path(component: str) -> str:
    """The path of the patch of a component in the project."""
    return f"{PATCHES}/{component}{PATCH_SUFFIX}"


def digest_of(patch: Readable | None) -> str:
    """The digest of a patch that can be read; else an empty one."""
    return patch.digest if isinstance(patch, Patch) else ""


def patched_names(patch: Readable | None) -> tuple[str, ...]:
    """The files that a patch is about."""
    return patch.names if isinstance(patch, Patch) else ()


def with_patch(choice: Choice, files: Files, patch: Readable | None, texts: Mapping[str, bytes]) -> Given:
    """What a component gives, given the files of its archive, and the contents of those that its patch is about."""
    if not isinstance(patch, Patch):
        return Given(files, invalid=patch)
    done = apply_patch(patch, texts)
    taken = tuple(_taken(patch, done, files))
    unfit = {*done.unpatched, *(each.name for each in taken)}
    contents = {name: content for name, content in done.files.items() if name not in unfit}
    patched = {name: state for name, state in files.items() if name not in contents}
    for name, content in contents.items():
        if content is not None:
            executable = files[name].executable if name in files else name in done.executable
            patched[name] = FileState(executable=executable, digest=sha256(content).hexdigest())
    return Given(
        _without_implied(patched) if contents else files,
        {name: files[name] for name in patch.names if name in files},
        {name: content for name, content in contents.items() if content is not None},
        patch.digest,
        None,
        tuple(_conflict(choice, each) for each in (*done.misplaced, *taken)),
        done.had,
    )


def given_again(choice: Choice, recorded: RecordedComponent, patch: Patch, texts: Mapping[str, bytes]) -> Given:
    """The same of a component that was built from this archive with this patch, which fitted."""
    contents = {name: text for name, text in apply_patch(patch, texts).files.items() if text is not None}
    bare = {name: FileState(digest=sha256(text).hexdigest()) for name, text in texts.items()}
    return Given(recorded.files, bare, contents, patch.digest)


def _taken(patch: Patch, done: Patched, files: Files) -> list[Misplaced]:
    """What a patch adds where the archive has something else: a link, or a folder on either side."""
    implied, lines = implied_folders(files), {each.name: each.line for each in patch.files}
    return [
        Misplaced(name=name, line=lines[name], why="exists")
        for name, content in done.files.items()
        if content is not None
        and (
            name in implied
            or (name in files and files[name].kind != "file")
            or any(above in files and files[above].kind != "folder" for above in folders_above(name))
        )
    ]


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
