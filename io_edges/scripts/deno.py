"""Deno: run the evaluator on one script in a child process, and return what it printed.

The process can be started ahead, while Python imports the rest of the tool. It waits for a script
until `run` gives it one. So this module imports little.

Deno lets the child read the project and the environment (the exceptions are in `evaluate`), reads
no configuration of the project or the user itself, and downloads nothing. The system confines the
child as well (`confine`). Deno gets no folder for a cache, which would save no time and could be
left behind.
"""

import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from importlib import import_module
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, NamedTuple, cast

from io_edges.scripts.confine import confinement
from io_edges.scripts.project import project_of
from io_edges.system.signals import held_signals, reap

if TYPE_CHECKING:
    from io_edges.scripts.access import ScriptPaths

HEAP_MIB: Final = 512

_HERE: Final = Path(__file__).parent
_OWN_VARIABLES: Final = {
    "DENO_DIR": f"{os.devnull}/none",
    "DENO_EMIT_CACHE_MODE": "disable",
    "DENO_NO_PACKAGE_JSON": "1",
    "DENO_NO_UPDATE_CHECK": "1",
}
"""Variables for the runtime, which scripts do not see."""
_HOME: Final = "TOOL_SCRIPT_HOME"
"""The variable with the user's home folder, for the script. Deno gets another one, where it reads
no `.npmrc`.
"""
_WEBGPU: Final = "DENO_WEBGPU_BACKEND"
"""The variable that turns WebGPU off, which needs no permission and loads drivers that other
variables name.
"""
_FLAGS: Final = (
    *("--quiet", "--no-prompt", "--no-config", "--no-lock", "--no-remote", "--cached-only"),
    "--node-modules-dir=manual",  # packages come from node_modules as it is
    "--unstable-sloppy-imports",  # local imports without suffix, of folders, and `.js` for `.ts`
    "--no-code-cache",  # nothing is kept that a later run could use
    # No helper threads, however many processors there are.
    f"--v8-flags=--max-old-space-size={HEAP_MIB},--single-threaded",
    "--allow-env",
    f"--deny-env={_WEBGPU}",
    f"--ignore-env={','.join(_OWN_VARIABLES)}",
    # `fs.access` needs these for a file that may be read.
    "--allow-sys=uid,gid,cpus,homedir,osRelease,hostname",
    # The project, which is the current folder: a path in this list could not contain a comma.
    "--allow-read=.",
    f"--import-map={_HERE / 'evaluator' / 'import_map.json'}",
)
_STEERS_RUNTIME: Final = re.compile(
    "LD_.*|GLIBC_TUNABLES|DENO_.*|OTEL_.*|SSLKEYLOGFILE|RUST_BACKTRACE|RUST_LOG"
    "|NODE_(?:CHANNEL_.*|CLUSTER_.*|DEBUG.*|EXTRA_CA_CERTS"
    "|ICU_DATA|OPTIONS|PATH|REPL_.*|UNIQUE_ID|USE_.*|V8_COVERAGE)"
)
"""Variables that change how Deno starts and runs. They are not passed on, and scripts do
not see them.
"""

_EVALUATING: Final = (
    *("create", "diff", "inspect", "patch", "redo", "status", "undo"),
    *("config show", "config validate"),
)
"""The commands that begin with reading the configuration."""
_NOT_EVALUATING: Final = ("--config", "--no-exec", "--help", "-h", "--version", "-V")
"""With these flags, a command probably does not evaluate the script of the current folder."""
_SYSTEM_INSTALLERS: Final = {"apk": "apk add deno", "pkg": "pkg install deno"}
"""The commands that install Deno on Alpine and FreeBSD, for which there is no wheel."""


class Ended(NamedTuple):
    """How an evaluation ended, and what its process printed."""

    status: int | None
    """The exit code, or the negative number of a signal; `None` if the time ran out."""
    stdout: bytes
    """The output of the script on standard output."""
    stderr: bytes
    answer: bytes
    """The answer of the evaluator, as JSON; empty if there is none."""


def find() -> str | None:
    """Find Deno: in the wheel, or else on `PATH`."""
    beside = Path(sys.prefix, "bin", "deno")
    if beside.is_file():
        return str(beside)
    try:
        return str(import_module("deno").find_deno_bin())
    except (ImportError, FileNotFoundError):
        import shutil

        return shutil.which("deno")


def installing_command() -> str:
    """The command that installs Deno where `find` looks: of the system, or else of the
    tool's environment.
    """
    import shlex
    import shutil
    from importlib.util import find_spec

    for installer, command in _SYSTEM_INSTALLERS.items():
        if shutil.which(installer):
            return command
    python = shlex.quote(sys.executable)
    if find_spec("pip"):
        return f"{python} -m pip install deno"
    return f"uv pip install --python {python} deno"


class Evaluator:
    """A child process that waits for a script, and evaluates it."""

    def __init__(self, deno: str, project: Path) -> None:
        """Start the process. Raises `OSError` if Deno cannot be started."""
        self.project = project
        kept = {
            name: value for name, value in os.environ.items() if not _STEERS_RUNTIME.fullmatch(name)
        }
        homes = {"HOME": str(_HERE / "evaluator")}  # a folder without `.npmrc`
        if "HOME" in kept:
            homes[_HOME] = kept["HOME"]
        with ExitStack() as files:
            self._stdout = files.enter_context(_buffer())
            self._stderr = files.enter_context(_buffer())
            # It closes when the child ends; `Popen.wait` would look every 50 ms.
            reading, writing = os.pipe()
            self._ending = files.enter_context(os.fdopen(reading, "rb"))
            with os.fdopen(writing, "wb") as held:
                self._child = subprocess.Popen(
                    [deno, "run", *_FLAGS, str(_HERE / "evaluator" / "evaluate.mjs")],
                    cwd=project,
                    env={**kept, **homes, **_OWN_VARIABLES, _WEBGPU: "none", "NO_COLOR": "1"},
                    stdin=subprocess.PIPE,  # so that the script cannot read it again
                    stdout=self._stdout,
                    stderr=self._stderr,
                    pass_fds=(held.fileno(),),
                    start_new_session=True,
                    # Safe, as the tool has no other thread.
                    preexec_fn=confinement(),  # noqa: PLW1509
                )
            self._request = files.enter_context(cast("IO[bytes]", self._child.stdin))
            self._files = files.pop_all()

    def evaluate(self, request: bytes, seconds: float) -> int | None:
        """Send a request, and wait until the process ends; return its exit code, or `None` if the
        time runs out.
        """
        deadline = time.monotonic() + seconds
        with suppress(BrokenPipeError):  # the process has ended
            self._request.write(request)
            self._request.close()
        # `pipeline.resolve.load` needs these next; Deno evaluates meanwhile.
        from pipeline import migrate, normalise, parse, validate  # noqa: F401
        from pipeline.config import places  # noqa: F401

        select.select([self._ending], [], [], max(seconds, 0))
        try:
            return self._child.wait(max(deadline - time.monotonic(), 0))
        except subprocess.TimeoutExpired:
            return None

    def end(self) -> None:
        """End the process, if it has not ended."""
        self._child.kill()
        reap(self._child)

    def printed(self) -> tuple[bytes, bytes]:
        """What the process printed on its standard output and on its standard error."""
        self._stdout.seek(0)
        self._stderr.seek(0)
        return self._stdout.read(), self._stderr.read()

    def close(self) -> None:
        """End the process, and forget what it printed."""
        self.end()
        with suppress(BrokenPipeError):
            self._files.close()


_ahead: Final[list[Evaluator]] = []
"""The evaluator that was started ahead, until `run` takes it."""


def start_ahead(words: Sequence[str]) -> None:
    """Start an evaluator for the current folder if a command line is likely to need one.

    If it cannot be started, nothing is reported: `run` tries again.
    """
    if not " ".join(words).startswith(_EVALUATING) or os.environ.get("TOOL_NO_EXEC"):
        return
    if any(word.startswith(_NOT_EVALUATING) for word in words):
        return
    deno = find()
    if deno is None:
        return
    with suppress(OSError, subprocess.SubprocessError):
        project, _ = project_of(Path.cwd() / "tool.config.ts")
        _ahead.append(Evaluator(deno, project))


def end_ahead() -> None:
    """End the evaluator that was started ahead, unless `run` took it."""
    with held_signals():
        while _ahead:
            _ahead.pop().close()


def run(deno: str, paths: "ScriptPaths", seconds: float) -> Ended:
    """Evaluate a script for at most some seconds.

    The evaluator prints its answer to the standard output of the script, on a line that begins with
    the random word of the request. Raises `OSError` if Deno cannot be started.
    """
    from pipeline.report.escape import to_json

    nonce = os.urandom(16).hex()  # a script cannot guess it
    request = to_json((nonce, paths.script.as_uri(), str(paths.start))).encode()
    with ExitStack() as stack:
        with held_signals():  # a child that is being made is not left behind
            if _ahead and _ahead[0].project == paths.project:
                evaluator = _ahead.pop()
            else:
                evaluator = Evaluator(deno, paths.project)
            stack.callback(evaluator.close)
        status = evaluator.evaluate(request, seconds)
        evaluator.end()
        printed, errors = evaluator.printed()
    before, _, after = printed.partition(f"\n{nonce}".encode())
    answer, _, rest = after.partition(b"\n")
    return Ended(status, before + rest, errors, answer)


def _buffer() -> IO[bytes]:
    """A file without a name, in memory if the system supports that."""
    if hasattr(os, "memfd_create"):
        return open(os.memfd_create("output"), "w+b")  # noqa: PTH123 - the caller closes it
    from tempfile import TemporaryFile

    return TemporaryFile()
