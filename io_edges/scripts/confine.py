"""Confine: what the kernel enforces on a child process, beyond what its own runtime does.

Linux only. Landlock (kernel 5.13 and later) limits what the child can open, after symlinks are followed: a link that
leads out of the allowed folders is refused when it is opened. If the kernel has no Landlock, or a container
forbids it, the child starts without it. Resource limits bound its memory, its processor time and the size of the
files that it writes. Other systems get neither (`docs/scripts.md`).
"""

import contextlib
import os
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

_MIB: Final = 1024 * 1024
DATA_LIMIT: Final = 1536 * _MIB
"""Bytes of writable private memory. Deno reserves about 550 MiB of it at the start on two cores, more on many cores."""
FILE_SIZE_LIMIT: Final = 64 * _MIB
PROCESSOR_SECONDS: Final = 60

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same number on every architecture but Alpha
_NO_NEW_PRIVILEGES: Final = 38  # prctl(PR_SET_NO_NEW_PRIVS)
_PATH_BENEATH: Final = 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_FOLDER = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_MAKE_FOLDER: Final = 1 << 7
_FILE_RIGHTS: Final = _EXECUTE | _WRITE_FILE | _READ_FILE | 1 << 14  # and truncate
_RIGHTS_SINCE: Final = ((5, 16), (3, 15), (2, 14), (1, 13))  # Landlock version, number of file system rights it knows
_NET_SINCE, _SCOPES_SINCE = 4, 6


class Reach(Struct, frozen=True):
    """What a child may open: files, or folders with everything in them."""

    read: tuple[str, ...]
    run: tuple[str, ...]
    write: tuple[str, ...]
    """In a folder everything is allowed except executing files and making folders."""


def start(command: Sequence[str], cwd: str, env: Mapping[str, str], reach: Reach) -> subprocess.Popen[bytes]:
    """Start a confined child as the leader of its own session, with pipes for its standard streams.

    Landlock restricts the calling thread and the children of that thread, so the child is started from a thread of
    its own: the tool itself stays unrestricted. Raises `OSError` if the program cannot be run.
    """
    started: list[subprocess.Popen[bytes]] = []
    refused: list[OSError] = []

    def confined() -> None:
        with contextlib.suppress(OSError):
            _landlock(reach)
        try:
            started.append(_spawn(command, cwd, env))
        except OSError as error:
            refused.append(error)

    thread = threading.Thread(target=confined)
    thread.start()
    try:
        thread.join()
    except BaseException:  # an interrupt while the child is being made: do not leave it behind
        thread.join()
        for child in started:
            child.kill()
        raise
    if refused:
        raise refused[0]
    _limit(started[0].pid)
    return started[0]


def _spawn(command: Sequence[str], cwd: str, env: Mapping[str, str]) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=cwd, env=env, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)


def _limit(pid: int) -> None:
    if sys.platform != "linux":
        return
    import resource

    for kind, most in (
        (resource.RLIMIT_DATA, DATA_LIMIT),
        (resource.RLIMIT_FSIZE, FILE_SIZE_LIMIT),
        (resource.RLIMIT_CPU, PROCESSOR_SECONDS),
        (resource.RLIMIT_CORE, 0),
    ):
        with contextlib.suppress(OSError, ValueError):  # it has already ended, or its limit is lower
            resource.prlimit(pid, kind, (most, most))


def supported() -> bool:
    """Whether the kernel can confine what a child opens."""
    try:
        return _system_calls()(_CREATE_RULESET, None, 0, 1) > 0
    except OSError:
        return False


def _system_calls() -> Callable[..., int]:
    """A function that makes a system call by its number, and raises `OSError` if it fails."""
    if sys.platform != "linux":
        raise OSError
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)

    def call(*arguments: int | bytes | None) -> int:
        plain = [ctypes.c_long(argument) if isinstance(argument, int) else argument for argument in arguments]
        result = int(libc.syscall(*plain))
        if result < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        return result

    return call


def _landlock(reach: Reach) -> None:
    """Confine the calling thread and its children. Raises `OSError` if the kernel cannot."""
    import ctypes

    call = _system_calls()
    version = call(_CREATE_RULESET, None, 0, 1)
    rights = next((1 << count) - 1 for since, count in _RIGHTS_SINCE if version >= since)
    net, scopes = (3 if version >= _NET_SINCE else 0), (3 if version >= _SCOPES_SINCE else 0)
    size = 24 if scopes else 16 if net else 8
    ruleset = call(_CREATE_RULESET, struct.pack("=QQQ", rights, net, scopes)[:size], size, 0)
    try:
        _allow(call, ruleset, reach, rights)
        ctypes.CDLL(None).prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
        call(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _allow(call: Callable[..., int], ruleset: int, reach: Reach, rights: int) -> None:
    wanted = (
        (reach.read, _READ_FILE | _READ_FOLDER),
        (reach.run, _READ_FILE | _READ_FOLDER | _EXECUTE),
        (reach.write, rights & ~_EXECUTE & ~_MAKE_FOLDER),
    )
    for paths, access in wanted:
        for path in paths:
            with contextlib.suppress(OSError), _opened(path) as (handle, is_folder):
                granted = access if is_folder else access & _FILE_RIGHTS & rights
                call(_ADD_RULE, ruleset, _PATH_BENEATH, struct.pack("=Qi", granted, handle), 0)


@contextlib.contextmanager
def _opened(path: str) -> Iterator[tuple[int, bool]]:
    handle = os.open(path, getattr(os, "O_PATH", os.O_RDONLY) | os.O_CLOEXEC)
    try:
        yield handle, os.path.isdir(path)  # noqa: PTH112 - a string all the way
    finally:
        os.close(handle)
