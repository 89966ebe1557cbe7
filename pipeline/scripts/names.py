"""Names: what the variables of a script stand for, and which of their values stay as they are written.

A name is followed to its value if it is declared once in the whole file, by a `const` or a function at the
top level. Its value stays as written if every use of the name only exports it, reads from it, or puts it into
another value that stays. Anything else may change it: an assignment, an argument, a method call, an alias.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace
from toolz import concat

from pipeline.config.json_places import DEPTH_LIMIT
from pipeline.scripts.syntax import (
    NAMES,
    argument,
    first,
    is_literal,
    name_of,
    named,
    parts,
    returned,
    string_of,
    text_of,
    unwrap,
    value_of,
)

if TYPE_CHECKING:
    from tree_sitter import Node

EXPORT: Final = ""
"""The name that stands for the exported value itself; no variable can have it."""
PACKAGE: Final = "tool"

Manner: TypeAlias = Literal["declared", "read", "free"]

_UNSEEN: Final = frozenset({"this", "super", "eval", "with_statement"})
"""What can change or hide a value without naming it."""
_MENTIONS: Final = NAMES | {"shorthand_property_identifier_pattern", "type_identifier"} | _UNSEEN
_TYPES: Final = frozenset(
    {"type_annotation", "type_arguments", "type_query", "type_alias_declaration", "interface_declaration"}
)
_DECLARING: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(("required_parameter", "optional_parameter"), ("pattern",)),
    **dict.fromkeys(("arrow_function", "catch_clause"), ("parameter",)),
    **dict.fromkeys(("class", "class_declaration", "abstract_class_declaration", "enum_declaration"), ("name",)),
    **dict.fromkeys(("function_declaration", "function_expression", "internal_module", "module"), ("name",)),
    **dict.fromkeys(("generator_function", "generator_function_declaration", "variable_declarator"), ("name",)),
    "for_in_statement": ("left",),
    "import_specifier": ("alias", "name"),
}
"""The fields of a node; the first that it has declares names."""
_READING: Final = frozenset({"template_substitution", "unary_expression", "binary_expression"})
_HANDING_ON: Final = frozenset({"&&", "||", "??", "delete"})
"""Operators that yield an operand itself, or change it."""


class Use(Struct, frozen=True):
    """One mention of a name."""

    name: str
    at: int
    manner: Manner


class Names(Struct, frozen=True):
    """What the names at the top level of a script stand for."""

    values: Mapping[str, "Node"]
    """The expression of each `const` that is declared once, and each function that is."""
    declared: frozenset[str]
    helpers: frozenset[str]
    """The names imported from the package `tool`, whose functions return their argument."""
    changed: frozenset[str] = frozenset()
    """The names, `EXPORT` among them, whose value may differ from what is written."""

    def within(self, node: "Node", *, root: bool) -> "Node | None":
        """The inner expression that gives a node its value; for the root also what a promise or function yields."""
        if (inner := unwrap(node)) is not None:
            return inner
        callee = node.child_by_field_name("function") if node.type == "call_expression" else None
        if callee is not None:
            promised = root and text_of(callee) == "Promise.resolve" and "Promise" not in self.declared
            return argument(node) if promised or self._helps(callee) else None
        if not root:
            return None
        if node.type == "await_expression":
            return first(node)
        name = node.child_by_field_name("name") if node.type == "function_declaration" else None
        return None if name is not None and name_of(name) in self.changed else returned(node)

    def reach(self, written: "Node", *, root: bool = False) -> tuple["Node", bool]:
        """Follow an expression to its literal, and return it with whether it stays as written.

        If there is no literal, return the computed expression, at the place of the first name.
        """
        node, certain, followed = written, not (root and EXPORT in self.changed), False
        for _ in range(DEPTH_LIMIT):
            name = name_of(node) if node.type in NAMES else None
            inner = self.values.get(name) if name is not None else self.within(node, root=root)
            if inner is None:
                break
            certain = certain and name not in self.changed
            followed = followed or name is not None
            node = inner
            written = written if followed else node
        return (node, certain) if is_literal(node) else (written, False)

    def _helps(self, callee: "Node") -> bool:
        owner = callee.child_by_field_name("object") if callee.type == "member_expression" else callee
        return owner is not None and owner.type == "identifier" and name_of(owner) in self.helpers


def uses_of(root: "Node") -> tuple[Use, ...]:
    """Every mention of a variable, outside types; and each of `this`, `super`, `eval` and `with`."""
    found: list[Use] = []
    todo: list[tuple[Node, Manner]] = [(root, "free")]
    while todo:
        node, manner = todo.pop()
        if node.type in _MENTIONS:
            name = node.type if node.type in _UNSEEN else name_of(node)
            found.append(Use(name, node.start_byte, manner))
        if node.type not in _TYPES:
            todo.extend(_manners(node, manner))
    return tuple(found)


def names_of(root: "Node", uses: tuple[Use, ...], exported: "Node") -> Names:
    """Find what each name stands for, and which values may differ from what is written."""
    times = Counter(use.name for use in uses if use.manner == "declared")
    values = {name: value for name, value in _top(root) if times[name] == 1}
    helpers = frozenset(name for name in _imported(root) if times[name] == 1)
    names = Names(values, frozenset(times), helpers)
    holds = {name: tuple(_held(value, names)) for name, value in {**values, EXPORT: exported}.items()}
    return replace(names, changed=_changed(uses, holds))


def _changed(uses: tuple[Use, ...], holds: Mapping[str, tuple["Node", ...]]) -> frozenset[str]:
    """The names with a use of unknown effect, and those that their values hold."""
    if any(use.name in _UNSEEN for use in uses):
        return frozenset(holds)
    kept = {node.start_byte for node in concat(holds.values())}
    todo = [use.name for use in uses if use.manner == "free" and use.at not in kept]
    changed: set[str] = set()
    while todo:
        name = todo.pop()
        if name not in changed:
            changed.add(name)
            todo += map(name_of, holds.get(name, ()))
    return frozenset(changed)


def _held(value: "Node", names: Names) -> Iterator["Node"]:
    """The names that a value holds: itself, as a member or item at any depth, or spread into it."""
    todo = [(value, True)]
    while todo:
        node, root = todo.pop()
        for _ in range(DEPTH_LIMIT):
            inner = names.within(node, root=root)
            node = inner if inner is not None else node
            if inner is None:
                break
        if node.type in NAMES:
            yield node
        elif node.type in {"object", "array"}:
            todo += [(inner, False) for part in parts(node) if (inner := value_of(part)) is not None]


def _manners(node: "Node", manner: Manner) -> Iterator[tuple["Node", Manner]]:
    """The children of a node, each with the manner in which a name there would be used."""
    children = named(node)
    if node.type in _DECLARING:
        fields = map(node.child_by_field_name, _DECLARING[node.type])
        declaring = next((field for field in fields if field is not None), None)
        return ((child, "declared" if child == declaring else "free") for child in children)
    if manner == "declared" or node.type == "import_statement":
        return ((child, "declared") for child in children)
    if node.type in _READING:
        operator = node.child_by_field_name("operator")
        hands_on = operator is not None and operator.type in _HANDING_ON
        return ((child, "free" if hands_on else "read") for child in children)
    if node.type in {"export_clause", "export_specifier"}:
        return ((child, "read") for child in children)
    reads = manner == "read" and node.type in {"member_expression", "subscript_expression"}
    return ((child, "read" if reads and child == children[0] else "free") for child in children)


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
    for clause in _clauses(root):
        for use in uses_of(clause):
            if use.manner == "declared" or clause.type != "import_statement":
                yield use.name


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
