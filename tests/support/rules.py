"""The rules of the configuration, and the tests that hold them.

A test says with `@pytest.mark.rule("Discovery, rule 1")` which rules it holds.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

TESTS: Final = Path(__file__).parents[1]


RULES: Final = {
    "Discovery, walk, start and direction": "The search goes from the current folder upward; the nearest candidate wins.",
    "Discovery, walk, end at `.git`": "The first folder with `.git` is the last that is searched.",
    "Discovery, walk, end at the root": "Without `.git`, the root is the last.",
    "Discovery, walk, nothing found": "The defaults apply.",
    "Discovery, candidate `tool.config.ts`": "A TypeScript file.",
    "Discovery, candidate `tool.config.js`": "An ES module or CommonJS.",
    "Discovery, candidate `tool.config.json`": "Plain JSON.",
    "Discovery, candidate, lazily": "What evaluates scripts is imported only if it is needed.",
    "Discovery, candidate `package.json`": "The object under the key `tool`; without it, no candidate.",
    "Discovery, candidate, kind": "A candidate is a file.",
    "Discovery, rule 1": "In one folder `.ts` wins over `.js`, `.json` and `package.json`, in this order.",
    "Discovery, rule 2": "`--config=<path>` skips the search.",
    "Discovery, rule 3": "A path of `--config` that does not exist ends in 66.",
    "Precedence, layer 1 over 2, 2 over 3, 3 over 4": "Each layer wins over the next, for every setting.",
    "Precedence, layer 4 over 5": "Presets win over the defaults.",
    "Precedence, layers 1 to 3": "Each can set each of the twelve settings.",
    "Precedence, layer 1": "A flag wins over all.",
    "Precedence, layer 3": "The file that was found, or is given with `--config`.",
    "Precedence, layer 4, bundled presets": "`none` sets nothing; `ci` is clean and strict.",
    "Precedence, layer 4, local presets": "A preset may be a path; it is read like a configuration.",
    "Precedence, layer 4, several presets": "The later wins.",
    "Precedence, layer 4, limits": "A preset cannot choose presets.",
    "Precedence, layer 5": "`theme` is `auto`, `presets` are detected, every other setting has its default.",
    "Precedence, lists": "A list replaces the list below it, even if it is empty.",
    "Schema, every field, type": "Each refuses every other type with its path, 65.",
    "Schema, every field, default": "Each may be left out.",
    "Schema, every list": "Its items are strings.",
    "Schema, unknown keys": "They are rejected.",
    "Schema, the whole": "A configuration is an object.",
    "Schema, `schema`": "The number 1, also if it is left out.",
    "Schema, `theme`, `auto`": "The only theme of the drop.",
    "Schema, `theme`, `none`": "No theme.",
    "Schema, `theme`, any other": "A name, or the path of a `.zip` archive.",
    "Schema, `modules`": "Empty lists select every module.",
    "Schema, `modules.include`": "Names and patterns to take in.",
    "Schema, `modules.exclude`": "Names and patterns to leave out.",
    "Schema, `modules.only`": "Names and patterns to restrict the selection to.",
    "Schema, `exclude`": "The shorthand; see below.",
    "Schema, `presets`, left out": "Presets are detected.",
    "Schema, `presets`, empty": "No presets.",
    "Schema, `presets`, not empty": "Exactly those: bundled names, names in the search path, paths.",
    "Schema, `presetsSearchPath`": "Folders searched for local presets.",
    "Schema, `hooks.initScriptsDir`, `hooks.postScriptsDir`": "Folders of hook scripts.",
    "Schema, `hooks.onFailure`": "`continue` or `fail`.",
    "Schema, `cache.file`": "Where the cache is kept.",
    "Schema, `cache.enabled`": "Whether the cache is used.",
    "Schema, `log.format`": "`text` or `json`, on standard error.",
    "Schema, `ToolConfig`": "The TypeScript type accepts what the tool accepts.",
    "Schema, minimal file": "An explicit theme and an explicit preset.",
    "Schema, pinned file": "Every setting of the selection, and no presets.",
    "Schema, inline file": "The same object under the key `tool` of a `package.json`.",
    "Shorthand, rule 1": "`exclude` of a file is merged into its `modules.exclude`.",
    "Shorthand, rule 2": "Before flags are applied.",
    "Shorthand, rule 3": "In files only; the flag `--exclude` is independent and wins.",
    "Shorthand, rule 4": "It loads as `modules.exclude`.",
    "Surface, `create`": "Builds from a folder, without a configuration.",
    "Surface, `init`": "Asks seven questions, in one order, on a terminal or in plain lines.",
    "Surface, `init`, JSON": "It writes JSON unless another format is asked for.",
    "Surface, `init`, flags": "A flag answers its question; `--yes` takes the defaults of the others.",
    "Surface, `init`, nothing is lost": "Nothing is overwritten without `--force`, or written after a bad answer.",
    "Surface, `--config`": "Uses that file.",
    "Surface, `--theme`": "The highest setting of the theme.",
    "Surface, `--exclude`": "The highest exclusion; a pattern may end in `*`.",
    "Surface, `--preset`": "Selects a preset; an unknown one ends in 67.",
    "Surface, `--log-format`": "`text` or `json`.",
    "Surface, other flags": "Ends in 64.",
    "Events, decisions as JSON": "One for each of the twelve settings, in order, with exactly its fields.",
    "Events, decisions as text": "One line for each of the twelve settings.",
    "Events, when": "Before anything is built.",
    "Events, where": "On standard error.",
    "Errors, 65, unknown key": "A `SchemaValidationError`, also further inside.",
    "Errors, 65, wrong type": "A `SchemaValidationError`.",
    "Errors, 65, message": "It names the path of the value.",
    "Errors, 65, several": "All mistakes are reported at once.",
    "Errors, 65, not JSON": "A `ConfigSyntaxError`; so is a key twice.",
    "Errors, 66": "The file of `--config` does not exist, or cannot be read.",
    "Errors, 67": "A preset is unknown, of `--preset` or of `presets`.",
    "Errors, as JSON": "An error has exactly seven fields.",
    "Versioning, rule 1": "`schema` is 1, which is also the default.",
    "Versioning, rule 3, lifted": "The first write lifts the 0.x file: of `create` or `init`.",
    "Versioning, rule 3, no write": "A run that writes nothing, or does not read it, leaves it.",
    "Versioning, rule 3, tolerant": "In both shapes, what is unknown or does not fit is a warning.",
    "Versioning, rule 4": "A table says where each key moves; the others are reported.",
    "JSON, valid": "Every valid file is read, except two with a key that stands twice.",
    "JSON, invalid": "Every invalid file is refused, without an exception.",
    "JSON, the suite": "All 283 files of the [JSONTestSuite](https://github.com/nst/JSONTestSuite) are there.",
}
"""What each rule says, by its name."""


class RuleTest(Struct, frozen=True):
    """A test function: its file, relative to `tests/`, its name, and the rules that it is marked with."""

    file: str
    name: str
    rules: tuple[str, ...]


def rule_tests() -> Iterator[RuleTest]:
    """Give every test function that is marked with rules, file by file."""
    for path in sorted(TESTS.rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        if "mark.rule(" not in text:
            continue
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef):
                marks = tuple(rule for decorator in node.decorator_list for rule in _rules(decorator))
                if marks:
                    yield RuleTest(path.relative_to(TESTS).as_posix(), node.name, marks)


def _rules(decorator: ast.expr) -> tuple[str, ...]:
    match decorator:
        case ast.Call(func=ast.Attribute(attr="rule"), args=args):
            return tuple(arg.value for arg in args if isinstance(arg, ast.Constant))
    return ()
