"""JSON: read text strictly, with the position of every value, in one pass.

Of a `package.json` only the value under one key is read so; the rest need only be JSON
(`docs/configuration.md`). Offsets count characters from 0, lines and columns from 1.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

import msgspec
from msgspec import UNSET
from returns.result import Failure, Success

from pipeline.config.tree import Json, KeyPath, Position, format_path
from pipeline.report.diagnostics import ConfigError
from pipeline.report.diagnostics.configuration import (
    ConfigSyntaxError,
    NotJson,
    duplicate_key,
    not_json,
    too_much,
)
from pipeline.report.location import Location
from pipeline.report.outcome import Outcome

if TYPE_CHECKING:
    from json import JSONDecoder

DEPTH_LIMIT: Final = 64
"""How deep objects and arrays may be nested."""

_SYMBOL: Final = re.compile(r'[ \t\n\r]*+([{}\[\],:]|"(?:[^"\\\n]|\\.)*+"|[^\s"\[\]{},:]++|)')
"""A mark, a string that ends on its line, or a word; empty at the end and before anything else."""
_MARKS: Final = frozenset("{}[],:")
_NAMES: Final = {"}": "object", "]": "array"}
"""What each closing bracket ends."""
_CONFLICT: Final = ("<<<<<<<", "|||||||", "=======", ">>>>>>>")
_IN_STRINGS: Final[tuple[tuple[NotJson, str], ...]] = (
    ("escape", r'(?:[^\\]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*+(\\(?:u[0-9a-fA-F]{0,3}|.))'),
    ("control", r"[^\x00-\x1f]*+([\x00-\x1f])"),
    (
        "surrogate",
        r"(?i)(?:[^\\]|\\[^u]|\\u(?!d[89a-f])....|\\ud[89ab]..\\ud[c-f]..)*+(\\u....)",
    ),
)
"""What a string in JSON cannot have: the text before it, and that itself."""
_CONSTANTS: Final[dict[str, float]] = {}
"""The values of `NaN` and its like, which JSON lacks."""

_Read = TypeVar("_Read")


@cache
def _lenient() -> "JSONDecoder":
    """Reads past the rest of a `package.json`."""
    from json import JSONDecoder  # costs start-up time

    return JSONDecoder(parse_int=float, parse_constant=_CONSTANTS.__getitem__)


def locations_in(file: str, text: str) -> Callable[[int], Location]:
    """Make a function from an offset in the text of a file to its location."""
    starts = [0, *(newline.end() for newline in re.finditer("\n", text))]

    def at(offset: int) -> Location:
        line = bisect_right(starts, offset)
        return Location(file, line, offset - starts[line - 1] + 1)

    return at


def to_text(content: bytes, file: str) -> Outcome[str]:
    """Decode UTF-8, with or without a byte order mark. Errors: `ConfigSyntaxError`."""
    content = content.removeprefix(b"\xef\xbb\xbf")
    try:
        return Success(content.decode())
    except UnicodeDecodeError as error:
        before = content[: error.start].decode()
        byte = f"0x{content[error.start]:02x}"
        return Failure((not_json(locations_in(file, before)(len(before)), "encoding", byte),))


def read_json(text: str, file: str, start: int = 0) -> Outcome[Json]:
    """Read a text; or only the value in it that begins at `start`. Errors: `ConfigSyntaxError`
    (every one).
    """
    reader = _Reader(text, file, start)
    read = reader.value
    if not start:
        read = partial(reader.whole, reader.value)
    return reader.outcome(read).map(lambda data: Json(data, reader.positions))


def find_member(text: str, key: str, file: str) -> Outcome[tuple[int, int] | None]:
    """Find where the value of a key begins and ends; `None` if the text is no object, or has
    no such key.

    Errors: `ConfigSyntaxError`.
    """
    reader = _Reader(text, file)
    return reader.outcome(lambda: reader.whole(lambda: reader.member(key)))


def has_key(content: bytes, key: str, file: str) -> Outcome[bool]:
    """Whether JSON is an object with a key. Errors: as of `find_member`."""
    return (
        to_text(content, file)
        .bind(lambda text: find_member(text, key, file))
        .map(lambda found: found is not None)
    )


class _TextError(Exception):
    """The text is not accepted."""

    def __init__(self, error: ConfigError) -> None:
        self.error = error


class _Reader:
    """Reads the values of one text. `symbol` is the next one, and begins at `start`."""

    def __init__(self, text: str, file: str, start: int = 0) -> None:
        self.text = text
        self.location = locations_in(file, text)
        self.positions: dict[KeyPath, Position] = {}
        self._repeated: list[ConfigSyntaxError] = []
        self._go_to(start)

    def outcome(self, read: Callable[[], _Read]) -> Outcome[_Read]:
        """What is read, or what is wrong with it."""
        try:
            found = read()
        except _TextError as fault:
            return Failure((fault.error,))
        if self._repeated:
            return Failure(tuple(self._repeated))
        return Success(found)

    def whole(self, read: Callable[[], _Read]) -> _Read:
        """Read a text that is one value."""
        value = read()
        if self.start < len(self.text):
            self._unexpected("late end")
        return value

    def member(self, key: str) -> tuple[int, int] | None:
        """Find the member with a key, and read everything else as lenient JSON."""
        if self.symbol != "{":
            self._skip()
            return None
        found: list[tuple[int, int, int]] = []
        for at in self._items("}"):
            name = self._key()
            start = self.start
            end = self._skip()
            if name == key:
                found.append((at, start, end))
        self._repeated += [
            duplicate_key(key, self.location(at), self.location(found[0][0]))
            for at, *_ in found[1:]
        ]
        if not found:
            return None
        return found[0][1:]

    def value(
        self, path: KeyPath = (), key: Location | None = None, limit: int | None = DEPTH_LIMIT
    ) -> object:
        """Read a value strictly. `key` is the offset of its key, if it has one."""
        here = self.location(self.start)
        self.positions[path] = Position(path, here, key or here)
        if self.symbol not in {"{", "["}:
            return self._scalar()
        if len(path) == limit:
            raise _TextError(too_much(here, "levels", DEPTH_LIMIT))
        if self.symbol == "[":
            return [
                self.value((*path, index), None, limit) for index, _ in enumerate(self._items("]"))
            ]
        data: dict[str, object] = {}
        keys: dict[str, Location] = {}
        for at in self._items("}"):
            name = self._key()
            location = self.location(at)
            first = keys.setdefault(name, location)
            if first is not location:
                self._repeated.append(duplicate_key(format_path((*path, name)), location, first))
            data[name] = self.value((*path, name), location, limit)
        return data

    def _items(self, closing: str) -> Iterator[int]:
        """Stop at each item between two brackets; the caller reads it before the next one."""
        self._advance()
        if self.symbol != closing:
            yield self.start
            while self.symbol == ",":
                comma = self.start
                self._advance()
                if self.symbol == closing:
                    self._refuse(comma, "trailing comma", _NAMES[closing])
                yield self.start
            if self.symbol != closing:
                self._unexpected("separator", closing)
        self._advance()

    def _key(self) -> str:
        """Read a key and its colon, and go to its value."""
        if not self.symbol.startswith('"'):
            self._unexpected("key")
        name = str(self._scalar())
        if self.symbol != ":":
            self._unexpected("colon")
        self._advance()
        return name

    def _scalar(self) -> object:
        value = _decoded(self.symbol)
        if value is UNSET:
            self._unexpected("character")
        self._advance()
        return value

    def _skip(self) -> int:
        """Read a value leniently, and return its end. A fault in it is reported like any other."""
        start = end = self.start
        try:
            with suppress(ValueError, KeyError):
                end = _lenient().raw_decode(self.text, start)[1]
            if end > start:
                self._go_to(end)
            else:
                self.value(limit=None)
        except RecursionError:
            self._refuse(start, "depth")
        return end

    def _advance(self) -> None:
        self._go_to(self._end)

    def _go_to(self, offset: int) -> None:
        match: Any = _SYMBOL.match(self.text, offset)  # it may match nothing, and so always matches
        self.symbol: str = match[1]
        self.start: int = match.start(1)
        self._end: int = match.end(1)

    def _unexpected(self, fault: NotJson, detail: str = "") -> NoReturn:
        """Refuse the symbol: on its own account if it is not JSON, else because it is not
        expected here.

        A word is quoted only if the text begins like an object: a file of another kind may
        hold secrets.
        """
        if self.symbol.startswith(_CONFLICT):
            self._refuse(self.start, "conflict")
        if self.symbol.startswith(("//", "/*", "#")):
            self._refuse(self.start, "comment")
        if self.symbol.startswith('"'):
            for cause, pattern in _IN_STRINGS:
                if wrong := re.match(pattern, self.symbol):
                    self._refuse(self.start + wrong.start(1), cause, wrong[1])
        if self.symbol and self.symbol not in _MARKS and _decoded(self.symbol) is UNSET:
            if self.text.lstrip().startswith("{"):
                self._refuse(self.start, "word", self.symbol[:20])
            self._refuse(self.start, "no object")
        if self.text.startswith('"', self.start) and not self.symbol:
            self._refuse(self.start, "open string")
        if self.start < len(self.text):
            self._refuse(self.start, fault, detail)
        if self.text.strip():
            self._refuse(self.start, "early end")
        self._refuse(self.start, "empty")

    def _refuse(self, offset: int, fault: NotJson, detail: str = "") -> NoReturn:
        raise _TextError(not_json(self.location(offset), fault, detail))


def _decoded(text: str) -> Any:
    """The value of a string or word; `UNSET` if it is not JSON."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return UNSET
