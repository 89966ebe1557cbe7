"""JSON as plain data, for the marker files inside archives."""

from typing import Any

import msgspec


def read_json(content: bytes) -> Any:
    """The data; `None` if it is not JSON."""
    try:
        return msgspec.json.decode(content.removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
