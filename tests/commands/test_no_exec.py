"""`--no-exec`: nothing is run."""

import pytest

from tests.support.project import Project

SCRIPT = 'export default { theme: "none" };\n'
REFUSED = """\
error: ConfigEvaluationError: a script has to be evaluated, \
and `--no-exec` or `TOOL_NO_EXEC` forbids it
  --> {}
  = help: use a JSON file of your own with `--config=FILE`, or let scripts run
"""


@pytest.mark.parametrize("command", [["create", "."], ["config", "validate"]])
def test_nothing_is_evaluated(project: Project, command: list[str]) -> None:
    """With `--no-exec`, a script is an error, and the suggested JSON file works."""
    project.write("tool.config.ts", SCRIPT)
    ran = project.run(*command, "--no-exec")
    assert (ran.code, ran.err.startswith(REFUSED.format("tool.config.ts"))) == (65, True), ran.err
    project.write("own.json", "{}")
    assert project.run(*command, "--no-exec", "--config=own.json").code == 0


def test_init_evaluates_nothing(project: Project) -> None:
    """With `--no-exec`, `tool init` does not evaluate presets."""
    project.write("presets/default.ts", SCRIPT)
    ran = project.run("init", "--yes", "--no-exec", "--presets-search-path=presets")
    assert (ran.code, REFUSED.format("presets/default.ts") in ran.err) == (65, True)


def test_no_hook_is_run(project: Project) -> None:
    """With `--no-exec` or its variable, no script runs before or after the build, and the log says
    why.
    """
    project.write("init-scripts/a.sh", "touch ran").chmod(0o755)
    project.module("a")
    by_flag = project.create("--no-exec")
    by_variable = project.run("create", "--log-format=text", env={"TOOL_NO_EXEC": "1"})
    assert (by_flag.code, [each["reason"] for each in by_flag.reported("hook")]) == (
        0,
        ["--no-exec"],
    )
    assert (by_variable.code, "hook  init/a.sh  skipped  TOOL_NO_EXEC\n" in by_variable.err) == (
        0,
        True,
    )
    assert not (project.root / "ran").exists()
