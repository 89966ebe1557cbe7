"""Commands and flags that there are not, and a missing file of `--config` beside other mistakes."""

import pytest

from tests.support.project import Project


@pytest.mark.parametrize(
    ("args", "advice"),
    [
        (("create", "--exlude=a"), "did you mean `--exclude`?"),
        (("create", "--foo"), "`tool create --help` lists what it accepts"),
        (("create", "-z"), "`tool create --help` lists what it accepts"),
    ],
)
def test_a_flag_that_there_is_not(project: Project, args: tuple[str, ...], advice: str) -> None:
    """A misspelt flag comes with the one that was meant."""
    (told,) = project.run(*args, env={"TOOL_LOG_FORMAT": "json"}).told("error")
    assert told["message"] == f"Unknown option: {args[1].partition('=')[0]}"
    assert told["help"] == advice


def test_a_path_that_begins_with_a_dash(project: Project) -> None:
    """It is taken for a flag: the help says how to write it, and it is taken as it is behind `--`."""
    project.module("m", "-drop/m [1].zip")
    (told,) = project.run("inspect", "-drop/m [1].zip", env={"TOOL_LOG_FORMAT": "json"}).told("error")
    assert told["help"] == "if you mean the path, write `'./-drop/m [1].zip'`"
    assert project.run("inspect", "--", "-drop/m [1].zip").out.startswith("-drop/m [1].zip\n")
    assert project.run("create", "--dry-run", "--", "-drop").code == 0


@pytest.mark.parametrize(
    ("args", "advice"),
    [
        (("creat", "drop"), "did you mean `create`?"),
        (("validate",), "it is one of `tool config`: `tool config validate`"),
        (("config", "validat"), "did you mean `validate`?"),
        (("config", "build"), "the commands are `show`, `validate`, `schema`, `types`"),
    ],
)
def test_a_command_that_there_is_not(project: Project, args: tuple[str, ...], advice: str) -> None:
    """A misspelt command comes with the one that was meant, any other with all."""
    (told,) = project.run(*args, env={"TOOL_LOG_FORMAT": "json"}).told("error")
    assert told["message"] == f"Unknown command: {args[args[0] == 'config']}"
    assert told["help"] == advice


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("create", ".", "--only", "a", "b c"), "Expected one value after the flag of a list"),
        (("create", "--only", "a", "b c"), "Expected one value after the flag of a list"),
    ],
)
def test_several_values_after_one_flag(project: Project, args: tuple[str, ...], message: str) -> None:
    """A second value after the flag of a list is no name; it comes with the flags to type, quoted."""
    (told,) = project.run(*args, env={"TOOL_LOG_FORMAT": "json"}).told("error")
    assert (told["error"], told["message"]) == ("UsageError", message)
    assert told["help"] == "a list is given as one flag for each value: `--only a --only 'b c'`"


def test_a_folder_after_the_value_of_a_list(project: Project) -> None:
    """It is the drop."""
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
def test_a_missing_config_is_told_whatever_else_is_wrong(project: Project, args: tuple[str, ...]) -> None:
    """That the file of `--config` is not there comes first, with 66, also if the command line is wrong."""
    ran = project.run(*args, env={"TOOL_LOG_FORMAT": "json"})
    assert ran.code == 66
    assert [each["error"] for each in ran.told("error")] == ["ConfigNotFound", "UsageError"]


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
    """A file that is there, and a command that takes none, leave the mistake as it is."""
    project.write("there.json", {})
    ran = project.run(*args)
    assert (ran.code, ran.err.count("error: ")) == (64, 1)


@pytest.mark.parametrize(
    "flags", [("--log-format=text", "--log-format", "json"), ("--log-format", "text", "--log-format=json")]
)
def test_the_log_format_of_a_wrong_command_line(project: Project, flags: tuple[str, ...]) -> None:
    """A mistake is told in the format that is given last, however each is spelled."""
    ran = project.run("create", *flags, "--bogus")
    assert [each["error"] for each in ran.told("error")] == ["UsageError"]
