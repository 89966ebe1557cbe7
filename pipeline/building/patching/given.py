"""Given: the files that building a component gives: those of its archive, with its patch applied.

They are a function of archive and patch alone. What the archive is (kind, name, version) is read without the patch.
"""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from operator import itemgetter
from typing import Final

from msgspec import Struct
from toolz import unique

from pipeline.archives.archive import Archive
from pipeline.archives.entry_names import folders_above
from pipeline.archives.zip.structure import ENTRY_LIMIT
from pipeline.building.patching.naming import with_names
from pipeline.building.patching.patch_file import Patch, patch_path
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
from pipeline.report.diagnostics.patches import PatchConflict, PatchInvalid, patch_moved, unused_patch
from pipeline.selection.choices import Choice
from pipeline.values import replace

_ABSENT: Final = {"absent", "elsewhere"}


class Given(Struct, frozen=True):
    """What building a component gives."""

    files: Files = {}
    originals: Files = {}
    """The files that its patch is about, as the archive has them without it."""
    texts: Mapping[str, bytes] = {}
    """The contents of files that come from the patch."""
    patch: str = ""
    """The digest of the patch; empty without one."""
    invalid: PatchInvalid | FileSystemProblem | None = None
    """Why the patch cannot be read."""
    conflicts: tuple[PatchConflict, ...] = ()
    """Where the patch does not fit. These files are given as the archive has them."""
    skipped: tuple[WarningDiagnostic, ...] = ()
    """What there is to say of the parts of the patch that are not applied, or not where they say."""
    absent: tuple[tuple[PatchConflict, WarningDiagnostic | None], ...] = ()
    """The parts that are skipped, as the archive does not have their files, and what there is to say of that: what was
    built before decides whether they are conflicts.
    """
    rewritten: Patch | None = None
    """The patch if it is written anew; without parts if the archive has all of its changes."""

    @property
    def removed(self) -> tuple[str, ...]:
        """The files that the patch removes."""
        return tuple(name for name in self.originals if name not in self.files)

    @property
    def unpatched(self) -> Files:
        """The files that the archive gives without the patch."""
        return {**{name: state for name, state in self.files.items() if name not in self.texts}, **self.originals}

    def recorded(self, archive: Archive, known: RecordedComponent | None = None) -> RecordedComponent:
        """What the record says about the component, which perhaps has the files of a `known` one."""
        return replace(as_recorded(archive, self.files, known), patch=self.patch)

    def as_written(self, written: Files, disk: Files) -> Files:
        """What was written, where files that are there without the patch count as written like that."""
        if not self.originals:
            return written
        return {
            **written,
            **{name: state for name, state in self.originals.items() if are_alike(state, disk.get(name))},
        }


def with_patch(
    choice: Choice, files: Files, patch: Patch, texts: Mapping[str, bytes], *, ignores_case: bool = False
) -> Given:
    """What a component gives, given the files of its archive, and the contents of those that its patch may be about."""
    named = with_names(patch, texts, files, ignores_case=ignores_case)
    if len({*files, *named.names}) > ENTRY_LIMIT:
        named = named.refused(1, f"with it, the component has more than {ENTRY_LIMIT:,} files")
    if named.wrong:
        return Given(files, invalid=named.wrong)
    done = apply_patch(named, texts)
    misplaced = (*done.misplaced, *_of_another_kind(named, files))
    unfit = {each.name for each in misplaced}
    contents = {name: content for name, content in done.files.items() if name not in unfit}
    patched = {name: state for name, state in files.items() if name not in contents}
    executables = {each.name for each in named.files if each.executable}
    for name, content in contents.items():
        if content is not None:
            executable = files[name].executable if name in files else name in executables
            patched[name] = FileState(executable=executable, digest=sha256(content).hexdigest())
    skipped = [each for each in unique(done.skipped, key=itemgetter(0, 1)) if each[1] not in unfit]
    moved = unique(done.moved, key=itemgetter(0, 2))
    archive = archive_name(choice.archive.file)
    return Given(
        files=_without_implied(patched) if contents else files,
        originals={name: files[name] for name in named.names if name in files},
        texts={name: content for name, content in contents.items() if content is not None},
        patch=named.digest,
        conflicts=tuple(replace(each, archive=archive) for each in misplaced),
        skipped=(
            *(_passed_over(each, choice) for each in skipped if each[0] not in _ABSENT),
            *(patch_moved(patch.path, f"{choice.path}/{name}", line, by) for name, line, by in moved),
        ),
        absent=tuple(
            (absent_from(archive, patch, name, line), _passed_over((why, name, line), choice))
            for why, name, line in skipped
            if why in _ABSENT
        ),
    )


def absent_from(archive: str, patch: Patch, name: str, line: int) -> PatchConflict:
    """That an archive does not have a file that a patch changes."""
    return PatchConflict(patch.path, line, path=patch.component, name=name, archive=archive, why="absent")


def _passed_over(skipped: Skipped, choice: Choice) -> WarningDiagnostic:
    """What there is to say of a part of a patch that is not applied."""
    why, name, line = skipped
    of = name if why == "elsewhere" else f"{choice.path}/{name}"
    return unused_patch(patch_path(choice.path), why, of, line=line)


def as_built(choice: Choice, built: RecordedComponent, patch: Patch, texts: Mapping[str, bytes]) -> Given:
    """The same of a component that was built from this archive with this patch, where what is skipped was said."""
    originals = {name: FileState(digest=sha256(text).hexdigest()) for name, text in texts.items()}
    given = with_patch(choice, built.files, patch, texts)
    absent = tuple((conflict, None) for conflict, _ in given.absent)
    return replace(given, files=built.files, originals=originals, skipped=(), absent=absent)


def _of_another_kind(patch: Patch, files: Files) -> Iterator[PatchConflict]:
    """What a patch is about where the archive has a link, or a folder, or has it below a file."""
    implied = implied_folders(files)
    for each in patch.files:
        is_file = files[each.name].kind == "file" if each.name in files else each.name not in implied
        if not is_file or any(files[above].kind != "folder" for above in folders_above(each.name) if above in files):
            yield each.misfit("kind")


def _without_implied(files: Files) -> Files:
    """Files without the empty folders that others are in by now."""
    implied = implied_folders(files)
    return {name: state for name, state in files.items() if state.kind != "folder" or name not in implied}
