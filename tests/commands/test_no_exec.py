"""Reading without running: scripts that are literals, and `--no-exec`."""

import subprocess
import sys

import pytest

from tests.support.project import Project

LITERAL = 'import { defineConfig } from "tool";\nexport default defineConfig({ theme: "x" as const });\n'
COMPUTED = 'export default {\n  theme: "x",\n  modules: { only: [process.env.ONLY] },\n};\n'
REFUSED = """\
error: ConfigEvaluationError: this has to be evaluated, and `--no-exec` or `TOOL_NO_EXEC` forbids it
  --> tool.config.ts:3:21
"""
WATCHED = """
import sys
started = []
sys.addaudithook(lambda event, _: started.append(event) if event in {
    "subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.exec", "os.system"
} else None)
from io_edges.cli.main import main
main()
print(started)
"""
"""A program that runs the command, and then prints every process that it has started."""


@pytest.mark.parametrize(("text", "started"), [(LITERAL, []), (COMPUTED, ["subprocess.Popen"] * 2)])
def test_a_literal_starts_no_process(project: Project, text: str, started: list[str]) -> None:
    """A script that is a literal is read without Deno; any other starts it, after the loader told of its libraries."""
    project.write("tool.config.ts", text)
    ran = subprocess.run(
        [sys.executable, "-c", WATCHED, "config", "show"], cwd=project.root, capture_output=True, text=True, check=True
    )
    assert ran.stdout.splitlines()[-1] == str(started)


@pytest.mark.parametrize("text", [LITERAL, COMPUTED.replace("process.env.ONLY", "String(1)")])
def test_how_a_script_was_read_is_said(project: Project, text: str) -> None:
    """`config validate` says of a script whether it was run, found or named."""
    project.write("tool.config.ts", text)
    project.write("team.json", "{}")
    way = "read as a literal" if text == LITERAL else "evaluated"
    assert project.run("config", "validate").out == f"tool.config.ts: valid, {way}\n"
    ran = project.run("config", "validate", "team.json", "./tool.config.ts")
    assert ran.out == f"team.json: valid\n./tool.config.ts: valid, {way}\n"


@pytest.mark.parametrize("command", [["create"], ["status"], ["config", "show"], ["config", "validate"]])
def test_nothing_is_evaluated(project: Project, command: list[str]) -> None:
    """With `--no-exec` a literal is read; of any other script the first thing that is computed is shown."""
    project.write("tool.config.ts", COMPUTED)
    ran = project.run(*command, "--no-exec")
    assert (ran.code, ran.err.startswith(REFUSED)) == (65, True), ran.err
    project.write("tool.config.ts", LITERAL.replace('"x"', '"none"'))
    assert project.run(*command, "--no-exec").code == 0


def test_a_preset_is_not_evaluated(project: Project) -> None:
    """A preset that is a script is read in the same way."""
    project.write("presets/default.ts", COMPUTED)
    ran = project.run("config", "show", "--presets-search-path=presets", env={"TOOL_NO_EXEC": "1"})
    assert (ran.code, "presets/default.ts:3:21" in ran.err) == (65, True)


def test_init_evaluates_nothing(project: Project) -> None:
    """The presets that `tool init` looks into are read in the same way."""
    project.write("presets/default.ts", COMPUTED)
    ran = project.run("init", "--yes", "--no-exec", "--presets-search-path=presets")
    assert (ran.code, "presets/default.ts:3:21" in ran.err) == (65, True)


def test_no_hook_is_run(project: Project) -> None:
    """With `--no-exec` or its variable no script runs before or after the build, and the log says why."""
    project.write("init-scripts/a.sh", "touch ran").chmod(0o755)
    project.module("a")
    by_flag = project.create("--no-exec")
    by_variable = project.run("create", "--log-format=text", env={"TOOL_NO_EXEC": "1"})
    assert (by_flag.code, [each["reason"] for each in by_flag.told("hook")]) == (0, ["--no-exec"])
    assert (by_variable.code, "hook  init/a.sh  skipped  TOOL_NO_EXEC\n" in by_variable.err) == (0, True)
    assert not (project.root / "ran").exists()


def test_a_variable_that_is_no_boolean(project: Project) -> None:
    """A value of `TOOL_NO_EXEC` that says neither yes nor no stops the run: it may have been meant to forbid."""
    ran = project.run("config", "show", env={"TOOL_NO_EXEC": "yes"})
    assert (ran.code, ran.err) == (
        65,
        "error: SchemaValidationError: expected `true`, `1`, `false` or `0`, found `yes`\n  --> TOOL_NO_EXEC\n"
        "  = help: set the variable to one of these, or unset it\n",
    )
