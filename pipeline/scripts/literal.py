"""Literal: what a script exports, if it is nothing but a literal.

A script is read by a grammar of its own: the small part of TypeScript in which a text has one meaning, in every kind
of file. A general parser accepts more than JavaScript does, and each of its nodes would have to be checked for that.

Law: what is read of a literal is what evaluation gives.
"""

from typing import Final

from pipeline.config.json_reader import locations_in
from pipeline.config.tree import Json
from pipeline.report.location import Location
from pipeline.scripts.tokens import NotLiteral
from pipeline.scripts.types import RESERVED
from pipeline.scripts.values import HELPERS, SIZE_LIMIT, TYPED, Placed, Value, Values

_SUFFIXES: Final = TYPED | {".js", ".mjs", ".cjs"}
_PACKAGE: Final = ('"tool"', "'tool'")
_STRICT: Final = ('"use strict"', "'use strict'")


def read_literal(text: str, suffix: str, file: str) -> Json | Location:
    """Read a script, of which a byte order mark is no part. Its suffix says whether it may have types.

    Total: if the script is no literal, gives the location of the first thing that no literal has, or of its beginning.
    """
    at = locations_in(file, text)
    if len(text) > SIZE_LIMIT or suffix not in _SUFFIXES:
        return at(0)
    try:
        value = _Statements(text, suffix).read()
    except NotLiteral as refusal:
        return at(refusal.offset)
    placed = Placed(at)
    return Json(placed.data(value, value.start), placed.positions)


class _Statements(Values):
    """Reads the statements of a script: imports of types and of the package, `const`s, and one export."""

    def __init__(self, text: str, suffix: str) -> None:
        super().__init__(text, suffix)
        self._drops_unused = suffix in {".ts", ".mts"}
        """Whether an imported name that is no value is dropped, as that of a type that is not marked as one."""
        self._names: set[str] = set()
        self._systems: set[str] = set()
        self._exports: list[Value] = []
        self._statements = {
            "import": self._import,
            "export": self._export,
            "const": self._constant,
            "module": self._assignment,
            **dict.fromkeys(_STRICT, self.advance),
        }

    def read(self) -> Value:
        """Read every statement, and give the value of the only default export."""
        while self.kind != "end":
            start = self.start
            if self.takes(";"):
                continue
            self._statements.get(self.text, lambda: self.refuse(self.start))()
            is_over = self.takes(";") or self.kind == "end" or self.on_new_line
            if not is_over or len(self._exports) > 1 or len(self._systems) > 1:
                self.refuse(start)
        return self._exports[0] if self._exports else self.refuse(0)

    def _declare(self, name: str, start: int) -> str:
        if name in RESERVED or name in self._names or name.startswith("$"):
            self.refuse(start)
        self._names.add(name)
        return name

    def _import(self) -> None:
        start = self.start
        self.advance()
        try:
            self._clause()
        except NotLiteral:
            self.refuse(start)

    def _clause(self) -> None:
        self._systems.add("module")
        only_types = self.is_typed and self.takes("type")
        start = self.start
        if self.takes("{"):
            self.list_until("}", lambda: self._specifier(only_types=only_types))
        elif self.takes("*"):
            self.expect("as")
            name = self._declare(self.name(), start)
            if not only_types:
                self.packages.add(name)
        elif only_types:
            self._declare(self.name(), start)
        else:
            self.refuse(start)
        self.expect("from")
        if not (self.sees(*_PACKAGE) or (only_types and self.kind == "string")):
            self.refuse(start)
        self.advance()

    def _specifier(self, *, only_types: bool) -> None:
        """Read one name between the braces of an import."""
        start = self.start
        is_type = only_types or (self.is_typed and self.takes("type"))
        name = self.name()
        if is_type and name in RESERVED:  # `type as as x` is a type for one parser, and a value for another
            self.refuse(start)
        local = self._declare(self.name() if self.takes("as") else name, start)
        if not is_type and name in HELPERS:
            self.helpers.add(local)
        elif not is_type and not self._drops_unused:
            self.refuse(start)

    def _constant(self) -> None:
        self.advance()
        while True:
            start = self.start
            name = self._declare(self.name(), start)
            if self.is_typed and self.takes(":"):
                self.type()
            self.expect("=")
            self.constants[name] = self.value()
            if not self.takes(","):
                return

    def _export(self) -> None:
        start = self.start
        self.advance()
        self._systems.add("module")
        if self.takes("default"):
            self._exports.append(self.value())
        elif self.sees("const"):
            self._constant()
        else:
            self._exported(start)

    def _exported(self, start: int) -> None:
        """Read the rest of `export { config as default }`."""
        self.expect("{")
        name = self.name()
        if name not in self.constants or not (self.takes("as") and self.takes("default")):
            self.refuse(start)
        self.takes(",")
        self.expect("}")
        if self.sees("from"):
            self.refuse(start)
        self._exports.append(self.constants[name])

    def _assignment(self) -> None:
        start = self.start
        self.advance()
        if not (self.takes(".") and self.takes("exports") and self.takes("=")):
            self.refuse(start)
        self._systems.add("commonjs")
        self._exports.append(self.value())
