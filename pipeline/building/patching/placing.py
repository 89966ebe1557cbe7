"""Placing: at which lines of a file the hunks of a patch stand.

Each is looked for by itself; then those around it say how far the lines have moved, where
that decides.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from msgspec import Struct

from pipeline.building.merging.lines import lines_of
from pipeline.building.patching.patch_lines import Hunk, Occurrence
from pipeline.report.diagnostics.patches import Misfit

MOST_ABOVE: Final = 40
"""How many common lines are above a change, at the most; with as many, they need not stand once."""
_MOST_STEPS: Final = 20_000_000
"""Lines that are compared for one patch. Only a patch that was made for it needs as many."""


class Verdict(Struct):
    """Where a hunk stands in a file: with its old lines, or with its new ones; nowhere, or in
    several places.
    """

    at: int | None = None
    """The line, from 0; `None` if it stands nowhere, or nobody can say where."""
    is_present: bool = False
    """Whether the file has its new lines."""
    why: Misfit = "none"


class Effort:
    """How many lines may still be compared."""

    def __init__(self) -> None:
        self.remaining = _MOST_STEPS

    def allows(self, steps: int) -> bool:
        """Compare some more, if there is effort left for them."""
        self.remaining -= steps
        return self.remaining > 0


def plain(content: bytes) -> bytes:
    """Lines without the carriage returns at their ends."""
    return content.replace(b"\r\n", b"\n")


def plain_lines(lines: list[bytes]) -> list[bytes]:
    """Lines, each without a carriage return at its end."""
    if b"\r\n" not in b"".join(lines):  # nearly always: cheaper than to look at each line
        return lines
    return list(map(plain, lines))


class Text:
    """A file by lines, in which others are looked for."""

    def __init__(self, content: bytes, effort: Effort) -> None:
        self.lines = lines_of(content)
        self._plain = plain_lines(self.lines)
        ends = content.count(b"\n")
        self.has_ends = ends > 0
        self._has_crlf = 2 * content.count(b"\r\n") > ends
        self._effort = effort
        self._numbers: dict[bytes, list[int]] = {}

    def with_end(self, line: bytes) -> bytes:
        """A line that is put in, with the end that lines of the file have."""
        text = plain(line)
        if self._has_crlf and text.endswith(b"\n"):
            return text.removesuffix(b"\n") + b"\r\n"
        return text

    def has(self, lines: Sequence[bytes], at: int) -> bool:
        """Whether lines, without carriage returns, stand at a line."""
        return 0 <= at <= len(self.lines) and self._plain[at : at + len(lines)] == lines

    def has_hunk(self, hunk: Hunk, at: int) -> bool:
        """Whether the new lines of a hunk stand where its old ones do."""
        if self.is_exact(hunk, at):
            return self.lines[at : at + len(hunk.new)] == hunk.new
        return self.has(plain_lines(hunk.new), at)

    def is_exact(self, hunk: Hunk, at: int) -> bool:
        """Whether the old lines of a hunk stand at a line with their carriage returns."""
        return self.lines[at : at + len(hunk.old)] == hunk.old

    def find(self, lines: Sequence[bytes]) -> Iterator[int]:
        """The lines, from 0, at which lines stand. It is looked around the one of them that stands
        in fewest places.
        """
        if not lines:
            return
        if not self._numbers:
            for number, line in enumerate(self._plain):
                self._numbers.setdefault(line, []).append(number)
        places = [self._numbers.get(line, []) for line in lines]
        rarest = min(range(len(lines)), key=lambda number: len(places[number]))
        for number in places[rarest]:
            if not self._effort.allows(len(lines)):
                return
            if self.has(lines, number - rarest):
                yield number - rarest

    def occurrence(self, lines: Sequence[bytes], at: int) -> Occurrence | None:
        """Which of the places where lines stand is at a line; `None` if none is, or it takes too
        long to say.
        """
        places = list(self.find(list(map(plain, lines))))
        if at not in places or self._effort.remaining <= 0:
            return None
        return Occurrence(places.index(at) + 1, len(places))


class _Sought(Struct, frozen=True):
    """A hunk, and its lines without carriage returns."""

    hunk: Hunk
    old: list[bytes]
    new: list[bytes]

    @property
    def grows(self) -> int:
        """How many lines more a file has with it."""
        return len(self.new) - len(self.old)


def verdicts_of(hunks: Sequence[Hunk], text: Text) -> list[Verdict]:
    """Where the hunks of a file stand."""
    sought = [_Sought(hunk, plain_lines(hunk.old), plain_lines(hunk.new)) for hunk in hunks]
    verdicts = [_by_itself(hunk, text) for hunk in sought]
    later = _moved_below(sought, verdicts)
    moved: int | None = None
    for each, verdict, below in zip(sought, verdicts, later, strict=True):
        offsets = below
        if moved is not None:
            offsets = (moved,)
        _settle(each, verdict, offsets, text, is_led=moved is not None)
        if verdict.at is not None:
            moved = verdict.at - each.hunk.at + each.grows * verdict.is_present
    for each, verdict in zip(sought, verdicts, strict=True):
        why = None
        if each.hunk.occurrence is not None and verdict.at is not None:
            why = _doubt(each, verdict.at, text, is_present=verdict.is_present)
        if why is not None:
            verdict.at = None
            verdict.why = why
    return verdicts


def _by_itself(sought: _Sought, text: Text) -> Verdict:
    """Where a hunk fits: at its line, else where its lines stand exactly once."""
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


def _moved_below(sought: Sequence[_Sought], verdicts: Sequence[Verdict]) -> list[tuple[int, ...]]:
    """By how many lines each hunk has moved, as the nearest one says that fits below it.

    The archive may have all hunks between, or none of them. If no hunk fits, none has moved.
    """
    offsets = list[tuple[int, ...]]()
    near: tuple[int, ...] = (0,)
    for each, verdict in zip(reversed(sought), reversed(verdicts), strict=True):
        if len(near) > 1:
            near = (near[0] - each.grows, near[1])
        offsets.append(near)
        if verdict.at is not None:
            moved = verdict.at - each.hunk.at
            near = (moved, moved)
    return offsets[::-1]


def _settle(
    sought: _Sought, verdict: Verdict, offsets: Sequence[int], text: Text, *, is_led: bool
) -> None:
    """Decide about a hunk by how far the hunks around it have moved; `is_led` says that one of
    them is above.
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
        # one with fewer common lines below was made at the end of a file, where its new lines may
        # stand by now
        verdict.is_present = hunk.above > hunk.below and text.has_hunk(hunk, verdict.at)
        if not verdict.is_present and sought.new and not sought.new[-1].endswith(b"\n"):
            verdict.at = None
            verdict.why = "none"


def _doubt(sought: _Sought, at: int, text: Text, *, is_present: bool) -> Misfit | None:
    """Why `git rebase` might carry the change of a hunk that the tool wrote elsewhere; `None` if
    it does not.

    The archive may have a copy of its lines, or lack one that it had. So those above the change
    have to occur as often as in the file that the hunk was made from. A hunk that began or ended
    that file has to begin or end this one: what the vendor has put in there touches it.
    """
    hunk = sought.hunk
    lines = sought.old
    if is_present:
        lines = sought.new
    is_at_end = hunk.below or at + len(lines) == len(text.lines)
    if not is_at_end:
        return "none"
    if hunk.at > 0 and not hunk.above:
        return None  # somebody has cut it: the tool writes lines above such a change
    if hunk.at > 0 and text.occurrence(hunk.old[: hunk.above], at) != hunk.occurrence:
        return "copies"
    if hunk.at == 0 and at > 0:
        return "none"
    return None


def _first_of(offsets: Iterable[int], lines: Sequence[bytes], at: int, text: Text) -> int | None:
    """The first place at which lines stand, of those that are some lines away from one; `None`
    if it is none.
    """
    for offset in offsets:
        if text.has(lines, at + offset):
            return at + offset
    return None
