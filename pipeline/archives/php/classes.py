"""Classes: which statements in a PHP file set the properties of a class that are asked for.

A rough scan skips strings, comments, text around PHP and all other code; it stops where a class, a
method or a constant begins, or a property is set. Only such a statement is split into tokens. A
property has the value that the last assignment in the constructor gives it, else its default.
Values of a base class in the same file come before the class's own.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import takewhile
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from pipeline.archives.php.tokens import COMMENTS, DOUBLE, HEREDOC, SINGLE, Token, statement
from pipeline.archives.php.values import Evaluator, Value, next_key

_Tokens: TypeAlias = tuple[Token, ...]
_How: TypeAlias = Literal["all", "if none", "item", "unknown"]
_OWN: Final = frozenset({"self", "static"})
_SIGNS: Final[dict[bytes, _How]] = {
    b"=": "all",
    b"??=": "if none",
    b".=": "unknown",
    b"+=": "unknown",
}
_PUSH: Final = rb"(?i)\barray_push\s*+\(\s*+\Z"
_NEAR: Final = 64
"""How many bytes before a property the name of a function that takes it may be."""
_DEFINED: Final = 2
_BEFORE: Final = r"(?<![\w$>:\\]"
_ROUGH: Final = (
    r"(?s)\?>.*?(?:<\?|\Z)",
    *COMMENTS,
    HEREDOC,
    SINGLE,
    DOUBLE,
    r"(?P<brace>[{}])",
    rf"[cC]{_BEFORE}[cC])(?i:lass)\s++(?!(?i:extends|implements)\b)(?P<class>\w++)"
    r"(?:\s++(?i:extends)\s++(?P<base>[\w\\]++))?+",
    r"_(?<![\w$>:]_)_(?i:construct)(?P<constructor>)\s*+\(",
    rf"[cC]{_BEFORE}[cC])(?i:onst)\b(?P<const>)",
    r"[dD](?<![\w$>:][dD])(?i:efine)\s*+\((?P<define>)",
    r"\$this\s*+->\s*+(?:\{\s*+['\"])?+(?P<set>NAMES)\b(?:['\"]\s*+\})?+",
    r"\$(?P<default>NAMES)\b",
)
"""Each alternative begins with a character, not with a condition, so that the text in between is
skipped at once.
"""


class _Setting(Struct, frozen=True):
    """A statement of a constructor that sets a property, or an item of it."""

    how: _How
    tokens: _Tokens
    key: _Tokens = ()
    """The expression in the brackets behind the property."""


class _Class(Struct, eq=False):
    name: str
    base: str = ""
    constants: dict[str, _Tokens] = {}
    defaults: dict[str, _Tokens] = {}
    settings: dict[str, list[_Setting]] = {}


class PhpClass:
    """A class with its properties, followed by its ancestors in the same file, nearest first."""

    def __init__(self, file: "_File", lineage: list[_Class]) -> None:
        self._file = file
        self._lineage = lineage
        self._evaluator = Evaluator(self._constant)

    def sets(self, name: str) -> bool:
        """Whether the class sets a property, to any value, by a default or in its constructor."""
        return any(name in each.defaults or name in each.settings for each in self._lineage)

    def value(self, name: str) -> Value:
        """The value of a property after the constructor, if it can be known."""
        defaults = (each.defaults[name] for each in self._lineage if name in each.defaults)
        value = self._evaluator.value(next(defaults, ()))
        for each in reversed(self._lineage):
            for setting in each.settings.get(name, ()):
                value = self._after(setting, value)
        return value

    def _after(self, setting: _Setting, value: Value) -> Value:
        match setting.how:
            case "all":
                return _copy(self._evaluator.value(setting.tokens))
            case "if none":
                if value is not None:
                    return value
                return self._evaluator.value(setting.tokens)
            case "item" if isinstance(value, dict):
                return self._with_items(setting, value)
            case "item":
                return self._with_items(setting, {})
        return None

    def _with_items(self, setting: _Setting, items: dict[str, Value]) -> Value:
        if setting.key:
            key = self._evaluator.value(setting.key)
            if isinstance(key, str):
                items[key] = self._evaluator.value(setting.tokens)
            return items
        for value in self._evaluator.values(setting.tokens):
            items[next_key(items)] = value
        return items

    def _constant(self, owner: str, name: str) -> _Tokens | None:
        if not owner:
            return self._file.constants.get(name)
        if owner in _OWN:
            classes = self._lineage
        elif owner == "parent":
            classes = self._lineage[1:]
        else:
            classes = self._file.lineage(owner)
        return next((each.constants[name] for each in classes if name in each.constants), None)


def _copy(value: Value) -> Value:
    """A separate list, to which items can be added."""
    if isinstance(value, dict):
        return dict(value)
    return value


def class_in(php: bytes, name: str, properties: Iterable[str]) -> PhpClass:
    """The class with a name, in any case, or else the first in the file, with the properties
    asked for.
    """
    file = _File()
    file.scan(b"?>" + php, _scanner(tuple(properties)))
    return PhpClass(file, file.lineage(name.lower()) or file.lineage(next(iter(file.classes), "")))


@cache
def _scanner(properties: tuple[str, ...]) -> re.Pattern[bytes]:
    return re.compile("|".join(_ROUGH).replace("NAMES", f"(?:{'|'.join(properties)})").encode())


class _File:
    """The classes and constants of a file."""

    def __init__(self) -> None:
        self.classes = dict[str, _Class]()
        self.constants = dict[str, _Tokens]()
        self._depth = 0
        self._class = _Class("")
        self._in_class = 0
        """The depth of braces in the class; 0 outside of one."""
        self._is_in_constructor = False
        self._begins_class = False
        """Whether the next brace begins a class."""

    def lineage(self, name: str) -> list[_Class]:
        """A class, and the classes that it extends."""
        lineage = list[_Class]()
        while (each := self.classes.get(name)) is not None and each not in lineage:
            lineage.append(each)
            name = each.base
        return lineage

    def scan(self, php: bytes, scanner: re.Pattern[bytes]) -> None:
        """Read the whole file."""
        position = 0
        while match := scanner.search(php, position):
            position = match.end()
            found = match.lastgroup
            if found == "brace":
                self._brace(match[0])
            elif found in {"class", "base"}:
                self._begin_class(match["class"], match["base"] or b"")
            elif found in {"constructor", "const", "define", "set", "default"}:
                tokens, position = statement(php, position)
                self._read(match, tokens, has_body=php.startswith(b"{", position))

    def _read(self, match: re.Match[bytes], tokens: _Tokens, *, has_body: bool) -> None:
        """Read a statement."""
        match match.lastgroup:
            case "constructor":
                self._is_in_constructor = has_body and self._is_in_class()
            case "const":
                self._constant(tokens)
            case "define":
                self._definition(tokens)
            case "default":
                self._default(match["default"].decode(), tokens)
            case "set" if self._is_in_constructor:
                before = match.string[max(match.start() - _NEAR, 0) : match.start()]
                self._set(
                    match["set"].decode(), tokens, is_added=re.search(_PUSH, before) is not None
                )

    def _begin_class(self, name: bytes, base: bytes) -> None:
        if not self._in_class:
            self._class = _Class(_lower(name), _lower(base.rpartition(b"\\")[2]))
            self.classes.setdefault(self._class.name, self._class)
            self._begins_class = True

    def _brace(self, brace: bytes) -> None:
        if brace == b"{":
            self._depth += 1
            if self._begins_class:
                self._in_class = self._depth
            self._begins_class = False
            return
        if self._depth == self._in_class:
            self._in_class = 0
        self._depth = max(self._depth - 1, 0)
        if self._depth == self._in_class:
            self._is_in_constructor = False

    def _is_in_class(self) -> bool:
        """Whether the position is in the body of the class itself, not of a method."""
        return self._in_class > 0 and self._depth == self._in_class

    def _constant(self, tokens: _Tokens) -> None:
        owner = self._class.constants if self._in_class else self.constants
        for part in _parts(tokens):
            words = tuple(takewhile(lambda token: token.text != b"=", part))
            if words and len(words) < len(part):
                owner.setdefault(words[-1].text.decode(errors="replace"), part[len(words) + 1 :])

    def _definition(self, tokens: _Tokens) -> None:
        if len(tokens) > _DEFINED and tokens[0].kind == "text" and tokens[1].text == b",":
            self.constants.setdefault(
                tokens[0].text[1:-1].decode(errors="replace"), _up_to_bracket(tokens[2:])
            )

    def _default(self, name: str, tokens: _Tokens) -> None:
        is_parameter = len(_up_to_bracket(tokens)) < len(tokens)
        if self._is_in_class() and not is_parameter and tokens and tokens[0].text == b"=":
            self._class.defaults.setdefault(name, tokens[1:])

    def _set(self, name: str, tokens: _Tokens, *, is_added: bool) -> None:
        if is_added:
            self._add(name, _Setting("item", tokens))
        elif tokens and tokens[0].text in _SIGNS:
            self._add(name, _Setting(_SIGNS[tokens[0].text], tokens[1:]))
        elif tokens and tokens[0].text == b"[":
            self._item(name, tokens[1:])
        elif _is_taken_apart(tokens):
            self._add(name, _Setting("unknown", ()))

    def _item(self, name: str, tokens: _Tokens) -> None:
        """`[] = …`, or `['key'] = …`."""
        key = _up_to_bracket(tokens)
        rest = tokens[len(key) + 1 :]
        if rest and rest[0].text == b"=":
            value = rest[1:]
            if not key:
                value = (Token("sign", b","), *value)
            self._add(name, _Setting("item", value, key))

    def _add(self, name: str, setting: _Setting) -> None:
        self._class.settings.setdefault(name, []).append(setting)


def _up_to_bracket(tokens: _Tokens) -> _Tokens:
    """The tokens before the bracket that closes the enclosing one."""
    return tuple(token for _, token in takewhile(lambda placed: placed[0] >= 0, _placed(tokens)))


def _parts(tokens: _Tokens) -> Iterator[_Tokens]:
    """The tokens between commas that are outside brackets."""
    part = list[Token]()
    for depth, token in _placed(tokens):
        if depth == 0 and token.text == b",":
            yield tuple(part)
            part = []
        else:
            part.append(token)
    yield tuple(part)


def _placed(tokens: _Tokens) -> Iterator[tuple[int, Token]]:
    """Each token with the number of brackets that are open after it."""
    depth = 0
    for token in tokens:
        if token.kind == "sign":
            depth += (token.text in {b"(", b"["}) - (token.text in {b")", b"]"})
        yield depth, token


def _is_taken_apart(tokens: _Tokens) -> bool:
    """Whether a list is assigned to several variables, one of them this
    one: `[$this->version, $other] = …`.
    """
    rest = tokens[len(_up_to_bracket(tokens)) :]
    return [each.text for each in rest[1:2]] == [b"="]


def _lower(name: bytes) -> str:
    return name.decode(errors="replace").lower()
