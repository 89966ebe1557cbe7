"""Headers of PHP files and style sheets, as WordPress's `get_file_data` reads them (compared
with 6.1.9).

    /*
     * Plugin Name: Harbour
     * Version: 1.0 */

A field is at the start of a line, behind `<?php` and what begins comments. The first line of a
field counts, also if it is empty. Lines end at LF, CR and CRLF alone.
"""

import re
from typing import Final

HEADER_LIMIT: Final = 8 * 1024
"""How many bytes at the start of a file may hold a header."""
_FIELDS: Final = {
    name.lower().encode(): name
    for name in (
        *(
            "Theme Name",
            "Plugin Name",
            "Version",
            "Template",
            "Requires Plugins",
            "Text Domain",
            "Textdomain",
        ),
        *("Requires at least", "Requires PHP"),
    )
}
_LINE: Final = rb"(?i)(?:[ \t]*<\?php)?[ \t/*#@]*(%b):(.*)" % b"|".join(_FIELDS)
_COMMENT_END: Final = rb"\*/|\?>"
BLANKS: Final = " \t\n\r\0\x0b"
"""The characters that PHP's `trim` strips."""


def read_header(content: bytes) -> dict[str, str]:
    """The fields of a header that have a value; upper and lower case are the same."""
    fields: dict[str, str] = {}
    for line in content[:HEADER_LIMIT].replace(b"\r", b"\n").split(b"\n"):
        if match := re.fullmatch(_LINE, line):
            fields.setdefault(_FIELDS[match[1].lower()], _without_end(match[2]))
    return {field: value for field, value in fields.items() if value}


def _without_end(value: bytes) -> str:
    """A value without the end of the comment around it."""
    if value == b"0":  # nothing, for PHP
        return ""
    text, *rest = re.split(_COMMENT_END, value, maxsplit=1)
    if rest:
        text = text.rstrip()
    return text.decode(errors="replace").strip(BLANKS)
