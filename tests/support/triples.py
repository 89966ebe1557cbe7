"""Triples of texts to merge, each a function of a seed: a base and two changed versions."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final, TypeAlias

from pipeline.building.merging.lines import lines_of
from tests.support.checkout import ROOT

Triple: TypeAlias = tuple[bytes, bytes, bytes]
Lines: TypeAlias = list[bytes]

_BRACES: Final = (b"}\n", b"\n", b"    }\n", b"    {\n")
_HOTFIX: Final = (
    b"    // hotfix\n",
    b"    if ($empty) {\n",
    b"        return null;\n",
    b"    }\n",
    b"\n",
)
TEXTS: Final = tuple(
    path
    for folder in (
        "tests/support/data/examples",
        "pipeline/building",
        "io_edges/building",
        "docs/howto",
    )
    for path in sorted((ROOT / folder).rglob("*"))
    if path.suffix in {".php", ".tpl", ".css", ".yml", ".json", ".md", ".py"}
    and path.stat().st_size > 1_000
)
"""Texts that people wrote, in several languages."""


def of_few_lines(seed: int) -> Triple:
    """Texts of two to eight different lines, which can be aligned in many ways."""
    random = Random(seed)
    known = [b"%d\n" % number for number in range(random.randint(2, 8))]
    base = [random.choice(known) for _ in range(random.randint(0, 24))]
    known += [b"new %d\n" % number for number in range(3)]
    return _triple(
        random, base, lambda lines: _anywhere(random, lines, known, random.randint(1, 3))
    )


def of_code(seed: int) -> Triple:
    """Texts of which many lines are braces or empty, with small changes or, on one side, much
    that is new.
    """
    random = Random(seed)
    share = random.choice((0.2, 0.3, 0.5))
    base = _block(random, share, random.randint(10, 150))
    return _triple(
        random, base, lambda lines: _rewritten(random, lines, share, random.choice((2, 3, 5, 30)))
    )


def of_texts(seed: int) -> Triple:
    """Texts of this repository, with changes as people make them."""
    random = Random(seed)
    base = lines_of(random.choice(TEXTS).read_bytes())
    return _triple(random, base, lambda lines: _as_people_do(random, lines, random.randint(1, 4)))


def _triple(random: Random, base: Lines, edit: Callable[[Lines], Lines]) -> Triple:
    """A base with two changes of it; some have a change in common, and some end without
    a line feed.
    """
    both = edit(base) if random.random() < 0.05 else base
    texts = (b"".join(each) for each in (base, edit(both), edit(both)))
    one, other, third = (text[:-1] if random.random() < 0.05 else text for text in texts)
    return one, other, third


def _anywhere(random: Random, lines: Lines, known: Sequence[bytes], times: int) -> Lines:
    """Lines of which some were taken out, put in, replaced or moved."""
    lines = lines.copy()
    for _ in range(times):
        at, out = random.randrange(len(lines) + 1), random.choice((0, 1, 2, 4))
        taken, lines[at : at + out] = (
            lines[at : at + out],
            random.choices(known, k=random.choice((0, 1, 2, 4))),
        )
        if random.random() < 0.2:
            at = random.randrange(len(lines) + 1)
            lines[at:at] = taken
    return lines


def _block(random: Random, share: float, length: int) -> Lines:
    return [
        random.choice(_BRACES) if random.random() < share else b"$%d;\n" % random.randrange(10**6)
        for _ in range(length)
    ]


def _rewritten(random: Random, lines: Lines, share: float, most: int) -> Lines:
    """Lines with a few changes; what is replaced mostly keeps its braces."""
    lines = lines.copy()
    for _ in range(random.randint(1, 3)):
        at, size = random.randrange(len(lines) + 1), random.randint(1, most)
        changed = [
            each if each in _BRACES else b"$%d;\n" % random.randrange(10**6)
            for each in lines[at : at + size]
        ]
        new: tuple[Lines, ...] = (
            changed,
            changed,
            _block(random, share, random.randint(1, most)),
            [],
        )
        lines[at : at + random.choice((size, size, 0))] = random.choice(new)
    return lines


def _as_people_do(random: Random, lines: Lines, times: int) -> Lines:
    """Lines of which some were edited, put in, copied, moved or taken out."""
    lines = lines.copy()
    for _ in range(times):
        at, other = random.randrange(len(lines)), random.randrange(len(lines))
        size = random.randint(1, 6)
        match random.choice(("edit", "edit", "edit", "insert", "copy", "move", "remove")):
            case "edit":
                lines[at] = lines[at].rstrip(b"\n") + b" // edited %d\n" % random.randrange(100)
            case "insert":
                lines[at:at] = _HOTFIX[: random.randint(1, len(_HOTFIX))]
            case "copy":
                lines[at:at] = lines[other : other + size]
            case "move":
                taken, lines[at : at + size] = lines[at : at + size], []
                lines[other:other] = taken
            case _:
                lines[at : at + size] = [] if len(lines) > size else lines[at:]
    return lines
