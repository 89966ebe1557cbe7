"""What a cold build costs, counted, so that a busy machine makes no difference
(`docs/contributing/architecture.md`).
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.costs import MIB, cost_of
from tests.support.forks import TOOL
from tests.support.project import Project

FOLDERS = 10


def calls_of(project: Project, files: int) -> int:
    """How many calls of the system building a module of so many files takes."""
    content = {f"m/{number % FOLDERS}/{number}": f"{number}" * 9 for number in range(files)}
    project.archive("m.zip", {"m/module.json": '{"name": "m"}', **dict(sorted(content.items()))})
    return calls_to_build(project, str(files))


def calls_to_build(project: Project, output: str) -> int:
    """How many calls of the system a build takes in its project; calls of the start
    do not count.
    """
    trace = project.root / "trace"
    command: list[str | Path] = [
        "strace",
        "-f",
        "-y",
        "-qq",
        "-o",
        str(trace),
        TOOL,
        "create",
        "--output",
        output,
    ]
    subprocess.run(
        command,
        cwd=project.root,
        check=True,
        capture_output=True,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    calls = (
        line for line in trace.read_text(encoding="utf-8").splitlines() if " resumed>" not in line
    )
    return sum(f"{project.root / output}/" in call for call in calls)


@pytest.mark.skipif(
    shutil.which("strace") is None, reason="strace, which lists the calls of a process, is missing"
)
def test_system_calls(project: Project) -> None:
    """A file of a cold build takes four calls: to open, write, look at and close it."""
    few, many = 100, 500
    each = (calls_of(project, many) - calls_of(project, few)) / (many - few)
    assert abs(each - 4) < 0.2


@pytest.mark.skipif(
    shutil.which("strace") is None, reason="strace, which lists the calls of a process, is missing"
)
def test_nested_folders(project: Project) -> None:
    """Each folder of the user in a component costs the same number of calls, however deep it is."""
    costs = []
    for depth in (1, 11, 21):
        project.archive("m.zip", {"m/module.json": '{"name": "m"}'})
        assert project.create("--output", str(depth)).code == 0
        project.write(f"{depth}/modules/m/{'d/' * depth}mine", "")
        project.archive("m.zip", {"m/module.json": '{"name": "m" }'})
        costs.append(calls_to_build(project, str(depth)))
    assert (costs[2] - costs[1]) / (costs[1] - costs[0]) < 1.5


@pytest.mark.skipif(
    shutil.which("strace") is None, reason="strace, which lists the calls of a process, is missing"
)
def test_the_state_is_written_once(project: Project) -> None:
    """A build writes its state once, even if it also remembers another drop and warnings."""
    for number, drop in enumerate(("a", "a", "b")):
        project.archive(
            f"{drop}/m.zip",
            {"m/module.json": '{"name": "m", "requires": ["x"]}', f"m/{number}": ""},
        )
        trace = project.root / "trace"
        command: list[str | Path] = [
            "strace",
            "-f",
            "--seccomp-bpf",
            "-qq",
            "-e",
            "trace=rename,renameat",
            "-o",
            str(trace),
            TOOL,
            "create",
            drop,
        ]
        subprocess.run(command, cwd=project.root, check=True, capture_output=True)
        assert trace.read_text(encoding="utf-8").count('"state.json"') == 1


def test_memory(tmp_path: Path) -> None:
    """Two processes together take less than 120 MiB, however much is in the archives."""
    project = Project(tmp_path)
    noise = os.urandom(8 * 1024**2)
    for number in range(3):
        small = {f"m{number}/{each}": noise[each * 4096 : (each + 1) * 4096] for each in range(200)}
        project.archive(f"m{number}.zip", {f"m{number}/large": noise, **small})
    cost = cost_of(project.root, "create")
    assert cost.code == 0
    assert 2 * cost.memory < 120 * MIB
