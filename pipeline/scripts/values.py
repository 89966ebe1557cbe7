"""Values: the grammar of a literal's values, with the types that may be written around them."""

from collections.abc import Callable
from typing import Final

from msgspec import Struct

from pipeline.config.json_reader import DEPTH_LIMIT
from pipeline.config.tree import KeyPath, Position
from pipeline.report.location import Location
from pipeline.scripts.tokens import unescape
from pipeline.scripts.types import Types

SIZE_LIMIT: Final = 128 * 1024
"""Characters of a script, and characters and values of what it exports; anything larger is not read."""
TYPED: Final = frozenset({".ts", ".mts", ".cts"})
"""The suffixes of files that may have types."""
HELPERS: Final = frozenset({"defineConfig", "definePreset"})
"""The functions of the package `tool`, which return their argument."""

_WORDS: Final[dict[str, object]] = {"true": True, "false": False, "null": None}
_SPECIAL: Final = frozenset({"__proto__", "__esModule", "then", "toJSON"})
"""Keys that can make an object something other than what is written."""


class Member(Struct, frozen=True):
    """A value in an object, with the offset of its key."""

    key: int
    value: "Value"


class Value(Struct, frozen=True):
    """A value as it is written. What a `const` holds is shared by all places that it is used in."""

    start: int
    plain: object
    """A scalar; of an object or a list, its members."""
    size: int = 1
    """Characters and values; those of a `const` count wherever it is used."""
    levels: int = 0


class Values(Types):
    """Reads values, with the types around them."""

    def __init__(self, text: str, suffix: str) -> None:
        super().__init__(text)
        self.is_typed = suffix in TYPED
        self.constants: dict[str, Value] = {}
        self.helpers: set[str] = set()
        self.packages: set[str] = set()

    def value(self) -> Value:
        """Read a value, up to what ends it."""
        start = self.start
        value = self.inside(self._written)
        return value if self._ends() else self.refuse(start)

    def _ends(self) -> bool:
        """Whether nothing follows that belongs to an expression which might end here."""
        if self.kind == "mark":
            return self.sees(",", ";", ")", "]", "}")
        is_new = self.on_new_line and self.kind in {"name", "string"} and not self.sees("in", "instanceof")
        return is_new or self.kind == "end"

    def _written(self) -> Value:
        """Read a value with what may be written after it to tell its type."""
        value = self._bare()
        while self._continues("!"):
            self.advance()
        while self._continues("as", "satisfies"):
            is_cast = self.sees("as")
            self.advance()
            if not (is_cast and self.takes("const")):
                self.type()
        return value

    def _continues(self, *words: str) -> bool:
        """Whether a word about the type of a value follows, which it cannot on a new line."""
        return self.is_typed and not self.on_new_line and self.sees(*words)

    def _bare(self) -> Value:
        """Read a value alone."""
        start, kind, text = self.start, self.kind, self.text
        if kind == "name":
            return self._named()
        if kind in {"odd", "end"}:
            self.refuse(start)
        self.advance()
        match kind, text:
            case "string", _:
                return _text(start, self._decoded(text, start))
            case "template", _:
                return _text(start, text[1:-1].replace("\r\n", "\n"))
            case "number", _:
                return Value(start, int(text))
            case "mark", "-" | "+" if self.kind == "number":
                number = int(text + self.text)
                self.advance()
                return Value(start, number)
            case "mark", "(" if not self.sees(")"):
                value = self.inside(self._written)
                self.expect(")")
                return value
            case "mark", "[":
                items: list[Value] = []
                self.list_until("]", lambda: items.append(self.value()))
                return self._whole(start, items)
            case "mark", "{":
                members: dict[str, Member] = {}
                self.list_until("}", lambda: self._member(members))
                return self._whole(start, members, sum(map(len, members)))
            case _:
                return self.refuse(start)

    def _named(self) -> Value:
        """Read what a name stands for, or what is given to a function of the package."""
        start, name = self.start, self.name()
        if name in _WORDS:
            return Value(start, _WORDS[name])
        if name in self.constants:
            return self.constants[name]
        helps = name in self.helpers or (name in self.packages and self.takes(".") and self.name() in HELPERS)
        if not helps:
            self.refuse(start)
        if self.is_typed:
            self.type_arguments()
        if not self.takes("("):
            self.refuse(start)
        value = self.value()
        self.takes(",")
        if not self.takes(")"):
            self.refuse(start)
        return value

    def _member(self, members: dict[str, Member]) -> None:
        """Read one member of an object; a later one of the same key takes its place."""
        start, kind, text = self.start, self.kind, self.text
        key = self._decoded(text, start) if kind == "string" else text
        if kind not in {"name", "string"} or key in _SPECIAL or key.isdigit():
            self.refuse(start)
        self.advance()
        if self.takes(":"):
            members[key] = Member(start, self.value())
        elif kind == "name" and key in self.constants and self.sees(",", "}"):
            members[key] = Member(start, self.constants[key])
        else:
            self.refuse(start)

    def _decoded(self, written: str, start: int) -> str:
        """The value of a string; JSON has none for half of a surrogate pair."""
        value = unescape(written[1:-1])
        is_text = value.isascii() or value.encode(errors="ignore").decode() == value
        return value if is_text else self.refuse(start)

    def _whole(self, start: int, parts: dict[str, Member] | list[Value], keys: int = 0) -> Value:
        """Make an object or a list of its parts, whose keys have so many characters."""
        inner = [each.value for each in parts.values()] if isinstance(parts, dict) else parts
        size = 1 + keys + sum(each.size for each in inner)
        levels = 1 + max((each.levels for each in inner), default=0)
        if size > SIZE_LIMIT or levels > DEPTH_LIMIT:
            self.refuse(start)
        return Value(start, parts, size, levels)


class Placed:
    """The data of a value, and the position of each value in it."""

    def __init__(self, at: Callable[[int], Location]) -> None:
        self.positions: dict[KeyPath, Position] = {}
        self._at = at

    def data(self, value: Value, key: int, path: KeyPath = ()) -> object:
        """Give the data of a value, whose key is at an offset, and note its position and those in it."""
        self.positions[path] = Position(path, self._at(value.start), self._at(key))
        match value.plain:
            case dict() as members:
                return {step: self.data(each.value, each.key, (*path, step)) for step, each in members.items()}
            case list() as items:
                return [self.data(each, each.start, (*path, step)) for step, each in enumerate(items)]
            case scalar:
                return scalar


def _text(start: int, text: str) -> Value:
    return Value(start, text, 1 + len(text))
