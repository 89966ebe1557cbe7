"""`tool config validate --format`: findings for other programs, run as a user would (`docs/howto/git-and-ci.md`)."""

import json
from typing import NamedTuple

import pytest

from tests.support.annotations import read_back
from tests.support.project import Project


class Case(NamedTuple):
    """A file, the error in it, the exit code, and the line and column if they are certain."""

    name: str
    text: str
    error: str
    code: int
    place: tuple[int, int] | None = None


CASES = {
    "a wrong value": Case("tool.config.json", '{"log":\n {"format": "jsonn"}}', "SchemaValidationError", 65, (2, 13)),
    "a key after a wide character": Case(
        "tool.config.json", '{"theme": "𝄞", "x": 1}', "SchemaValidationError", 65, (1, 16)
    ),
    "no JSON": Case("tool.config.json", '{"theme": "a"', "ConfigSyntaxError", 65),
    "a script that throws": Case("tool.config.js", "throw new Error('no')", "ConfigEvaluationError", 65, (1, 7)),
    "an unknown preset": Case("tool.config.json", '{"presets": ["cj"]}', "PresetNotFound", 67, (1, 14)),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_every_format_has_the_error(project: Project, case: Case) -> None:
    """Each format has the error with its place, from the root of the repository; exit code and log stay the same."""
    project.write(f"sub/{case.name}", case.text)
    forms = ("text", "json", "github")
    runs = {form: project.run("config", "validate", "--format", form, cwd="sub") for form in forms}
    assert {(ran.code, ran.err) for ran in runs.values()} == {(case.code, runs["text"].err)}
    assert runs["text"].out == ""
    document = json.loads(runs["json"].out)
    (finding,) = document["findings"]
    file, line, column = finding["file"], finding["line"], finding["column"]
    assert (document["valid"], finding["name"], file) == ([], case.error, f"sub/{case.name}")
    assert case.place in {None, (line, column)}
    assert read_back(runs["github"].out.removesuffix("\n"))[:2] == (
        "error",
        {"file": file, "line": f"{line}", "col": f"{column}", "title": case.error},
    )


def test_what_has_no_line(project: Project) -> None:
    """A file that is missing is named without a line; a variable is no file."""
    missing = project.run("config", "validate", "--format=github", "no.json", "--quiet")
    assert missing.code == 66
    assert [read_back(line)[1] for line in missing.out.splitlines()] == [
        {"file": "no.json", "title": "ConfigNotFound"},
    ]
    variable = project.run("config", "validate", "--format=github", env={"TOOL_CACHE_ENABLED": "yes"})
    assert variable.code == 65
    assert [read_back(line)[1] for line in variable.out.splitlines()] == [{"title": "SchemaValidationError"}]


def test_a_runtime_that_is_missing(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """A script that cannot be evaluated for want of Deno is a finding, too (69)."""
    from io_edges.cli.validate import ValidateFlags, validate
    from io_edges.report.console import Console
    from io_edges.scripts import deno
    from io_edges.system.stop import Stop
    from pipeline.report.diagnostics.scripts import ScriptRuntimeUnavailable

    project.write("tool.config.js", "export default Object({})")
    monkeypatch.chdir(project.root)
    monkeypatch.setattr(deno, "find", lambda: None)
    with pytest.raises(Stop) as stopped:
        validate(flags=ValidateFlags(format="github"), console=Console())
    assert [type(error) for error in stopped.value.errors] == [ScriptRuntimeUnavailable]


def test_warnings_are_findings(project: Project) -> None:
    """What does not make a file invalid is a warning at its place; the file is listed as valid."""
    project.write(".tool.json", '{\n"themeName": "a"}')
    ran = project.run("config", "validate", "--format=json", env={"TOOL_THEM": "x"})
    assert ran.code == 0
    document = json.loads(ran.out)
    assert document["valid"] == [{"file": ".tool.json"}]
    assert [(each["level"], each["name"], each["file"], each["line"]) for each in document["findings"]] == [
        ("warning", "misspelt-variable", "", 0),
        ("warning", "legacy-key", ".tool.json", 2),
    ]


def test_nothing_is_wrong(project: Project) -> None:
    """Without findings, annotations are nothing."""
    project.write("tool.config.json", {})
    assert project.run("config", "validate", "--format=github").out == ""


def test_what_is_checked_twice_is_told_once(project: Project) -> None:
    """A file that is named twice is listed once, and so is what is wrong with it."""
    project.write("shop.json", {"schema": 1})
    args = ("config", "validate", "shop.json", "./shop.json", "shop.json", "--format=json")
    assert [each["file"] for each in json.loads(project.run(*args).out)["valid"]] == ["shop.json", "./shop.json"]
    project.write("shop.json", {"schema": 2})
    assert [each["line"] for each in json.loads(project.run(*args).out)["findings"]] == [1]


def test_files_are_named_in_one_way(project: Project) -> None:
    """A file named with `--config` beside others is not passed over."""
    for name in ("a.json", "b.json"):
        project.write(name, {"schema": 1})
    ran = project.run("config", "validate", "a.json", "--config=b.json")
    assert (ran.code, ran.out) == (64, "")
    assert ran.err == (
        "error: UsageError: --config and FILE contradict each other: to check several files, name each as FILE\n"
        "  = help: `tool config validate --help` lists what it accepts\n"
    )
