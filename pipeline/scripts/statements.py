"""Statements: what a script exports, as far as it can be followed without running it (`docs/scripts.md`).

A script is read by a grammar of its own: the small part of TypeScript in which a text has one meaning, in every kind
of file. A general parser accepts more than JavaScript does, and each of its nodes would have to be checked for that.
Where a script is part of the grammar as a whole, it is a literal. Whatever else it has is passed, and then it is
evaluated: what is read says where the values stand.

Law: what is read of a literal is what evaluation gives.
"""

from typing import Final

from msgspec import UNSET, Struct

from pipeline.config.tree import Written
from pipeline.scripts.functions import Functions
from pipeline.scripts.types import RESERVED, RefusedToken
from pipeline.scripts.values import HELPERS, HOLE, TYPED

TEXT_LIMIT: Final = 128 * 1024
"""Characters of a script; a longer one is not read."""

_SUFFIXES: Final = TYPED | {".js", ".mjs", ".cjs"}
_PACKAGE: Final = ('"tool"', "'tool'")
_STRICT: Final = ('"use strict"', "'use strict'")


class Script(Struct, frozen=True):
    """What a script exports as far as it can be followed, and the offset of the first thing that has to be evaluated.

    Of a literal, the one is complete and the other `None`.
    """

    written: Written | None
    hole: int | None


def read_script(text: str, suffix: str) -> Script:
    """Read a script, of which a byte order mark is no part. Total. Its suffix says whether it may have types."""
    if len(text) > TEXT_LIMIT:
        return Script(None, 0)
    reader = _Statements(text, suffix)
    written = reader.read()
    return Script(written, reader.hole if suffix in _SUFFIXES else 0)


class _Statements(Functions):
    """Reads the statements of a script: imports of types and of the package, `const`s, and one export."""

    def __init__(self, text: str, suffix: str) -> None:
        super().__init__(text, suffix)
        self.drops_unused = suffix in {".ts", ".mts"}
        """Whether an imported name that is no value is dropped, as that of a type that is not marked as one."""
        self.names: set[str] = set()
        self.systems: set[str] = set()
        self.exports: list[Written] = []
        self.statements = {
            "import": self._import,
            "export": self._export,
            "const": self._constant,
            "async": self._declaration,
            "function": self._declaration,
            "module": self._assignment,
            **dict.fromkeys(_STRICT, self.advance),
        }

    def read(self) -> Written | None:
        """Read every statement, and give the value of the only default export."""
        while not self.is_at_end():
            first, start = self.at, self.token.start
            try:
                self._statement(start)
            except RefusedToken as refusal:
                self.note(refusal.offset)
                self._pass_statements(first)
            if len(self.exports) > 1 or len(self.systems) > 1:
                self.note(start)
        if self.token.kind == "unknown":
            self.note(self.token.start)
            self.exports.clear()
        if not self.exports and self.hole is None:
            self.note(0)
        return self.exports[0] if len(self.exports) == 1 else None

    def _statement(self, start: int) -> None:
        if self.takes(";"):
            return
        self.statements.get(self.token.text, lambda: self.refuse(start))()
        if not (self.takes(";") or self.is_at_end() or self.token.on_new_line):
            self.refuse(start)

    def _pass_statements(self, first: int) -> None:
        """Pass statements, up to one that may have a meaning here."""
        self.at = first
        self.jump()
        while not (self.is_at_end() or (self.token.text in self.statements and self._begins())):
            self.jump()

    def _begins(self) -> bool:
        """Whether a statement begins with the token."""
        before = self.tokens[self.at - 1]
        return before.text in {";", "}"} or (self.token.on_new_line and before.ends is not False)

    def _declare(self, name: str, start: int) -> str:
        if name in self.names:
            self.constants.pop(name, None)
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
        helpers: set[str] = set()
        packages: set[str] = set()
        only_types = self.is_typed and self.takes("type")
        if self.takes("{"):
            self.list_until("}", lambda: self._specifier(helpers, "as", only_types=only_types))
        elif self.takes("*"):
            start = self.expect("as").start
            name = self._declare(self.name(), start)
            packages |= set() if only_types else {name}
        elif only_types:
            self._declare(self.token.text, self.token.start)
            self.name()
        else:
            self.refuse(self.token.start)
        self.expect("from")
        is_known = self.sees(*_PACKAGE) or (only_types and self.token.kind == "string")
        self.advance() if is_known else self.refuse(self.token.start)
        self.helpers |= helpers
        self.packages |= packages

    def _specifier(self, helpers: set[str], renames: str, *, only_types: bool = False) -> None:
        """Read one name between the braces of an import, or of what `require` gives."""
        start = self.token.start
        is_type = only_types or (self.is_typed and self.takes("type"))
        name = self.name()
        if is_type and name in RESERVED:  # `type as as x` is a type for one parser, and a value for another
            self.refuse(start)
        local = self._declare(self.name() if self.takes(renames) else name, start)
        if not is_type and name in HELPERS:
            helpers.add(local)
        elif not is_type and not self.drops_unused:
            self.note(start)

    def _constant(self) -> None:
        start = self.expect("const").start
        if self.takes("{"):
            return self._required(start)
        while True:
            name = self._declare(self.name(), self.tokens[self.at - 1].start)
            if self.is_typed and self.takes(":"):
                self.type()
            self.expect("=")
            self.constants[name] = self.value(outer=True)
            if not self.takes(","):
                return None

    def _required(self, start: int) -> None:
        """Read the rest of `const { defineConfig } = require("tool")`, which no literal has."""
        self.note(start)
        helpers: set[str] = set()
        self.list_until("}", lambda: self._specifier(helpers, ":"))
        for text in ("=", "require", "("):
            self.expect(text)
        self.expect(*_PACKAGE)
        self.expect(")")
        self.helpers |= helpers

    def _declaration(self) -> None:
        """Read the declaration of a function."""
        start = self.token.start
        after = self.tokens[self.at + 1 : self.at + 3]
        name = next((token.text for token in after if token.kind == "name" and token.text != "function"), "")
        self.constants[self._declare(name, start)] = self.function()

    def _export(self) -> None:
        start = self.advance().start
        self.systems.add("module")
        if self.takes("default"):
            self.exports.append(self.value(outer=True))
        elif self.sees("const"):
            self._constant()
        elif self.sees("async", "function"):
            self._declaration()
        else:
            self._exported(start)

    def _exported(self, start: int) -> None:
        """Read the rest of `export { config as default }`."""
        self.expect("{")
        known = self.constants.get(self.name(), HOLE)
        if known.plain is UNSET or not (self.takes("as") and self.takes("default")):
            self.refuse(start)
        self.takes(",")
        self.expect("}")
        if self.sees("from"):
            self.refuse(start)
        self.exports.append(known)

    def _assignment(self) -> None:
        start = self.advance().start
        if not (self.takes(".") and self.takes("exports") and self.takes("=")):
            self.refuse(start)
        self.systems.add("commonjs")
        self.exports.append(self.value(outer=True))
