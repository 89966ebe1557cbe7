"""Help: what `--help` prints, laid out in any width (`docs/manual.md`)."""

from pathlib import Path
from shutil import get_terminal_size

import pytest

from docs.manual.command import Command, brief
from docs.manual.describe import describe_all
from io_edges.cli import help as help_command
from io_edges.cli.app import app
from io_edges.cli.help import help_text
from io_edges.system.stop import Stop
from pipeline.schema import SETTINGS
from tests.support.checkout import ROOT
from tests.support.project import Project

COMMANDS = tuple(describe_all())
"""Every command."""
NARROW = """\
Rewrite the 0.x file in the version 1
shape, and print what changes.

Usage: tool config migrate [OPTIONS]

Options:
  -n, --dry-run
    Print what would change; write
    nothing.
      --config FILE
    The configuration file to use
    instead of the one that would be
    found.
      --no-exec
    Run no hook and evaluate no script;
    a configuration that is a script is
    read if it is a literal.
  -h, --help
    Print this help.
  -V, --version
    Print the version of tool.

Log:
  -q, --quiet
    Show only warnings and errors.
  -v, --verbose
    Show everything, also where a
    configuration was looked for, and
    the traceback of a bug.
      --log-format text|json
    The format of the log on standard
    error.
    [default: text]
    [env: TOOL_LOG_FORMAT]
    [key: log.format]

Examples:
  Show what would change in .tool.json:
    tool config migrate --dry-run
  Rewrite another 0.x file:
    tool config migrate --config=old/.tool.json

Documentation: tool help legacy"""


@pytest.mark.parametrize("columns", [40, 1])
def test_help_where_there_is_little_room(columns: int) -> None:
    """Below sixty columns the descriptions stand below the flags; no fact and no command line is broken in two."""
    assert help_text(("config", "migrate"), columns) == NARROW


@pytest.mark.parametrize("columns", [60, 80, 100])
@pytest.mark.parametrize("command", COMMANDS, ids=lambda each: each.name)
def test_help_fits_the_width(command: Command, columns: int) -> None:
    """No description is wider than the screen, and no line ends in a blank."""
    lines = help_text(command.words[1:], columns).partition("Examples:")[0].splitlines()
    assert [line for line in lines if len(line) > columns or line != line.rstrip()] == []


@pytest.mark.parametrize("command", COMMANDS, ids=lambda each: each.name)
def test_every_command_has_two_examples_that_parse(command: Command) -> None:
    """The help of each command ends with two command lines that the tool accepts."""
    assert len(command.examples) == 2
    for example in command.examples:
        words = example.line.partition(" > ")[0].partition(" | ")[0].replace("'", "").split()
        app.parse_args(words[1:], exit_on_error=False, print_error=False)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda each: each.name)
def test_every_command_names_a_page_that_help_prints(project: Project, command: Command) -> None:
    """What the help of each command ends with is a command that prints a page, as an installation has it."""
    words = command.page.split()
    page = ROOT / "docs" / f"{words[-1].removesuffix('.md')}.md"
    ran = project.run(*words[1:])
    assert (words[:2], ran.code, ran.err, ran.out) == (["tool", "help"], 0, "", page.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("asked", "page"),
    [
        ("update-day", "howto/update-day"),
        ("howto/update-day.md", "howto/update-day"),
        ("legacy", "legacy"),
        ("reference/legacy", "reference/legacy"),
    ],
)
def test_a_page_is_found_by_the_last_part_of_its_path(project: Project, asked: str, page: str) -> None:
    """A page is asked for by its path or the last part of it, which of two is that of the page above."""
    ran = project.run("help", asked)
    assert (ran.code, ran.err, ran.out) == (0, "", (ROOT / f"docs/{page}.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("asked", "kind", "advice"),
    [
        ("bulding", "command or page", "did you mean `building`?"),
        ("update-dya", "command or page", "did you mean `update-day`?"),
        ("staus", "command", "did you mean `status`?"),
        ("validate", "command", "it is one of `tool config`: `tool config validate`"),
        ("x" * 300, "command or page", "`tool help` names the commands and pages"),
    ],
)
def test_neither_a_command_nor_a_page(project: Project, asked: str, kind: str, advice: str) -> None:
    """What is neither is an error with the nearest of both; what is like a command is said to be none."""
    ran = project.run("help", asked)
    assert (ran.code, ran.err) == (64, f"error: UsageError: Unknown {kind}: {asked}\n  = help: {advice}\n")


def test_help_names_every_page(project: Project) -> None:
    """What an installation has of the documentation is named below the help of the tool, as it is asked for."""
    pages = " ".join(project.run("help").out.partition("\nPages: ")[2].split()).split(", ")
    folders = ("", "howto/", "reference/")
    assert pages == [f"{each}{page.stem}" for each in folders for page in sorted((ROOT / "docs" / each).glob("*.md"))]


def test_help_without_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    """Where somebody has taken the pages out of an installation, there is still the help of the commands."""
    monkeypatch.setattr(help_command, "__file__", str(tmp_path / "io_edges/cli/help.py"))
    help_command.show_help()
    assert capfd.readouterr().out == f"{help_text((), get_terminal_size().columns)}\n"
    with pytest.raises(Stop, match="Unknown command: building"):
        help_command.show_help("building")


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
        (setting.flag, setting.variable, setting.path) for setting in SETTINGS
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


@pytest.mark.parametrize(
    "words",
    [("help", "creat"), ("creat", "--help"), ("help", "config", "creat"), ("help", "creat", "building")],
)
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
