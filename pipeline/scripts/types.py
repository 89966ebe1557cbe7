"""Types: the grammar of the types that may be written around a literal, on the way through the tokens of a script."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, NoReturn

from pipeline.config.json_reader import DEPTH_LIMIT
from pipeline.scripts.tokens import Token, Tokens

_TYPES: Final = frozenset({"any", "boolean", "never", "null", "number", "object", "string", "undefined", "unknown"})
"""Types that are keywords: they take no arguments, and have no members."""
_KEYWORDS: Final = (
    "abstract arguments as asserts async await break case catch class const continue debugger declare default delete"
    " do else enum eval export exports extends false finally for from function get global globalThis if implements"
    " import in infer Infinity instanceof interface is keyof let module NaN namespace new of out override package"
    " private protected public readonly require return satisfies set static super switch symbol this throw true try"
    " type typeof unique using var void while with yield __dirname __filename"
)
RESERVED: Final = _TYPES.union(_KEYWORDS.split())
"""Names that have a meaning of their own in some kind of file."""


class RefusedToken(Exception):  # noqa: N818 - no error: something is computed
    """Raised at the offset of the first thing that is not read."""

    def __init__(self, offset: int) -> None:
        self.offset = offset


class Types:
    """Goes through the tokens of a text. A rule passes what it reads; what is expected and not there it refuses."""

    def __init__(self, text: str) -> None:
        words = Tokens(text)
        self.tokens, self.closing = words.found, words.closing
        self.at = 0
        self.hole = words.odd
        """The offset of the first thing that makes the script one that is evaluated."""
        self._depth = 0

    @property
    def token(self) -> Token:
        """The token that comes next."""
        return self.tokens[self.at]

    def advance(self) -> Token:
        """Give the token, and go on to the next."""
        token = self.token
        self.at = min(self.at + 1, len(self.tokens) - 1)
        return token

    def jump(self) -> None:
        """Pass a token, and if it opens a bracket everything up to its end."""
        self.at = self.closing.get(self.at, self.at)
        self.advance()

    def is_at_end(self) -> bool:
        """Whether nothing follows, or nothing that is certain."""
        return self.at == len(self.tokens) - 1

    def sees(self, *texts: str) -> bool:
        """Whether the token is one of some."""
        return self.token.text in texts

    def takes(self, *texts: str) -> bool:
        """Whether the token is one of some, which is then passed."""
        return self.sees(*texts) and bool(self.advance())

    def expect(self, *texts: str) -> Token:
        """Pass one of some tokens."""
        return self.advance() if self.sees(*texts) else self.refuse(self.token.start)

    def name(self) -> str:
        """Pass a name."""
        return self.advance().text if self.token.kind == "name" else self.refuse(self.token.start)

    def list_until(self, closing: str, read: Callable[[], None]) -> None:
        """Read what is separated by commas, of which one may follow the last, and pass the closing bracket."""
        while not self.takes(closing):
            read()
            if not self.sees(closing):
                self.expect(",")

    def note(self, offset: int) -> None:
        """Note something that no literal has, though it can be followed."""
        self.hole = offset if self.hole is None else min(self.hole, offset)

    def refuse(self, offset: int) -> NoReturn:
        """Refuse what is at an offset."""
        raise RefusedToken(offset)

    def type(self) -> None:
        """Pass a type: names with arguments, strings, lists and unions of them."""
        with self.inside():
            self._type_in_union()
            while self.takes("|"):
                self._type_in_union()

    def type_arguments(self) -> None:
        """Pass the arguments of a type, if there are any."""
        if self.sees("<") and not self.token.on_new_line:
            self.advance()
            self.type()
            while self.takes(","):
                self.type()
            self.expect(">")

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Go one level deeper; what is too deep is not read."""
        self._depth += 1
        try:
            if self._depth > DEPTH_LIMIT:
                self.refuse(self.token.start)
            yield
        finally:
            self._depth -= 1

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
        if name in _TYPES:
            return self.refuse(start) if self.sees("<", ".") else None
        if name in RESERVED:
            self.refuse(start)
        while self.takes("."):
            self.name()
        self.type_arguments()
        return None
