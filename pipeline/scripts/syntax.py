"""Syntax: what the nodes of a TypeScript or JavaScript syntax tree say, one at a time.

tree-sitter parses, and is imported only when there is a script. Its TypeScript grammar reads JavaScript too.
Nodes count bytes of the text in UTF-8. Nothing here knows what a name stands for.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from tree_sitter import Node

_PACKAGE: Final = "tree_sitter_typescript"
TEXT_LIMIT: Final = 128 * 1024
"""Characters of a script; a longer one is not parsed."""
ANGLE_LIMIT: Final = 300
"""How many `<` a script may have: each may be a comparison or open type arguments, and the parser tries both."""

NAMES: Final = frozenset({"identifier", "shorthand_property_identifier"})
"""The nodes that read a variable."""
_COMMENTS: Final = frozenset({"comment", "html_comment"})
_TRANSPARENT: Final = frozenset(
    {"parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression"}
)
_PLAIN: Final = frozenset({"object", "array", "string", "number", "true", "false", "null"})
_FUNCTIONS: Final = frozenset({"arrow_function", "function_expression", "function_declaration"})
_BODIES: Final = _FUNCTIONS | {"method_definition", "generator_function", "generator_function_declaration"}
_LAST: Final = 0x10FFFF
"""The last code point."""
_EXACT: Final = 2**53
"""Below this, JavaScript spells a whole number as Python does."""

_ESCAPE: Final = re.compile(
    r"\\(?:u\{(?P<point>[0-9A-Fa-f]+)\}|u(?P<unit>[0-9A-Fa-f]{4})|x(?P<byte>[0-9A-Fa-f]{2})"
    r"|(?P<octal>[0-3]?[0-7]{1,2})|(?P<other>\r\n|.))",
    re.DOTALL,
)
_OTHER: Final = {
    **{"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v"},
    **dict.fromkeys(("\n", "\r", "\r\n", "\u2028", "\u2029"), ""),
}


def parse_script(text: str) -> "Node | None":
    """Parse a script; `None` if it has a syntax error or exceeds a limit, since nothing in it is certain.

    Also `None` where the parser is not installed: it is not for every system (`docs/howto/install.md`).
    """
    if len(text) > TEXT_LIMIT or text.count("<") > ANGLE_LIMIT:
        return None
    try:
        from tree_sitter import Language, Parser

        language = Language(_grammar())
    except ImportError:
        return None
    root = Parser(language).parse(text.encode(errors="replace")).root_node
    return None if root.has_error else root


def _grammar() -> Any:
    """The grammar, from its binding alone: to import the package around it takes 8 ms, for files that are not read.

    Raises `ImportError` if it is not installed.
    """
    from importlib.machinery import PathFinder
    from importlib.util import find_spec, module_from_spec

    package: Any = find_spec(_PACKAGE)
    if package is None:
        raise ImportError(name=_PACKAGE)
    spec: Any = PathFinder.find_spec(f"{_PACKAGE}._binding", package.submodule_search_locations)
    binding: Any = module_from_spec(spec)
    spec.loader.exec_module(binding)
    return binding.language_typescript()


def text_of(node: "Node") -> str:
    """The text of a node as written."""
    return (node.text or b"").decode()


def name_of(node: "Node") -> str:
    """The name that an identifier means: `\\u0074heme` is `theme`."""
    return unescape(text_of(node))


def string_of(node: "Node | None") -> str | None:
    """The value of a string literal; `None` for any other node."""
    return unescape(text_of(node)[1:-1]) if node is not None and node.type == "string" else None


def number_of(node: "Node") -> float | None:
    """The value of a number literal; `None` for a bigint."""
    written = text_of(node)
    try:
        return int(written, 0) if written[:2].lower() in {"0x", "0o", "0b"} else float(written)
    except ValueError:
        return None


def key_of(node: "Node | None") -> str | None:
    """The key that the name of a property means; `None` if it is not certain, as when it is computed."""
    if node is None:
        return None
    if node.type == "computed_property_name":
        return string_of(first(node))
    if node.type == "number":
        return _whole(text_of(node))
    return name_of(node) if node.type == "property_identifier" else string_of(node)


def unescape(written: str) -> str:
    """Decode the escapes of a string or an identifier; two halves of a surrogate pair become one character."""
    if "\\" not in written:
        return written
    units = _ESCAPE.sub(_escaped, written)
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def named(node: "Node") -> list["Node"]:
    """The children that are neither punctuation nor comments."""
    return [child for child in node.named_children if child.type not in _COMMENTS]


def first(node: "Node") -> "Node | None":
    """The first child that is neither punctuation nor a comment."""
    return next(iter(named(node)), None)


def parts(whole: "Node") -> Iterator["Node"]:
    """The members of an object, or the items of an array; for an omitted item, its comma."""
    awaited = True
    for child in whole.children:
        if child.type == ",":
            if awaited:
                yield child
            awaited = True
        elif child.is_named and child.type not in _COMMENTS:
            yield child
            awaited = False


def unwrap(node: "Node") -> "Node | None":
    """The expression in parentheses, a type assertion, `as`, `satisfies` or `!`."""
    if node.type in _TRANSPARENT:
        return first(node)
    return named(node)[-1] if node.type == "type_assertion" else None


def argument(call: "Node") -> "Node | None":
    """The argument of a call; `None` unless there is exactly one."""
    arguments = call.child_by_field_name("arguments") if call.type == "call_expression" else None
    within = named(arguments) if arguments is not None and arguments.type == "arguments" else []
    return within[0] if len(within) == 1 and within[0].type != "spread_element" else None


def returned(function: "Node") -> "Node | None":
    """The expression that a function returns: its body, or that of its only `return`."""
    body = function.child_by_field_name("body") if function.type in _FUNCTIONS else None
    if body is None or body.type != "statement_block":
        return body
    expressions = []
    todo = [body]
    while todo:
        node = todo.pop()
        if node.type == "return_statement":
            expressions.append(first(node))
        elif node.type not in _BODIES:
            todo += node.named_children
    return expressions[0] if len(expressions) == 1 else None


def is_literal(node: "Node") -> bool:
    """Whether a node is a literal value: without a name, call or substitution at its top."""
    if node.type == "unary_expression":
        operand = first(node)
        return node.children[0].type in {"-", "+"} and operand is not None and operand.type == "number"
    if node.type == "template_string":
        return all(child.type != "template_substitution" for child in node.named_children)
    return node.type in _PLAIN


def _escaped(match: re.Match[str]) -> str:
    digits = match["point"] or match["unit"] or match["byte"]
    if digits is not None:
        return chr(min(int(digits, 16), _LAST))
    if match["octal"] is not None:
        return chr(int(match["octal"], 8))
    return _OTHER.get(match["other"], match["other"])


def _whole(written: str) -> str | None:
    """The key that a numeric key means; `None` unless it is a whole number that needs no rounding."""
    try:
        number = int(written.removesuffix("n"), 0)
    except ValueError:
        return None
    return str(number) if number < _EXACT else None
