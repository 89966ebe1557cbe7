"""The JSON Schema in a real language server, and judged as SchemaStore does
(`docs/configuration.md`).
"""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from pipeline.init.json_schema import json_schema
from pipeline.schema import (
    OBJECTS,
    SETTINGS,
    SHORTHAND,
    SHORTHAND_MEANING,
    SPLICE_MEANING,
    VERSION_MEANING,
)
from tests.support.type_cases import ACCEPTED, REFUSED

MODULES = Path(sys.prefix) / "node" / "node_modules"
SUPPORT = Path(__file__).parents[1] / "support"


def plain(text: str) -> str:
    """A description as an editor shows it."""
    return text.replace("`", '"')


MEANINGS = {
    setting.path: plain(
        f"{setting.description} Flag `{setting.flag}`, variable `{setting.variable}`."
    )
    for setting in SETTINGS
}
SHORT = plain(f"{SHORTHAND_MEANING} {SPLICE_MEANING}")
SPLICED = plain(SPLICE_MEANING)
GROUPS = {name: plain(meaning) for name, meaning in OBJECTS.items()}
SHOP = "file:///shop"
PAGE = Path(__file__).parents[2] / "docs" / "configuration.md"
BLOCKS = dict(re.findall(r"^```json (\S+)\n([^`]*)^```$", PAGE.read_text("utf-8"), re.M))
EDITOR, IN_PACKAGE = (
    json.loads(BLOCKS[name]) for name in (".vscode/settings.json", "package.schema.json")
)
"""The settings of VS Code and the schema of a `package.json` that the page shows."""
TOP = {
    "schema": plain(VERSION_MEANING),
    "theme": MEANINGS["theme"],
    "modules": GROUPS["modules"],
    "presets": MEANINGS["presets"],
    "presetsSearchPath": MEANINGS["presetsSearchPath"],
    "hooks": GROUPS["hooks"],
    "cache": GROUPS["cache"],
    "log": GROUPS["log"],
    SHORTHAND: SHORT,
}


TOO_SHORT = "String is shorter than the minimum length of 1."


class Answer(Struct, frozen=True):
    """What an editor shows: errors, completions and hover texts, each with its range."""

    diagnostics: list[list[str]] = []
    completion: list[list[str]] = []
    hover: list[str] | None = None


def members(where: str, *but: str) -> list[list[str]]:
    """Completions that insert members of the top level, each with a place to write its value at."""
    texts = {name: f'"{name}": {"{$1}" if name in OBJECTS else "$1"}' for name in TOP}
    return [[where, texts[name], TOP[name]] for name in TOP if name not in but]


def names(where: str) -> list[list[str]]:
    """Completions that replace a key of the top level."""
    return [[where, f'"{name}"', meaning] for name, meaning in TOP.items()]


def inner(where: str, outer: str, after: str = "") -> list[list[str]]:
    """Completions that replace or insert a key of an inner object."""
    settings = [setting for setting in SETTINGS if setting.keys[0] == outer]
    return [[where, f'"{setting.keys[1]}"{after}', MEANINGS[setting.path]] for setting in settings]


CONFIGS = {
    # keys
    '{\n  "sch¦": 1\n}': Answer(
        [["2:3-2:8", "Property sch is not allowed."]], names("2:3-2:8"), ["2:3-2:8", ""]
    ),
    '{ "ca¦che": {} }': Answer([], names("1:3-1:10"), ["1:3-1:10", GROUPS["cache"]]),
    '{ "modules": { ¦ } }': Answer([], inner("1:16-1:16", "modules", ": $1")),
    '{ "modules": { "on¦ly": ["a"] } }': Answer(
        [], inner("1:16-1:22", "modules"), ["1:16-1:22", MEANINGS["modules.only"]]
    ),
    # values
    '{ "log": { "format": "¦" } }': Answer(
        [["1:22-1:24", 'Value is not accepted. Valid values: "text", "json".']],
        [["1:22-1:24", f'"{name}"', MEANINGS["log.format"]] for name in ("text", "json")],
        ["1:22-1:24", MEANINGS["log.format"]],
    ),
    '{ "theme": "¦" }': Answer(
        [["1:12-1:14", TOO_SHORT]],
        [["1:12-1:14", f'"{name}"', ""] for name in ("auto", "none", "harbour")],
        ["1:12-1:14", MEANINGS["theme"]],
    ),
    '{ "presets": ["¦"] }': Answer(
        [["1:15-1:17", TOO_SHORT]],
        [["1:15-1:17", f'"{name}"', ""] for name in ("none", "ci", "...")],
        ["1:15-1:17", SPLICED],
    ),
    '{ "cache": { "enabled": ¦true } }': Answer(
        [],
        [["1:25-1:29", value, ""] for value in ("true", "false")],
        ["1:25-1:29", MEANINGS["cache.enabled"]],
    ),
    # the shorthand, and the list of the layers below
    '{ "ex¦clude": ["*_test"] }': Answer([], names("1:3-1:12"), ["1:3-1:12", SHORT]),
    # the schema cannot be named in the file, by which an editor would find it, too
    '{ "$schema": "./tool.schema.json" }': Answer(
        [["1:3-1:12", "Property $schema is not allowed."]]
    ),
    # what is wrong
    '{\n  "them": 1,\n  "theme": 1,\n  "modules": { "onyl": [] },\n  "exclude": "a",\n  '
    '"presets": [1],\n  "cache": { "file": "", "enabled": 1 },\n  "log": { "format": "yaml" },\n'
    '  "schema": 2\n}': Answer(
        [
            ["9:13-9:14", "Value must be 1."],
            ["3:12-3:13", 'Incorrect type. Expected "string".'],
            ["4:16-4:22", "Property onyl is not allowed."],
            ["6:15-6:16", 'Incorrect type. Expected "string".'],
            ["7:22-7:24", "String is shorter than the minimum length of 1."],
            ["7:37-7:38", 'Incorrect type. Expected "boolean".'],
            ["8:22-8:28", 'Value is not accepted. Valid values: "text", "json".'],
            ["5:14-5:17", 'Incorrect type. Expected "array".'],
            ["2:3-2:9", "Property them is not allowed."],
        ]
    ),
    "[] // none": Answer(
        [
            ["1:1-1:3", 'Incorrect type. Expected "object".'],
            ["1:4-1:11", "Comments are not permitted in JSON."],
        ]
    ),
}
PACKAGES = {
    '{ "name": "shop", "tool": { ¦ } }': Answer([], members("1:29-1:29")),
    '{ "name": "shop", "tool": { "th¦eme": 1, "them": 2 } }': Answer(
        [
            ["1:38-1:39", 'Incorrect type. Expected "string".'],
            ["1:41-1:47", "Property them is not allowed."],
        ],
        names("1:29-1:36"),
        ["1:29-1:36", MEANINGS["theme"]],
    ),
}


def test_an_editor_completes_explains_and_complains() -> None:
    """At each position of a configuration, also in a `package.json`, an editor completes, explains
    and reports what belongs there.
    """
    files = {"tool.config.json": CONFIGS, "package.json": PACKAGES}
    cases = [(file, text) for file, texts in files.items() for text in texts]
    answers = dict(zip(cases, answered(*cases), strict=True))
    assert {
        file: {text: answers[file, text] for text in texts} for file, texts in files.items()
    } == files


def test_an_editor_complains_of_what_the_tool_refuses() -> None:
    """The language server reports an error exactly in the configurations that the tool refuses."""
    texts = [*ACCEPTED, *REFUSED]
    answers = answered(*(("tool.config.json", text) for text in texts))
    complained = {text for text, answer in zip(texts, answers, strict=True) if answer.diagnostics}
    assert complained == set(REFUSED)


def test_the_json_schema_is_strict() -> None:
    """Ajv accepts the schema as strictly as SchemaStore demands, and refuses what the tool
    refuses.
    """
    asked = {"schema": json_schema(), "texts": [*ACCEPTED, *REFUSED]}
    assert ask("judge.cjs", asked) == list(REFUSED)


def answered(*cases: tuple[str, str]) -> list[Answer]:
    """The answers of the language server about files and their texts; `¦` is the cursor, if
    there is one.
    """
    texts = {"./tool.schema.json": json_schema(), "./package.schema.json": IN_PACKAGE}
    schemas = [
        {
            "uri": f"{SHOP}/{each['url'][2:]}",
            "fileMatch": each["fileMatch"],
            "schema": texts[each["url"]],
        }
        for each in EDITOR["json.schemas"]
    ]
    documents = [
        {"uri": f"{SHOP}/{file}", "text": text.replace("¦", ""), "cursor": text.find("¦")}
        for file, text in cases
    ]
    return msgspec.convert(ask("edit.cjs", {"schemas": schemas, "cases": documents}), list[Answer])


def ask(script: str, question: object) -> Any:
    """What a script for Node answers to JSON on its standard input."""
    command: list[str | Path] = ["node", SUPPORT / script, MODULES]
    ran = subprocess.run(
        command, input=json.dumps(question), capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    return json.loads(ran.stdout)
