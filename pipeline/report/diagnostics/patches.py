"""What there is to say about patches, which change what archives give."""

from typing import Final, Literal, TypeAlias

from pipeline.report.diagnostic import Diagnostic
from pipeline.report.location import Location

Misfit: TypeAlias = Literal["none", "several", "absent", "exists", "left", "large"]
"""Why a patch does not fit: its lines stand nowhere or in several places; the archive has no such file, or has the one
that the patch adds; there are more lines than the patch removes with the file; the file is too large."""
_MISFITS: Final[dict[Misfit, str]] = {
    "absent": "`{archive}` has no `{file}`",
    "exists": "`{archive}` has another `{file}` than the patch adds",
    "left": "the patch removes `{file}`, and the one of `{archive}` has more in it: `{found}`",
    "large": "`{file}` of `{archive}` is larger than 2 MiB",
}


class OfPatch(Diagnostic, frozen=True):
    """What is wrong with a patch, at a line of it."""

    patch: str
    """Its path in the project."""
    line: int
    inside = "project"

    @property
    def location(self) -> Location:
        return Location(self.patch, self.line, 1)


class PatchInvalid(OfPatch, frozen=True):
    """A patch is not a unified diff of text files of its component."""

    reason: str
    advice = "mend the patch: `tool diff --mine` prints one that is read; or delete it"

    @property
    def message(self) -> str:
        return f"`{self.patch}` is not a patch that can be used: {self.reason}"


class PatchConflict(OfPatch, frozen=True):
    """A patch does not fit the archive: the vendor changed the lines that it changes."""

    file: str
    """Relative to the project."""
    archive: str
    why: Misfit
    at_line: int = 0
    """The first line of the archive's file that is not as the patch has it."""
    expected: str = ""
    found: str = ""
    """That line in the patch and in the archive; empty if there is none."""
    name: str = ""
    """The component's."""

    @property
    def message(self) -> str:
        facts = {"archive": self.archive, "file": self.file, "found": self.found}
        if self.why in _MISFITS:
            return f"`{self.patch}` does not fit: {_MISFITS[self.why].format_map(facts)}"
        if self.why == "several":
            return (
                f"`{self.patch}` does not fit: its lines stand in several places of `{self.file}` of `{self.archive}`"
            )
        there = f"has `{self.found}`" if self.found else "ends"
        return (
            f"`{self.patch}` does not fit `{self.file}`: at line {self.at_line} it expects `{self.expected}`, "
            f"and that of `{self.archive}` {there}"
        )

    @property
    def advice(self) -> str:
        return (
            f"`tool patch DROP {self.name}` merges the patch with the archive; `--take-theirs {self.file}` builds the "
            f"archive's file, `--keep-mine {self.file}` keeps the one that is there"
        )


PatchProblem: TypeAlias = PatchInvalid | PatchConflict

EXAMPLES: Final = (
    PatchInvalid("patches/modules/m.patch", 12, "a hunk has not as many lines as its numbers say"),
    PatchConflict("patches/modules/m.patch", 12, "modules/m/a.php", "m.zip", "none", 30, "return 1;", "return 2;", "m"),
)
