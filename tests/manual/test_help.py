"""Help: the output of `--help` and `tool help` on a terminal and in a pipe
(`docs/reference/commands.md`).
"""

import re
from collections.abc import Iterator
from functools import cache
from inspect import cleandoc
from itertools import product

import pytest

from io_edges.cli.app import app, command_at, names_below
from io_edges.cli.help import help_text
from pipeline.report.layout import PIPE, Screen
from pipeline.schema import SETTINGS
from tests.support.checkout import ROOT
from tests.support.project import Project


def every_command(*words: str) -> Iterator[str]:
    """A command, as it is typed after `tool`, and all below it."""
    yield " ".join(words)
    for name in names_below(command_at(words)):
        yield from every_command(*words, name)


COMMANDS = tuple(every_command())
NAMING = (("pipeline", "py"), ("io_edges", "py"), ("docs", "md"))


@cache
def shown(command: str, columns: int) -> str:
    """The help of a command on a terminal."""
    return help_text(command.split(), Screen(columns))


@cache
def in_pipe(command: str) -> str:
    """The help of a command as a pipe gets it."""
    return help_text(command.split(), PIPE)


@pytest.mark.parametrize(
    "command", [each for each in COMMANDS if not names_below(command_at(each.split()))]
)
def test_the_summary_of_a_command(command: str) -> None:
    """The list of commands has the first sentence of each command's docstring, without importing
    the command.
    """
    node = command_at(command.split())
    assert node.help == cleandoc(node.default_command.__doc__ or "").partition("\n")[0]


@pytest.mark.parametrize(("command", "columns"), [*product(COMMANDS, (40, 80)), ("create", 200)])
def test_help_fits_a_terminal(command: str, columns: int) -> None:
    """No line but the usage is wider than the terminal or a hundred columns, and no line ends in a
    blank.
    """
    lines = [
        line for line in shown(command, columns).splitlines() if not line.startswith("Usage: ")
    ]
    assert [line for line in lines if len(line) > min(columns, 100) or line != line.rstrip()] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_help_says_the_same_everywhere(command: str) -> None:
    """A terminal and a pipe get the same words; only the terminal gets a drawing."""
    drawn, plain = shown(command, 80), in_pipe(command)
    words = {word.strip("│╭╮╰╯─:,()*") for word in drawn.split()} - {""}
    assert words <= {word.strip(":,()") for word in plain.split()}
    assert ("╭" in drawn, "╭" in plain) == (True, False)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_brief(command: str) -> None:
    """The summary of a command, and the help of each of its flags, have at most
    eighty characters.
    """
    node = command_at(command.split())
    arguments = () if names_below(node) else node.assemble_argument_collection(parse_docstring=True)
    texts = [
        node.help.partition("\n")[0],
        *(each.parameter.help or "" for each in arguments if each.show),
    ]
    assert [text for text in texts if len(text) > 80] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_examples_that_parse(command: str) -> None:
    """The help of each command ends with command lines that the tool accepts."""
    examples = [
        line.strip() for line in in_pipe(command).splitlines() if line.startswith("    tool ")
    ]
    assert len(examples) in {2, 3}
    for example in examples:
        words = example.partition(" > ")[0].partition(" | ")[0].replace("'", "").split()
        app.parse_args(words[1:], exit_on_error=False, print_error=False)


def test_every_command_that_messages_and_pages_name_exists() -> None:
    """No message and no page names a command that `tool` does not have."""
    texts = [
        file.read_text(encoding="utf-8")
        for folder, end in NAMING
        for file in (ROOT / folder).rglob(f"*.{end}")
    ]
    named = {command for text in texts for command in re.findall(r"`tool ([a-z]+)", text)}
    assert named - {*names_below(command_at(()))} == set()


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_names_a_page(command: str) -> None:
    """The help of each command ends with a page of the documentation."""
    assert (ROOT / in_pipe(command).rpartition("\nDocumentation: ")[2]).is_file()


def test_every_command_takes_the_flags_of_the_log() -> None:
    """Every command but `tool help` takes `--quiet`, `--verbose` and `--log-format`."""
    wanted = ("  --quiet, -q: ", "  --verbose, -v: ", "  --log-format CHOICE: ")
    without = [name for name in COMMANDS if not all(flag in in_pipe(name) for flag in wanted)]
    assert without == ["", "config", "help"]


def test_every_setting_is_reported_with_default_variable_and_key() -> None:
    """The help of `tool create` has the default, the variable and the key of each setting."""
    lines = [line for line in in_pipe("create").splitlines() if "; key: " in line]
    reported = [(line.split()[0].strip(":,"), line.partition("[default: ")[2]) for line in lines]
    assert reported == [
        (
            setting.flag,
            (
                f"{str(setting.default or 'empty').replace('True', 'true')}; env: "
                f"{setting.variable}; "
                f"key: {setting.path}]"
            ),
        )
        for setting in SETTINGS
    ]


def test_help_of_a_command(project: Project) -> None:
    """`tool help create` is `tool create --help`, and `tool help` is `tool --help`, on
    standard output.
    """
    for words, flag in ((("config", "show"), "--help"), ((), "-h")):
        asked = project.run("help", *words)
        assert (asked.code, asked.err) == (0, "")
        assert asked.out == project.run(*words, flag).out != ""
    assert (
        project.run("config").out
        == project.run("config", "-V", "--help").out
        == project.run("help", "config").out
    )
