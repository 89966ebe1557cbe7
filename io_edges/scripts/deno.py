"""Deno: run the evaluator on one script in a child process, and return its answer.

The child may read the project and the environment, nothing else: Deno grants the one folder and no other right,
takes no configuration from the project or the user, and downloads nothing; where the kernel can, it confines the
child as well (`confine`). The cache is a folder that is made for the run and removed after it, so that nothing is left
behind in the project or the user's home. It is in memory where there is a file system for that: Deno makes three
databases in it, which is cheaper there than on a disk. A permanent cache would be slightly cheaper.

The answer comes over standard output in frames that begin with a number which the script does not know, each
written in one piece (`evaluator/evaluate.mjs`). All other bytes are what the script printed (`docs/scripts.md`).
"""

import contextlib
import json
import os
import re
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import IO, Final, Literal, TypeAlias

from msgspec import Struct

from io_edges.scripts import confine

OUTPUT_LIMIT: Final = 1024 * 1024
"""Bytes that a script may print."""
_HEARD_LIMIT: Final = 16 * OUTPUT_LIMIT  # with the answer: 1 MiB of data, each character of which may be escaped
HEAP_MIB: Final = 512

_HERE: Final = Path(__file__).parent
_PIECE: Final = 65536
_FRAME: Final = 4096  # the bytes that a pipe takes in one piece (PIPE_BUF): no frame is longer
_IN_MEMORY: Final = "/dev/shm"  # noqa: S108 - the folder made in it has a unique name and is private to the user
_SYSTEM: Final = ("/usr", "/lib", "/lib32", "/lib64", "/nix/store", "/gnu/store")
_SYSTEM_FILES: Final = ("/etc/ld.so.cache", "/etc/localtime", "/dev/urandom", "/sys/fs/cgroup", "/proc/self/cgroup")
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
    "DENO_.*|OTEL_.*|SSLKEYLOGFILE|RUST_BACKTRACE|RUST_LOG|NODE_(?:CHANNEL_.*|CLUSTER_.*|DEBUG.*|EXTRA_CA_CERTS"
    "|ICU_DATA|OPTIONS|PATH|REPL_.*|UNIQUE_ID|USE_.*|V8_COVERAGE)"
)
"""Variables that change how Deno runs: they are not passed on, and a script does not see them."""

Ending: TypeAlias = Literal["answered", "ended", "timeout", "output"]


class Task(Struct, frozen=True, kw_only=True):
    """A script to evaluate: the absolute real paths of the script, its project and the current folder."""

    script: Path
    project: Path
    start: Path
    loosened: tuple[str, ...] = ()
    """Which of the ways of `evaluator/loosen.mjs` to use."""


class Ended(Struct, frozen=True, kw_only=True):
    """How an evaluation ended."""

    stop: Ending
    status: int
    """The exit code, or minus the signal's number; meaningless if the evaluation was stopped."""
    data: bytes | None
    """The JSON of the default export."""
    report: bytes | None
    """The evaluator's report of why there is no data, as JSON."""
    printed: Mapping[str, bytes]
    """What the script printed, under `stdout` and `stderr`."""
    started: bool
    """Whether the evaluator had started: what is printed before that comes from the runtime."""


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


def run(deno: str, task: Task, deadline: float, meanwhile: Callable[[], object]) -> Ended:
    """Evaluate a script, at most until `deadline` on the monotonic clock, and call `meanwhile` while it starts.

    Raises `OSError` if Deno cannot be started.
    """
    nonce = os.urandom(16).hex()
    with _cache() as cache, _child(deno, task, cache) as child:
        hide = sorted(_own_variables(cache))
        request = {
            "nonce": nonce,
            "url": task.script.as_uri(),
            "cwd": str(task.start),
            "hide": hide,
            "loosened": task.loosened,
        }
        stdin, stdout, stderr = _pipes(child)
        with contextlib.suppress(BrokenPipeError):  # it ended before reading; its status says why
            stdin.write(json.dumps(request).encode())
            stdin.close()
        meanwhile()
        heard: dict[str, bytearray] = {"stdout": bytearray(), "stderr": bytearray()}
        stop = _listen({"stdout": stdout, "stderr": stderr}, heard, nonce.encode(), deadline)
        if stop != "ended":
            _kill(child)
        for name, pipe in (("stdout", stdout), ("stderr", stderr)):
            heard[name] += pipe.read() if stop != "ended" else b""
        status = child.wait()
    return _ended(stop, status, bytes(heard["stdout"]), bytes(heard["stderr"]), nonce.encode())


def _listen(pipes: Mapping[str, IO[bytes]], heard: Mapping[str, bytearray], nonce: bytes, deadline: float) -> Ending:
    """Collect the output until the last frame, the end of both streams, the deadline or the size limit."""
    last = re.compile(b"\n" + nonce + b"[=!][^\n]*\n")
    answer = re.compile(b"\n" + nonce + b"[+=!]")
    with selectors.DefaultSelector() as selector:
        for name, pipe in pipes.items():
            selector.register(pipe, selectors.EVENT_READ, name)
        while selector.get_map():
            left = deadline - time.monotonic()
            ready = selector.select(max(0.0, left))
            if not ready or left < 0:
                return "timeout"
            for key, _ in ready:
                piece = os.read(key.fd, _PIECE)
                if not piece:
                    selector.unregister(key.fileobj)
                heard[key.data].extend(piece)
            out = heard["stdout"]
            if last.search(out, max(0, len(out) - _PIECE - _FRAME)):
                return "answered"
            begun = answer.search(out)
            if len(heard["stderr"]) + (begun.start() if begun else len(out)) > OUTPUT_LIMIT or len(out) > _HEARD_LIMIT:
                return "output"
    return "ended"


def _ended(stop: Ending, status: int, out: bytes, err: bytes, nonce: bytes) -> Ended:
    frame = re.compile(b"\n" + nonce + b"([.+=!])([^\n]*)\n")
    frames = [(found[1], found[2]) for found in frame.finditer(out)]
    answer = b"".join(text for _, text in frames)
    kind = frames[-1][0] if frames else b""
    printed = {"stdout": frame.sub(b"", out), "stderr": err}
    return Ended(
        stop="output" if sum(map(len, printed.values())) > OUTPUT_LIMIT else stop,
        status=status,
        data=answer if kind == b"=" else None,
        report=answer if kind == b"!" else None,
        printed=printed,
        started=bool(frames),
    )


@contextlib.contextmanager
def _cache() -> Iterator[str | None]:
    """Make a folder for Deno's cache; `None` if there is no place for it: Deno works without, but slower."""
    folder = next((made for parent in _temporary() if (made := _made(parent))), None)
    try:
        if folder:
            with contextlib.suppress(OSError):  # there is no space for it, and Deno works without
                (folder / "npm").mkdir()  # the only folder that Deno needs in it; the child may make none
        yield str(folder.resolve()) if folder else None
    finally:
        if folder:
            import shutil  # loaded while Deno starts

            shutil.rmtree(folder, ignore_errors=True)


def _temporary() -> Iterator[str]:
    """Where a temporary folder may be made, the fastest first."""
    yield _IN_MEMORY
    yield from filter(None, map(os.environ.get, ("TMPDIR", "TEMP", "TMP")))
    yield from ("/tmp", "/var/tmp")  # noqa: S108 - the folder made in it has a unique name and is private to the user


def _made(parent: str) -> Path | None:
    """Make a folder that only the user may enter, with an unguessable name; `None` if it cannot be made."""
    folder = Path(parent, f"tool-{os.urandom(16).hex()}")
    try:
        folder.mkdir(0o700)
    except (OSError, ValueError):
        return None
    return folder


@contextlib.contextmanager
def _child(deno: str, task: Task, cache: str | None) -> Iterator[subprocess.Popen[bytes]]:
    """Start the evaluator; on exit, however it happens, every process of its group is killed."""
    command = [deno, "run", *_FLAGS, str(_HERE / "evaluator" / "evaluate.mjs")]
    kept = {name: value for name, value in os.environ.items() if not _STEERS_RUNTIME.fullmatch(name)}
    types = [str(folder / "package.json") for folder in task.project.parents]  # Deno looks for `type` there
    reach = confine.Reach(
        read=(str(task.project), str(_HERE), *types, *_SYSTEM_FILES),
        run=(deno, *_SYSTEM),
        write=("/dev/null", *([cache] if cache else [])),
    )
    child = confine.start(command, str(task.project), kept | _own_variables(cache), reach)
    try:
        yield child
    finally:
        _kill(child)
        child.wait()
        for pipe in _pipes(child):
            with contextlib.suppress(OSError):
                pipe.close()


def _own_variables(cache: str | None) -> dict[str, str]:
    """Variables for the runtime, which the evaluator removes before the script starts."""
    own = {
        "DENO_DIR": cache or os.devnull + "/none",
        "DENO_EMIT_CACHE_MODE": "disable",
        "DENO_NO_PACKAGE_JSON": "1",
        "DENO_NO_UPDATE_CHECK": "1",
    }
    return own if "NO_COLOR" in os.environ else own | {"NO_COLOR": "1"}


def _kill(child: subprocess.Popen[bytes]) -> None:
    if child.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)


def _pipes(child: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
    if not (child.stdin and child.stdout and child.stderr):  # pragma: no cover - `confine.start` asks for all three
        raise AssertionError(child)
    return child.stdin, child.stdout, child.stderr
