"""Patch: what a patch file says, as a value: sections, each about one file, and the text
around them.
"""

from functools import cached_property
from typing import Any

from msgspec import Struct
from toolz import concat, unique

from pipeline.building.patching.patch_lines import Hunk
from pipeline.building.patching.patch_names import Reading, Sides, readings_of
from pipeline.building.stores.layout import PATCH_SUFFIX, PATCHES
from pipeline.report.diagnostics.disk import FileSystemProblem
from pipeline.report.diagnostics.patches import Misfit, PatchConflict, PatchInvalid


def patch_path(component: str) -> str:
    """The path of the patch of a component in the project."""
    return f"{PATCHES}/{component}{PATCH_SUFFIX}"


class FilePatch(Struct, frozen=True, kw_only=True, dict=True):
    """A section of a patch: what it does to one file."""

    component: str
    sides: Sides
    """The names of the file before and after, as the patch has them; empty where there is none."""
    line: int
    raw: bytes
    hunks: tuple[Hunk, ...] = ()
    adds: bool = False
    removes: bool = False
    executable: bool = False
    """Whether it adds an executable file."""
    switches: bool = False
    """Whether it changes the mode of a file, which is not applied."""
    named: str = ""
    """The path of the file in the component, once the archive has decided."""
    is_elsewhere: bool = False
    """Whether its file is in another component; then that is the path in the patch."""

    @cached_property
    def readings(self) -> tuple[Reading, ...]:
        """How its name can be read, the likeliest first."""
        return tuple(readings_of(self.sides, self.component))

    @property
    def name(self) -> str:
        """The path of the file in the component."""
        return self.named or self.readings[0].name

    @property
    def names(self) -> tuple[str, ...]:
        """The paths in the component that its file may have."""
        if self.is_elsewhere:
            return ()
        if self.named:
            return (self.named,)
        return tuple(reading.name for reading in self.readings)

    @property
    def changes(self) -> bool:
        """Whether it changes, adds or removes a file."""
        return bool(self.hunks) or self.adds or self.removes

    def misfit(self, why: Misfit, line: int = 0, **more: Any) -> PatchConflict:
        """Why it, or a hunk from a line of the patch on, does not fit an archive."""
        path = self.component
        return PatchConflict(
            patch_path(path), line or self.line, path=path, name=self.name, why=why, **more
        )


class Patch(Struct, frozen=True, dict=True):
    """A patch: what it does to files, in order, and the text before, between and after that."""

    component: str
    """The path of its component in the project."""
    parts: tuple[bytes | FilePatch, ...] = ()
    digest: str = ""
    """SHA-256 of its text."""
    wrong: PatchInvalid | FileSystemProblem | None = None
    """Why it is none; then nothing of it is read."""

    @property
    def path(self) -> str:
        """Its path in the project."""
        return patch_path(self.component)

    def refused(self, line: int, reason: str, mends: str = "") -> "Patch":
        """The same as none, which line shows why, and what mends it."""
        return Patch(self.component, wrong=PatchInvalid(self.path, line, reason, mends))

    @cached_property
    def files(self) -> tuple[FilePatch, ...]:
        """Its sections that say anything about a file."""
        sections = (part for part in self.parts if isinstance(part, FilePatch))
        return tuple(section for section in sections if section.changes or section.switches)

    @property
    def is_idle(self) -> bool:
        """Whether it has sections, and none of them changes anything."""
        return bool(self.parts) and not any(section.changes for section in self.files)

    @property
    def text(self) -> bytes:
        """Its text, with LF ends if all of its own lines end in CRLF."""
        pieces = list[bytes]()
        for part in self.parts:
            if isinstance(part, FilePatch):
                pieces.append(part.raw)
            else:
                pieces.append(part)
        return b"".join(pieces)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The files that it is about, by all the paths in the component that they may have."""
        return tuple(unique(concat(section.names for section in self.files)))
