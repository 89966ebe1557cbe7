"""Landlock: what a process may open, enforced by the kernel after symlinks are followed (Linux 5.13 and later).

A ruleset is made before the child is, and enforced in it before it runs its program. A kernel without Landlock, or a
container that forbids it, gives no ruleset, and the child starts without (`docs/scripts.md`).
"""

import contextlib
import os
import struct
import sys
from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct

from io_edges.system.stop import refusals_ignored

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same number on every architecture but Alpha
_VERSION: Final = 1  # LANDLOCK_CREATE_RULESET_VERSION
_PATH_BENEATH: Final = 1
_EXECUTE, _READ_FILE, _READ_FOLDER = 1 << 0, 1 << 2, 1 << 3
_FILE_RIGHTS: Final = _EXECUTE | _READ_FILE
_RIGHTS_SINCE: Final = ((5, 16), (3, 15), (2, 14), (1, 13))  # Landlock version, number of file system rights it knows
_NET_SINCE, _SCOPES_SINCE = 4, 6
_OWN_FILES: Final = ("/proc/self/maps",)
"""What the child may read of its own process: Deno's thread library finds the end of the stack there."""


class AllowedPaths(Struct, frozen=True):
    """What a child may open: files, or folders with everything in them."""

    read: tuple[str, ...]
    run: tuple[str, ...]
    """To read and to execute."""


@contextlib.contextmanager
def restriction(allowed: AllowedPaths) -> Iterator[Callable[[], None]]:
    """Make a function that restricts the calling thread, and all that comes of it, to these paths for ever.

    The function is to be called in the child: what it may read of its own process is known only there. It raises
    `OSError` if the kernel refuses. Raises `OSError` if the kernel has no Landlock.
    """
    call = _system_call()
    ruleset = _ruleset(call)

    def restrict() -> None:
        _allow(call, ruleset, _OWN_FILES, _READ_FILE)
        call(_RESTRICT_SELF, ruleset, 0)

    try:
        _allow(call, ruleset, allowed.read, _READ_FILE | _READ_FOLDER)
        _allow(call, ruleset, allowed.run, _READ_FILE | _READ_FOLDER | _EXECUTE)
        yield restrict
    finally:
        os.close(ruleset)


def _ruleset(call: Callable[..., int]) -> int:
    """Make a ruleset that handles, and so forbids, everything that this version of Landlock knows."""
    version = call(_CREATE_RULESET, None, 0, _VERSION)
    rights = next((1 << count) - 1 for since, count in _RIGHTS_SINCE if version >= since)
    net, scopes = (3 if version >= _NET_SINCE else 0), (3 if version >= _SCOPES_SINCE else 0)
    size = 24 if scopes else 16 if net else 8
    return call(_CREATE_RULESET, struct.pack("=QQQ", rights, net, scopes)[:size], size, 0)


def _allow(call: Callable[..., int], ruleset: int, paths: tuple[str, ...], access: int) -> None:
    for path in paths:
        with refusals_ignored():  # it is not there, or not for this user
            handle = os.open(path, getattr(os, "O_PATH", os.O_RDONLY) | os.O_CLOEXEC)
            try:
                rights = access if os.path.isdir(path) else access & _FILE_RIGHTS  # noqa: PTH112 - a string all the way
                call(_ADD_RULE, ruleset, _PATH_BENEATH, struct.pack("=Qi", rights, handle), 0)
            finally:
                os.close(handle)


def _system_call() -> Callable[..., int]:
    """Make a function that makes a system call by its number, and raises `OSError` if it fails."""
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
