"""Places: where the values of an exported configuration are in the text of a script.

Nothing is evaluated and nothing is guessed. A computed value has the place of the nearest property that is
certain, and there are no places below it (`docs/scripts.md`).
"""

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Container, Generator, Iterator, Mapping
from itertools import accumulate, islice
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pipeline.config.json_places import DEPTH_LIMIT, locator
from pipeline.config.tree import Candidate, KeyPath, Mark, Offsets
from pipeline.report.source import Source
from pipeline.scripts.names import Names, names_of
from pipeline.scripts.syntax import first, key_of, name_of, named, number_of, parse_script, parts, string_of, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

STEP_LIMIT: Final = 200_000
"""How many values and members are looked at; a value that two names share counts twice."""

_EXPORTS: Final = frozenset({"module.exports", "module.exports.default", "exports.default"})
_HOOKS: Final = frozenset({"then", "toJSON"})
"""Keys by which an object may stand for another value."""

_Member: TypeAlias = "tuple[Node, Node | None]"
_Members: TypeAlias = Mapping[str | int, _Member]


def script_marks(candidate: Candidate, data: object, text: str) -> dict[KeyPath, Mark]:
    """Mark each value of a script's data whose place in its text is certain; `Tree.mark` handles the rest.

    A literal that differs from the data was changed by the script, and is not its place.
    """
    at, bytes_at = locator(text), _offsets(text)
    return {
        path: Mark(path, _source(candidate, at, bytes_at, value), _source(candidate, at, bytes_at, key))
        for path, value, key in _steps(text)
        if _agrees(value, _datum(data, path))
    }


def script_places(text: str) -> Mapping[KeyPath, Offsets]:
    """Find the values of the configuration that a script exports.

    Takes TypeScript or JavaScript without a byte order mark. Total: there are no places if the text is not a script,
    exports nothing that can be determined, or exceeds a limit.
    """
    at = _offsets(text)
    return {path: Offsets(at(value.start_byte), at(key.start_byte)) for path, value, key in _steps(text)}


def _steps(text: str) -> "Iterator[tuple[KeyPath, Node, Node]]":
    """Each value that is found: its path, its node and the node of its key."""
    root = parse_script(text)
    exported = _exported(root) if root is not None else None
    if root is not None and exported is not None:
        walk = islice(_walk(exported, names_of(root)), STEP_LIMIT)
        yield from (step for step in walk if step is not None)


def _source(
    candidate: Candidate, at: Callable[[int], tuple[int, int]], bytes_at: Callable[[int], int], node: "Node"
) -> Source:
    return Source(candidate.display_path, *at(bytes_at(node.start_byte)))


def _agrees(node: "Node", datum: tuple[Any] | None) -> bool:
    """Whether a value of the data can be what is in the text; if that is computed, any can."""
    if datum is None:
        return False
    value = datum[0]
    match node.type:
        case "object":
            return isinstance(value, dict)
        case "array":
            return isinstance(value, list)
        case "string":
            return bool(value == string_of(node))
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool) and number_of(node) == value
        case "true" | "false":
            return value is (node.type == "true")
        case "null":
            return value is None
        case _:
            return True


def _exported(root: "Node") -> "Node | None":
    """The expression of the only default export, or of the only assignment that is equivalent to one."""
    exports = [exported for statement in named(root) for exported in _defaults(statement)]
    return exports[0] if len(exports) == 1 else None if exports else _assigned(root)


def _defaults(statement: "Node") -> Iterator["Node"]:
    tokens = {child.type for child in statement.children} if statement.type == "export_statement" else set()
    if tokens & {"default", "="}:
        yield named(statement)[-1]
    elif "export_clause" in tokens and statement.child_by_field_name("source") is None:
        for specifier in named(named(statement)[0]):
            name, alias = specifier.child_by_field_name("name"), specifier.child_by_field_name("alias")
            if name is not None and alias is not None and "default" in {text_of(alias), string_of(alias)}:
                yield name


def _assigned(root: "Node") -> "Node | None":
    """What is assigned to `module.exports`, or to its `default`, if it is assigned once."""
    pairs = (pair for statement in named(root) if (pair := _assignment(statement)) is not None)
    values = [value for target, value in pairs if text_of(target) in _EXPORTS]
    return values[0] if len(values) == 1 else None


def _assignment(statement: "Node") -> tuple["Node", "Node"] | None:
    inner = first(statement) if statement.type == "expression_statement" else None
    if inner is None or inner.type != "assignment_expression":
        return None
    target, value = inner.child_by_field_name("left"), inner.child_by_field_name("right")
    return None if target is None or value is None else (target, value)


def _walk(exported: "Node", names: Names) -> "Iterator[tuple[KeyPath, Node, Node] | None]":
    """Each value with its path, its literal and its key; `None` for each member that was looked at."""
    todo: deque[tuple[KeyPath, _Member]] = deque([((), (exported, None))])
    while todo:
        path, (written, key) = todo.popleft()
        value = names.reach(written, root=not path)
        yield path, value, value if key is None else key
        if len(path) < DEPTH_LIMIT and value.type in {"object", "array"}:
            members = yield from _object(value, names) if value.type == "object" else _array(value, names)
            todo.extend(((*path, step), member) for step, member in members.items())


def _object(whole: "Node", names: Names) -> Generator[None, None, _Members]:
    """The members of an object that are certain: later ones override earlier ones."""
    members: dict[str | int, _Member] = {}
    for part in _spread_out(whole, names):
        yield
        if part is None:
            continue
        key = part if part.type == "shorthand_property_identifier" else _key(part)
        name = name_of(part) if key is part else key_of(key)
        if name in _HOOKS:
            return {}
        if name is None or key is None:
            members.clear()
        elif any(child.type == "set" for child in part.children):
            members.pop(name, None)
        elif not _is_prototype(part, key, name):
            members[name] = (part.child_by_field_name("value") or part, key)
    return members


def _array(whole: "Node", names: Names) -> Generator[None, None, _Members]:
    """The items of an array before the first whose index is not certain."""
    items: dict[str | int, _Member] = {}
    for part in _spread_out(whole, names):
        yield
        if part is not None and part.type == "spread_element":
            break
        if part is not None:
            items[len(items)] = (part, None)
    return items


def _spread_out(whole: "Node", names: Names) -> "Iterator[Node | None]":
    """The parts of an object or array; for a spread that is certain, `None` and then the parts of what it spreads."""
    sources = [parts(whole)]
    while sources:
        part = next(sources[-1], None)
        if part is None:
            sources.pop()
            continue
        spread = first(part) if part.type == "spread_element" and len(sources) < DEPTH_LIMIT else None
        inner = names.reach(spread) if spread is not None else part
        is_open = spread is not None and inner.type == whole.type
        if is_open:
            sources.append(parts(inner))
        yield None if is_open else part


def _key(part: "Node") -> "Node | None":
    return part.child_by_field_name("key") or part.child_by_field_name("name")


def _is_prototype(part: "Node", key: "Node", name: str) -> bool:
    return part.type == "pair" and name == "__proto__" and key.type != "computed_property_name"


def _offsets(text: str) -> Callable[[int], int]:
    """Make a function from byte offsets in the text's UTF-8 to character offsets."""
    if text.isascii():
        return lambda at: at
    starts = tuple(accumulate((len(character.encode(errors="replace")) for character in text), initial=0))
    return lambda at: bisect_left(starts, at)


def _datum(data: Any, path: KeyPath) -> tuple[Any] | None:
    """The value at a path, in a tuple since it may be `null`; `None` if there is none."""
    for step in path:
        known: Container[object] = (
            data if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()
        )
        if step not in known:
            return None
        data = data[step]
    return (data,)
