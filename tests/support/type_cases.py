"""Configurations on whose verdict the type, the tool and the JSON Schema agree, and those on which
they cannot.

`data/type_cases.jsonl` has them, one row a case. The first four tables hold the text of an object:
in JSON, and so in TypeScript, too. The others hold scripts by the names of their files.
"""

import json
import sys
from pathlib import Path
from typing import Final

TSC: Final = Path(sys.prefix) / "node" / "node_modules" / ".bin" / "tsc"
"""The compiler of TypeScript, where `make test` installs it."""
_ROWS: Final = tuple(
    map(
        json.loads,
        (Path(__file__).parent / "data" / "type_cases.jsonl")
        .read_text(encoding="utf-8")
        .splitlines(),
    )
)


def _texts(table: str) -> tuple[str, ...]:
    return tuple(row["text"] for row in _ROWS if row["table"] == table)


def _scripts(table: str) -> dict[str, str]:
    return {row["file"]: row["text"] for row in _ROWS if row["table"] == table}


ACCEPTED: Final = _texts("accepted")
REFUSED: Final = _texts("refused")
PRESETS_ACCEPTED: Final = _texts("presets_accepted")
PRESETS_REFUSED: Final = _texts("presets_refused")
SCRIPTS_ACCEPTED: Final = _scripts("scripts_accepted")
"""Scripts that no other notation has: the type and the tool agree."""
SCRIPTS_REFUSED: Final = _scripts("scripts_refused")
"""Scripts that no other notation has and that are wrong: the type and the tool agree."""
ONLY_TOOL_REFUSES: Final = _scripts("only_tool_refuses")
ONLY_TYPE_REFUSES: Final = _scripts("only_type_refuses")

FORMS: Final = {
    "satisfies": "export const satisfied = {literal} satisfies {type};",
    "helper": "export const helped = {helper}({literal});",
    "function": "export const made = {helper}((): {type} => ({literal}));",
    "async function": "export const awaited = {helper}(async (): Promise<{type}> => ({literal}));",
    "annotated": "const config: {type} = {literal}; export default config;",
}
"""The ways to write a literal in a script, one line each."""

HEAD: Final = (
    'import { defineConfig, definePreset, type ToolConfig, type ToolPreset } from "tool";\n'
)
