"""Headers as plain data: `Theme Name: Harbour` in the first comment of a style sheet or PHP file, as in WordPress."""

import re
from typing import Final

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


def read_header(content: bytes) -> dict[str, str]:
    """The fields of a header that have a value, whatever their case; if a field is repeated, the first counts."""
    fields: dict[str, str] = {}
    for line in content[:HEADER_LIMIT].decode("utf-8-sig", errors="replace").splitlines():
        if match := re.fullmatch(_LINE, line.strip()):
            value = match[2].partition("*/")[0].partition("?>")[0].strip()
            if value:
                fields.setdefault(_FIELDS[match[1].lower()], value)
    return fields
