"""Values: the grammar of a literal, with the types that may be written around it.

Each rule passes what it reads, or refuses it (`tokens`).
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from msgspec import Struct

from pipeline.config.json_places import DEPTH_LIMIT
from pipeline.scripts.syntax import unescape
from pipeline.scripts.tokens import Cursor

SIZE_LIMIT: Final = 64 * 1024
"""Characters and values of what is exported; those of a `const` count wherever it is used."""
TYPED: Final = frozenset({".ts", ".mts", ".cts"})
"""The suffixes of files that may have types."""
HELPERS: Final = frozenset({"defineConfig", "definePreset"})
"""The functions of the package `tool`, which return their argument."""

_WORDS: Final[dict[str, object]] = {"true": True, "false": False, "null": None}
_SPECIAL: Final = frozenset({"__proto__", "__esModule", "then", "toJSON"})
"""Keys that can make an object something other than what is written."""
_TYPES: Final = frozenset({"any", "boolean", "never", "null", "number", "object", "string", "undefined", "unknown"})
_KEYWORDS: Final = (
    "abstract arguments as asserts async await break case catch class const continue debugger declare default delete"
    " do else enum eval export exports extends false finally for from function get global globalThis if implements"
    " import in infer Infinity instanceof interface is keyof let module NaN namespace new of out override package"
    " private protected public readonly require return satisfies set static super switch symbol this throw true try"
    " type typeof unique using var void while with yield __dirname __filename"
)
RESERVED: Final = _TYPES.union(_KEYWORDS.split())
"""Names that have a meaning of their own in some kind of file."""


class LiteralValue(Struct, frozen=True):
    """A value as it is written, and the values in it, each with the offset of its key."""

    start: int
    plain: object = None
    """A scalar; for an object `{}`, for a list `[]`."""
    members: "Mapping[str | int, tuple[int, LiteralValue]]" = {}
    size: int = 1
    levels: int = 0


class Values(Cursor):
    """Reads values, with the types around them."""

    def __init__(self, text: str, suffix: str) -> None:
        super().__init__(text)
        self.is_typed = suffix in TYPED
        self.constants: dict[str, LiteralValue] = {}
        self.helpers: set[str] = set()
        self.packages: set[str] = set()
        self.depth = 0

    def value(self) -> LiteralValue:
        """Read a value, up to what may follow one."""
        start = self.token.start
        value = self._written()
        ends = self.is_at_end() or self.token.on_new_line or self.sees(",", ";", "}", "]", ")")
        return value if ends else self.refuse(start)

    def type(self) -> None:
        """Pass a type: names with arguments, strings, lists and unions of them."""
        with self._inside():
            self._type_in_union()
            while self.takes("|"):
                self._type_in_union()

    def _type_in_union(self) -> None:
        start, must_be_list, is_list = self.token.start, self.takes("readonly"), False
        if self.token.kind == "string":
            self.advance()
        else:
            self._named_type()
        while self.sees("[") and not self.token.on_new_line:
            self.advance()
            is_list = self.token.kind != "string" or not self.advance()
            self.expect("]")
        if must_be_list and not is_list:
            self.refuse(start)

    def _named_type(self) -> None:
        start, name = self.token.start, self.name()
        if name in RESERVED - _TYPES:
            self.refuse(start)
        while self.takes("."):
            self.name()
        self._type_arguments()

    def _type_arguments(self) -> None:
        if self.sees("<") and not self.token.on_new_line:
            self.advance()
            self.type()
            while self.takes(","):
                self.type()
            self.expect(">")

    @contextmanager
    def _inside(self) -> Iterator[None]:
        """Go one level deeper; a text that is too deep is not read."""
        self.depth += 1
        if self.depth > DEPTH_LIMIT:
            self.refuse(self.token.start)
        yield
        self.depth -= 1

    def _written(self) -> LiteralValue:
        """Read a value with what may be written after it to tell its type."""
        start = self.token.start
        with self._inside():
            value = self._bare()
        while self._continues("!"):
            self.advance()
        while self._continues("as", "satisfies"):
            if self.advance().text == "satisfies" or not self.takes("const"):
                self.type()
        if value.size > SIZE_LIMIT or value.levels > DEPTH_LIMIT:
            self.refuse(start)
        return value

    def _continues(self, *words: str) -> bool:
        """Whether a word about the type of a value follows, which it cannot on a new line."""
        return self.is_typed and not self.token.on_new_line and self.sees(*words)

    def _bare(self) -> LiteralValue:
        token = self.token
        match token.kind, token.text:
            case "string", written:
                return self._scalar(self._decoded(written))
            case "template", written:
                return self._scalar(written[1:-1].replace("\r\n", "\n"))
            case "number", written:
                return self._scalar(int(written))
            case "name", written if written in _WORDS:
                return self._scalar(_WORDS[written])
            case "name", _:
                return self._named()
            case _, "-" | "+":
                return self._signed()
            case _, "(":
                self.advance()
                return self._closed(self._written(), ")")
            case _, "{" | "[":
                return self._whole()
            case _:
                return self.refuse(token.start)

    def _scalar(self, plain: object) -> LiteralValue:
        return LiteralValue(self.advance().start, plain, size=1 + (len(plain) if isinstance(plain, str) else 0))

    def _decoded(self, written: str) -> str:
        """The value of a string; JSON has none for half of a surrogate pair."""
        value = unescape(written[1:-1])
        return (
            value
            if value.isascii() or value.encode(errors="ignore").decode() == value
            else self.refuse(self.token.start)
        )

    def _signed(self) -> LiteralValue:
        sign = self.advance()
        if self.token.kind != "number":
            self.refuse(sign.start)
        return LiteralValue(sign.start, int(sign.text + self.advance().text))

    def _closed(self, value: LiteralValue, bracket: str) -> LiteralValue:
        """Pass the bracket after a value that is alone in it."""
        self.expect(bracket)
        return value

    def _named(self) -> LiteralValue:
        """Read what a name stands for, or what is given to a function of the package."""
        start, name = self.token.start, self.name()
        if name in self.constants:
            return self.constants[name]
        helps = name in self.helpers or (name in self.packages and self.takes(".") and self.name() in HELPERS)
        if not helps:
            self.refuse(start)
        if self.is_typed:
            self._type_arguments()
        if not self.takes("("):
            self.refuse(start)
        value = self.value()
        self.takes(",")
        if not self.takes(")"):
            self.refuse(start)
        return value

    def _whole(self) -> LiteralValue:
        """Read an object or a list."""
        start = self.token.start
        members: dict[str | int, tuple[int, LiteralValue]] = {}
        is_object = self.advance().text == "{"
        if is_object:
            self.list_until("}", lambda: self._member(members))
        else:
            self.list_until("]", lambda: self._item(members))
        size = 1 + sum(len(str(step)) + 1 + member.size for step, (_, member) in members.items())
        levels = 1 + max((member.levels for _, member in members.values()), default=0)
        return LiteralValue(start, {} if is_object else [], members, size, levels)

    def _item(self, members: dict[str | int, tuple[int, LiteralValue]]) -> None:
        value = self.value()
        members[len(members)] = (value.start, value)

    def _member(self, members: dict[str | int, tuple[int, LiteralValue]]) -> None:
        """Read one member of an object; a later one of the same key takes its place."""
        token = self.token
        key = self._decoded(token.text) if token.kind == "string" else token.text
        if key in _SPECIAL or key.isdigit() or token.kind not in {"name", "string"}:
            self.refuse(token.start)
        self.advance()
        if self.takes(":"):
            members[key] = (token.start, self.value())
        elif token.kind == "name" and key in self.constants:
            members[key] = (token.start, self.constants[key])
        else:
            self.refuse(token.start)
