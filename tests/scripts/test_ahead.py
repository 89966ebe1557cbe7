"""The evaluator that starts while Python imports the tool: who gets it, and that it always ends."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from io_edges.scripts import deno
from tests.support.scripts import ROOT, lay, outcome, ts

PID = "export default { pid: Deno.pid }"
ENDING = """
import ctypes, os, subprocess, sys
PR_SET_CHILD_SUBREAPER = 36  # to get the processes that the tool leaves behind
ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
ended = subprocess.run([sys.executable, "-c", *sys.argv[1:]])
try:
    left = os.wait()
except ChildProcessError:
    left = None
print([ended.returncode, left])
"""
"""A program that runs another one, and prints its exit code and the process that it left behind."""
TOOL = "from io_edges.start import main; main()"
INTERRUPTED = (
    """
import signal, sys
class Finder:
    def find_spec(self, module, path=None, target=None):
        if module == "io_edges.cli.main":
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Finder())
"""
    + TOOL
)
COUNTING = (
    """
import sys
class Finder:
    def find_spec(self, module, path=None, target=None):
        if module == "io_edges.cli.main":
            deno = sys.modules.get("io_edges.scripts.deno")
            print(deno and len(deno._ahead))
sys.meta_path.insert(0, Finder())
"""
    + TOOL
)
PART_MISSING = "import sys; sys.modules['io_edges.cli.main'] = None;" + TOOL


@pytest.fixture(autouse=True)
def here(project: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """In the project; nothing that was started ahead outlives a test."""
    monkeypatch.chdir(project)
    yield
    deno.end_ahead()


def evaluators() -> list[int]:
    """The numbers of this process's children that evaluate scripts."""
    listed = subprocess.run(
        ["ps", "-A", "-o", "pid=", "-o", "ppid=", "-o", "args="],
        capture_output=True,
        text=True,
        check=True,
    )
    rows = (line.split() for line in listed.stdout.splitlines())
    return [
        int(number)
        for number, parent, *args in rows
        if int(parent) == os.getpid() and "deno" in " ".join(args)
    ]


def test_evaluates_the_script_of_the_project(project: Path) -> None:
    """The evaluator that was started ahead evaluates the first script; a second one gets
    another.
    """
    deno.start_ahead(["config", "show"])
    ahead = evaluators()
    script = lay(project, ts(PID))
    assert [outcome(script, project)] == [{"pid": pid} for pid in ahead]
    assert evaluators() == []
    assert outcome(script, project) not in [{"pid": pid} for pid in ahead]


def test_evaluates_no_script_of_another_project(project: Path) -> None:
    """A script of another project gets an evaluator of its own, as Deno may read only one
    project; the other waits until the end of the run.
    """
    deno.start_ahead(["create", "drop"])
    ahead = evaluators()
    other = project.parent / "other"
    script = lay(other, {"tool.config.ts": PID, ".git": ""})
    assert outcome(script, other) not in [{"pid": pid} for pid in ahead]
    assert (len(ahead), evaluators()) == (1, ahead)
    deno.end_ahead()
    assert evaluators() == []


@pytest.mark.parametrize(
    ("name", "line", "started"),
    [
        ("tool.config.ts", "config show", "1"),
        ("tool.config.js", "create drop", "1"),
        ("tool.config.ts", "--version", "0"),
        ("tool.config.json", "config show", "None"),
    ],
)
def test_starts_before_the_command_line_is_loaded(
    project: Path, name: str, line: str, started: str
) -> None:
    """The console script starts one if the current folder has a script, and else imports nothing
    for that.
    """
    lay(project, {name: "{}"})
    ended = subprocess.run(
        [sys.executable, "-c", COUNTING, *line.split()],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.stdout.splitlines()[0] == started


@pytest.mark.parametrize(
    "line",
    [
        "",
        "log",
        "help create",
        "config types",
        "create drop --no-exec",
        "create drop --config=other.json",
        "status --help",
        "--version",
    ],
)
def test_is_not_started_without_need(line: str) -> None:
    """A command line that reads no configuration, or another one, starts none."""
    deno.start_ahead(line.split())
    assert evaluators() == []


def test_is_not_started_where_a_variable_forbids_scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where `TOOL_NO_EXEC` is set, none is started."""
    monkeypatch.setenv("TOOL_NO_EXEC", "1")
    deno.start_ahead(["config", "show"])
    assert evaluators() == []


def test_a_failure_to_start_is_not_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where Deno is missing or cannot be started, that is reported only if a script needs it."""
    for program in (None, "/nowhere/deno"):
        monkeypatch.setattr(deno, "find", lambda program=program: program)
        deno.start_ahead(["config", "show"])
        assert evaluators() == []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux gives orphans to another process")
@pytest.mark.parametrize(
    ("program", "flag", "expected"),
    [
        (TOOL, "--quiet", [0, None]),
        (TOOL, "--no-such-flag", [64, None]),
        (INTERRUPTED, "--quiet", [130, None]),
        (PART_MISSING, "--quiet", [74, None]),
    ],
    ids=["a success", "a usage error", "an interrupt in an import", "a part is missing"],
)
def test_nothing_is_left_behind(
    project: Path, program: str, flag: str, expected: list[object]
) -> None:
    """However a run ends, it ends and reaps the evaluator, whether it has used it or not."""
    lay(project, ts("export default {}"))
    ended = subprocess.run(
        [sys.executable, "-c", ENDING, program, "config", "show", flag],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    assert ended.stdout.splitlines()[-1] == str(expected)
