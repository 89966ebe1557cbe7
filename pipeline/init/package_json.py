"""Package JSON: put a configuration under the key `tool` of a `package.json`, and leave every other byte as it is.

Indentation, line ends and spacing are those of the file; a byte order mark stays. Laws: without the inserted text the
file is unchanged, except for white space in an object that was empty; with it, it decodes as before except for the
key (`docs/init.md`).
"""

import re
from typing import Any, Final

from msgspec import Struct
from returns.result import Failure, Success

from pipeline.config.json_reader import PACKAGE_LIMIT, Member, find_member, to_text
from pipeline.init.config_text import bounded, json_text
from pipeline.report.diagnostics.settings import WrongType
from pipeline.report.escape import to_json
from pipeline.report.location import Location
from pipeline.report.outcome import Outcome
from pipeline.schema import PACKAGE_KEY

_BOM: Final = b"\xef\xbb\xbf"
_SPACE: Final = " \t\r\n"
_FIRST: Final = re.compile(r'\s*\{(\s*)"(?:[^"\\]|\\.)*+"(\s*:\s*)')
"""The beginning of an object that is not empty, up to its first value."""


class Style(Struct, frozen=True):
    """How a file lays out the members of its object: what comes before a key, and between a key and its value."""

    before: str
    colon: str
    indent: str | None
    """The white space of one level; `None` if everything is in one line."""

    def text(self, data: object) -> str:
        """Lay out a value one level deep."""
        if self.indent is None:
            return to_json(data) if self.colon == ":" else json_text(data, None)
        return json_text(data, self.indent).replace("\n", self.before)


def with_config(content: bytes, data: dict[str, Any], name: str) -> Outcome[bytes]:
    """Set the key `tool` of a `package.json`: in its place if it is there, else after the last key.

    Problems: `MalformedJson`, `WrongType` if it is not an object, `DuplicateKey` if the key is repeated,
    `LimitExceeded` if the value or the file would be too long to be read.
    """
    mark = _BOM if content.startswith(_BOM) else b""
    text = (
        to_text(content, name)
        .bind(lambda whole: _put(whole, data, name))
        .bind(lambda text: bounded(text, name, PACKAGE_LIMIT))
    )
    return text.map(lambda text: mark + text.encode())


def _put(text: str, data: dict[str, Any], name: str) -> Outcome[str]:
    """Put the data into the text of a file."""
    former = find_member(text, PACKAGE_KEY, name).bind(lambda former: _in_object(text, former, name))
    return former.bind(lambda former: _laid_out(text, former, data, name))


def _in_object(text: str, former: Member | None, name: str) -> Outcome[Member | None]:
    if text.lstrip().startswith("{"):
        return Success(former)
    return Failure((WrongType("", Location(name, 1, 1), "an object", "another value"),))


def _laid_out(text: str, former: Member | None, data: dict[str, Any], name: str) -> Outcome[str]:
    style = _style(text)
    return bounded(style.text(data), name).map(lambda value: _with(text, former, value, style))


def _with(text: str, former: Member | None, value: str, style: Style) -> str:
    """Replace the value of the key, or add a member if there is none."""
    if former is None:
        return _added(text, f'"{PACKAGE_KEY}"{style.colon}{value}', style)
    return text[: former.value] + value + text[former.end :]


def _style(text: str) -> Style:
    """Infer the style from the first member; for an empty object, use that of npm."""
    newline = "\r\n" if "\r\n" in text else "\n"
    first = _FIRST.match(text)
    if not first:
        return Style(f"{newline}  ", ": ", "  ")
    before, between = first.groups()
    if "\n" in before:
        indent = before.rpartition("\n")[2]
        return Style(f"{newline}{indent}", between, indent)
    return Style(" " if between != ":" else "", between, None)


def _added(text: str, member: str, style: Style) -> str:
    """Add a member after the last one and before the white space that ends the object, or to an empty object."""
    closing = text.rindex("}")
    end = len(text[:closing].rstrip(_SPACE))
    if text[end - 1] == "{":
        return f"{text[:end]}{style.before}{member}{style.before.rstrip(' ')}{text[closing:]}"
    return f"{text[:end]},{style.before}{member}{text[end:]}"
