"""Errors and warnings about patches, which change the files of archives."""

import shlex
from typing import Final, Literal, TypeAlias

from msgspec.structs import replace

from pipeline.report.diagnostic import Diagnostic, WarningDiagnostic
from pipeline.report.location import Location, in_project
from pipeline.report.wording import counted, listed

Misfit: TypeAlias = Literal["none", "several", "absent", "exists", "left", "large", "unkept", "unnamed"]
"""Why a patch does not fit: its lines stand nowhere or in several places; the archive has no such file, or has the one
that the patch adds; there are more lines than the patch removes with the file; the file is too large. Or why it cannot
be made: its archive is not kept, or it does not name one."""
_MISFITS: Final[dict[Misfit, str]] = {
    "absent": "`{archive}` has no `{file}`",
    "exists": "`{archive}` has another `{file}` than the patch adds",
    "left": "the patch removes `{file}`, but in `{archive}` it has more lines: `{found}`",
    "unkept": "`{archive}` is neither kept nor in the drop",
    "unnamed": "its first line does not name the archive that it was made for",
    "large": "`{file}` of `{archive}` is larger than 2 MiB",
}
_UNMADE: Final[dict[Misfit, str]] = {
    "unkept": "put that archive in the drop",
    "unnamed": "change the patch by hand; `tool create` says where it does not fit",
}
"""Why a patch cannot be made, and what to do."""


class OfPatch(Diagnostic, frozen=True):
    """An error in a patch, at a line of it."""

    patch: str
    """Its path in the project."""
    line: int

    @property
    def location(self) -> Location:
        return in_project(self.patch, self.line)


class PatchInvalid(OfPatch, frozen=True):
    """A patch is not a unified diff of text files of its component."""

    reason: str
    advice = "fix or delete the patch; `tool diff --mine` shows the format"

    @property
    def message(self) -> str:
        return f"`{self.patch}` is not a valid patch: {self.reason}"


class PatchConflict(OfPatch, frozen=True, kw_only=True):
    """A patch does not fit the archive: the vendor changed the lines that it changes."""

    path: str
    """The component's."""
    name: str
    """The file's, in the component."""
    archive: str
    why: Misfit
    at_line: int = 0
    """The first line of the archive's file that is not as the patch has it."""
    expected: str = ""
    found: str = ""
    """That line in the patch and in the archive; empty if there is none."""

    @property
    def location(self) -> Location:
        return in_project(self.path) if self.why in _UNMADE else super().location

    @property
    def file(self) -> str:
        """The file's path in the project."""
        return f"{self.path}/{self.name}"

    @property
    def message(self) -> str:
        facts = {"archive": self.archive, "file": self.file, "found": self.found, "path": self.path}
        if self.why in _MISFITS:
            if self.why in _UNMADE:
                return f"`{self.patch}` cannot be made: {_MISFITS[self.why].format_map(facts)}"
            return f"`{self.patch}` does not fit: {_MISFITS[self.why].format_map(facts)}"
        if self.why == "several":
            return f"`{self.patch}` fits in several places of `{self.file}` of `{self.archive}`"
        there = f"has `{self.found}`" if self.found else "has no such line"
        expects = (
            f"at line {self.at_line} it expects {f'`{self.expected}`' if self.expected else 'the end of the file'}"
        )
        if not (self.expected or self.found):
            expects = f"it adds lines after line {self.at_line - 1}"
        return f"`{self.patch}` does not fit `{self.file}`: {expects}, and `{self.archive}` {there}"

    @property
    def advice(self) -> str:
        if self.why in _UNMADE:
            return _UNMADE[self.why]
        return (
            f"`tool patch DROP {self.path}` merges the patch with the archive; "
            f"`{shlex.join(('--take-theirs', self.file))}` builds the archive's file, "
            f"`{shlex.join(('--keep-mine', self.file))}` keeps the one that is there"
        )


Unused: TypeAlias = Literal["component", "missing", "replaced", "unfit", "present"]
"""Why a patch is not applied, or a part of it: its component is not built, or was replaced by another version; the
record names a patch that is not there; it does not fit a file, and somebody decided to do without it there; or the
archive has the change already.
"""
_UNUSED: Final[dict[Unused, tuple[str, str]]] = {
    "component": (
        "`{patch}` is of a component that is not built",
        "rename it to the path of the component in the project and `.patch`; or delete it",
    ),
    "missing": (
        "`{of}` was built with `{patch}`, which is missing: the archive is built without it, in {detail}",
        "restore the patch; or commit the record that is without it",
    ),
    "replaced": (
        "`{patch}` is not in the files on disk: version {detail} replaced `{of}`",
        "put an archive of {detail} in the drop: it is built with the patch",
    ),
    "unfit": (
        "`{of}` is built without `{patch}`, which does not fit the archive",
        "`tool patch DROP NAME` merges the patch with the archive",
    ),
    "present": (
        "the archive already has the change of `{of}` in line {detail} of `{patch}`",
        "once the archive is built, `tool patch DROP NAME` removes it from the patch",
    ),
}
"""What each means, and what to do."""


def unused_patch(patch: str, why: Unused, of: str = "", detail: str = "") -> WarningDiagnostic:
    """A patch, or a part of it, is not applied: its component is not built or was replaced, the patch is missing or
    does not fit the archive, or the archive already has the change.

    `of` is the component or the file, a path in the project; `detail` the version that replaced the component, the line
    of the patch, or how many files are without it.
    """
    text, advice = _UNUSED[why]
    message = text.format(patch=patch, of=of, detail=detail)
    if not detail:
        message = message.removesuffix(", in ")
    return WarningDiagnostic("unused-patch", message, advice.format(detail=detail), in_project(patch))


def patch_restored(path: str, files: tuple[str, ...]) -> WarningDiagnostic:
    """Files of a component were found without its patch. They are patched again."""
    message = f"`{path}` was found without its patch, which is applied again: {listed(files)}"
    return WarningDiagnostic("patch-restored", message)


Unsaved: TypeAlias = Literal["binary", "name", "touching", "unfit"]
"""Why an edit is not saved: it is not text, or too long; its name cannot be in a patch; the archive changed the same
lines; or the patch does not fit the archive that was built."""
_UNSAVED: Final[dict[Unsaved, tuple[str, str]]] = {
    "binary": ("it is not text, or too long", "it stays an edit; `tool create` keeps it"),
    "name": ("a patch cannot have a file of this name", "it stays an edit; `tool create` keeps it"),
    "touching": ("the archive or the patch changed the same lines", "`tool diff --mine` and `--theirs` show both"),
    "unfit": ("the patch does not fit the archive that was built", "build the archive that the patch is for first"),
}


def edit_left_out(file: str, why: Unsaved, lines: str = "", *, is_part: bool = False) -> WarningDiagnostic:
    """An edit of a file is not saved in the patch of its component.

    `lines` are those that both sides changed, in the words of `touching_lines`; `is_part` is true if the rest of the
    file's edits is saved.
    """
    message = f"{'a part of ' * is_part}`{file}` is left out of the patch: {_UNSAVED[why][0]}{lines}"
    return WarningDiagnostic("edit-left-out", message, _UNSAVED[why][1], in_project(file))


def touching_lines(mine: str, theirs: str, places: int) -> str:
    """The lines that both sides changed, in the first of so many places."""
    first, second = (f"`{each}`" if each else "nothing" for each in (mine, theirs))
    lines = f": {first} against {second}" if mine or theirs else ""
    return lines + (f", and in {counted(places - 1, 'more place')}" if places > 1 else "")


def keeping_patch(warning: WarningDiagnostic, patch: str) -> WarningDiagnostic:
    """A warning of an edit that is left out, with the path of the old patch."""
    return replace(warning, advice=f"{warning.advice}; the old patch is `{patch}`")


PatchError: TypeAlias = PatchInvalid | PatchConflict
