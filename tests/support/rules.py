"""The rules of the configuration, and the tests that hold them: `docs/contributing/rules.md` is made from this table.

A test says with `@pytest.mark.rule("Discovery, rule 1")` which rules it holds.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

TESTS: Final = Path(__file__).parents[1]


class Section(Struct, frozen=True):
    """Rules of one matter: its title, a sentence about it, and what each rule says, by its name."""

    title: str
    about: str
    rules: dict[str, str]


SECTIONS: Final = (
    Section(
        "Discovery",
        "The search for a configuration file; more on [discovery](../discovery.md).",
        {
            "Discovery, walk, start and direction": "The search starts in the current folder and goes on in each folder above; the nearest candidate wins.",
            "Discovery, walk, end at `.git`": "The first folder that contains `.git` is searched and is the last.",
            "Discovery, walk, end at the root": "Without `.git` the root of the file system is the last.",
            "Discovery, walk, nothing found": "A configuration is optional: without one, the defaults apply.",
            "Discovery, candidate `tool.config.ts`": "A TypeScript file, whose values have their place in it.",
            "Discovery, candidate `tool.config.js`": "A JavaScript file, as an ES module or as CommonJS.",
            "Discovery, candidate `tool.config.json`": "Plain JSON; nothing that evaluates scripts is needed.",
            "Discovery, candidate, lazily": "What evaluates scripts is imported and started only if a script has to be evaluated.",
            "Discovery, candidate `package.json`": "The object under the key `tool`; without the key, the file is not a candidate.",
            "Discovery, candidate, kind": "A candidate is a file.",
            "Discovery, rule 1": "In one folder `.ts` wins over `.js`, `.js` over `.json`, `.json` over the key of `package.json`; the first match wins.",
            "Discovery, rule 2": "`--config=<path>` skips the search and uses that path.",
            "Discovery, rule 3": "A path given with `--config` that does not exist ends in 66, `ConfigNotFound`.",
        },
    ),
    Section(
        "Precedence",
        "Five layers, highest first: flags, variables, config file, presets, defaults; more on [precedence](../precedence.md).",
        {
            "Precedence, layer 1 over 2, 2 over 3, 3 over 4": "Each layer wins over the next, for every leaf.",
            "Precedence, layer 4 over 5": "Presets win over the defaults, for every leaf that a preset may set.",
            "Precedence, layers 1 to 3": "Flags, variables and the config file can set each of the twelve leaves.",
            "Precedence, layer 1": "A flag wins over every other layer.",
            "Precedence, layer 3": "The file that was found, or the one given with `--config`.",
            "Precedence, layer 4, bundled presets": "`none` sets nothing; `ci` is clean and strict.",
            "Precedence, layer 4, local presets": "A preset may be a path such as `./presets/strict.ts`. It is read like a configuration.",
            "Precedence, layer 4, several presets": "The later wins.",
            "Precedence, layer 4, limits": "A preset cannot choose presets.",
            "Precedence, layer 5": "`theme` is `auto`, `presets` are detected, every other leaf has its default.",
            "Precedence, lists": "A list is one leaf: it replaces the list below it, even if it is empty.",
        },
    ),
    Section(
        "Schema",
        "The fields of a configuration; more on the page on the [configuration](../configuration.md).",
        {
            "Schema, every field, type": "Each field takes its type and refuses every other with its path, 65.",
            "Schema, every field, default": "Each field may be left out, and then has its default.",
            "Schema, every list": "The items of a list are strings.",
            "Schema, unknown keys": "A top-level key that the schema does not have is rejected.",
            "Schema, the whole": "A configuration is an object.",
            "Schema, `schema`": "The number 1, also if it is left out.",
            "Schema, `theme`, `auto`": "The only theme of the drop.",
            "Schema, `theme`, `none`": "No theme.",
            "Schema, `theme`, any other": "A name, or the path of a `.zip` archive.",
            "Schema, `modules`": "Empty lists select every module.",
            "Schema, `modules.include`": "Names and patterns to take in.",
            "Schema, `modules.exclude`": "Names and patterns to leave out.",
            "Schema, `modules.only`": "Names and patterns that the selection is restricted to.",
            "Schema, `exclude`": "The shorthand; see below.",
            "Schema, `presets`, left out": "Presets are detected.",
            "Schema, `presets`, empty": "No presets.",
            "Schema, `presets`, not empty": "Exactly the presets listed: bundled names, names in the search path, paths.",
            "Schema, `presetsSearchPath`": "Folders searched for local presets.",
            "Schema, `hooks.initScriptsDir`, `hooks.postScriptsDir`": "Folders of the scripts that run before and after the build.",
            "Schema, `hooks.onFailure`": "`continue` or `fail`: what happens when a hook fails.",
            "Schema, `cache.file`": "Where the cache is kept.",
            "Schema, `cache.enabled`": "Whether the cache is used.",
            "Schema, `log.format`": "`text` or `json`: the format of what is printed on standard error.",
            "Schema, `ToolConfig`": "The TypeScript type accepts what the tool accepts, and refuses what it refuses.",
            "Schema, minimal file": "An explicit theme and an explicit preset.",
            "Schema, pinned file": "Every setting of the selection, and no presets.",
            "Schema, inline file": "The same object under the key `tool` of a `package.json`.",
        },
    ),
    Section(
        "Shorthand",
        "`exclude` at the top level of a configuration.",
        {
            "Shorthand, rule 1": "It is merged into `modules.exclude` when the file is loaded.",
            "Shorthand, rule 2": "It is merged before flags are applied.",
            "Shorthand, rule 3": "It exists in files only; the flag `--exclude` is independent of it and wins.",
            "Shorthand, rule 4": "A file with `exclude` loads as one with `modules.exclude`.",
        },
    ),
    Section(
        "Surface",
        "The command line; more in the reference of [commands](../reference/commands.md).",
        {
            "Surface, `create`": "Builds from the archives of a folder, and needs no configuration.",
            "Surface, `init`": "Asks seven questions, in one order, on a terminal or in plain lines, and writes a configuration.",
            "Surface, `init`, JSON": "It writes JSON unless a script or the key of a `package.json` is asked for.",
            "Surface, `init`, flags": "A flag answers its question; `--yes` takes the defaults of the others.",
            "Surface, `init`, nothing is lost": "Nothing is overwritten without `--force`, and nothing is written after an answer that is not valid.",
            "Surface, `--config`": "Uses that file and skips the search; a missing one ends in 66.",
            "Surface, `--theme`": "The highest setting of the theme.",
            "Surface, `--exclude`": "The highest exclusion; a pattern with a trailing `*` is allowed.",
            "Surface, `--preset`": "Selects a preset; an unknown one ends in 67.",
            "Surface, `--log-format`": "`text` or `json`.",
            "Surface, other flags": "Ends in 64.",
        },
    ),
    Section(
        "Events",
        "What is printed on standard error; more on the page on [output](../output.md).",
        {
            "Events, decisions as JSON": "One `decision` for each of the twelve leaves, in order, with exactly its fields.",
            "Events, decisions as text": "One line for each of the twelve leaves.",
            "Events, when": "Before anything is built, also when the build is refused.",
            "Events, where": "On standard error; standard output has the project's path only.",
        },
    ),
    Section(
        "Errors",
        "The exit code says what went wrong; more on the page on [exit codes](../reference/exit-codes.md).",
        {
            "Errors, 65, unknown key": "An unknown top-level key is a `SchemaValidationError`; so is one further inside.",
            "Errors, 65, wrong type": "A value of the wrong type is a `SchemaValidationError`.",
            "Errors, 65, message": "The message names the path of the value.",
            "Errors, 65, several": "Everything that is wrong with a file is reported at once.",
            "Errors, 65, not JSON": "A file that is not JSON, or has a key twice, is a `ConfigSyntaxError`.",
            "Errors, 66": "The path given with `--config` does not exist, or cannot be read.",
            "Errors, 67": "A preset is unknown, given with `--preset` or listed in `presets`.",
            "Errors, as JSON": "An error has exactly seven fields.",
        },
    ),
    Section(
        "Versioning",
        "",
        {
            "Versioning, rule 1": "The only accepted `schema` is 1, which is also the default.",
            "Versioning, rule 3, lifted": "The first write lifts the 0.x file: `create` after a build, `init` into the file that it writes, `config migrate` on request; once.",
            "Versioning, rule 3, no write": "A run that writes nothing, or does not read the file, leaves it unchanged.",
            "Versioning, rule 3, tolerant": "Both shapes are read tolerantly: what is not known or does not fit is a warning.",
            "Versioning, rule 4": "A table says where each key moves; a key that is not taken over is reported.",
        },
    ),
    Section(
        "JSON",
        "The reader against the [JSONTestSuite](https://github.com/nst/JSONTestSuite).",
        {
            "JSON, valid": "Every valid file of the suite is read, except two that the tool refuses by a rule of its own: a key must not occur twice.",
            "JSON, invalid": "Every invalid file of the suite is refused, and never with an exception.",
            "JSON, the suite": "All 283 files are there.",
        },
    ),
)

HEAD: Final = """\
# Rules and their tests

Each rule of the configuration, and the tests that show it. Nearly all of them run the command in a folder of their own.
A mark names the section, too: `Discovery, rule 1`. `pytest -k NAME` runs a test by its name.
"""


class RuleTest(Struct, frozen=True):
    """A test function: its file, relative to `tests/`, its name, and the rules that it is marked with."""

    file: str
    name: str
    rules: tuple[str, ...]


def rule_tests() -> Iterator[RuleTest]:
    """Give every test function, file by file."""
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                marks = tuple(rule for decorator in node.decorator_list for rule in _rules(decorator))
                yield RuleTest(path.relative_to(TESTS).as_posix(), node.name, marks)


def _rules(decorator: ast.expr) -> tuple[str, ...]:
    match decorator:
        case ast.Call(func=ast.Attribute(attr="rule"), args=args):
            return tuple(arg.value for arg in args if isinstance(arg, ast.Constant))
    return ()


def page() -> str:
    """The page of the rules, each with the tests that are marked with it."""
    tests = tuple(rule_tests())
    parts = [HEAD]
    for section in SECTIONS:
        parts.append(f"## {section.title}\n\n{section.about}\n" if section.about else f"## {section.title}\n")
        lines = []
        for rule, text in section.rules.items():
            named = ", ".join(f"`{test.name}`" for test in tests if rule in test.rules)
            lines.append(f"- **{rule.removeprefix(f'{section.title}, ')}.** {text} {named}\n")
        parts.append("".join(lines))
    return "\n".join(parts)
