"""Help: what `--help` prints, laid out in any width (`docs/manual.md`)."""

import pytest

from io_edges.cli.app import app
from io_edges.manual.describe import describe_all
from pipeline.manual.command import Argument, Command, Example, Flag, Section, ValueSpec, brief
from pipeline.manual.help import help_text
from pipeline.schema import LEAVES
from tests.support.project import Project

COMMANDS = tuple(describe_all(app))
"""Every command."""
BUILD = Command(
    words=("tool", "build"),
    summary="Build what is in a folder, and nothing else.",
    arguments=(Argument(ValueSpec("DROP", paths="folders"), "The folder.", "."),),
    sections=(
        Section("Options", (Flag(names=("--quiet", "-q"), meaning="Say nothing."),)),
        Section(
            "Settings",
            (
                Flag(
                    names=("--on-failure",),
                    meaning="What a failing script does to the run.",
                    value=ValueSpec("", ("continue", "fail"), is_choice=True),
                    default="continue",
                    variable="TOOL_HOOKS_ON_FAILURE",
                    key="hooks.onFailure",
                ),
                Flag(names=("--cache",), negative="--no-cache", meaning="Whether there is one.", default="true"),
            ),
            "They override others.",
        ),
    ),
    examples=(Example("tool build drop", "Build drop/"),),
    page="docs/building.md",
)
WIDE = """\
Build what is in a folder, and nothing else.

Usage: tool build [OPTIONS] [DROP]

Arguments:
  [DROP]                  The folder.
                          [default: .]

Options:
  -q, --quiet             Say nothing.

Settings:
  They override others.

      --on-failure continue|fail
                          What a failing script does to the run.
                          [default: continue] [env: TOOL_HOOKS_ON_FAILURE]
                          [key: hooks.onFailure]
      --cache, --no-cache
                          Whether there is one.
                          [default: true]

Examples:
  Build drop/:
    tool build drop

Documentation: docs/building.md in the repository of tool"""
NARROW = """\
Build what is in a folder, and nothing
else.

Usage: tool build [OPTIONS] [DROP]

Arguments:
  [DROP]
    The folder.
    [default: .]

Options:
  -q, --quiet
    Say nothing.

Settings:
  They override others.

      --on-failure continue|fail
    What a failing script does to the
    run.
    [default: continue]
    [env: TOOL_HOOKS_ON_FAILURE]
    [key: hooks.onFailure]
      --cache, --no-cache
    Whether there is one.
    [default: true]

Examples:
  Build drop/:
    tool build drop

Documentation: docs/building.md in the
repository of tool"""
GROUP = """\
Look.

Usage: tool look [OPTIONS] COMMAND

Commands:
  at                      Look at something."""


@pytest.mark.parametrize(("columns", "text"), [(80, WIDE), (60, WIDE), (40, NARROW), (1, NARROW)])
def test_help_in_a_width(columns: int, text: str) -> None:
    """Where there is room the descriptions stand beside the flags, else below them; no fact is broken in two."""
    if columns == 60:
        assert all(len(line) <= columns for line in help_text(BUILD, columns).splitlines())
    else:
        assert help_text(BUILD, columns) == text


def test_help_of_a_group() -> None:
    """A group lists its commands."""
    below = Command(words=("tool", "look", "at"), summary="Look at something.")
    assert help_text(Command(words=("tool", "look"), summary="Look.", commands=(below,)), 80) == GROUP


@pytest.mark.parametrize("command", COMMANDS, ids=lambda each: each.name)
def test_help_fits_eighty_columns(command: Command) -> None:
    """No line of any help is wider than eighty columns, and no line ends in a blank."""
    lines = help_text(command, 80).splitlines()
    assert [line for line in lines if len(line) > 80 or line != line.rstrip()] == []


@pytest.mark.parametrize("command", COMMANDS, ids=lambda each: each.name)
def test_every_command_has_two_examples_that_parse(command: Command) -> None:
    """The help of each command ends with two command lines that the tool accepts, and a page of the docs."""
    assert len(command.examples) == 2
    assert command.page != ""
    for example in command.examples:
        words = example.line.partition(" > ")[0].partition(" | ")[0].replace("'", "").split()
        app.parse_args(words[1:], exit_on_error=False, print_error=False)


def test_every_command_takes_the_flags_of_the_log() -> None:
    """Every command but `tool help` can be quiet, say more, and log in JSON."""
    spellings = {each.name: {name for flag in each.flags for name in flag.spellings} for each in COMMANDS}
    groups = {each.name for each in COMMANDS if each.commands}
    wanted = {"--log-format", "--quiet", "-q", "--verbose", "-v", "--help", "-h", "--version", "-V"}
    assert {name for name in spellings if not wanted <= spellings[name]} - groups == {"tool help"}


def test_every_setting_is_told_with_default_variable_and_key() -> None:
    """The help of `tool create` says of each setting its built-in value, its variable and its key."""
    create = next(each for each in COMMANDS if each.name == "tool create")
    settings = [flag for flag in create.flags if flag.key]
    assert [(flag.names[0], flag.variable, flag.key) for flag in settings] == [
        (leaf.flag, leaf.variable, leaf.path) for leaf in LEAVES
    ]
    assert [flag.names[0] for flag in settings if not flag.default] == []


def test_help_of_a_command(project: Project) -> None:
    """`tool help create` is `tool create --help`, and `tool help` is `tool --help`, on standard output."""
    for words in (("create",), ("config", "show"), ("config",), ()):
        asked, flagged = project.run("help", *words), project.run(*words, "--help")
        assert (asked.code, asked.err) == (0, "")
        assert asked.out == flagged.out == project.run(*words, "-h").out != ""
    assert project.run("config").out == project.run("help", "config").out
    assert project.run("config", "-V", "--help").out == project.run("config").out


@pytest.mark.parametrize("words", [("help", "creat"), ("creat", "--help"), ("help", "config", "creat")])
def test_help_of_no_command(project: Project, words: tuple[str, ...]) -> None:
    """Help of a command that does not exist is a usage error, as the command would be."""
    ran = project.run(*words)
    assert (ran.code, ran.out) == (64, "")
    assert ran.err.startswith("error: UsageError: Unknown command: creat\n")


@pytest.mark.parametrize(
    ("words", "example"), [(("-q", "create"), "tool create"), (("config", "--no-exec", "show"), "tool config show")]
)
def test_an_option_before_the_command(project: Project, words: tuple[str, ...], example: str) -> None:
    """An option where a command is expected is not taken for one: the error says where options belong."""
    ran = project.run(*words)
    option = next(word for word in words if word.startswith("-"))
    assert (ran.code, ran.out, ran.err) == (
        64,
        "",
        f"error: UsageError: Expected a command, found `{option}`\n"
        f"  = help: options follow the command, as in `{example} --quiet`\n",
    )


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("The cache file.", "The cache file"),
        ("Use `a`. Then b.", "Use a"),
        (f"Words {'x' * 90} yy zzzzzzzzzzzzzzz", f"Words {'x' * 90} yy…"),
    ],
)
def test_a_description_in_a_list(text: str, short: str) -> None:
    """In a list of completions a description is its first sentence, cut at a word if it is long."""
    assert brief(text) == short


@pytest.mark.parametrize("columns", ["0", "1", "39", "x", "501", "99999999"])
def test_help_on_a_terminal_of_an_odd_width(project: Project, columns: str) -> None:
    """Help is laid out in forty columns at the least, and a hundred at the most."""
    ran = project.run("create", "--help", env={"COLUMNS": columns})
    assert (ran.code, ran.err) == (0, "")
    assert 38 <= max(map(len, ran.out.splitlines())) <= 100
