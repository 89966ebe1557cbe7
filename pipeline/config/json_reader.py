"""JSON: read text strictly, with the position of every value, in one pass.

Of a `package.json` only the value under one key is read so; the rest need only be JSON (`docs/configuration.md`).
Offsets count characters from 0, lines and columns from 1.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from json import JSONDecoder
from typing import Any, Final, NoReturn, TypeVar

import msgspec
from msgspec import UNSET, Struct
from returns.result import Failure, Success

from pipeline.config.tree import Json, KeyPath, Position, format_path
from pipeline.report.diagnostics import ConfigProblem
from pipeline.report.diagnostics.configuration import ConfigSyntaxError, duplicate_key, not_json, too_much
from pipeline.report.location import Location
from pipeline.report.outcome import Outcome

FILE_LIMIT: Final = 1024 * 1024
"""Bytes of a configuration, or of the value under `tool` in a `package.json`."""
PACKAGE_LIMIT: Final = 16 * 1024 * 1024
"""Bytes of a whole `package.json`."""
DEPTH_LIMIT: Final = 64
"""How deep objects and arrays may be nested."""

_SPACE: Final = re.compile(r"[ \t\n\r]*+")
_STRING: Final = re.compile(r'"(?:[^"\\\n]|\\.)*+"')
"""A string that ends in the line that it begins in."""
_WORD: Final = re.compile(r'[^\s"\[\]{},:]++')
_CONSTANTS: Final[dict[str, float]] = {}
"""The values of `NaN` and the like: JSON has none."""
_LENIENT: Final = JSONDecoder(parse_int=float, parse_constant=_CONSTANTS.__getitem__)

_Read = TypeVar("_Read")


class Member(Struct, frozen=True):
    """Where a member of an object is: its key, and its value up to its end."""

    key: int
    value: int
    end: int


def locations_in(file: str, text: str) -> Callable[[int], Location]:
    """Make a function from an offset in the text of a file to its location."""
    starts = [0, *(newline.end() for newline in re.finditer("\n", text))]

    def at(offset: int) -> Location:
        line = bisect_right(starts, offset)
        return Location(file, line, offset - starts[line - 1] + 1)

    return at


def to_text(content: bytes, file: str) -> Outcome[str]:
    """Decode UTF-8, with or without a byte order mark. Problems: `ConfigSyntaxError`."""
    content = content.removeprefix(b"\xef\xbb\xbf")
    try:
        return Success(content.decode())
    except UnicodeDecodeError as error:
        before = content[: error.start].decode()
        reason = f"the byte 0x{content[error.start]:02x} is not UTF-8"
        return Failure((not_json(locations_in(file, before)(len(before)), reason),))


def read_json(text: str, file: str, member: Member | None = None) -> Outcome[Json]:
    """Read a text, or the value of a member. Problems: `ConfigSyntaxError` (every one)."""
    reader = _Reader(text, file, member.value if member else 0)
    data = _outcome(reader.value if member else lambda: reader.whole(reader.value))
    return data.bind(
        lambda data: Failure(tuple(reader.repeated)) if reader.repeated else Success(Json(data, reader.positions))
    )


def find_member(text: str, key: str, file: str) -> Outcome[Member | None]:
    """Find the member of an object that has a key; `None` if it has none, or the text is no object.

    Problems: `ConfigSyntaxError`.
    """
    reader = _Reader(text, file)
    found = _outcome(lambda: reader.whole(lambda: tuple(reader.members(key))))
    return found.bind(lambda found: _only(found, key, reader.location))


def _only(found: tuple[Member, ...], key: str, at: Callable[[int], Location]) -> Outcome[Member | None]:
    first = next(iter(found), None)
    repeated = tuple(duplicate_key(key, at(other.key), at(found[0].key)) for other in found[1:])
    return Failure(repeated) if repeated else Success(first)


def has_key(content: bytes, key: str, file: str) -> Outcome[bool]:
    """Whether JSON is an object with a key. Problems: as of `find_member`."""
    return to_text(content, file).bind(lambda text: find_member(text, key, file)).map(lambda found: found is not None)


class _TextError(Exception):
    """The text is not what is accepted."""

    def __init__(self, problem: ConfigProblem) -> None:
        self.problem = problem


def _outcome(read: Callable[[], _Read]) -> Outcome[_Read]:
    try:
        return Success(read())
    except _TextError as fault:
        return Failure((fault.problem,))


class _Reader:
    """Reads the values of one text. `offset` is where it is."""

    def __init__(self, text: str, file: str, offset: int = 0) -> None:
        self.text, self.offset, self.location = text, offset, locations_in(file, text)
        self.positions: dict[KeyPath, Position] = {}
        self.repeated: list[ConfigSyntaxError] = []

    def whole(self, read: Callable[[], _Read]) -> _Read:
        """Read a text that is one value."""
        self._next()
        value = read()
        return value if self._next() == "" else self._unexpected("trailing characters")

    def members(self, key: str) -> Iterator[Member]:
        """Find the members with a key, and read everything else as any JSON."""
        if not self.text.startswith("{", self.offset):
            self._skip()
            return
        for at in self._items("}"):
            name = self._key()
            value = self._skip()
            if name == key:
                yield Member(at, value, self.offset)

    def value(self, path: KeyPath = (), key: int | None = None, limit: int | None = DEPTH_LIMIT) -> object:
        """Read a value strictly. `key` is where its key is, if it has one."""
        opening = self.text[self.offset : self.offset + 1]
        here = self.location(self.offset)
        self.positions[path] = Position(path, here, here if key is None else self.location(key))
        if opening == '"':
            return self._string()
        if opening not in {"{", "["}:
            return self._scalar()
        if len(path) == limit:
            raise _TextError(too_much(here, "levels", DEPTH_LIMIT))
        return self._object(path, limit) if opening == "{" else self._array(path, limit)

    def _object(self, path: KeyPath, limit: int | None) -> dict[str, object]:
        data: dict[str, object] = {}
        keys: dict[str, int] = {}
        for at in self._items("}"):
            name = self._key()
            if keys.setdefault(name, at) != at:
                self.repeated.append(
                    duplicate_key(format_path((*path, name)), self.location(at), self.location(keys[name]))
                )
            data[name] = self.value((*path, name), at, limit)
        return data

    def _array(self, path: KeyPath, limit: int | None) -> list[object]:
        return [self.value((*path, index), None, limit) for index, _ in enumerate(self._items("]"))]

    def _items(self, closing: str) -> Iterator[int]:
        """Stop at each item between two brackets, which is to be read before the next one."""
        self.offset += 1
        if self._next() != closing:
            yield self.offset
            while self._next() == ",":
                comma, self.offset = self.offset, self.offset + 1
                if self._next() == closing:
                    self._refuse(f"trailing comma in {'object' if closing == '}' else 'array'}", comma)
                yield self.offset
            if self._next() != closing:
                self._unexpected(f"expected ',' or '{closing}'")
        self.offset += 1

    def _key(self) -> str:
        """Read a key and its colon, and go to its value."""
        if not self.text.startswith('"', self.offset):
            self._unexpected("object keys must be strings")
        name = self._string()
        if self._next() != ":":
            self._unexpected("expected ':'")
        self.offset += 1
        self._next()
        return name

    def _string(self) -> str:
        string = _STRING.match(self.text, self.offset) or self._refuse("a string is not closed", self.offset)
        text = _decoded(string[0])
        if text is UNSET:
            self._refuse(f"unexpected `{string[0][:20]}`", self.offset)
        self.offset = string.end()
        return str(text)

    def _scalar(self) -> object:
        value = _decoded(word := self._word())
        if value is UNSET:
            self._unexpected("invalid character")
        self.offset += len(word)
        return value

    def _skip(self) -> int:
        """Read a value that need only be JSON, and give where it begins; a fault in it is reported as elsewhere."""
        at = self.offset
        try:
            self._pass_over()
        except RecursionError:
            self._refuse("it is nested too deeply to be read", at)
        return at

    def _pass_over(self) -> None:
        try:
            self.offset = _LENIENT.raw_decode(self.text, self.offset)[1]
        except (ValueError, KeyError):
            self.value(limit=None)

    def _next(self) -> str:
        """Go to the next character that is not white space, and give it; at the end it is empty."""
        if (character := self.text[self.offset : self.offset + 1]) > " ":
            return character
        self.offset = _SPACE.match(self.text, self.offset).end()  # type: ignore[union-attr]  # it may match nothing
        return self.text[self.offset : self.offset + 1]

    def _word(self) -> str:
        word = _WORD.match(self.text, self.offset)
        return word[0] if word else ""

    def _unexpected(self, reason: str) -> NoReturn:
        """Refuse what comes: by itself if it is not JSON, else for the reason that it is not expected here.

        A word is quoted only if the text begins like an object: it may be a file of another kind, and secret.
        """
        word = self._word()
        if word.startswith(("//", "/*", "#")):
            reason = "it has a comment"
        elif word and _decoded(word) is UNSET:
            is_object = self.text.lstrip().startswith("{")
            reason = f"unexpected `{word[:20]}`" if is_object else "it does not begin with `{`"
        elif self.offset == len(self.text):
            reason = "the text ends too early"
        self._refuse(reason, self.offset)

    def _refuse(self, reason: str, offset: int) -> NoReturn:
        raise _TextError(not_json(self.location(offset), reason))


def _decoded(token: str) -> Any:
    """The value of a string or word; `UNSET` if it is not JSON."""
    try:
        return msgspec.json.decode(token)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return UNSET
