"""Config text: a configuration as JSON or TypeScript.

Keys are in the order of the schema, indented by two spaces. Characters that could reverse text or move the cursor are
written as escapes. Law: a text loads as the values that it was made of (`docs/configuration.md`).
"""

import json
import re
from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

from returns.result import Failure, Success
from toolz import assoc_in

from pipeline.config.disk import FILE_LIMIT
from pipeline.report.diagnostics.configuration import too_much
from pipeline.report.escape import escape_json
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

_KEY: Final = re.compile(r'^( *)"([A-Za-z]+)": ', re.MULTILINE)
_UNENDED: Final = re.compile(r"(?<![{\[,])\n")
_SCRIPT: Final = """\
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
    text = escape_json(json.dumps(data, ensure_ascii=False, indent=2))
    return _SCRIPT.format(literal=_literal(text), declaration=DECLARATION) if form == "ts" else f"{text}\n"


def bounded(text: str, name: str) -> Outcome[str]:
    """Refuse a text that is too long for any command to read. Errors: `ConfigSyntaxError`."""
    if len(text.encode()) > FILE_LIMIT:
        return Failure((too_much(Location(name), "bytes to write", FILE_LIMIT),))
    return Success(text)


def _literal(text: str) -> str:
    """A JSON object as a JavaScript literal; the only line breaks in `text` are those between its members."""
    return _UNENDED.sub(",\n", _KEY.sub(r"\1\2: ", text))
