"""Run the command many times, each in a fork of a process that has everything imported already."""

import json
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

from msgspec import Struct

_ROOT = Path(__file__).parent.parent.parent


class Forked(Struct, frozen=True):
    """A run: its exit code (less the signal that ended it), what it told, and the call that was broken."""

    code: int
    err: str
    broken: str


class Forks:
    """The process that forks. The command line is the installed one's, from its entry point on."""

    def __init__(self, scratch: Path) -> None:
        self.err = scratch / "stderr"

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "tests.support.fork_server"]
        self.server = subprocess.Popen(command, cwd=_ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.server.communicate()

    def run(
        self, cwd: Path, *args: str, number: int = 0, way: str = "", exchange: bool = True, files: int = 0
    ) -> Forked:
        """Run the command in a folder; with a way, break the call of that number; with no more than so many files."""
        request = {
            "cwd": str(cwd),
            "args": args,
            "number": number,
            "way": way,
            "exchange": exchange,
            "files": files,
            "err": str(self.err),
            "env": {"TOOL_LOG_FORMAT": "json"},
        }
        stdin, stdout = self.server.stdin, self.server.stdout
        assert stdin and stdout
        stdin.write(f"{json.dumps(request)}\n")
        stdin.flush()
        answer = json.loads(stdout.readline())
        return Forked(answer["code"], self.err.read_text(encoding="utf-8"), answer["broken"])
