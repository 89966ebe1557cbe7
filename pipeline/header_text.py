"""Headers as plain data: `Theme Name: Harbour` in the first comment of a style sheet or PHP file, as in WordPress."""

import re
from typing import Final

LIMIT: Final = 8 * 1024
"""Bytes from the beginning of a file in which a header may stand."""
_FIELDS: Final = {
    name.lower(): name for name in ("Theme Name", "Plugin Name", "Version", "Template", "Requires Plugins")
}
_LINE: Final = re.compile(rf"(?:<\?php)?[ \t/*#@]*({'|'.join(_FIELDS)}):(.*)", re.IGNORECASE)


def read_header(content: bytes) -> dict[str, str]:
    """Give each field of a header that has a value, in whatever case it is; of one that stands twice the first."""
    found: dict[str, str] = {}
    for line in content[:LIMIT].decode("utf-8-sig", errors="replace").splitlines():
        if match := _LINE.fullmatch(line.strip()):
            value = match[2].partition("*/")[0].partition("?>")[0].strip()
            if value:
                found.setdefault(_FIELDS[match[1].lower()], value)
    return found
