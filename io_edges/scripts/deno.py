"""Deno: run the evaluator on one script in a child process, and return its answer.

The child may read the project and the environment, nothing else: Deno grants the one folder and no other right,
takes no configuration from the project or the user, and downloads nothing; where the kernel can, it confines the
child as well (`confine`). Deno has no folder for a cache: that would save no time, and could be left behind.
"""

import contextlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import IO, Final

from msgspec import Struct

from io_edges.scripts import confine
from io_edges.scripts.access import ScriptPaths
from io_edges.scripts.channel import Ending, Stream, Transcript, listen
from io_edges.scripts.landlock import AllowedPaths
from io_edges.scripts.libraries import libraries
from io_edges.system.signals import held_signals, reap
from pipeline.report.escape import to_json

HEAP_MIB: Final = 512

_HERE: Final = Path(__file__).parent
_SYSTEM: Final = ("/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo", "/dev/urandom")
_FLAGS: Final = (
    "--quiet",
    "--no-prompt",
    "--no-config",
    "--no-lock",
    "--no-remote",
    "--cached-only",
    "--node-modules-dir=manual",  # packages come from node_modules as it is
    "--unstable-sloppy-imports",  # local imports without suffix, of folders, and `.js` for `.ts`
    "--unstable-detect-cjs",  # CommonJS in `.js` without a package.json
    "--no-code-cache",  # nothing is kept that a later run could use
    f"--v8-flags=--max-old-space-size={HEAP_MIB},--single-threaded",  # no helper threads, however many processors
    "--allow-env",
    "--allow-sys=uid,gid",  # needed by `fs.access` on a file that may be read
    "--allow-read=.",  # the project, which is the current folder: a path in this list could not contain a comma
    f"--import-map={_HERE / 'evaluator' / 'import_map.json'}",
)
_STEERS_RUNTIME: Final = re.compile(
    "LD_.*|GLIBC_TUNABLES|DENO_.*|OTEL_.*|SSLKEYLOGFILE|RUST_BACKTRACE|RUST_LOG|NODE_(?:CHANNEL_.*|CLUSTER_.*|DEBUG.*|EXTRA_CA_CERTS"
    "|ICU_DATA|OPTIONS|PATH|REPL_.*|UNIQUE_ID|USE_.*|V8_COVERAGE)"
)
"""Variables that change how Deno starts and runs: they are not passed on, and a script does not see them."""

_SYSTEM_INSTALLERS: Final = {"apk": "apk add deno", "pkg": "pkg install deno"}
"""What installs Deno on Alpine and on FreeBSD, for which it has no wheel."""

_OWN_VARIABLES: Final = {
    "DENO_DIR": f"{os.devnull}/none",
    "DENO_EMIT_CACHE_MODE": "disable",
    "DENO_NO_PACKAGE_JSON": "1",
    "DENO_NO_UPDATE_CHECK": "1",
}
"""Variables for the runtime, which the evaluator removes before the script starts."""


class Ended(Struct, frozen=True):
    """How an evaluation ended, and what the child had sent by then."""

    ending: Ending
    status: int
    """The exit code, or minus the signal's number; meaningless if the evaluation was stopped."""
    transcript: Transcript


def find() -> str | None:
    """Find Deno: from the wheel, else on `PATH`."""
    beside = Path(sys.prefix, "bin", "deno")
    if beside.is_file():
        return str(beside)
    try:
        return str(import_module("deno").find_deno_bin())
    except (ImportError, FileNotFoundError):
        import shutil

        return shutil.which("deno")


def installing_command() -> str:
    """The command that installs Deno where `find` looks: the system's own, else that of the tool's environment."""
    import shlex
    import shutil
    from importlib.util import find_spec

    installer = next((each for each in _SYSTEM_INSTALLERS if shutil.which(each)), None)
    if installer:
        return _SYSTEM_INSTALLERS[installer]
    python = shlex.quote(sys.executable)
    return f"{python} -m pip install deno" if find_spec("pip") else f"uv pip install --python {python} deno"


def run(deno: str, paths: ScriptPaths, loosened: tuple[str, ...], deadline: float) -> Ended:
    """Evaluate a script, at most until `deadline` on the monotonic clock.

    `loosened` are the ways of `evaluator/loosen.mjs` to use. Raises `OSError` if Deno cannot be started.
    """
    own = _own_variables()
    nonce = os.urandom(16).hex()
    request = {
        "nonce": nonce,
        "url": paths.script.as_uri(),
        "cwd": str(paths.start),
        "hide": sorted(own),
        "loosened": loosened,
    }
    transcript = Transcript(nonce.encode())
    with _child(deno, paths.project, own) as child:
        stdin, outputs = _pipes(child)
        with contextlib.suppress(BrokenPipeError):  # it ended before reading; its status says why
            stdin.write(to_json(request).encode())
            stdin.close()
        ending = listen(outputs, transcript, deadline)
        if ending != "ended":
            _kill(child)
            for stream, pipe in outputs.items():
                transcript.add(stream, pipe.read())
        status = child.wait()
    return Ended("output" if transcript.exceeds else ending, status, transcript)


@contextlib.contextmanager
def _child(deno: str, project: Path, own: Mapping[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """Start the evaluator; on exit, however it happens, every process of its group is killed."""
    command = [deno, "run", *_FLAGS, str(_HERE / "evaluator" / "evaluate.mjs")]
    kept = {name: value for name, value in os.environ.items() if not _STEERS_RUNTIME.fullmatch(name)}
    types = [str(folder / "package.json") for folder in project.parents]  # Deno looks for `type` there
    allowed = AllowedPaths(read=(str(project), str(_HERE), *types, *_SYSTEM), run=(deno, *libraries(deno)))
    child: subprocess.Popen[bytes] | None = None
    try:
        with held_signals():  # a child that is being made is not left behind
            child = confine.start(command, str(project), {**kept, **own}, allowed)
        yield child
    finally:
        if child:
            _end(child)


def _own_variables() -> dict[str, str]:
    return _OWN_VARIABLES if "NO_COLOR" in os.environ else _OWN_VARIABLES | {"NO_COLOR": "1"}


def _end(child: subprocess.Popen[bytes]) -> None:
    _kill(child)
    reap(child)
    stdin, outputs = _pipes(child)
    for pipe in (stdin, *outputs.values()):
        with contextlib.suppress(OSError):
            pipe.close()


def _kill(child: subprocess.Popen[bytes]) -> None:
    if child.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)


def _pipes(child: subprocess.Popen[bytes]) -> tuple[IO[bytes], dict[Stream, IO[bytes]]]:
    if not (child.stdin and child.stdout and child.stderr):  # pragma: no cover - `confine.start` asks for all three
        raise AssertionError(child)
    return child.stdin, {"stdout": child.stdout, "stderr": child.stderr}
