"""Literals: what a script exports whose default export is a literal, without running it (`docs/scripts.md`).

Such a script is parsed by a grammar of its own: the small part of TypeScript in which a text has one meaning, in every
kind of file. A general parser accepts more than JavaScript does, and each of its nodes would have to be checked for
that. Outside of the grammar nothing is judged, not even whether it is a script: it is evaluated.

Law: what is read is what evaluation gives, and stands where `places` says.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from pipeline.config.tree import KeyPath, Offsets
from pipeline.scripts.syntax import ANGLE_LIMIT, TEXT_LIMIT
from pipeline.scripts.tokens import RefusedToken
from pipeline.scripts.values import HELPERS, RESERVED, TYPED, LiteralValue, Values

_SUFFIXES: Final = TYPED | {".js", ".mjs", ".cjs"}
_PACKAGE: Final = ('"tool"', "'tool'")
_STRICT: Final = ('"use strict"', "'use strict'")


class Literal(Struct, frozen=True):
    """What a script exports, and where each value in it stands."""

    data: object
    offsets: Mapping[KeyPath, Offsets]


class NotLiteral(Struct, frozen=True):
    """A script that has to be evaluated, and the offset of the first thing that makes it so."""

    offset: int


def read_literal(text: str, suffix: str) -> Literal | NotLiteral:
    """Read a script, of which a byte order mark is no part. Total. Its suffix says whether it may have types."""
    if suffix not in _SUFFIXES or len(text) > TEXT_LIMIT or text.count("<") > ANGLE_LIMIT:
        return NotLiteral(0)
    try:
        exported = _Statements(text, suffix).read()
    except RefusedToken as refusal:
        return NotLiteral(refusal.offset)
    return Literal(_data(exported), dict(_offsets(exported, (), exported.start)))


def _data(value: LiteralValue) -> object:
    if isinstance(value.plain, dict):
        return {step: _data(member) for step, (_, member) in value.members.items()}
    return [_data(item) for _, item in value.members.values()] if isinstance(value.plain, list) else value.plain


def _offsets(value: LiteralValue, path: KeyPath, key: int) -> Iterator[tuple[KeyPath, Offsets]]:
    yield path, Offsets(value.start, key)
    for step, (at, member) in value.members.items():
        yield from _offsets(member, (*path, step), at)


class _Statements(Values):
    """Reads the statements of a script: imports of types and of the package, `const`s, and one export."""

    def __init__(self, text: str, suffix: str) -> None:
        super().__init__(text, suffix)
        self.drops_unused = suffix in {".ts", ".mts"}
        """Whether an imported name that is no value is dropped, as that of a type that is not marked as one."""
        self.names: set[str] = set()
        self.systems: set[str] = set()
        self.exports: list[LiteralValue] = []

    def read(self) -> LiteralValue:
        """Read every statement, and give the value of the only default export."""
        statements: dict[str, Callable[[], object]] = {
            "import": self._import,
            "export": self._export,
            "const": self._constant,
            "module": self._assignment,
            **dict.fromkeys(_STRICT, self.advance),
        }
        while not self.is_at_end():
            start = self.token.start
            if self.takes(";"):
                continue
            statements.get(self.token.text, lambda: self.refuse(self.token.start))()
            if not (self.takes(";") or self.is_at_end() or self.token.on_new_line):
                self.refuse(start)
            if len(self.exports) > 1 or len(self.systems) > 1:
                self.refuse(start)
        return self.exports[0] if self.exports else self.refuse(0)

    def _declare(self, name: str, start: int) -> str:
        if name in RESERVED or name in self.names or name.startswith("$"):
            self.refuse(start)
        self.names.add(name)
        return name

    def _import(self) -> None:
        start = self.advance().start
        try:
            self._clause()
        except RefusedToken:
            self.refuse(start)

    def _clause(self) -> None:
        self.systems.add("module")
        only_types = self.is_typed and self.takes("type")
        if self.takes("{"):
            self.list_until("}", lambda: self._specifier(only_types=only_types))
        elif self.takes("*"):
            start = self.expect("as").start
            name = self._declare(self.name(), start)
            self.packages |= set() if only_types else {name}
        elif only_types:
            self._declare(self.token.text, self.token.start)
            self.name()
        self.expect("from")
        is_known = self.sees(*_PACKAGE) or (only_types and self.token.kind == "string")
        self.advance() if is_known else self.refuse(self.token.start)

    def _specifier(self, *, only_types: bool) -> None:
        """Read one name between the braces of an import."""
        start = self.token.start
        is_type = only_types or (self.is_typed and self.takes("type"))
        name = self.name()
        local = self._declare(self.name() if self.takes("as") else name, start)
        if not is_type and name in HELPERS:
            self.helpers.add(local)
        elif not is_type and not self.drops_unused:
            self.refuse(start)

    def _constant(self) -> None:
        self.expect("const")
        while True:
            start = self.token.start
            name = self._declare(self.name(), start)
            if self.is_typed and self.takes(":"):
                self.type()
            self.expect("=")
            self.constants[name] = self.value()
            if not self.takes(","):
                return

    def _export(self) -> None:
        start = self.advance().start
        self.systems.add("module")
        if self.takes("default"):
            self.exports.append(self.value())
        elif self.sees("const"):
            self._constant()
        else:
            self.expect("{")
            name = self.name()
            if name not in self.constants or not (self.takes("as") and self.takes("default")):
                self.refuse(start)
            self.takes(",")
            self.expect("}")
            self.exports.append(self.constants[name])

    def _assignment(self) -> None:
        start = self.advance().start
        if not (self.takes(".") and self.takes("exports") and self.takes("=")):
            self.refuse(start)
        self.systems.add("commonjs")
        self.exports.append(self.value())
