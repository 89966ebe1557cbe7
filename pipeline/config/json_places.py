"""JSON as text: what it holds, and where each value is.

msgspec decodes strictly, but reports neither where a value is nor that a key is repeated: a scan over the tokens of
what it accepted adds that. Offsets count characters of the text from 0. The rules are in
`docs/configuration.md`.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from typing import Final

import msgspec
from msgspec import Struct
from returns.result import Failure, Result, Success

from pipeline.config.tree import KeyPath, Offsets
from pipeline.report.diagnostics import ConfigProblem
from pipeline.report.diagnostics.configuration import DuplicateKey, MalformedJson
from pipeline.report.location import Location
from pipeline.report.outcome import Outcome

FILE_LIMIT: Final = 1024 * 1024
"""Bytes of a configuration, or of the value under `tool` in a `package.json`."""
PACKAGE_LIMIT: Final = 16 * 1024 * 1024
"""Bytes of a whole `package.json`."""
DEPTH_LIMIT: Final = 64
"""How deep objects and arrays may be nested."""

_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{},:]|[^\s"\[\]{},:]++', re.DOTALL)
_CLOSED: Final = r'"(?:[^"\\\n]|\\.)*+"'
"""A string that ends in the line that it begins in."""
_BYTE: Final = r" \(byte (\d+)\)$"


class JsonFault(Struct, frozen=True):
    """Why a text is not JSON, and where. Line and column count from 1."""

    reason: str
    line: int
    column: int


class Passage(Struct, frozen=True):
    """The part of a text, from `start` up to `end`, that is one JSON value."""

    text: str
    start: int
    end: int

    def tokens(self) -> Iterator[re.Match[str]]:
        """Each bracket, comma, colon, string and other scalar, in order."""
        return _TOKEN.finditer(self.text, self.start, self.end)


class Places(Struct, frozen=True):
    """The place of every value, and each repeated key: its path, its place and the place of its first occurrence."""

    of: Mapping[KeyPath, Offsets]
    repeated: tuple[tuple[KeyPath, int, int], ...]


def locator(text: str) -> Callable[[int], tuple[int, int]]:
    """Make a function from an offset to its line and column, counted from 1."""
    starts = [0, *(newline.end() for newline in re.finditer("\n", text))]

    def at(offset: int) -> tuple[int, int]:
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    return at


def locations_in(file: str, text: str) -> Callable[[int], Location]:
    """Make a function from an offset in the text of a file to its location."""
    at = locator(text)
    return lambda offset: Location(file, *at(offset))


def malformed(file: str) -> Callable[[JsonFault], tuple[ConfigProblem, ...]]:
    """Make a function from a fault in a file to the failure of a stage."""
    return lambda fault: (MalformedJson(Location(file, fault.line, fault.column), fault.reason),)


def to_text(content: bytes) -> Result[Passage, JsonFault]:
    """Decode UTF-8, with or without a byte order mark."""
    content = content.removeprefix(b"\xef\xbb\xbf")
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        before = content[: error.start].decode()
        return Failure(_fault(f"the byte 0x{content[error.start]:02x} is not UTF-8", before, len(before)))
    return Success(Passage(text, 0, len(text)))


def decode_json(passage: Passage) -> Result[object, JsonFault]:
    """Decode strict JSON."""
    content = passage.text[passage.start : passage.end].encode()
    try:
        return Success(msgspec.json.decode(content))
    except RecursionError:
        return Failure(_fault("it is nested too deeply to be read", passage.text, passage.start))
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return Failure(_explain(str(error), content, passage))


def too_deep(passage: Passage, limit: int) -> int | None:
    """The offset of the first bracket beyond a depth, or `None`, whether or not the text is JSON."""
    depth = 0
    for token in passage.tokens():
        if token[0] in "[{":
            depth += 1
            if depth > limit:
                return token.start()
        elif token[0] in "]}":
            depth -= 1
    return None


def values_of(passage: Passage, key: str) -> tuple[tuple[int, Passage], ...]:
    """The values under a key of an object, which must be valid JSON, each with the offset of the key."""
    values: tuple[tuple[int, Passage], ...] = ()
    depth = 0
    name, at = "", 0
    start: int | None = None  # where the value of the current pair starts; None until its key was read
    for token in passage.tokens():
        if depth == 1 and token[0] == ":":
            start = token.end()
        elif depth == 1 and token[0] in ",}":
            if name == key and start is not None:
                values += ((at, Passage(passage.text, start, token.start())),)
            start = None
        elif depth == 1 and start is None:
            name, at = _string(token), token.start()
        depth += (token[0] in "[{") - (token[0] in "]}")
    return values


def value_of_key(passage: Passage, key: str, file: str) -> Outcome[Passage | None]:
    """The value under a key of an object, which must be valid JSON; `None` if it has none. Problems: `DuplicateKey`."""
    values = values_of(passage, key)
    if values[1:]:
        at = locations_in(file, passage.text)
        (first, _), *others = values
        return Failure(tuple(DuplicateKey(key, at(again), at(first)) for again, _ in others))
    return Success(values[0][1] if values else None)


def has_key(content: bytes, key: str) -> Result[bool, JsonFault]:
    """Whether the JSON in `content` is an object with a key."""
    return to_text(content).bind(decode_json).map(lambda data: isinstance(data, dict) and key in data)


def places(passage: Passage) -> Places:
    """Find every value of a passage, which must be valid JSON."""
    offsets: dict[KeyPath, Offsets] = {}
    repeated: list[tuple[KeyPath, int, int]] = []
    path: list[str | int] = []
    open_keys: list[dict[str, int] | None] = []  # the keys so far of each open object; None for an array
    key: int | None = None
    for token in passage.tokens():
        at, keys = token.start(), open_keys[-1] if open_keys else None
        match token[0][0]:
            case "," if keys is None:
                path[-1] = int(path[-1]) + 1
            case "," | ":":
                continue
            case "]" | "}":
                open_keys.pop()
                path.pop()
            case '"' if keys is not None and key is None:
                path[-1] = name = _string(token)
                if name in keys:
                    repeated.append((tuple(path), at, keys[name]))
                keys.setdefault(name, at)
                key = at
                continue
            case opening:
                offsets[tuple(path)] = Offsets(at, at if key is None else key)
                if opening in "[{":
                    open_keys.append({} if opening == "{" else None)
                    path.append("" if opening == "{" else 0)
        key = None
    return Places(offsets, tuple(repeated))


def _string(token: re.Match[str]) -> str:
    return msgspec.json.decode(token[0], type=str)


def _explain(message: str, content: bytes, passage: Passage) -> JsonFault:
    """Place msgspec's error: at what is not JSON before it, else at the byte that it names, else at the end."""
    reason, place = re.sub(_BYTE, "", message).removeprefix("JSON is malformed: "), re.search(_BYTE, message)
    offset = passage.end
    if place:
        after = reason == "trailing characters"  # msgspec has read the first of them
        offset = passage.start + len(content[: int(place[1]) - after].decode(errors="ignore"))
    comma = None
    for token in passage.tokens():
        if token.start() > offset:
            break
        comma = token.start() if token[0] == "," else comma
        if token[0].startswith('"') and not re.fullmatch(_CLOSED, token[0]):
            return _fault("a string is not closed", passage.text, token.start())
        if token[0] not in {*"[]{},:"} and not (place and token[0].startswith('"')) and not _is_json(token[0]):
            return _fault(_unexpected(token[0], passage), passage.text, token.start())
    if reason.startswith("trailing comma") and comma is not None:
        return _fault(reason, passage.text, comma)
    return _fault(reason if place else "the text ends too early", passage.text, offset)


def _unexpected(word: str, passage: Passage) -> str:
    """Quote a word, unless the text does not begin like an object: it may be a file of another kind, and secret."""
    if word.startswith(("//", "/*", "#")):
        return "it has a comment"
    is_object = passage.text[passage.start :].lstrip().startswith("{")
    return f"unexpected `{word[:20]}`" if is_object else "it does not begin with `{`"


def _is_json(text: str) -> bool:
    try:
        msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
    return True


def _fault(reason: str, text: str, offset: int) -> JsonFault:
    return JsonFault(reason, *locator(text)(offset))
