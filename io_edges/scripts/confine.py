"""Confine: start a child process to which the system gives less than to the tool, beyond what its own runtime refuses.

Linux only, each as far as the kernel has it: Landlock bounds what the child opens, seccomp refuses every call that an
evaluation does not need, resource limits bound its memory, its processor time and what it writes, and it is killed when
the tool dies. Other systems get none of these (`docs/scripts.md`).
"""

import contextlib
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from io_edges.scripts import landlock, seccomp
from io_edges.scripts.landlock import AllowedPaths
from io_edges.system.stop import refusals_ignored

_MIB: Final = 1024 * 1024
DATA_LIMIT: Final = 1536 * _MIB
"""Bytes of writable private memory. Deno reserves about 550 MiB of it at the start on two cores, more on many cores."""
PROCESSOR_SECONDS: Final = 60
_OPEN_FILES: Final = 4096

_NO_NEW_PRIVILEGES, _DEATH_SIGNAL = 38, 1  # prctl(PR_SET_NO_NEW_PRIVS), prctl(PR_SET_PDEATHSIG)
_DESCRIPTORS: Final = "/proc/self/fd"
_LAST_STREAM: Final = 2

_Step = Callable[[], object]


def start(command: Sequence[str], cwd: str, env: Mapping[str, str], allowed: AllowedPaths) -> subprocess.Popen[bytes]:
    """Start a confined child as the leader of its own session, with pipes for its standard streams.

    Raises `OSError` if the system refuses a process, a pipe or the program. The child is confined between fork and
    exec, by steps that are prepared before: that is safe while the tool has no other thread.
    """
    pipe = subprocess.PIPE
    with _steps(command, env, allowed) as steps:
        return subprocess.Popen(
            command,
            cwd=cwd,
            env=env,
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            start_new_session=True,
            close_fds=not steps,  # it would look them up in `/proc` when that is out of reach
            preexec_fn=(lambda: _confine(steps)) if steps else None,  # noqa: PLW1509 - see above
        )


@contextlib.contextmanager
def _steps(command: Sequence[str], env: Mapping[str, str], allowed: AllowedPaths) -> Iterator[tuple[_Step, ...]]:
    """What the child does, in order: the last is to run the program.

    It runs it by a descriptor that is beyond what it may then open: the one that seccomp lets it execute, and that
    neither the program nor anything in it can ever have again.
    """
    if sys.platform != "linux" or not os.path.isdir(_DESCRIPTORS):  # noqa: PTH112 - no `pathlib` for one look
        yield ()
        return
    import ctypes

    prctl, tool = ctypes.CDLL(None).prctl, os.getpid()
    beyond = min(resource.getrlimit(resource.RLIMIT_NOFILE)[0], _OPEN_FILES) - 1
    with contextlib.ExitStack() as stack:
        program = os.open(command[0], os.O_PATH | os.O_CLOEXEC)
        stack.callback(os.close, program)
        steps: list[_Step] = [
            _close_descriptors,
            lambda: os.dup2(program, beyond, inheritable=False),
            lambda: _limit(beyond),
            lambda: prctl(_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0),
            lambda: os.getppid() == tool or os._exit(1),  # it died before that
            lambda: prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0),
        ]
        with refusals_ignored():
            steps.append(stack.enter_context(landlock.restriction(allowed)))
        with refusals_ignored():
            steps.append(seccomp.restriction(beyond))
        yield (*steps, lambda: os.execve(beyond, list(command), env))  # noqa: S606 - a program by its descriptor


def _confine(steps: Sequence[_Step]) -> None:
    for step in steps:
        with contextlib.suppress(OSError):
            step()


def _close_descriptors() -> None:
    """Let no descriptor but the standard streams reach the program, also if the tool has inherited it."""
    for name in os.listdir(_DESCRIPTORS):  # noqa: PTH208 - numbers, not paths
        with contextlib.suppress(OSError):  # that of the listing itself
            if int(name) > _LAST_STREAM:
                os.set_inheritable(int(name), False)


def _limit(open_files: int) -> None:
    for kind, most in (
        (resource.RLIMIT_NOFILE, open_files),
        (resource.RLIMIT_DATA, DATA_LIMIT),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CPU, PROCESSOR_SECONDS),
        (resource.RLIMIT_CORE, 0),
    ):
        with contextlib.suppress(OSError, ValueError):  # its limit is lower
            resource.setrlimit(kind, (most, most))
