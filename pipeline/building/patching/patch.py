"""Patch: a patch as a value: its sections, each about one file, and the text around them
(`docs/building.md`, "Patches").

`patch_file` reads patches, `naming` finds their files in an archive, and `patches` applies them.
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
    """The path of a component's patch in the project."""
    return f"{PATCHES}/{component}{PATCH_SUFFIX}"


class FilePatch(Struct, frozen=True, kw_only=True, dict=True):
    """A section of a patch: the changes of one file."""

    component: str
    """The path of the component in the project."""
    sides: Sides
    """The names of the file before and after, as the patch has them; an empty name stands for no
    file.
    """
    line: int
    """The first line of the section in the patch, from 1."""
    raw: bytes
    """The text of the section."""
    hunks: tuple[Hunk, ...] = ()
    adds: bool = False
    """Whether the section adds the file."""
    removes: bool = False
    """Whether the section removes the file."""
    executable: bool = False
    """Whether the section adds an executable file."""
    switches: bool = False
    """Whether the section changes the mode of the file, which the tool does not apply."""
    named: str = ""
    """The path of the file in the component; empty until `naming` has read it with the archive."""
    is_elsewhere: bool = False
    """Whether the file is in another component; `named` is then its path in the patch."""

    @cached_property
    def readings(self) -> tuple[Reading, ...]:
        """The ways to read the name of the file, the likeliest first."""
        return tuple(readings_of(self.sides, self.component))

    @property
    def name(self) -> str:
        """The path of the file in the component; the likeliest one if `named` is empty."""
        return self.named or self.readings[0].name

    @property
    def names(self) -> tuple[str, ...]:
        """The paths in the component that the file may have; none if it is in another component."""
        if self.is_elsewhere:
            return ()
        if self.named:
            return (self.named,)
        return tuple(reading.name for reading in self.readings)

    @property
    def changes(self) -> bool:
        """Whether the section changes the content of the file, adds it or removes it."""
        return bool(self.hunks) or self.adds or self.removes

    def misfit(self, why: Misfit, line: int = 0, **more: Any) -> PatchConflict:
        """The conflict of the section with an archive, or of its hunk at a line of the patch;
        `more` has other fields of `PatchConflict`.
        """
        path = self.component
        return PatchConflict(
            patch_path(path), line or self.line, path=path, name=self.name, why=why, **more
        )


class Patch(Struct, frozen=True, dict=True):
    """A patch of a component: its sections, and the text before, between and after them."""

    component: str
    """The path of the component in the project."""
    parts: tuple[bytes | FilePatch, ...] = ()
    """The sections and the texts between them, in their order."""
    digest: str = ""
    """The SHA-256 of the text."""
    error: PatchInvalid | FileSystemProblem | None = None
    """Why the patch cannot be read; it then has no parts."""

    @property
    def path(self) -> str:
        """The path of the patch in the project."""
        return patch_path(self.component)

    def refused(self, line: int, reason: str, mends: str = "") -> "Patch":
        """The patch as one that cannot be read, given the line at fault, from 1, the reason, and
        what mends it.
        """
        return Patch(self.component, error=PatchInvalid(self.path, line, reason, mends))

    @cached_property
    def files(self) -> tuple[FilePatch, ...]:
        """The sections that change a file or its mode."""
        sections = (part for part in self.parts if isinstance(part, FilePatch))
        return tuple(section for section in sections if section.changes or section.switches)

    @property
    def is_idle(self) -> bool:
        """Whether the patch has sections, and none of them changes, adds or removes a file."""
        return bool(self.parts) and not any(section.changes for section in self.files)

    @property
    def text(self) -> bytes:
        """The text of the patch. If all of its own lines ended in CRLF, they end in LF here."""
        pieces = list[bytes]()
        for part in self.parts:
            if isinstance(part, FilePatch):
                pieces.append(part.raw)
            else:
                pieces.append(part)
        return b"".join(pieces)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """All paths in the component that the files of the patch may have."""
        return tuple(unique(concat(section.names for section in self.files)))
