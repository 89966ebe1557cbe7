"""Unknown commands and flags, and a missing file of `--config` beside other mistakes."""

import sys
from collections.abc import Callable
from typing import TypeAlias

import pytest

from io_edges.cli import main as entry
from tests.support.project import Project, Ran
from tests.support.tables import rows

MISTAKES = (
    *(
        "create --exlude=a",
        "create --foo",
        "create -z",
        "create --dry-run=no",
        "create --no-cache=false",
    ),
    *(
        "create --cache=no",
        "create -n=no",
        "create --wait=abc",
        "create --wait=-1",
        "create --theme",
    ),
    *("create --wait=nan", "create --wait=inf", "create --keep-mine=", "create --take-theirs="),
    *(
        "create --theme=",
        "create --on-failure=stop",
        "creat drop",
        "-q create",
        "config --no-exec show",
    ),
    *(
        "config validat",
        "validate",
        "config show themo",
        "create . --only a b",
        "create --log-format=xml",
    ),
    *(
        "create --exclude=a --exclude=",
        "completion",
        "completion powershell",
        "inspect",
        "help creat",
        "redo x",
    ),
    *(
        "help config creat",
        "creat --help",
        "log --limit=5",
        "create --force --mine",
        "init --format=yaml",
    ),
    *(
        "init a b",
        "diff --mine --theirs",
        "create --theme --dry-run",
        "create --no-dry-run",
        "create -x",
    ),
)


pytestmark = pytest.mark.usefixtures("unmeasured")
Mistake: TypeAlias = Callable[[str], Ran]
"""What runs a command line in this process."""


@pytest.fixture
def mistake(
    project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Mistake:
    """Run a command line in a project whose configuration is broken, with the log as JSON."""
    project.write("tool.config.json", "{")
    monkeypatch.chdir(project.root)
    monkeypatch.setenv("TOOL_LOG_FORMAT", "json")
    monkeypatch.setattr(entry, "unwind_on_signals", lambda: None)

    def run(line: str) -> Ran:
        monkeypatch.setattr(sys, "argv", ["tool", *line.split()])
        code = entry.main()
        return Ran(code, *capsys.readouterr())

    return run


@pytest.mark.parametrize("line", MISTAKES)
def test_a_mistake(mistake: Mistake, line: str) -> None:
    """A mistake in the command line is one error with exit code 64, before anything is read, and
    says where to read more.
    """
    ran = mistake(line)
    (error,) = ran.reported("error")
    assert (ran.code, ran.out, error["error"], error["exit"]) == (64, "", "UsageError", 64)
    assert error["message"].startswith(f"{error['path']}: " if error["path"] else "")
    assert error["help"]


def test_a_mistake_as_text(project: Project) -> None:
    """In text, a mistake has the same message and advice, without anything that the library of
    flags would print.
    """
    (error,) = project.run("create", "--foo", env={"TOOL_LOG_FORMAT": "json"}).reported("error")
    assert (
        project.run("create", "--foo").err
        == f"error: UsageError: {error['message']}\n  = help: {error['help']}\n"
    )


@pytest.mark.parametrize(
    ("line", "message", "advice"),
    rows("mistakes", "own words"),
)
def test_a_mistake_in_own_words(mistake: Mistake, line: str, message: str, advice: str) -> None:
    """The tool itself reports mistakes that cyclopts would accept or could not explain."""
    (error,) = mistake(line).reported("error")
    assert (error["message"].removeprefix(f"{error['path']}: "), error["help"]) == (message, advice)


@pytest.mark.parametrize(
    ("line", "end"),
    [
        ("create --forse", "Did you mean --force?"),
        ("config show modules.exclud", 'Did you mean "modules.exclude"?'),
        ("create --foo", "Unknown option: --foo."),
        ("create --log-format=jsn", 'Did you mean "json"?'),
        ("init --format=js", 'Choose from: "json", "ts".'),
    ],
)
def test_a_suggestion_is_near(mistake: Mistake, line: str, end: str) -> None:
    """Nothing is suggested rather than the opposite of what the user meant."""
    (error,) = mistake(line).reported("error")
    assert error["message"].endswith(end)


def test_the_setting_of_a_wrong_flag(mistake: Mistake) -> None:
    """If the flag of a setting has a wrong value, the error names both."""
    (error,) = mistake("create --on-failure=stop").reported("error")
    assert (error["path"], error["source"]) == ("hooks.onFailure", "--on-failure")


@pytest.mark.parametrize(
    "args", [("create", ".", "--only", "a", "b c"), ("create", "--only", "a", "b c")]
)
def test_several_values_after_one_flag(project: Project, args: tuple[str, ...]) -> None:
    """A second value after the flag of a list is not taken for a name; the help has the flags to
    type, quoted.
    """
    (reported,) = project.run(*args, env={"TOOL_LOG_FORMAT": "json"}).reported("error")
    assert reported["message"] == "Expected one value after the flag of a list"
    assert reported["help"] == "a list is given as one flag for each value: `--only a --only 'b c'`"


def test_a_folder_after_the_value_of_a_list(project: Project) -> None:
    """A folder after the value of a list is the drop."""
    project.module("m", "drop/m.zip")
    assert project.run("create", "--exclude", "a", "drop", "m").code == 0


@pytest.mark.parametrize(
    "args",
    [
        ("create", "--config=gone.json", "--log-format=xml"),
        ("create", "--config", "gone.json", "--bogus"),
        ("create", "--config=gone.json", "--force", "--mine"),
        ("config", "show", "--nonsense", "--config=gone.json"),
    ],
)
def test_a_missing_config_is_reported_whatever_else_is_wrong(
    project: Project, args: tuple[str, ...]
) -> None:
    """A missing file of `--config` is reported first, with 66, even if the command line is
    wrong.
    """
    ran = project.run(*args, env={"TOOL_LOG_FORMAT": "json"})
    assert ran.code == 66
    assert [each["error"] for each in ran.reported("error")] == ["ConfigNotFound", "UsageError"]


@pytest.mark.parametrize("command", ["create", "undo", "redo"])
def test_the_last_line_of_a_run_that_does_not_start(project: Project, command: str) -> None:
    """If the command line of a run is wrong, the log ends by saying that nothing changed."""
    ran = project.run(command, "--bogus", env={"TOOL_LOG_FORMAT": "json"})
    assert [each["event"] for each in ran.log] == ["start", "error", "summary"]
    assert (ran.code, ran.log[-1]["outcome"]) == (64, "unchanged")


@pytest.mark.parametrize("group", [(), ("config",)])
def test_a_group_of_commands(project: Project, group: tuple[str, ...]) -> None:
    """A group of commands alone, and `tool` alone, show the help that `tool help` shows."""
    ran = project.run(*group)
    shown = project.run("help", *group)
    assert (ran.code, ran.out, ran.err) == (shown.code, shown.out, shown.err)
    assert (ran.code, ran.out.splitlines()[0]) == (0, " ".join(("Usage: tool", *group, "COMMAND")))


@pytest.mark.parametrize(
    "args",
    [
        ("create", "--config=there.json", "--bogus"),
        ("init", "--config=gone.json"),
        ("config", "schema", "--config=gone.json"),
        ("create", "--bogus"),
    ],
)
def test_a_wrong_command_line_alone(project: Project, args: tuple[str, ...]) -> None:
    """If the file of `--config` exists, or the command takes none, only the mistake is reported."""
    project.write("there.json", {})
    ran = project.run(*args)
    assert (ran.code, ran.err.count("error: ")) == (64, 1)


@pytest.mark.parametrize(
    "flags",
    [("--log-format=text", "--log-format", "json"), ("--log-format", "text", "--log-format=json")],
)
def test_the_log_format_of_a_wrong_command_line(project: Project, flags: tuple[str, ...]) -> None:
    """A mistake is reported in the last log format that is given, however the flag is written."""
    ran = project.run("create", *flags, "--bogus")
    assert [each["error"] for each in ran.reported("error")] == ["UsageError"]


def test_a_nul_in_the_path_of_the_cache(project: Project) -> None:
    """A path with a NUL is refused as the system would, whatever Python's words for it are."""
    project.module("m")
    project.write("tool.config.json", {"cache": {"file": "a\0b"}})
    ran = project.create()
    assert (ran.code, [each["message"] for each in ran.reported("error")]) == (
        74,
        [f"`{project.root}`: embedded null byte"],
    )
