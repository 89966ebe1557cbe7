"""Fields as plain data: the header of a style sheet or PHP file, as in WordPress; `.info` and `.ini`.

A header is in the first comment, `Theme Name: Harbour`. The others have `key = value`, `key[] = value`, and sections,
of which only one counts. Total: any other line is skipped.
"""

import re
from collections.abc import Mapping
from typing import Final, TypeAlias

HEADER_LIMIT: Final = 8 * 1024
"""Bytes at the start of a file in which a header may be."""
_FIELDS: Final = {
    name.lower(): name
    for name in (
        *("Theme Name", "Plugin Name", "Version", "Template", "Requires Plugins", "Text Domain"),
        *("Requires at least", "Requires PHP"),
    )
}
_FIELDS["textdomain"] = "Text Domain"
_LINE: Final = rf"(?i)(?:<\?php)?[ \t/*#@]*({'|'.join(_FIELDS)}):(.*)"
Info: TypeAlias = Mapping[str, tuple[str, ...]]
"""The values of each key."""
_COMMENT: Final = re.compile(r"\s[;#].*")


def read_header(content: bytes) -> dict[str, str]:
    """The fields of a header that have a value, whatever their case; if a field is repeated, the first counts."""
    fields: dict[str, str] = {}
    for line in content[:HEADER_LIMIT].decode("utf-8-sig", errors="replace").splitlines():
        if match := re.fullmatch(_LINE, line.strip()):
            value = match[2].partition("*/")[0].partition("?>")[0].strip()
            if value:
                fields.setdefault(_FIELDS[match[1].lower()], value)
    return fields


def read_info(content: bytes, counted: str = "info") -> Info:
    """The values of each key in one section or before any; of a key without brackets only the last counts."""
    fields: dict[str, list[str]] = {}
    section = ""
    for line in map(str.strip, content.decode("utf-8-sig", errors="replace").splitlines()):
        if line.startswith("[") and line.endswith("]"):
            section = line[1:-1].strip().lower()
        elif section in {"", counted} and "=" in line and line[0].isalpha():
            left, _, value = line.partition("=")
            key, bracket, _ = left.strip().lower().partition("[")
            if bracket:
                fields.setdefault(f"{key.rstrip()}[]", []).append(value)
            else:
                fields[key] = [value]
    return {key: tuple(map(_bare, values)) for key, values in fields.items()}


def last(info: Info, key: str) -> str | None:
    """The last value of a key; `None` if there is none or it is empty."""
    return (info.get(key) or ("",))[-1] or None


def _bare(value: str) -> str:
    """Strip the quotes off a value, or the comment after it."""
    value = value.strip()
    if value[:1] in {'"', "'"} and (end := value.find(value[0], 1)) > 0:
        return value[1:end]
    return _COMMENT.sub("", value).rstrip()
