"""Values: the value of a PHP expression: literals, constants of the file, and concatenations
of these.

Texts and lists are values; a number becomes the text that PHP makes of it. Everything else is
`None`: only PHP itself could know it.
"""

import re
from collections.abc import Callable
from typing import Final, TypeAlias

from pipeline.archives.php.tokens import Token, string_of

Value: TypeAlias = "str | dict[str, Value] | None"
Constants: TypeAlias = Callable[[str, str], tuple[Token, ...] | None]
"""The expression of each constant, by its class (`self`; empty outside classes) and its name."""
_DEEP: Final = 16
"""How deep brackets and references between constants may be nested."""
_LONGEST: Final = 255
"""The longest text that is concatenated."""
_BOOLEANS: Final = {b"true": "1", b"false": ""}
"""What PHP compares and prints of them."""
_CASTS: Final = frozenset({b"string", b"int", b"float", b"array"})
_QUOTED: Final = b"''"
_CLOSING: Final = {b"(": b")", b"[": b"]"}


class Evaluator:
    """Evaluates expressions; each constant once."""

    def __init__(self, constants: Constants) -> None:
        self._constants = constants
        self._known = dict[tuple[str, str], Value]()
        self._depth = 0

    def value(self, tokens: tuple[Token, ...]) -> Value:
        """The value of an expression, which ends at a comma."""
        cursor = _Cursor(tokens)
        value = self._joined(cursor)
        if cursor.text not in {b"", b","}:
            return None
        return value

    def values(self, tokens: tuple[Token, ...]) -> list[Value]:
        """The values of expressions separated by commas, up to a closing bracket."""
        if not tokens or tokens[0].text != b",":
            return []
        return list(self._items(_Cursor(tokens[1:]), b")").values())

    def _joined(self, cursor: "_Cursor") -> Value:
        if self._depth > _DEEP:
            cursor.skip(1)
            return None
        self._depth += 1
        value = self._term(cursor)
        while cursor.take(b"."):
            other = self._term(cursor)
            if (
                not isinstance(value, str)
                or not isinstance(other, str)
                or len(value + other) > _LONGEST
            ):
                value = None
            else:
                value += other
        self._depth -= 1
        return value

    def _term(self, cursor: "_Cursor") -> Value:
        token = cursor.next()
        match token.kind:
            case "text" | "body":
                return string_of(token)
            case "number":
                return f"{float(token.text):.14g}"  # as PHP prints it
            case "word":
                return self._word(token.text, cursor)
            case "sign" if token.text == b"[":
                return self._list(cursor, b"]")
            case "sign" if token.text == b"(":
                return self._in_brackets(cursor)
            case "sign" if token.text == b"$":
                return self._assigned(cursor)
        return None

    def _in_brackets(self, cursor: "_Cursor") -> Value:
        """A cast, or an expression in brackets."""
        if cursor.text.lower() in _CASTS and cursor.ahead(1) == b")":
            cursor.skip(2)
            return self._joined(cursor)
        value = self._joined(cursor)
        if not cursor.take(b")"):
            return None
        return value

    def _assigned(self, cursor: "_Cursor") -> Value:
        """The value that `$one = $this->other = …` assigns."""
        cursor.skip(1)
        while cursor.take(b"->"):
            cursor.skip(1)
        if not cursor.take(b"="):
            return None
        return self._joined(cursor)

    def _list(self, cursor: "_Cursor", closing: bytes) -> Value:
        value = self._items(cursor, closing)
        if not cursor.take(closing):
            return None
        return value

    def _items(self, cursor: "_Cursor", closing: bytes) -> dict[str, Value]:
        """The items of a list by their keys; an unknown one is `None`."""
        items = dict[str, Value]()
        while cursor.text not in {b"", closing}:
            key: Value = next_key(items)
            value = self._joined(cursor)
            if cursor.take(b"=>"):
                key = value
                value = self._joined(cursor)
            if cursor.text not in {b"", b",", closing}:
                cursor.skip_item()
                value = None
            cursor.take(b",")
            if isinstance(key, str):
                items[key] = value
        return items

    def _word(self, word: bytes, cursor: "_Cursor") -> Value:
        """A list, or a constant."""
        if word.lower() == b"array" and cursor.take(b"("):
            return self._list(cursor, b")")
        name = word.rpartition(b"\\")[2]
        if cursor.take(b"::"):
            return self._constant(name.lower().decode(errors="replace"), cursor.next().text)
        if cursor.text == b"(":
            return None
        if word.lower() in _BOOLEANS:
            return _BOOLEANS[word.lower()]
        return self._constant("", name)

    def _constant(self, owner: str, name: bytes) -> Value:
        key = owner, name.decode(errors="replace")
        if key not in self._known:
            self._known[key] = None  # for one that refers to itself
            tokens = self._constants(*key)
            if tokens:
                self._known[key] = self._nested(tokens)
        return self._known[key]

    def _nested(self, tokens: tuple[Token, ...]) -> Value:
        if self._depth >= _DEEP:
            return None
        self._depth += 1
        value = self.value(tokens)
        self._depth -= 1
        return value


def next_key(items: dict[str, Value]) -> str:
    """The key of an item without one: the number after the highest."""
    last = next((int(key) for key in reversed(items) if re.fullmatch(r"(?a)\d{1,9}", key)), -1)
    return str(last + 1)


class _Cursor:
    """A position in an expression."""

    def __init__(self, tokens: tuple[Token, ...]) -> None:
        self._tokens = tokens
        self._position = 0

    def ahead(self, count: int) -> bytes:
        """The text of a token further on; empty at the end. Quoted text is no sign."""
        at = self._position + count
        if at >= len(self._tokens):
            return b""
        token = self._tokens[at]
        if token.kind in {"text", "body"}:
            return _QUOTED
        return token.text

    @property
    def text(self) -> bytes:
        """The text of the next token."""
        return self.ahead(0)

    def next(self) -> Token:
        """Take a token."""
        self._position += 1
        if self._position > len(self._tokens):
            return Token("sign", b"")
        return self._tokens[self._position - 1]

    def take(self, text: bytes) -> bool:
        """Take a token if it is this one."""
        is_next = self.text == text
        self._position += is_next
        return is_next

    def skip(self, count: int) -> None:
        """Skip some tokens."""
        self._position += count

    def skip_item(self) -> None:
        """Skip the rest of an item, including everything in brackets."""
        closing = list[bytes]()
        while self.text and (closing or self.text not in {b",", b")", b"]"}):
            text = self.next().text
            if text in _CLOSING:
                closing.append(_CLOSING[text])
            elif closing and text == closing[-1]:
                closing.pop()
