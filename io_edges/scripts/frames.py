"""Frames: the places that a stack or a message of the runtime names.

A script can make both up, of any length: each line is looked at once.
"""

from typing import Final

from msgspec import Struct

URL: Final = "file://"
"""What the address of a file begins with."""
_DIGITS: Final = 9


class Frame(Struct, frozen=True):
    """The address of a file, with a line and a column."""

    url: str
    line: int
    column: int


def frames_of(stack: str) -> list[Frame]:
    """The places that a stack names, each in a line `at name (URL:line:column)` or `at URL:line:column`."""
    lines = (line.strip() for line in stack.split("\n"))
    frames = (_frame(line[line.find(URL) :].removesuffix(")")) for line in lines if line.startswith("at "))
    return [frame for frame in frames if frame]


def stated_in(message: str) -> list[Frame]:
    """The places that a message states, each at the end of a line."""
    frames = (_frame(line[line.rfind(f" at {URL}") + len(" at ") :]) for line in message.split("\n"))
    return [frame for frame in frames if frame]


def without_place(line: str) -> str:
    """Leave out the place that a line of a message states."""
    return line[: line.rfind(f" at {URL}")] if stated_in(line) else line


def _frame(text: str) -> Frame | None:
    """The place that `URL:line:column` stands for; `None` if it is not one of a file."""
    url, *place = text.rsplit(":", 2)
    is_place = url.startswith(URL) and len(place) == len(("line", "column"))
    if not is_place or not all(number.isascii() and number.isdigit() and len(number) <= _DIGITS for number in place):
        return None
    return Frame(url, *map(int, place))
