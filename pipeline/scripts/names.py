"""Names: what the variables of a script stand for.

A name is followed to its value if a `const` or a function at the top level declares it. Whether the script changes that
value later is not asked: each literal is compared with the evaluated configuration (`places`).
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from pipeline.config.json_places import DEPTH_LIMIT
from pipeline.scripts.syntax import (
    NAMES,
    argument,
    first,
    is_literal,
    name_of,
    named,
    returned,
    string_of,
    text_of,
    unwrap,
)

if TYPE_CHECKING:
    from tree_sitter import Node

PACKAGE: Final = "tool"


class Names(Struct, frozen=True):
    """What the names at the top level of a script stand for."""

    values: Mapping[str, "Node"]
    """The expression of each `const`, and each function."""
    helpers: frozenset[str]
    """The names imported from the package `tool`, whose functions return their argument."""

    def within(self, node: "Node", *, root: bool) -> "Node | None":
        """The inner expression that gives a node its value; for the root also what a promise or function yields."""
        if (inner := unwrap(node)) is not None:
            return inner
        callee = node.child_by_field_name("function") if node.type == "call_expression" else None
        if callee is not None:
            promised = root and text_of(callee) == "Promise.resolve"
            return argument(node) if promised or self._helps(callee) else None
        if not root:
            return None
        return first(node) if node.type == "await_expression" else returned(node)

    def reach(self, written: "Node", *, root: bool = False) -> "Node":
        """Follow an expression to its literal; if there is none, to the computed expression where it is first named."""
        node, followed = written, False
        for _ in range(DEPTH_LIMIT):
            name = name_of(node) if node.type in NAMES else None
            inner = self.values.get(name) if name is not None else self.within(node, root=root)
            if inner is None:
                break
            followed = followed or name is not None
            node = inner
            written = written if followed else node
        return node if is_literal(node) else written

    def _helps(self, callee: "Node") -> bool:
        owner = callee.child_by_field_name("object") if callee.type == "member_expression" else callee
        return owner is not None and owner.type == "identifier" and name_of(owner) in self.helpers


def names_of(root: "Node") -> Names:
    """Find what each name stands for. A name that is declared twice at the top level stands for nothing."""
    declared = tuple(_top(root))
    times = Counter(name for name, _ in declared)
    return Names({name: value for name, value in declared if times[name] == 1}, frozenset(_imported(root)))


def _statements(root: "Node") -> Iterator["Node"]:
    """The statements at the top level; of an exported declaration, the declaration."""
    for statement in named(root):
        yield statement.child_by_field_name("declaration") or statement


def _constants(root: "Node") -> Iterator[tuple["Node", "Node"]]:
    """The name, or pattern, and the expression of each `const` at the top level."""
    for statement in _statements(root):
        kind = statement.child_by_field_name("kind") if statement.type == "lexical_declaration" else None
        for declarator in named(statement) if kind is not None and kind.type == "const" else ():
            name, value = declarator.child_by_field_name("name"), declarator.child_by_field_name("value")
            if name is not None and value is not None:
                yield name, value


def _top(root: "Node") -> Iterator[tuple[str, "Node"]]:
    """The name and the value of each `const` and function at the top level."""
    yield from ((name_of(name), value) for name, value in _constants(root) if name.type == "identifier")
    for statement in _statements(root):
        name = statement.child_by_field_name("name") if statement.type == "function_declaration" else None
        if name is not None:
            yield name_of(name), statement


def _imported(root: "Node") -> Iterator[str]:
    """The names that a script imports from the package, by `import` or by `require`."""
    todo = list(_clauses(root))
    while todo:
        node = todo.pop()
        if node.type in NAMES or node.type == "shorthand_property_identifier_pattern":
            yield name_of(node)
        todo += named(node)


def _clauses(root: "Node") -> Iterator["Node"]:
    """Each part of a script that names what it imports from the package."""
    for statement in named(root):
        sources = [statement, *named(statement)] if statement.type == "import_statement" else []
        if any(string_of(node.child_by_field_name("source")) == PACKAGE for node in sources):
            yield statement
    for name, value in _constants(root):
        callee = value.child_by_field_name("function") if value.type == "call_expression" else None
        if callee is not None and text_of(callee) == "require" and string_of(argument(value)) == PACKAGE:
            yield name
