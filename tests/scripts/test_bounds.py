"""Scripts that end early, hang or want too much are ended, with every process that they started."""

import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from io_edges.scripts.evaluate import TimeBudget, evaluate
from io_edges.system import signals
from pipeline.config.disk import Exported
from pipeline.report.diagnostics.scripts import EvaluationFailed
from pipeline.report.outcome import errors_of, value_of
from tests.support.scripts import EVALUATE, ROOT, Files, failed, lay, outcome, read_cases, tried, ts
from tests.support.sweep import sweep_only

ENDED = read_cases("script_ended")


OUT_OF_MEMORY = read_cases("script_out_of_memory")
"""More ways to want too much memory, of which each takes a second."""


IDLE = "await new Promise(() => setInterval(() => {}, 1));"
"""What never ends, and costs nothing."""


@pytest.mark.parametrize(("files", "expected"), ENDED.values(), ids=ENDED)
def test_is_ended(project: Path, files: Files, expected: EvaluationFailed) -> None:
    """A script that ends without a configuration, or wants too much, is a fault."""
    assert tried(project, files) == expected


@sweep_only
@pytest.mark.parametrize(("files", "expected"), OUT_OF_MEMORY.values(), ids=OUT_OF_MEMORY)
def test_too_much_memory(project: Path, files: Files, expected: EvaluationFailed) -> None:
    """A script that wants too much memory, in whatever way, is ended."""
    assert tried(project, files) == expected


@pytest.mark.parametrize("text", ["for (;;);", IDLE, "await new Promise(() => {})"])
def test_a_hang_is_ended_in_time(project: Path, text: str) -> None:
    """A script that does not end is ended, with its whole group, when its time is up."""
    began = time.monotonic()
    result = outcome(lay(project, ts(text + "; export default {}")), project, seconds=0.5)
    assert result == failed("timed out", "0.5 s")
    assert time.monotonic() - began < 60  # long enough for a busy machine
    assert processes() == []


def processes() -> list[str]:
    """The command lines of this process's children that are still there."""
    found = subprocess.run(
        ["ps", "--ppid", str(os.getpid()), "-o", "args="],
        capture_output=True,
        text=True,
        check=False,
    )
    return [line for line in found.stdout.splitlines() if "evaluate.mjs" in line]


@pytest.mark.parametrize("interrupt", [KeyboardInterrupt, SystemExit])
def test_an_interrupt_ends_the_child(project: Path, interrupt: type[BaseException]) -> None:
    """After an interrupt, the child is ended before the interrupt is raised."""
    os.mkfifo(project / "pipe")
    script = lay(project, ts('Deno.readTextFileSync("pipe"); for (;;);'))

    def handle(*_: object) -> None:
        raise interrupt

    def interrupt_the_script() -> None:
        # Waits until the script reads, as a fork must not be interrupted.
        with (project / "pipe").open("w"):
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGALRM)

    previous = signal.signal(signal.SIGALRM, handle)
    interrupting = threading.Thread(target=interrupt_the_script)
    interrupting.start()
    try:
        with pytest.raises(interrupt):
            outcome(script, project)
    finally:
        interrupting.join()
        signal.signal(signal.SIGALRM, previous)
    assert processes() == []


def test_an_interrupt_while_the_child_is_made(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An interrupt that comes before the child has its script ends the child, too."""
    made: list[subprocess.Popen[bytes]] = []
    make = subprocess.Popen

    def interrupted(*args: Any, **options: Any) -> "subprocess.Popen[bytes]":
        made.append(make(*args, **options))
        os.kill(os.getpid(), signal.SIGINT)
        return made[0]

    monkeypatch.setattr(signals, "_state", signals._State())
    monkeypatch.setattr(subprocess, "Popen", interrupted)
    previous = signal.signal(signal.SIGINT, signals._end)
    try:
        with pytest.raises(KeyboardInterrupt):
            outcome(lay(project, ts("for (;;);")), project)
    finally:
        signal.signal(signal.SIGINT, previous)
    assert [child.returncode for child in made] == [-signal.SIGKILL]


@contextmanager
def waiting(
    project: Path, inherited: tuple[int, ...] = (), **variables: str
) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A tool whose script waits, and the number of the script's process."""
    os.mkfifo(project / "pipe")
    script = lay(project, ts('Deno.readTextFileSync("pipe"); for (;;);'))
    command = [sys.executable, "-c", EVALUATE, str(script)]
    environ, pipe = {**os.environ, **variables}, subprocess.PIPE
    with subprocess.Popen(
        command, env=environ, cwd=ROOT, pass_fds=inherited, stdout=pipe, text=True
    ) as tool:
        try:
            with (project / "pipe").open("w"):  # waits until the script reads
                (child,) = Path(f"/proc/{tool.pid}/task/{tool.pid}/children").read_text().split()
                yield tool, int(child)
        finally:
            tool.kill()


@pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux ends a process with the one that started it"
)
def test_a_killed_tool_leaves_nothing_behind(project: Path) -> None:
    """If the tool is killed while a script runs, the script ends as well and no temporary file is
    left.
    """
    temporary = project.parent / "temporary"
    temporary.mkdir()
    with waiting(project, TMPDIR=str(temporary)) as (tool, child):
        handle = os.pidfd_open(child)
        try:
            tool.kill()
            ended, _, _ = select.select([handle], [], [], 60)
        finally:
            os.close(handle)
        assert ended == [handle]
        assert list(temporary.iterdir()) == []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows the children of a process")
def test_a_killed_evaluator(project: Path) -> None:
    """A script whose process is killed from outside is reported as killed."""
    with waiting(project) as (tool, child):
        os.kill(child, signal.SIGKILL)
        reported, _ = tool.communicate()
    assert reported == f"{(failed('killed', '9'),)!r}\n"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows what a process has open")
def test_no_descriptor_is_inherited(project: Path) -> None:
    """Files that the tool was started with are not open in the script's process."""
    secret = project.parent / "outside" / "secret.txt"
    with secret.open() as file, waiting(project, (file.fileno(),)) as (_, child):
        opened = {str(link.readlink()) for link in Path(f"/proc/{child}/fd").iterdir()}
    assert [path for path in opened if path.startswith(str(project.parent))] == [
        str(project / "pipe")
    ]


def test_all_scripts_of_a_run_share_their_time(project: Path) -> None:
    """A second script only has the time that the first one has left."""
    first = lay(project, ts("export default {a: Date.now() - Date.now()}"))
    time_budget = TimeBudget(60.0)  # long enough for a busy machine
    assert value_of(evaluate(first, project, lambda *_: None, time_budget)) == Exported(b'{"a":0}')
    assert time_budget.spent > 0
    time_budget.spent = 59.7
    second = lay(project, ts(f"{IDLE} export default {{}}"))
    assert errors_of(evaluate(second, project, lambda *_: None, time_budget)) == (
        failed("timed out", "60 s"),
    )
    assert time_budget.spent >= 60
