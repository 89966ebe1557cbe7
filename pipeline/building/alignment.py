"""Alignment: which lines of a text are the same as which of another.

Two texts are aligned by taking out and putting in as few lines as can be, and often there are several ways to do so. A
diff takes one of them. A merge asks which lines are certain: they have the same counterpart in each. Bounded in time.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile
from typing import Final, TypeAlias

_MOST_EDITS: Final = 500
"""Edits of lines that have a counterpart somewhere: up to here git, too, takes as few as can be."""
_MOST_STEPS: Final = 3_000_000
"""Edits times lines: a second or two."""
_MOST_FREQUENT: Final = 1024
_AROUND: Final = 100
_SCARCE: Final = 4
"""Git's own: how many counterparts make a line frequent at most, how far it looks around such a line, and how many
times more lines than frequent ones there have to be."""

_Reach: TypeAlias = list[dict[int, int]]
"""For each number of edits, from none: up to which line of the first text it leads on each diagonal."""


def certain_lines(one: Sequence[bytes], other: Sequence[bytes]) -> dict[int, int] | None:
    """The certain lines of a text and their counterparts in another, by number; `None` if that takes too long.

    Git does not align frequent lines, such as a closing brace, that stand among lines without any counterpart. What is
    certain here is so with these lines and without.
    """
    numbers: dict[bytes, int] = {}
    a, b = ([numbers.setdefault(line, len(numbers)) for line in lines] for lines in (one, other))
    counts = Counter(a), Counter(b)
    left, right = [counts[1][line] for line in a], [counts[0][line] for line in b]
    head, tail = common_ends(a, b)
    passed = _passed_over(left, range(head, len(a) - tail)), _passed_over(right, range(head, len(b) - tail))
    certain = _certain(a, b, [at for at in range(len(a)) if left[at]], [at for at in range(len(b)) if right[at]])
    if certain and any(passed):
        kept = [at for at in range(len(a)) if left[at] and at not in passed[0]]
        without = _certain(a, b, kept, [at for at in range(len(b)) if right[at] and at not in passed[1]])
        return None if without is None else dict(certain.items() & without.items())
    return certain


def aligned_lines(one: Sequence[bytes], other: Sequence[bytes]) -> list[tuple[int, int]]:
    """The pairs of lines of a shortest alignment of two texts, by number.

    If it takes too long to find one, only what is the same at both ends and lines that stand once in each are paired.
    """
    head, tail = common_ends(one, other)
    a, b = one[head : len(one) - tail], other[head : len(other) - tail]
    counts = Counter(a), Counter(b)
    shared = counts[0].keys() & counts[1].keys()
    pairs = _pairs(a, b, shared)
    if pairs is None:
        pairs = _pairs(a, b, {line for line in shared if counts[0][line] == counts[1][line] == 1}) or []
    ends = ((len(one) - at, len(other) - at) for at in range(tail, 0, -1))
    return [*((at, at) for at in range(head)), *((head + x, head + y) for x, y in pairs), *ends]


def common_ends(*texts: Sequence[object]) -> tuple[int, int]:
    """How many elements are the same at the beginning of all sequences, and how many of the others at the end."""
    head = _common(texts)
    return head, min(_common([each[::-1] for each in texts]), *(len(each) - head for each in texts))


def _common(texts: Sequence[Sequence[object]]) -> int:
    rows = enumerate(zip(*texts, strict=False))
    return next((at for at, row in rows if row.count(row[0]) < len(row)), min(map(len, texts)))


def _passed_over(counterparts: Sequence[int], within: range) -> set[int]:
    """The frequent lines that git does not align, given how many counterparts each line has."""
    frequent = min(_MOST_FREQUENT, 1 << (len(counterparts).bit_length() + 1) // 2)  # about the square root

    def around(numbers: range) -> tuple[int, int]:
        others = (counterparts[at] for at in numbers)
        run = list(takewhile(lambda count: count == 0 or count >= frequent, others))
        return run.count(0), len(run) - run.count(0)

    passed = set[int]()
    for at in within:
        if counterparts[at] >= frequent:
            alone, many = around(range(at - 1, max(within.start, at - _AROUND) - 1, -1))
            alone_after, many_after = around(range(at + 1, min(within.stop, at + _AROUND + 1)))
            scarce = 2 + many + many_after
            if alone and alone_after and scarce * _SCARCE < scarce + alone + alone_after:
                passed.add(at)
    return passed


def _certain(a: Sequence[int], b: Sequence[int], left: Sequence[int], right: Sequence[int]) -> dict[int, int] | None:
    """The certain lines of two texts, of which only some are aligned."""
    some, others = [a[at] for at in left], [b[at] for at in right]
    there, back = _reach(some, others), _reach(some[::-1], others[::-1])
    if there is None or back is None:
        return None
    matches: dict[int, set[tuple[int, int]]] = {}
    for rank, x, y in _matches(some, others, there, back):
        matches.setdefault(rank, set()).add((left[x], right[y]))
    return dict(next(iter(each)) for each in matches.values() if len(each) == 1)


def _pairs(a: Sequence[bytes], b: Sequence[bytes], lines: Collection[bytes]) -> list[tuple[int, int]] | None:
    """The pairs of a shortest alignment of some lines of two texts; `None` if it takes too long to find one."""
    left, right = ([at for at, line in enumerate(text) if line in lines] for text in (a, b))
    some, others = [a[at] for at in left], [b[at] for at in right]
    reach = _reach(some, others)
    return None if reach is None else [(left[x], right[y]) for x, y in _way(reach, len(some), len(others))][::-1]


def _way(reach: _Reach, x: int, y: int) -> Iterator[tuple[int, int]]:
    """The pairs on a way back from the ends of both texts."""
    diagonal = x - y
    for edits in range(len(reach) - 1, -1, -1):
        before = reach[edits - 1] if edits else {1: 0}
        down, right = before.get(diagonal + 1, -1), before.get(diagonal - 1, -1) + 1
        while x > max(down, right):
            x -= 1
            yield x, x - diagonal
        diagonal, x = (diagonal + 1, down) if down >= right else (diagonal - 1, right - 1)


def _reach(a: Sequence[object], b: Sequence[object]) -> _Reach | None:
    """How far edits lead (Myers, 1986), up to the end of both texts; `None` if that takes too many of them."""
    limit = min(_MOST_EDITS, _MOST_STEPS // (len(a) + len(b) + 1))
    reach: _Reach = []
    before = {1: 0}
    while len(reach) <= limit:
        level = {}
        for diagonal in range(-len(reach), len(reach) + 1, 2):
            x = max(before.get(diagonal + 1, -1), before.get(diagonal - 1, -1) + 1)
            while x < len(a) and x - diagonal < len(b) and a[x] == b[x - diagonal]:
                x += 1
            level[diagonal] = x
        reach.append(level)
        if level.get(len(a) - len(b), -1) >= len(a):
            return reach
        before = level
    return None


def _matches(a: Sequence[int], b: Sequence[int], there: _Reach, back: _Reach) -> Iterator[tuple[int, int, int]]:
    """The matches of all shortest alignments: how many come before, and the two lines."""
    most, end = len(there) - 1, len(a) - len(b)
    for diagonal in range(-most, most + 1):
        for edits in range(abs(diagonal), most - abs(end - diagonal) + 1, 2):
            first = max(0, diagonal, len(a) - back[most - edits][end - diagonal])
            for x in range(first, min(len(a), len(b) + diagonal, there[edits][diagonal])):
                if a[x] == b[x - diagonal]:
                    yield (2 * x - diagonal - edits) // 2, x, x - diagonal
