"""Tables of cases that are data: `data/tables/<page>.json` has the tables of a test module,
one row a line.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

_TABLES = Path(__file__).parent / "data" / "tables"


def rows(page: str, table: str) -> list[Any]:
    """The rows of a table; each list in it is a tuple."""
    return [_frozen(row) for row in page_of(page)[table]]


def lists(page: str, table: str) -> list[Any]:
    """The rows of a table of plain JSON, whose lists stay lists."""
    return page_of(page)[table]


def named(page: str, table: str) -> list[Any]:
    """The rows of a table whose first column is what a case is called."""
    return [pytest.param(*row, id=name) for name, *row in rows(page, table)]


def in_bytes(rows: Any) -> Any:
    """Rows of which every text is the bytes that it has in Latin-1; what a case is called
    stays a text.
    """
    match rows:
        case str():
            return rows.encode("latin-1")
        case list() | tuple():
            return type(rows)(map(in_bytes, rows))
    return rows


@cache
def page_of(page: str) -> dict[str, list[Any]]:
    """The tables of a page, by their names."""
    tables: dict[str, list[Any]] = json.loads(
        (_TABLES / f"{page}.json").read_text(encoding="utf-8")
    )
    return tables


def _frozen(value: Any) -> Any:
    match value:
        case list():
            return tuple(map(_frozen, value))
        case dict():
            return {key: _frozen(each) for key, each in value.items()}
    return value
