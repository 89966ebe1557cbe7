"""Package JSON: put a configuration under the key `tool` of a `package.json`, and leave every other byte as it is.

Indentation, line ends and spacing are those of the file; a byte order mark stays. Laws: without the inserted text the
file is unchanged, except for white space in an object that was empty; with it, it decodes as before except for the
key (`docs/init.md`).
"""

from itertools import islice
from typing import Any, Final

from msgspec import Struct
from returns.result import Failure, Success

from pipeline.config.json_places import PACKAGE_LIMIT, Passage, decode_json, malformed, to_text, value_of_key
from pipeline.config.setting_values import type_name
from pipeline.init.config_text import bounded, json_text
from pipeline.report.diagnostics.settings import WrongType
from pipeline.report.escape import to_json
from pipeline.report.location import Location
from pipeline.report.outcome import Outcome
from pipeline.schema import PACKAGE_KEY

_BOM: Final = b"\xef\xbb\xbf"
_SPACE: Final = " \t\r\n"


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
    whole = to_text(content).alt(malformed(name))
    text = whole.bind(lambda whole: _put(whole, data, name)).bind(lambda text: bounded(text, name, PACKAGE_LIMIT))
    return text.map(lambda text: mark + text.encode())


def _put(whole: Passage, data: dict[str, Any], name: str) -> Outcome[str]:
    """Put the data into the text of a file."""
    content = decode_json(whole).alt(malformed(name)).bind(lambda content: _object(content, name))
    former = content.bind(lambda _: value_of_key(whole, PACKAGE_KEY, name))
    return former.bind(lambda former: _laid_out(whole, former, data, name))


def _object(content: object, name: str) -> Outcome[dict[Any, Any]]:
    if isinstance(content, dict):
        return Success(content)
    return Failure((WrongType("", Location(name, 1, 1), "an object", type_name(content)),))


def _laid_out(whole: Passage, former: Passage | None, data: dict[str, Any], name: str) -> Outcome[str]:
    style = _style(whole)
    return bounded(style.text(data), name).map(lambda value: _with(whole.text, former, value, style))


def _with(text: str, former: Passage | None, value: str, style: Style) -> str:
    """Replace the value of the key, or add a member if there is none."""
    if former is None:
        return _added(text, f'"{PACKAGE_KEY}"{style.colon}{value}', style)
    tokens = tuple(former.tokens())
    return text[: tokens[0].start()] + value + text[tokens[-1].end() :]


def _style(whole: Passage) -> Style:
    """Infer the style from the first member; for an empty object, use that of npm."""
    opening, key, *rest = (token.span() for token in islice(whole.tokens(), 4))
    newline = "\r\n" if "\r\n" in whole.text else "\n"
    if not rest:
        return Style(f"{newline}  ", ": ", "  ")
    _, value = rest
    before, between = whole.text[opening[1] : key[0]], whole.text[key[1] : value[0]]
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
