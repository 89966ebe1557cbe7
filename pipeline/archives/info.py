r"""`.info` files as Drupal 7 and Backdrop read them, by the expression that both use (7.105, 1.28).

    ; a comment                         a line without an equals sign joins the next key
    name = "Harbour"                    text in quotes may go on over several lines
    dependencies[] = views              a list; a key between the brackets makes it a mapping
    description =                       an empty value takes the next line
    version = 1.0 ; not yet             the value is `1.0 ; not yet`

Keys are exact, also in case. `TRUE` is 1; `FALSE` and `NULL` are empty. There are no sections.

`read_loosely` reads what people take such a file, or an ini file, for.
"""

import re
from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

Info: TypeAlias = Mapping[str, Any]
"""The value of each key: text, or a mapping for a list by the place of each item."""

_KEY: Final = rb"(\s*+)((?:[^=;\[\]]++|\[[^\[\]]*+\])*+)"
_BRACKETS: Final = rb"\[[^\[\]]*+\]"
_BLANKS: Final = rb"\s*+"
_VALUE: Final = rb"""(?m)(?:"((?:[^"]++|(?<=\\)")*)"|'((?:[^']++|(?<=\\)')*)'|([^\r\n]*+))\s*$"""
_BETWEEN_BRACKETS: Final = r"\]?\["
_DEEPEST: Final = 8
"""How deep mappings may be nested; no marker nests deeper."""
_CONSTANTS: Final = {"true": "1", "false": "", "null": ""}
_COMMENT: Final = r"\s[;#].*"


def read_info(content: bytes) -> Info:
    """The values of each key."""
    fields: dict[str, Any] = {}
    begin = 0
    inner = deque[int]()  # the lines that begin in brackets of a key that came to nothing
    behind = 0  # the first line behind that key
    while begin < len(content):
        key, end, value = _pair(content, begin)
        if value is not None:
            _put(fields, key.decode(errors="replace"), value.decode(errors="replace"))
        elif begin >= behind:
            inner.extend(_lines_in_brackets(content, begin, end))
            behind = _next_line(content, end)
            end = begin
        while inner and inner[0] <= end:
            inner.popleft()
        begin = max(behind, _next_line(content, end - 1))
        if inner:
            begin = inner.popleft()
    return fields


def _pair(content: bytes, begin: int) -> tuple[bytes, int, bytes | None]:
    """A key, the offset behind its value, and the value, which is `None` if no pair
    begins there.
    """
    # It may match nothing, and so always matches.
    match: Any = re.compile(_KEY).match(content, begin)
    blanks, key = match.groups()
    end = begin + len(blanks) + len(key)
    name = key.rstrip() or blanks[-1:]
    if name and content.startswith(b"=", end):
        return name, *_value(content, end + 1)
    return name, end, None


def _next_line(content: bytes, at: int) -> int:
    """Where the next line begins."""
    return content.find(b"\n", max(at, 0)) + 1 or len(content)


def _lines_in_brackets(content: bytes, begin: int, end: int) -> Iterator[int]:
    """The offsets of lines that begin inside brackets."""
    for brackets in re.compile(_BRACKETS).finditer(content, begin, end):
        yield from (
            brackets.start() + newline.end() for newline in re.finditer(rb"\n", brackets[0])
        )


def _value(content: bytes, begin: int) -> tuple[int, bytes | None]:
    """The offset behind a value, and the value; `None` if a line ends at CR alone."""
    blanks: Any = re.compile(_BLANKS).match(content, begin)  # as above
    start = blanks.end()
    match = re.compile(_VALUE).match(content, start)
    if match is None:
        newline = content.rfind(b"\n", begin, start)
        if newline < 0:
            return begin, None
        return newline, b""
    if match[3] is not None:
        return match.end(), match[3].rstrip()
    quoted = match[1] or match[2] or b""
    return match.end(), re.sub(rb"(?s)\\(.?)", rb"\1", quoted)


def _put(fields: dict[str, Any], name: str, value: str) -> None:
    """Store a value where its name says: `regions[header]`, `dependencies[]`."""
    *parents, last = re.split(_BETWEEN_BRACKETS, name.rstrip("]"), maxsplit=_DEEPEST)
    values = fields
    for parent in parents:
        key = parent or str(len(values))
        if not isinstance(values.get(key), dict):
            values[key] = {}
        values = values[key]
    values[last or str(len(values))] = _CONSTANTS.get(value.lower(), value)


def read_loosely(content: bytes, counted: str = "") -> Mapping[str, str]:
    """The last value of each key in one section, or before any; in all sections if none is named.

    Keys and sections are in lower case, and lists are read like other keys.
    """
    fields: dict[str, str] = {}
    section = ""
    for line in map(str.strip, re.split(r"[\r\n]+", content.decode("utf-8-sig", errors="replace"))):
        if line.startswith("[") and line.endswith("]"):
            section = line[1:-1].strip().lower()
        elif section in {"", counted or section} and "=" in line and line[0].isalpha():
            key, _, value = line.partition("=")
            fields[key.strip().lower()] = _bare(value)
    return fields


def _bare(value: str) -> str:
    """Strip the quotes off a value, or the comment behind it."""
    value = value.strip()
    if value[:1] in {'"', "'"} and (end := value.find(value[0], 1)) > 0:
        return value[1:end]
    return re.sub(_COMMENT, "", value).rstrip()
