"""Law of deflated data: every library that may inflate it makes the same of it, whatever codes it
is packed with.
"""

import zlib
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from io_edges.archives.data import inflater
from tests.support.sweep import Counted, law

END = 256
LENGTH_ORDER = (16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15)


class Bits:
    """Bits in the order of deflate: numbers from their lowest bit, codes from their highest."""

    def __init__(self) -> None:
        self.digits: list[str] = []

    def number(self, value: int, width: int) -> None:
        """Add a number."""
        self.digits.append(f"{value:0{width}b}"[::-1] if width else "")

    def code(self, value: int, width: int) -> None:
        """Add a code."""
        self.digits.append(f"{value:0{width}b}")

    def packed(self) -> bytes:
        """All of them in bytes."""
        digits = "".join(self.digits)
        return int(digits[::-1], 2).to_bytes((len(digits) + 7) // 8, "little")


def codes(lengths: Sequence[int]) -> dict[int, tuple[int, int]]:
    """The code of each symbol, and its width; what does not fit into the width is cut off."""
    found, code = {}, 0
    for width in range(1, 16):
        for symbol in (each for each, length in enumerate(lengths) if length == width):
            found[symbol] = (code & ((1 << width) - 1), width)
            code += 1
        code <<= 1
    return found


def lengths(random: Random, count: int, used: Sequence[int]) -> list[int]:
    """The widths of so many codes, of which some are used: in a quarter of all cases codes are
    missing, or too many.
    """
    widths = [1] if len(used) == 1 else [0]
    while len(widths) < len(used):
        widths += [widths.pop(random.randrange(len(widths))) + 1] * 2
    if random.random() < 0.25:
        at = random.randrange(len(widths))
        widths[at] += random.choice([-1, 1, 2])
    random.shuffle(widths)
    by_symbol = dict(zip(used, widths, strict=False))
    return [min(15, max(0, by_symbol.get(symbol, 0))) for symbol in range(count)]


def stream(random: Random) -> bytes:
    """One block with codes of its own: sound ones, or ones with a fault."""
    literals, distances = (
        random.choice([257, 258, 286, 287, 288]),
        random.choice([1, 2, 30, 31, 32]),
    )
    letters = random.sample(range(END), random.choice([0, 1, 2, 7]))
    repeats = [
        symbol
        for symbol in (257, 285, literals - 1)
        if END < symbol < literals and random.random() < 0.4
    ]
    ends = [END] * (random.random() < 0.9)
    of_literals = lengths(random, literals, [*letters, *dict.fromkeys(repeats), *ends])
    of_distances = lengths(
        random, distances, random.sample(range(distances), random.choice([0, 1, min(2, distances)]))
    )
    bits = Bits()
    for value, width in ((1, 1), (2, 2), (literals - END - 1, 5), (distances - 1, 5), (15, 4)):
        bits.number(value, width)
    for symbol in LENGTH_ORDER:  # the widths themselves in four bits each, nearly always
        bits.number(4 * (symbol < 16) if random.random() < 0.998 else random.randrange(8), 3)
    for width in of_literals + of_distances:
        bits.code(width, 4)
    literal, distance = codes(of_literals), codes(of_distances)
    written = random.choices(letters, k=random.choice([0, 1, 9])) if letters else []
    for symbol in (*written, *repeats[:1], *ends):
        bits.code(*literal.get(symbol, (0, 0)))
        if symbol > END and distance:
            far, code = random.choice(list(distance.items()))
            bits.code(*code)
            bits.number(0, max(0, far // 2 - 1))
    bits.number(random.getrandbits(16), 16 * (random.random() < 0.1))
    return bits.packed()


def inflated(library: Any, data: bytes) -> bytes | tuple[bytes, int] | None:
    """What a library makes of a stream: its data and what is left; none if the
    library refuses it.
    """
    inflate = library.decompressobj(-15)
    try:
        found = inflate.decompress(data, 100_000)
    except library.error:
        return None
    return (found, len(inflate.unused_data)) if inflate.eof else b"cut off"


@pytest.mark.sweep
@pytest.mark.usefixtures("unmeasured")
def test_the_library_and_zlib_agree(counted: Counted) -> None:
    """For any deflated stream, the library that is used gives the data that zlib gives, and refuses
    what zlib refuses.
    """
    random = Random(1)  # the same streams on every run
    streams = [stream(random) for _ in range(law(8_000))]
    by_zlib = [inflated(zlib, data) for data in streams]
    assert [inflated(inflater(), data) for data in streams] == by_zlib
    taken = sum(found is not None for found in by_zlib)
    assert len(streams) // 10 < taken < len(streams) * 9 // 10
    counted("streams inflated by two libraries", len(streams))
