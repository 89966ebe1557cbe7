"""Errors and warnings about patches, which change the files of archives."""

import re
import shlex
from typing import Final, Literal, TypeAlias

from pipeline.report.diagnostic import Diagnostic, WarningDiagnostic
from pipeline.report.location import Location, in_patches, in_project
from pipeline.report.wording import agreeing, counted, listed

Misfit: TypeAlias = Literal[
    "none", "several", "absent", "exists", "kind", "left", "large", "long", "touching", "alike", "old git", "unkept"
]
"""Why a patch does not fit: its lines stand nowhere or in several places; the archive has no such file, has another
than the patch adds, or has a link or a folder there; there are more lines than the patch removes with the file; the
file is too large; it would take too long; or, where it was merged, the archive changed the same lines, or has
several places for them, or git is too old. Or why it cannot
be made: the archive that was built is not kept."""
_MISFITS: Final[dict[Misfit, str]] = {
    "absent": "`{archive}` has no `{file}`",
    "exists": "`{archive}` has another `{file}` than the patch adds",
    "kind": "`{archive}` has a link or a folder at `{file}`, or a file above it",
    "left": "the patch removes `{file}`, but in `{archive}` it has more lines: `{found}`",
    "large": "`{file}` of `{archive}` is larger than 2 MiB",
    "long": "it takes too long to find its lines in `{file}` of `{archive}`",
}


_UNMERGED: Final[dict[Misfit, str]] = {
    "touching": ", and cannot be merged with it",
    "alike": ", and cannot be merged with it, as these lines stand in several places",
    "old git": ", and merging needs git 2.38 or later",
}


class OfPatch(Diagnostic, frozen=True):
    """An error in a patch, at a line of it."""

    patch: str
    """Its path in the folder that `patches/` is in."""
    line: int

    @property
    def location(self) -> Location:
        return in_patches(self.patch, self.line)


class PatchInvalid(OfPatch, frozen=True):
    """A patch is not a unified diff of text files of its component."""

    reason: str
    mends: str = ""
    """How a patch is made that is one; empty if nothing but the line is to be mended."""

    @property
    def message(self) -> str:
        return f"`{self.patch}` is not a valid patch: {self.reason}"

    @property
    def advice(self) -> str:
        return f"{self.mends or 'fix it'}; or delete the patch"


class PatchConflict(OfPatch, frozen=True, kw_only=True):
    """A patch does not fit the archive: the vendor changed the lines that it changes."""

    path: str
    """The component's."""
    name: str
    """The file's, in the component."""
    archive: str = ""
    """Empty as long as nobody knows what the texts are from."""
    why: Misfit
    at_line: int = 0
    """The first line of the archive's file that is not as the patch has it."""
    expected: str = ""
    found: str = ""
    """That line in the patch and in the archive; empty if there is none."""
    can_merge: bool = False
    """Whether the patch fits the archive that was built, so that it can be merged with the new one."""
    is_there: bool = False
    """Whether the file is on disk."""
    kept: str = ""
    """The path in the project of the patch that this version was built with, if that is kept."""

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
            return f"`{self.patch}` cannot be made: `{self.archive}` is neither kept nor in the drop"
        if self.why in _MISFITS:
            return f"`{self.patch}` does not fit: {_MISFITS[self.why].format_map(facts)}"
        if self.why == "several":
            return f"`{self.patch}` fits in several places of `{self.file}` of `{self.archive}`"
        merged = _UNMERGED.get(self.why, "")
        has = "has no such line"
        if self.found:
            has = f"has `{self.found}`"
        return f"`{self.patch}` does not fit `{self.file}`{merged}: {self._expects}, and `{self.archive}` {has}"

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
            mends = f"`{self.kept}` is the patch that this version was built with: copy it over `{self.patch}`"
        elif self.can_merge:
            mends = "`--merge` merges the patch with the archive and rewrites it"
        pattern = re.sub(r"([*?[])", r"[\1]", self.file)
        ways = [mends, f"`{shlex.join((f'--take-theirs={pattern}',))}` builds what the archive has"]
        if self.is_there:
            ways.append(f"`{shlex.join((f'--keep-mine={pattern}',))}` keeps the file that is there")
        return "; ".join(ways)


Unused: TypeAlias = Literal[
    "component", "near", "missing", "unfit", "absent", "present", "elsewhere", "mode", "nothing", "beside", "link"
]
"""Why a patch, or a part of it, is not applied: its component is not built; it is not where the patch of a component
is; the record names a patch that is not there; it does not fit a file, and somebody decided to do without it there; or
the archive has no such file, or has the change by itself; or its file is in another component, its mode alone changes,
or nothing in the patch changes anything; it is in the current folder, and those of the project are used; or a link
leads to it."""
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
        "`{patch}` in the current folder is not used, as `patches/` in the project is",
        "move it there; or delete it if the project has it",
    ),
    "link": ("`{patch}` is a link, and no patch behind it is used", "put a folder with the patches in its place"),
    "missing": (
        "`{of}` was built with `{patch}`, which is missing: the archive is built without it{detail}",
        "restore the patch; or commit the record that is without it",
    ),
    "unfit": ("`{of}` is built without `{patch}`, which does not fit the archive", "change the patch by hand"),
    "absent": ("`{of}` is in `{patch}`, and not in the archive: this part of the patch is skipped", ""),
    "elsewhere": ("`{of}` is in `{patch}`, and in no file of its component: this part of the patch is skipped", ""),
    "mode": ("`{patch}` changes the mode of `{of}`, which is not applied", "set it by hand: it stays as you set it"),
    "nothing": ("`{patch}` changes nothing in any file", "delete it; or make it again"),
    "present": (
        "the archive already has the change of `{of}` in `{patch}`",
        "delete it from the patch; when the archive is built, `tool patch` does so if you name the file",
    ),
}
"""What each means, and what to do."""


def unused_patch(patch: str, why: Unused, of: str = "", *, line: int = 0, files: int = 0) -> WarningDiagnostic:
    """A patch, or a part of it, is not applied: its component is not built, the patch is missing, is not where it is
    looked for or does not fit, or the archive has the change already, or has no such file.

    `of` is the component or the file, a path in the project; `line` is that of the patch, and `files` is how many are
    without it.
    """
    message, advice = _UNUSED[why]
    detail = ""
    if files:
        detail = f", in {counted(files, 'file')}"
    location = in_patches(patch, line)
    if why == "beside":
        location = Location(patch)
    return WarningDiagnostic("unused-patch", message.format(patch=patch, of=of, detail=detail), advice, location)


def patch_moved(patch: str, file: str, line: int, by: int) -> WarningDiagnostic:
    """A hunk is applied some lines further than it says, or earlier, as it stands there alone; or at its line, of
    which nothing around it says that it is the right one.
    """
    if by == 0:
        message = f"`{patch}` changes `{file}` by line numbers alone: no line around the change is in the patch"
        return WarningDiagnostic("patch-moved", message, "look at the result", in_patches(patch, line))
    lines = f"{counted(by, 'line')} further"
    if by < 0:
        lines = f"{counted(-by, 'line')} earlier"
    message = f"`{patch}` is applied {lines} in `{file}`"
    return WarningDiagnostic("patch-moved", message, "", in_patches(patch, line))


def patch_restored(path: str, files: tuple[str, ...]) -> WarningDiagnostic:
    """Files of a component were found without its patch. They are patched again."""
    message = f"`{path}` was found without its patch, which is applied again: {listed(files)}"
    return WarningDiagnostic("patch-restored", message)


Rewritten: TypeAlias = Literal["merged", "removed", "brought back", "removed again"]
"""What a run does to a patch: merge it with an archive and write it anew; remove it, as the archive has all of its
changes; or, when it undoes another, bring it back or remove it, as it was before that one."""
_REWRITTEN: Final[dict[Rewritten, tuple[str, str]]] = {
    "merged": ("{fit} `{archive}`: it {is_done} merged with the archive and rewritten", "commit the patch"),
    "removed": (
        "{fit} `{archive}`, which has all of its changes: it {is_done} removed",
        "commit that the patch is removed",
    ),
    "brought back": ("{is_done} brought back as it was before that run", "commit the patch"),
    "removed again": ("{is_done} removed, as before that run", "commit that the patch is removed"),
}


def patch_rewritten(patch: str, what: Rewritten, archive: str = "", *, dry: bool = False) -> WarningDiagnostic:
    """A patch was merged with an archive that it did not fit, and is written anew, or removed if nothing is left; or
    a run that had done so was undone.
    """
    message, advice = _REWRITTEN[what]
    words = {"archive": archive, "fit": "did not fit", "is_done": "was"}
    if dry:
        words = {"archive": archive, "fit": "does not fit", "is_done": "would be"}
        advice = ""
    return WarningDiagnostic("patch-rewritten", f"`{patch}` {message.format_map(words)}", advice, in_patches(patch))


def patch_stays(patch: str, when: Literal["meanwhile", "since"] = "meanwhile") -> WarningDiagnostic:
    """Somebody changed a patch during the run that would write it anew, or since the run that is undone. It stays."""
    if when == "since":
        message = f"`{patch}` has changed since that run: it stays as it is"
        return WarningDiagnostic("patch-stays", message, location=in_patches(patch))
    message = f"`{patch}` changed during the run, which left it as it is"
    advice = "change the patch by hand so that it fits what was built"
    return WarningDiagnostic("patch-stays", message, advice, in_patches(patch))


Unsaved: TypeAlias = Literal["binary", "mode", "name", "unfit", "unbuilt", "added", "deleted", "rewritten"]
"""Why an edit is not saved: it is not text, or too large; it is a mode alone; its name cannot be in a patch; the patch
does not fit the archive, or has changes of the file that no run has built; the file is added, deleted or written by the
system, and not named."""
_NAMED: Final = "name the file to save it"
_UNSAVED: Final[dict[Unsaved, tuple[str, str]]] = {
    "binary": ("not text, or larger than 2 MiB", "it remains an edit, which no build overwrites"),
    "mode": ("a patch changes no mode of a file that is there", "it remains an edit, which no build overwrites"),
    "name": ("a patch cannot have a file of this name", "it remains an edit, which no build overwrites"),
    "unfit": ("the patch does not fit it", "name the file to save it as it is on disk, without the lines of the patch"),
    "unbuilt": (
        "the patch has changes of it that are not built yet",
        "run `tool create --merge`, then `tool patch`; or name the file to save it as it is on disk, without them",
    ),
    "added": ("added", _NAMED),
    "deleted": ("deleted", _NAMED),
    "rewritten": ("the system writes it", _NAMED),
}


def edits_left_out(files: tuple[str, ...], why: Unsaved) -> WarningDiagnostic:
    """Edits are not saved in the patch of their component. `files` are paths in the project."""
    reason, advice = _UNSAVED[why]
    message = f"{listed(files)} {agreeing(files, 'is', 'are')} left out of the patch: {reason}"
    return WarningDiagnostic("edits-left-out", message, advice, in_project(files[0]))


def edits_ignored_by_git(files: tuple[str, ...], command: str) -> WarningDiagnostic:
    """Git ignores edited files, so that they are never committed, and no patch holds the edits. `files` are paths in
    the project; the command saves them.
    """
    message = f"git ignores {listed(files)}, which you edited: a clone is built without your edits"
    advice = f"`{command}` saves {agreeing(files, 'it', 'them')} as a patch; commit `patches/`"
    return WarningDiagnostic("edits-ignored-by-git", message, advice, in_project(files[0]))


PatchError: TypeAlias = PatchInvalid | PatchConflict
