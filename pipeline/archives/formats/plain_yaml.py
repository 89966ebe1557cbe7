"""Plain YAML: mappings and lists in blocks, and scalars of one line, as nearly every marker file has.

Importing PyYAML takes 12 ms, more than all else that a dry run of a small drop does, because it compiles patterns that
only its other parsers use. Here nothing is judged: what is not plain is left to it. Law: what is read here is what
PyYAML reads.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from msgspec import Struct

DEPTH_LIMIT: Final = 16
"""How deep mappings and lists may be nested; no marker nests deeper."""

_LINE: Final = r"""(?x)(?P<indent>\ *)(?P<dash>-\ +)?(?:(?P<key>[A-Za-z_][A-Za-z0-9_-]*):(?=\ |$)\ *)?
    (?: (?P<plain>[A-Za-z0-9_./~](?:[A-Za-z0-9_./~@+^()-]|:(?=[^ ])|\ +(?=[^ #]))*)
      | "(?P<double>[^"\\]*)" | '(?P<single>[^']*)' )?\ *"""


class _Line(Struct, frozen=True):
    indent: int
    key: str | None
    """`None` for an item of a list."""
    value: str | None
    """`None` where none is on the line; the value of an item may then be a mapping that begins on it."""


def read_plain(content: bytes) -> Any:
    """The data of a text, with every scalar a string; `None` if it is not plain."""
    try:
        lines = list(_lines(content.decode("ascii")))
        data, end = _block(lines, 0, 0, 0)
    except ValueError:
        return None
    return data if end == len(lines) else None


def _lines(text: str) -> Iterator[_Line]:
    """Each line that is neither empty nor a comment. Raises `ValueError` at one that is not plain."""
    for line in text.replace("\r\n", "\n").split("\n"):
        if not line.isprintable():
            raise ValueError(line)
        if line.lstrip(" ")[:1] in {"", "#"}:
            continue
        match = re.fullmatch(_LINE, line)
        if match is None:
            raise ValueError(line)
        values = (match[name] for name in ("plain", "double", "single"))
        value = next((value for value in values if value is not None), None)
        indent, key, dash = len(match["indent"]), match["key"], match["dash"] or ""
        if key is None and (value is None or not dash):
            raise ValueError(line)
        if dash:
            yield _Line(indent, None, value if key is None else None)
        if key is not None:
            yield _Line(indent + len(dash), key, value)


def _block(lines: list[_Line], at: int, indent: int, depth: int) -> tuple[Any, int]:
    """Read a mapping or list from a line on; give it and the line after it."""
    if at >= len(lines) or lines[at].indent != indent or depth >= DEPTH_LIMIT:
        raise ValueError(at)
    if lines[at].key is None:
        return _items(lines, at, indent, depth)
    mapping: dict[str, Any] = {}
    while at < len(lines) and lines[at].indent == indent and (key := lines[at].key) is not None:
        line, at = lines[at], at + 1
        inner = lines[at] if at < len(lines) else _Line(0, "", "")
        is_open = line.value is None and (inner.indent > indent or (inner.indent == indent and inner.key is None))
        mapping[key], at = _block(lines, at, inner.indent, depth + 1) if is_open else (line.value or "", at)
    if at < len(lines) and lines[at].indent > indent:
        raise ValueError(at)
    return mapping, at


def _items(lines: list[_Line], at: int, indent: int, depth: int) -> tuple[list[Any], int]:
    """Read a list."""
    items: list[Any] = []
    while at < len(lines) and lines[at].indent == indent and lines[at].key is None:
        value, at = lines[at].value, at + 1
        if value is None:
            value, at = _block(lines, at, lines[at].indent, depth + 1)
        items.append(value)
    if at < len(lines) and lines[at].indent > indent:
        raise ValueError(at)
    return items, at
