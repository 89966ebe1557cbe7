"""Placing: at which lines of a file the hunks of a patch apply (`docs/building.md`, "Patches").

Each hunk is first looked for alone. Then the hunks around it say how far the lines have moved, if
that decides between several places. Lines count from 0.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from msgspec import Struct

from pipeline.building.merging.lines import lines_of
from pipeline.building.patching.patch_lines import Hunk, Occurrence
from pipeline.report.diagnostics.patches import Misfit

MOST_ABOVE: Final = 40
"""The most context lines above a change. A hunk with as many need not be unique, so it applies at
its own line only.
"""
_MOST_STEPS: Final = 20_000_000
"""The most lines that are compared for one patch. Only a patch made to be slow needs as many."""


class Verdict(Struct):
    """Where a hunk applies in a file, or why it does not."""

    at: int | None = None
    """The line; `None` if the hunk applies nowhere, or its place is not certain."""
    is_present: bool = False
    """Whether the file has the new lines of the hunk there already."""
    why: Misfit = "none"
    """Why the hunk does not apply."""


class Effort:
    """How many lines may still be compared for a patch."""

    def __init__(self) -> None:
        self.remaining = _MOST_STEPS

    def spend(self, steps: int) -> bool:
        """Take this many comparisons from those that remain; return whether any are left."""
        self.remaining -= steps
        return self.remaining > 0


def plain(content: bytes) -> bytes:
    """A content with line feeds in place of CRLF."""
    return content.replace(b"\r\n", b"\n")


def plain_lines(lines: list[bytes]) -> list[bytes]:
    """Lines with line feeds in place of CRLF."""
    # Nearly always, and cheaper than to look at each line.
    if b"\r\n" not in b"".join(lines):
        return lines
    return list(map(plain, lines))


class Text:
    """A file by lines, in which the lines of hunks are looked for. Carriage returns at the ends of
    lines do not count.
    """

    def __init__(self, content: bytes, effort: Effort) -> None:
        self.lines = lines_of(content)
        self._plain = plain_lines(self.lines)
        ends = content.count(b"\n")
        self.has_ends = ends > 0
        self._has_crlf = 2 * content.count(b"\r\n") > ends
        self._effort = effort
        self._numbers: dict[bytes, list[int]] = {}

    def with_end(self, line: bytes) -> bytes:
        """A line to insert, with the line end of most lines of the file."""
        text = plain(line)
        if self._has_crlf and text.endswith(b"\n"):
            return text.removesuffix(b"\n") + b"\r\n"
        return text

    def has(self, lines: Sequence[bytes], at: int) -> bool:
        """Whether lines without carriage returns stand at a line of the file."""
        return 0 <= at <= len(self.lines) and self._plain[at : at + len(lines)] == lines

    def has_hunk(self, hunk: Hunk, at: int) -> bool:
        """Whether the new lines of a hunk stand at a line. Carriage returns count if the old lines
        stand there with theirs.
        """
        if self.is_exact(hunk, at):
            return self.lines[at : at + len(hunk.new)] == hunk.new
        return self.has(plain_lines(hunk.new), at)

    def is_exact(self, hunk: Hunk, at: int) -> bool:
        """Whether the old lines of a hunk stand at a line, with the same carriage returns."""
        return self.lines[at : at + len(hunk.old)] == hunk.old

    def find(self, lines: Sequence[bytes]) -> Iterator[int]:
        """The lines at which some lines stand one after the other. The rarest of them is looked up,
        and the others are compared.
        """
        if not lines:
            return
        if not self._numbers:
            for number, line in enumerate(self._plain):
                self._numbers.setdefault(line, []).append(number)
        places = [self._numbers.get(line, []) for line in lines]
        rarest = min(range(len(lines)), key=lambda number: len(places[number]))
        for number in places[rarest]:
            if not self._effort.spend(len(lines)):
                return
            if self.has(lines, number - rarest):
                yield number - rarest

    def occurrence(self, lines: Sequence[bytes], at: int) -> Occurrence | None:
        """Which occurrence of some lines is at a line; `None` if they do not stand there, or
        counting them takes too long.
        """
        places = list(self.find(list(map(plain, lines))))
        if at not in places or self._effort.remaining <= 0:
            return None
        return Occurrence(places.index(at) + 1, len(places))


class _PlainHunk(Struct, frozen=True):
    """A hunk to look for, with its lines without carriage returns."""

    hunk: Hunk
    old: list[bytes]
    new: list[bytes]

    @property
    def growth(self) -> int:
        """By how many lines the hunk lengthens a file."""
        return len(self.new) - len(self.old)


def verdicts_of(hunks: Sequence[Hunk], text: Text) -> list[Verdict]:
    """Decide where each hunk of a file applies, in the order of the hunks."""
    sought = [_PlainHunk(hunk, plain_lines(hunk.old), plain_lines(hunk.new)) for hunk in hunks]
    verdicts = [_by_itself(hunk, text) for hunk in sought]
    later = _moved_below(sought, verdicts)
    moved: int | None = None
    for each, verdict, below in zip(sought, verdicts, later, strict=True):
        offsets = below
        if moved is not None:
            offsets = (moved,)
        _settle(each, verdict, offsets, text, is_led=moved is not None)
        if verdict.at is not None:
            moved = verdict.at - each.hunk.at + each.growth * verdict.is_present
    for each, verdict in zip(sought, verdicts, strict=True):
        why = None
        if each.hunk.occurrence is not None and verdict.at is not None:
            why = _doubt(each, verdict.at, text, is_present=verdict.is_present)
        if why is not None:
            verdict.at = None
            verdict.why = why
    return verdicts


def _by_itself(sought: _PlainHunk, text: Text) -> Verdict:
    """The verdict on a hunk alone: at its line, else where its old lines stand exactly once."""
    hunk = sought.hunk
    if text.has(sought.old, hunk.at):
        return Verdict(hunk.at)
    places = [*islice(text.find(sought.old), 2)]
    is_bound = hunk.above >= MOST_ABOVE or not (hunk.above or hunk.below)
    if len(places) > 1:
        return Verdict(why="several")
    if places and not is_bound:
        return Verdict(places[0])
    return Verdict()


def _moved_below(
    sought: Sequence[_PlainHunk], verdicts: Sequence[Verdict]
) -> list[tuple[int, ...]]:
    """By how many lines each hunk may have moved, judging by the nearest hunk below that applies.

    The archive may have the changes of all hunks between the two, or of none. If no hunk below
    applies, the hunk has not moved.
    """
    offsets = list[tuple[int, ...]]()
    near: tuple[int, ...] = (0,)
    for each, verdict in zip(reversed(sought), reversed(verdicts), strict=True):
        if len(near) > 1:
            near = (near[0] - each.growth, near[1])
        offsets.append(near)
        if verdict.at is not None:
            moved = verdict.at - each.hunk.at
            near = (moved, moved)
    return offsets[::-1]


def _settle(
    sought: _PlainHunk, verdict: Verdict, offsets: Sequence[int], text: Text, *, is_led: bool
) -> None:
    """Settle the verdict on a hunk by how far the hunks around it have moved.

    `offsets` are the possible moves; `is_led` says that the move is that of a hunk above.
    """
    hunk = sought.hunk
    is_open = verdict.at is None or (is_led and verdict.at == hunk.at)
    if is_open:
        fits = _first_of(offsets, sought.old, hunk.at, text)
        if fits is not None:
            verdict.at = fits
    if verdict.at is None:
        if sought.new:
            verdict.at = _first_of(offsets, sought.new, hunk.at, text)
        verdict.is_present = verdict.at is not None
    elif verdict.at + len(sought.old) < len(text.lines):
        # A hunk with fewer context lines below than above was made at the end of a file, which may
        # have its new lines already.
        verdict.is_present = hunk.above > hunk.below and text.has_hunk(hunk, verdict.at)
        if not verdict.is_present and sought.new and not sought.new[-1].endswith(b"\n"):
            verdict.at = None
            verdict.why = "none"


def _doubt(sought: _PlainHunk, at: int, text: Text, *, is_present: bool) -> Misfit | None:
    """Why `git rebase` might put the change of a hunk elsewhere, if the tool wrote the hunk; `None`
    if it would not.

    The archive may have another copy of the lines, or lack one. So the lines above the change have
    to occur as often as in the file that the hunk was made from. A hunk that began or ended that
    file has to begin or end this one, because lines that the vendor adds there touch the change.
    """
    hunk = sought.hunk
    lines = sought.old
    if is_present:
        lines = sought.new
    is_at_end = hunk.below or at + len(lines) == len(text.lines)
    if not is_at_end:
        return "none"
    # Somebody has removed the lines above the change, which the tool always writes.
    if hunk.at > 0 and not hunk.above:
        return None
    if hunk.at > 0 and text.occurrence(hunk.old[: hunk.above], at) != hunk.occurrence:
        return "copies"
    if hunk.at == 0 and at > 0:
        return "none"
    return None


def _first_of(offsets: Iterable[int], lines: Sequence[bytes], at: int, text: Text) -> int | None:
    """The first line at which these lines stand, of those that are one of the offsets away from
    line `at`; `None` if there is none.
    """
    for offset in offsets:
        if text.has(lines, at + offset):
            return at + offset
    return None
