"""Config text: a configuration as JSON or TypeScript.

Keys are in the order of the schema, laid out as Prettier does. Characters that could reverse
text or move the cursor are written as escapes. Law: a text loads as the values that it was made
of (`docs/configuration.md`).
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

from returns.result import Failure, Success
from toolz import assoc_in

from pipeline.config.disk import FILE_LIMIT
from pipeline.report.diagnostics.configuration import too_much
from pipeline.report.escape import escape_json, width
from pipeline.report.location import Location
from pipeline.report.outcome import Outcome
from pipeline.schema import SETTINGS, VERSION, Setting, Value

Format: TypeAlias = Literal["json", "ts"]

FILES: Final[dict[Format, str]] = {
    "json": "tool.config.json",
    "ts": "tool.config.ts",
}
"""The file that each format is written to."""
DECLARATION: Final = "tool.d.ts"
"""The file beside a `tool.config.ts` that declares the module `tool`."""

_COLUMNS: Final = 80
"""The width of a line of Prettier, whose rules lay out a text, so that no project has to format
it again.
"""
_LONG_KEY: Final = 5
"""The length from which Prettier puts a long text on the line after its key."""
_ESCAPED_OR_QUOTE: Final = r"""(?s)\\(.)|'"""
_SCRIPT: Final = """\
// eslint-disable-next-line @typescript-eslint/triple-slash-reference
/// <reference path="./{declaration}" />
import type {{ ToolConfig }} from "tool";

const config: ToolConfig = {literal};

export default config;
"""


def config_text(values: Mapping[Setting, Value], form: Format = "json") -> str:
    """Format a configuration as a file of its own, with `schema` first."""
    data: dict[str, Any] = {"schema": VERSION}
    for setting in SETTINGS:
        if setting in values:
            data = assoc_in(data, setting.keys, values[setting])
    text = _object(data, form, "")
    if form == "ts":
        return _SCRIPT.format(literal=text, declaration=DECLARATION)
    return f"{text}\n"


def bounded(text: str, name: str) -> Outcome[str]:
    """Refuse a text that is too long for any command to read. Errors: `ConfigSyntaxError`."""
    if len(text.encode()) > FILE_LIMIT:
        return Failure((too_much(Location(name), "bytes to write", FILE_LIMIT),))
    return Success(text)


def _object(data: Mapping[str, Any], form: Format, margin: str) -> str:
    inside = f"{margin}  "
    last = [*data][-1]
    members = [
        _member(key, value, form, inside, is_last=key == last) for key, value in data.items()
    ]
    return _block("{", members, "}", form, margin)


def _member(key: str, value: Any, form: Format, margin: str, *, is_last: bool) -> str:
    head = f"{margin}{key}: " if form == "ts" else f'{margin}"{key}": '
    if isinstance(value, Mapping):
        return head + _object(value, form, margin)
    comma = 0 if form == "json" and is_last else 1
    if not isinstance(value, tuple):
        text = _scalar(value, form)
        is_long = form == "ts" and len(key) >= _LONG_KEY and width(head + text) + comma > _COLUMNS
        return f"{head.rstrip()}\n{margin}  {text}" if is_long else head + text
    items = [_scalar(item, form) for item in value]
    line = f"{head}[{', '.join(items)}]"
    if not items or width(line) + comma <= _COLUMNS:
        return line
    return head + _block("[", [f"{margin}  {item}" for item in items], "]", form, margin)


def _block(opening: str, lines: Sequence[str], closing: str, form: Format, margin: str) -> str:
    """Lines within brackets; JSON has no comma after the last."""
    end = "," if form == "ts" else ""
    return f"{opening}\n" + ",\n".join(lines) + f"{end}\n{margin}{closing}"


def _scalar(value: Any, form: Format) -> str:
    """A value as JSON; in a script, with the quotes that need fewer escapes."""
    text = escape_json(json.dumps(value, ensure_ascii=False))
    if form == "json" or text.count('"') - 2 <= text.count("'"):
        return text
    return f"'{re.sub(_ESCAPED_OR_QUOTE, _in_single_quotes, text[1:-1])}'"


def _in_single_quotes(found: re.Match[str]) -> str:
    if found[0] == "'":
        return r"\'"
    return '"' if found[1] == '"' else found[0]
