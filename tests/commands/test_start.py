"""Starting the command where it cannot run."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from io_edges.report.exit_codes import EXIT_CODES
from pipeline import __version__
from tests.support.forks import TOOL

ROOT = Path(__file__).parents[2]
ON_WINDOWS = """
import os, sys
os.name, sys.platform = "nt", "win32"
for name in ("fcntl", "grp", "posix", "pty", "pwd", "resource", "termios", "tty"):
    sys.modules[name] = None
for name in ("fork", "geteuid", "killpg", "openpty", "O_NOFOLLOW", "O_DIRECTORY"):
    delattr(os, name)
from io_edges.start import main
main()
"""
WITHOUT = """
import sys
sys.modules |= dict.fromkeys(sys.argv.pop(1).split())
from io_edges.start import main
main()
"""
EXHAUSTED = """
import builtins, sys
error, name = getattr(builtins, sys.argv.pop(1)), sys.argv.pop(1)
class Finder:
    def find_spec(self, module, path=None, target=None):
        if module == name:
            raise error("error return without exception set")
sys.meta_path.insert(0, Finder())
from io_edges.start import main
main()
"""
INTERRUPTED = """
import signal, sys
signal.signal(signal.SIGINT, getattr(signal, sys.argv.pop(1)))
class Interrupting:
    def __set_name__(self, *names):
        signal.raise_signal(signal.SIGINT)
class Finder:
    def find_spec(self, module, path=None, target=None):
        if module == "pipeline.report.events":
            type("Wrapping", (), {"it": Interrupting()})
sys.meta_path.insert(0, Finder())
from io_edges.start import main
main()
"""
LOADED = """
import os, sys
before = {*sys.modules}
import io_edges.start
print(*sorted({*sys.modules} - before))
"""


def start(code: str, *args: str) -> tuple[int, str, str]:
    """The exit code of the command line that the code starts, and what it prints."""
    ended = subprocess.run(
        [sys.executable, "-c", code, *args], capture_output=True, text=True, cwd=ROOT, check=False
    )
    return ended.returncode, ended.stdout, ended.stderr


def test_on_windows() -> None:
    """On a system that is not POSIX, one line says so before an import fails."""
    message = (
        "error: tool needs a POSIX system, such as Linux or macOS; on Windows, install it "
        "in WSL (`wsl --install`)\n"
    )
    assert start(ON_WINDOWS) == (69, "", message)


def test_nothing_is_imported_before_an_interrupt_is_caught() -> None:
    """The console script itself imports only modules that Python has already loaded."""
    assert start(LOADED) == (0, "gc io_edges io_edges.start\n", "")


@pytest.mark.parametrize(
    ("handler", "code", "out"),
    [("default_int_handler", 130, ""), ("SIG_IGN", 0, f"{__version__}\n")],
)
def test_an_interrupt_in_an_import(handler: str, code: int, out: str) -> None:
    """An interrupt ends the loading, even if Python would wrap it in another error; under nohup it
    is ignored.
    """
    assert EXIT_CODES["Interrupted"] == 130
    assert start(INTERRUPTED, handler, "--version") == (code, out, "")


@pytest.mark.parametrize(
    ("args", "log_format", "shown"),
    [
        (["status"], "", b"\r\ninterrupted\r\n"),
        (["status", "--log-format", "json"], "", b""),
        (["status", "--log_format=json"], "text", b""),
        (["status"], " json ", b""),
        (["status", "--log-format", "text"], "text", b"\r\ninterrupted\r\n"),
    ],
)
def test_an_interrupt_in_an_import_on_a_terminal(
    args: list[str], log_format: str, shown: bytes
) -> None:
    """A person is told of the interrupt; a program that reads JSON is not."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", INTERRUPTED, "default_int_handler", *args]
    ended = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "TOOL_LOG_FORMAT": log_format},
        stderr=theirs,
        check=False,
    )
    os.write(theirs, b"end")
    written = b""
    while not written.endswith(b"end"):
        written += os.read(ours, 1024)
    os.close(theirs)
    os.close(ours)
    assert (ended.returncode, written) == (130, shown + b"end")


@pytest.mark.parametrize(
    "module", ["pipeline.report.events", "io_edges.cli.help"], ids=["at first", "later"]
)
def test_a_part_is_missing(module: str) -> None:
    """If a part of the installation is missing or replaced by another package, the error says what
    to do.
    """
    cause = f"import of {module} halted; None in sys.modules"
    message = (
        f"error: FileSystemProblem: tool cannot be loaded: {cause}\n"
        "  = help: install it again, in an environment of its own: with pipx or `uv tool install`\n"
    )
    assert start(WITHOUT, module, "--help") == (74, "", message)


def test_a_hash_is_missing() -> None:
    """If an unneeded hash cannot be loaded, the output of Python's library about it is not
    shown.
    """
    assert start(WITHOUT, "_hashlib _md5", "status", "--no-such-flag")[2].startswith(
        "error: UsageError: "
    )


@pytest.mark.parametrize(
    ("error", "module", "message"),
    [
        ("MemoryError", "pipeline.report.events", "tool cannot be loaded: out of memory\n"),
        ("SystemError", "pipeline.report.events", "tool cannot be loaded: out of memory\n"),
        (
            "MemoryError",
            "io_edges.cli.help",
            (
                "`.`: out of memory\n  --> .\n  = help: free some memory, or raise `ulimit -v`, "
                "then "
                "run again\n"
            ),
        ),
    ],
)
def test_little_memory(error: str, module: str, message: str) -> None:
    """If memory runs out while a module is loaded, even in C code, one error reports it.

    The error is raised on purpose: under a real limit Python itself now and then hangs or gives up,
    as was measured.
    """
    assert start(EXHAUSTED, error, module, "--help") == (
        74,
        "",
        f"error: FileSystemProblem: {message}",
    )


def test_enough_memory(tmp_path: Path) -> None:
    """A project without archives needs less than a gigabyte."""
    command: list[str | Path] = [
        "sh",
        "-c",
        'ulimit -d 1000000 && exec "$0" create . --dry-run --quiet',
        TOOL,
    ]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr.split(" ")[0]) == (0, "", "warning:")
