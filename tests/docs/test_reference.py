"""The reference is complete: the page that defines a thing of the code has it exactly once.

A thing is defined by a heading, by the first cell of a row of a table, or, if it is a flag, by its
line in the help of its command; a mention elsewhere defines nothing.
"""

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import cyclopts
import msgspec

from docs.fields import EVENTS
from io_edges.cli.app import app
from io_edges.report.exit_codes import DONE, EXIT_CODES
from pipeline.archives.inspection import Inspection
from pipeline.building.showing.run_log import VersionLine
from pipeline.config.variables import HOOK_VARIABLES
from pipeline.schema import SETTINGS, SHORTHAND
from tests.support.words import warning_codes, words

ROOT = Path(__file__).parents[2]
OWN_FLAGS = ["--help", "--version"]
"""The flags that cyclopts gives every command."""


def page(name: str) -> str:
    """A page of the reference."""
    return (ROOT / "docs" / "reference" / f"{name}.md").read_text(encoding="utf-8")


def headings(text: str, level: int) -> list[str]:
    """What the headings of a level define: those that are code."""
    return re.findall(rf"^{'#' * level} `(.+)`$", text, re.MULTILINE)


def rows(text: str) -> list[list[str]]:
    """The rows of all tables, without their heads, each as its cells."""
    tables = re.findall(r"^\|.*\n\|(?: --- \|)+\n((?:\|.*\n)+)", text, re.MULTILINE)
    return [re.split(r" (?<!\\)\| ", row[2:-2]) for table in tables for row in table.splitlines()]


def code(cell: str) -> list[str]:
    """The pieces of code in a cell."""
    return re.findall(r"`([^`]+)`", cell)


def commands(node: cyclopts.App, *words: str) -> Iterator[tuple[str, list[str]]]:
    """Every command that cyclopts knows, with the long names of its flags, sorted."""
    below = (
        [name for name in node if not name.startswith("-")] if node.default_command is None else []
    )
    every = [] if below else [each for each in node.assemble_argument_collection() if each.show]
    flags = {
        name for each in every for name in (*each.names, *each.negatives) if name.startswith("--")
    }
    yield " ".join(words), sorted([*flags, *OWN_FLAGS])
    for name in below:
        yield from commands(node[name], *words, name)


def variables(path: Path) -> Iterator[str]:
    """The environment variables that a module looks up, each as often as it does."""
    module = ast.parse(path.read_text(encoding="utf-8"))
    names = vars(import_module(".".join(path.relative_to(ROOT).with_suffix("").parts)))
    for function in [each for each in ast.walk(module) if isinstance(each, ast.FunctionDef)]:
        for key in filter(None, map(_key, ast.walk(function))):
            # A parameter: what the function is called with.
            if isinstance(key, ast.Name) and key.id not in names:
                calls = [each for each in ast.walk(module) if isinstance(each, ast.Call)]
                keys = [each.args[0] for each in calls if ast.unparse(each.func) == function.name]
            else:
                keys = [key]
            yield from (
                str(eval(ast.unparse(each), names))
                for each in keys
                if ast.unparse(each) != "setting.variable"
            )


def _key(node: ast.AST) -> ast.expr | None:
    """What is looked up in an environment, if something is."""
    match node:
        case ast.Call(func=ast.Attribute(value=mapping, attr="get"), args=[key, *_]):
            pass
        case ast.Subscript(value=mapping, slice=key) | ast.Compare(left=key, comparators=[mapping]):
            pass
        case _:
            return None
    return key if ast.unparse(mapping).rpartition(".")[2] == "environ" else None


def test_every_flag() -> None:
    """Each command has its heading, and below it a line for each of its flags, or a link to where
    they are described.
    """
    parts = re.findall(
        r"^## `([^`\n]+)`\n\n```text\n(.*?)^```$(.*?)(?=^## |\Z)", page("commands"), re.M | re.S
    )
    groups = {
        name: dict(re.findall(r"^(\S.*):\n((?:(?: .*)?\n)*)", text, re.M))
        for name, text, _ in parts
    }
    line = re.compile(r"^  (--[\w-]+)(?:, -\w)?(?:, (--[\w-]+))?", re.MULTILINE)
    defined = []
    for name, text, after in parts:
        those = re.findall(r"^As for \[`(.+)`\]\(.*\): (.*)\.$", after, re.M)
        again = [
            groups[other][title]
            for other, titles in those
            for title in re.findall(r"\*(.+?)\*", titles)
        ]
        flags = [
            flag
            for each in (text, *again)
            for found in line.findall(each)
            for flag in found
            if flag
        ]
        settings = "".join(re.findall(r"^\[Settings\]\(settings.md\): (.*)\.$", after, re.M))
        flags += [
            flag
            for _, titles in (*those, ("", settings))
            for flag in re.findall(r"`(--[\w-]+)`", titles)
        ]
        of_settings = [flag for each in SETTINGS for flag in (each.flag, each.negative) if flag]
        flags += of_settings if settings == "all" else []
        defined.append((name, sorted([*flags, *OWN_FLAGS])))
    assert defined == list(commands(app, "tool"))


def test_every_setting() -> None:
    """Each key of a configuration has its row, with its flags and its variable."""
    keys = page("settings").partition("\n## ")[0]
    defined = [[code(row[0]), *map(code, row[3:])] for row in rows(keys)]
    expected = [
        [
            [setting.path],
            [setting.flag, *([setting.negative] if setting.negative else [])],
            [setting.variable],
        ]
        for setting in SETTINGS
    ]
    assert sorted(defined) == sorted([*expected, [[SHORTHAND], [], []], [["schema"], [], []]])


def test_every_variable() -> None:
    """Each variable that the code reads has its row, unless it is a setting's; so has each variable
    of hooks.
    """
    modules = [
        path for package in ("pipeline", "io_edges") for path in (ROOT / package).rglob("*.py")
    ]
    read = {
        name for path in modules if "environ" in path.read_text("utf-8") for name in variables(path)
    }
    listed = rows(page("settings").partition("## Other environment variables\n")[2])
    assert sorted(code(row[0]) for row in listed) == sorted(
        [name] for name in (read | HOOK_VARIABLES) - {setting.variable for setting in SETTINGS}
    )


def test_every_event() -> None:
    """Each kind of event has its heading, and below it each of its fields with a type."""
    parts = re.split(r"^## ", page("events"), flags=re.MULTILINE)[1:]
    line = re.compile(r"^- ((?:`\w+`, )*`\w+`): \S", re.MULTILINE)
    defined = [
        (headings(f"## {part}", 2), sorted(code(" ".join(line.findall(part))))) for part in parts
    ]
    every = (*EVENTS, Inspection, VersionLine)
    fields = [
        (
            [str(each.__struct_config__.tag)],
            sorted(field.name for field in msgspec.structs.fields(each)),
        )
        for each in every
    ]
    assert [each for each in defined if each[0]] == fields


def test_every_exit_code() -> None:
    """Each exit code has its row, with the errors that end with it."""
    assert [[row[0], *code(row[1])] for row in rows(page("errors"))] == [
        [str(number), *(name for name, each in EXIT_CODES.items() if each == number)]
        for number in sorted({DONE, *EXIT_CODES.values()})
    ]


def test_every_error_and_warning() -> None:
    """Each error has its heading with a message below it; each warning has its line."""
    errors, _, warnings = page("errors").partition("## Warnings\n")
    parts = re.split(r"^### ", errors, flags=re.MULTILINE)[1:]
    # No error stands for them: the run ends where it is.
    silent = {
        "InternalError",
        "Interrupted",
        "Terminated",
    }
    defined = list[tuple[list[str], bool]]()
    for part in parts:
        examples = re.findall(r"^```text\n(.*)\n```$", part, re.MULTILINE)
        names = headings(f"### {part}", 3)
        printed = [
            example
            for example in examples
            if example.startswith(f"error: {names[0]}: ") and example in words().splitlines()
        ]
        assert printed == examples
        defined.append((names, len(examples) == 1))
    assert defined == [([name], name not in silent) for name in EXIT_CODES]
    assert sorted(re.findall(r"^- `([\w-]+)`: \S", warnings, re.MULTILINE)) == sorted(
        warning_codes()
    )
