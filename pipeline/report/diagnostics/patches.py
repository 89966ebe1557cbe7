"""Errors and warnings about patches, which change the files of archives."""

import re
import shlex
from typing import Final, Literal, TypeAlias

from pipeline.report.diagnostic import Diagnostic, WarningDiagnostic
from pipeline.report.location import Location, in_patches, in_project
from pipeline.report.wording import agreeing, counted, listed

Misfit: TypeAlias = Literal[
    "none",
    "several",
    "copies",
    "absent",
    "exists",
    "kind",
    "left",
    "large",
    "long",
    "touching",
    "alike",
    "old git",
    "unkept",
]
"""Why a patch does not fit, or cannot be made.

none        its lines occur nowhere in the file
several     its lines occur in several places
copies      the lines above its change occur more or less often than when the tool made it
absent      the archive has no such file
exists      the archive has a different file with the name of the file that the patch adds
kind        the archive has a link or a folder in the place of the file
left        the archive's file has more lines than the patch removes with it
large       the file is too large
long        finding its lines would take too long
touching    a merge was tried: the archive changed the same lines
alike       a merge was tried: its lines occur in several places
old git     a merge was tried: git is too old
unkept      it cannot be made: the archive that was built is not kept
"""
_MISFITS: Final[dict[Misfit, str]] = {
    "copies": (
        "the lines above its change occur in `{file}` of `{archive}` more or less often "
        "than when it was made"
    ),
    "absent": "`{archive}` has no `{file}`",
    "exists": "`{archive}` has a different `{file}` than the patch adds",
    "kind": "`{archive}` has a link or a folder at `{file}`, or a file above it",
    "left": "the patch removes `{file}`, but in `{archive}` it has more lines: `{found}`",
    "large": "`{file}` in `{archive}` is larger than 2 MiB",
    "long": "it takes too long to find its lines in `{file}` in `{archive}`",
}


_UNMERGED: Final[dict[Misfit, str]] = {
    "touching": ", and cannot be merged with it",
    "alike": ", and cannot be merged with it because these lines occur in several places",
    "old git": ", and merging needs git 2.38 or later",
}


class OfPatch(Diagnostic, frozen=True):
    """An error in a patch, at a line of it."""

    patch: str
    """The path of the patch, relative to the folder that contains `patches/`."""
    line: int

    @property
    def location(self) -> Location:
        return in_patches(self.patch, self.line)


class PatchInvalid(OfPatch, frozen=True):
    """A patch is not a unified diff of text files of its component."""

    reason: str
    mends: str = ""
    """How to make a valid patch; empty if fixing the line is enough."""
    is_written: bool = True
    """Whether the patch is on disk; otherwise it was refused before it was written."""

    @property
    def message(self) -> str:
        if not self.is_written:
            return f"`{self.patch}` cannot be written: {self.reason}"
        return f"`{self.patch}` is not a valid patch: {self.reason}"

    @property
    def advice(self) -> str:
        if not self.is_written:
            return (
                "name the files whose edits matter most: `tool patch FILE`; the others remain "
                "edits, which no build overwrites"
            )
        return f"{self.mends or 'fix it'}; or delete the patch"


class PatchConflict(OfPatch, frozen=True, kw_only=True):
    """A patch does not fit the archive: the vendor changed the same lines."""

    path: str
    """The path of the component in the project."""
    name: str
    """The path of the file in the component."""
    archive: str = ""
    """The archive; empty until the caller adds it."""
    why: Misfit
    at_line: int = 0
    """The number of the first line of the archive's file that differs from the patch."""
    expected: str = ""
    """That line in the patch; empty if there is none."""
    found: str = ""
    """That line in the archive; empty if there is none."""
    can_merge: bool = False
    """Whether the patch fits the archive that was built, so that it can be merged with the
    new archive.
    """
    is_there: bool = False
    """Whether the file is on disk."""
    kept: str = ""
    """The path in the project of the kept patch that this version was built with; empty if it
    is not kept.
    """

    @property
    def location(self) -> Location:
        if self.why == "unkept":
            return Location(self.path)
        return super().location

    @property
    def file(self) -> str:
        """The file's path in the project."""
        return f"{self.path}/{self.name}"

    @property
    def message(self) -> str:
        facts = {"archive": self.archive, "file": self.file, "found": self.found, "path": self.path}
        if self.why == "unkept":
            return (
                f"`{self.patch}` cannot be made: `{self.archive}` is neither kept nor in the drop"
            )
        if self.why in _MISFITS:
            return f"`{self.patch}` does not fit: {_MISFITS[self.why].format_map(facts)}"
        if self.why == "several":
            return f"`{self.patch}` matches several places in `{self.file}` (from `{self.archive}`)"
        merged = _UNMERGED.get(self.why, "")
        has = "has no such line"
        if self.found:
            has = f"has `{self.found}`"
        return (
            f"`{self.patch}` does not fit `{self.file}`{merged}: {self._expects}, but "
            f"`{self.archive}` {has}"
        )

    @property
    def _expects(self) -> str:
        """What the patch expects in the file."""
        if self.expected:
            return f"at line {self.at_line} it expects `{self.expected}`"
        if self.found:
            return f"at line {self.at_line} it expects the end of the file"
        return f"it adds lines after line {self.at_line - 1}"

    @property
    def advice(self) -> str:
        if self.why == "unkept":
            return "put that archive in the drop"
        mends = "change the patch by hand"
        if self.kept:
            mends = (
                f"copy `{self.kept}`, the patch that this version was built with, over "
                f"`{self.patch}`"
            )
        elif self.can_merge:
            mends = "`--merge` merges the patch with the archive and rewrites it"
        pattern = re.sub(r"([*?[])", r"[\1]", self.file)
        ways = [mends, f"`{shlex.join((f'--take-theirs={pattern}',))}` builds the archive's file"]
        if self.is_there:
            ways.append(f"`{shlex.join((f'--keep-mine={pattern}',))}` keeps the file on disk")
        return "; ".join(ways)


Unused: TypeAlias = Literal[
    "component",
    "near",
    "missing",
    "unfit",
    "absent",
    "present",
    "elsewhere",
    "mode",
    "nothing",
    "beside",
    "link",
]
"""Why a patch, or a part of it, is not applied.

component   its component is not built
near        its name is not that of a component's patch
missing     the record names it, but it does not exist
unfit       it does not fit a file, and a flag builds the file without it
absent      the archive has no such file
present     the archive already has the change
elsewhere   the file belongs to another component
mode        it only changes the mode of the file
nothing     it changes no file
beside      it is in the current folder, and the project has patches
link        it is behind a link
"""
_UNUSED: Final[dict[Unused, tuple[str, str]]] = {
    "component": (
        "`{patch}` belongs to a component that is not built",
        "rename it to the path of the component in the project and `.patch`; or delete it",
    ),
    "near": (
        "`{patch}` is not used: the patch of `{of}` is `patches/{of}.patch`",
        "rename it; if there are several, write all into that one, in order",
    ),
    "beside": (
        "`{patch}` in the current folder is not used, because the project has `patches/`",
        "move it there; or delete it if the project has it",
    ),
    "link": (
        "`{patch}` is a link, so no patch behind it is used",
        "replace it with a folder of patches",
    ),
    "missing": (
        (
            "`{of}` was built with `{patch}`, which is missing: the archive is built without "
            "it{detail}"
        ),
        "restore the patch; or commit the record without it",
    ),
    "unfit": (
        "`{of}` is built without `{patch}`, which does not fit the archive",
        "change the patch by hand",
    ),
    "absent": (
        "`{of}` is in `{patch}`, but not in the archive: this part of the patch is skipped",
        "",
    ),
    "elsewhere": (
        "`{of}` is in `{patch}`, but not in its component: this part of the patch is skipped",
        "",
    ),
    "mode": (
        "`{patch}` changes the mode of `{of}`, but modes are not applied",
        "set the mode by hand; it stays as you set it",
    ),
    "nothing": ("`{patch}` changes no file", "delete it; or make it again"),
    "present": (
        "the archive already has the change that `{patch}` makes in `{of}`",
        "delete the change from the patch; or, once the archive is built, run `tool patch FILE`",
    ),
}
"""Each reason in words, and what to do."""


def unused_patch(
    patch: str, why: Unused, of: str = "", *, line: int = 0, files: int = 0
) -> WarningDiagnostic:
    """A patch, or a part of it, is not applied; `Unused` lists the reasons.

    `of` is the component or the file, a path in the project; `line` is a line of the patch, and
    `files` is the number of files that are built without it.
    """
    message, advice = _UNUSED[why]
    detail = ""
    if files:
        detail = f", in {counted(files, 'file')}"
    location = in_patches(patch, line)
    if why == "beside":
        location = Location(patch)
    return WarningDiagnostic(
        "unused-patch", message.format(patch=patch, of=of, detail=detail), advice, location
    )


def patch_moved(patch: str, file: str, line: int, by: int) -> WarningDiagnostic:
    """A hunk is applied some lines below or above the line that it names, because its lines
    occur only there.

    Or, if `by` is 0, a hunk without context lines is applied at the line that it names.
    """
    if by == 0:
        message = (
            f"`{patch}` changes `{file}` by line number only: the patch has no context lines there"
        )
        return WarningDiagnostic(
            "patch-moved", message, "check the result", in_patches(patch, line)
        )
    lines = f"{counted(by, 'line')} further down"
    if by < 0:
        lines = f"{counted(-by, 'line')} further up"
    message = f"`{patch}` is applied {lines} in `{file}`"
    return WarningDiagnostic("patch-moved", message, "", in_patches(patch, line))


def patch_restored(path: str, files: tuple[str, ...]) -> WarningDiagnostic:
    """Files of a component did not have the changes of its patch. They are patched again."""
    message = f"`{path}` was found without its patch, which is applied again: {listed(files)}"
    return WarningDiagnostic("patch-restored", message)


Rewritten: TypeAlias = Literal["merged", "removed", "brought back", "removed again"]
"""What a run does to a patch: merge it with an archive and rewrite it; remove it, because the
archive has all of its changes; or, when the run undoes another, bring back or remove the patch, as
it was before that run."""
_REWRITTEN: Final[dict[Rewritten, tuple[str, str]]] = {
    "merged": (
        "{fit} `{archive}`: it {is_done} merged with the archive and rewritten",
        "commit the patch",
    ),
    "removed": (
        "{fit} `{archive}`, which has all of its changes: it {is_done} removed",
        "commit the removal of the patch",
    ),
    "brought back": ("{is_done} brought back as it was before that run", "commit the patch"),
    "removed again": ("{is_done} removed, as before that run", "commit the removal of the patch"),
}


def patch_rewritten(
    patch: str, what: Rewritten, archive: str = "", *, dry: bool = False
) -> WarningDiagnostic:
    """A patch was merged with an archive that it did not fit, and is rewritten, or removed if
    nothing is left; or a run that had done so was undone.
    """
    message, advice = _REWRITTEN[what]
    words = {"archive": archive, "fit": "did not fit", "is_done": "was"}
    if dry:
        words = {"archive": archive, "fit": "does not fit", "is_done": "would be"}
        advice = ""
    return WarningDiagnostic(
        "patch-rewritten", f"`{patch}` {message.format_map(words)}", advice, in_patches(patch)
    )


def patch_stays(patch: str, when: Literal["meanwhile", "since"] = "meanwhile") -> WarningDiagnostic:
    """Somebody changed a patch during the run that would rewrite it, or since the run that is
    undone. It stays.
    """
    if when == "since":
        message = f"`{patch}` has changed since that run: it stays as it is"
        return WarningDiagnostic("patch-stays", message, location=in_patches(patch))
    message = f"`{patch}` changed during the run, which left it as it is"
    advice = "change the patch by hand so that it fits what was built"
    return WarningDiagnostic("patch-stays", message, advice, in_patches(patch))


Unsaved: TypeAlias = Literal[
    "binary", "mode", "name", "unfit", "unbuilt", "added", "deleted", "rewritten"
]
"""Why `tool patch` does not save an edit.

binary      the file is not text, or is too large
mode        only the mode of the file has changed
name        a patch cannot have a file of this name
unfit       the patch does not fit the archive
unbuilt     the patch has changes to the file that no run has built
added       the file was added, and is not named
deleted     the file was deleted, and is not named
rewritten   the system writes the file, and it is not named
"""
_EDIT: Final = "{it_remains} an edit, which no build overwrites"
_NAMED: Final = "name {the_file} to save {it}"
_ON_DISK: Final = f"{_NAMED} as on disk"
_UNSAVED: Final[dict[Unsaved, tuple[str, str]]] = {
    "binary": ("not text, or larger than 2 MiB", _EDIT),
    "mode": ("a patch cannot change the mode of an existing file", _EDIT),
    "name": ("a patch cannot have a file of this name", _EDIT),
    "unfit": ("the patch does not fit {it}", f"{_ON_DISK}, without the lines of the patch"),
    "unbuilt": (
        "the patch has changes to {it} that are not built yet",
        f"run `tool create --merge`, then `tool patch`; or {_ON_DISK}, without these changes",
    ),
    "added": ("added", _NAMED),
    "deleted": ("deleted", _NAMED),
    "rewritten": ("the system writes {it}", _NAMED),
}
"""Each reason in words, and what to do; with words that agree with the number of files."""


def edits_left_out(files: tuple[str, ...], why: Unsaved) -> WarningDiagnostic:
    """Edits are not saved in the patch of their component. `files` are paths in the project."""
    reason, advice = _UNSAVED[why]
    words = {
        "it": agreeing(files, "it", "them"),
        "it_remains": agreeing(files, "it remains", "each remains"),
        "the_file": agreeing(files, "the file", "the files"),
    }
    message = (
        f"{listed(files)} {agreeing(files, 'is', 'are')} left out of the patch: "
        f"{reason.format_map(words)}"
    )
    return WarningDiagnostic(
        "edits-left-out", message, advice.format_map(words), in_project(files[0])
    )


def edits_ignored_by_git(files: tuple[str, ...], command: str) -> WarningDiagnostic:
    """Git ignores edited files, so they are never committed, and no patch holds the edits.

    `files` are paths in the project; `command` saves the edits.
    """
    message = f"git ignores {listed(files)}, which you edited: a clone is built without your edits"
    advice = f"`{command}` saves {agreeing(files, 'it', 'them')} as a patch; commit `patches/`"
    return WarningDiagnostic("edits-ignored-by-git", message, advice, in_project(files[0]))


PatchError: TypeAlias = PatchInvalid | PatchConflict
