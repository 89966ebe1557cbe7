"""The fields of what is printed as JSON, each with what it holds: for the pages of
the reference.
"""

import inspect
import textwrap
from collections.abc import Iterable, Mapping
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from toolz import groupby

from pipeline.report.events import Event

EVENTS: Final = get_args(Event)
"""Every kind of event."""
_WORDS: Final[Mapping[Any, tuple[str, str]]] = {
    str: ("string", "strings"),
    bool: ("boolean", "booleans"),
    int: ("integer", "integers"),
    float: ("number", "numbers"),
    NoneType: ("`null`", ""),
    msgspec.UnsetType: ("absent", ""),
}
"""The names of types, of one and of many."""
_WIDTH: Final = 100
"""Columns of a line of a page."""


def section(part: type[msgspec.Struct]) -> str:
    """A heading, what the docstring says, and the fields with their types, those of one type
    in one line.
    """
    hints = get_type_hints(part)
    by_type = groupby(lambda field: _type(hints[field.name]), msgspec.structs.fields(part))
    lines = (
        f"- {', '.join(f'`{each.encode_name}`' for each in fields)}: {kind}\n"
        for kind, fields in by_type.items()
    )
    return f"## {_title(part)}\n\n{_paragraphs(part)}\n\n{''.join(lines)}"


def _paragraphs(part: type[msgspec.Struct]) -> str:
    """The docstring, its paragraphs wrapped as the other lines of the pages are."""
    paragraphs = (inspect.getdoc(part) or "").split("\n\n")
    return "\n\n".join(
        textwrap.fill(paragraph, _WIDTH, break_on_hyphens=False) for paragraph in paragraphs
    )


def _title(part: type[msgspec.Struct]) -> str:
    """A part that says what it is has that as its name."""
    tag = part.__struct_config__.tag
    return f"`{tag}`" if tag else part.__name__


def _type(hint: Any, many: bool = False) -> str:
    if hint in _WORDS:
        return _WORDS[hint][many]
    args = get_args(hint)
    match get_origin(hint):
        case None:
            return f"[{_title(hint)}](#{_title(hint).strip('`').lower()})"
        case origin if origin is Literal:
            return _either(map(_constant, args))
        case origin if origin is tuple:
            return f"list of {_type(args[0], many=True)}"
        case origin if origin in {Union, UnionType}:
            return _either(word for arg in args for word in _words(arg))
        case _:
            return f"object with values that are {_type(args[1])}"


def _words(hint: Any) -> Iterable[str]:
    """What a member of a union may be."""
    return map(_constant, get_args(hint)) if get_origin(hint) is Literal else [_type(hint)]


def _constant(value: str) -> str:
    return f'`"{value}"`'


def _either(words: Iterable[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last
