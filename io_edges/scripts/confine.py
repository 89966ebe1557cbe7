"""Confine: restrict the process of a script by the system, beyond its own
runtime (`docs/scripts.md`).

Limits bound its memory and its output. On Linux, a filter of system calls refuses changes of mode,
owner, times and attributes: Deno needs no permission for them if a file is open for reading. The
filter lists the calls that it refuses, not those that it allows, so that it does not depend on a
version of Deno or of the kernel.
"""

import contextlib
import errno
import os
import resource
import signal
import struct
import sys
from collections.abc import Callable
from typing import Final

_MIB: Final = 1024 * 1024
DATA_LIMIT: Final = 1536 * _MIB
"""The limit of writable private memory, in bytes. On two cores, Deno starts with about 550 MiB; on
many, with more.
"""
OUTPUT_LIMIT: Final = 2 * _MIB
"""The bytes that a script may print, on both streams together."""
_ANSWER: Final = 8 * _MIB  # a million characters of data, each of up to six bytes
_LIMITS: Final = (
    (resource.RLIMIT_DATA, DATA_LIMIT),
    (resource.RLIMIT_FSIZE, OUTPUT_LIMIT + _ANSWER),
    (resource.RLIMIT_CORE, 0),
)

REFUSED: Final = {
    "x86_64": {
        **{"chmod": 90, "fchmod": 91, "fchmodat": 268, "fchmodat2": 452},
        **{"chown": 92, "fchown": 93, "lchown": 94, "fchownat": 260},
        **{"utime": 132, "utimes": 235, "futimesat": 261, "utimensat": 280},
        **{
            "setxattr": 188,
            "lsetxattr": 189,
            "fsetxattr": 190,
            "setxattrat": 463,
            "file_setattr": 469,
        },
        **{"removexattr": 197, "lremovexattr": 198, "fremovexattr": 199, "removexattrat": 466},
    },
    "aarch64": {
        **{
            "fchmod": 52,
            "fchmodat": 53,
            "fchmodat2": 452,
            "fchown": 55,
            "fchownat": 54,
            "utimensat": 88,
        },
        **{"setxattr": 5, "lsetxattr": 6, "fsetxattr": 7, "setxattrat": 463, "file_setattr": 469},
        **{"removexattr": 14, "lremovexattr": 15, "fremovexattr": 16, "removexattrat": 466},
    },
}
"""The numbers of the refused system calls, by the name of the machine."""
ARCHITECTURES: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""The numbers by which the kernel's audit knows a machine."""
_X32: Final = 0x40000000  # from here on lies the table of another way to call on x86_64

_LOAD = 0x20
_RETURN = 0x06
_IF_EQUAL = 0x15
_IF_AT_LEAST = 0x35  # BPF_LD, BPF_RET, BPF_JEQ, BPF_JGE
_NUMBER_AT = 0
_ARCHITECTURE_AT = 4  # in `struct seccomp_data`
_ALLOW = 0x7FFF0000
_ERROR = 0x00050000
_NO_NEW_PRIVILEGES = 38
_SET_SECCOMP = 22
_FILTER = 2
_DEATH_SIGNAL = 1  # of prctl


def confinement() -> Callable[[], None]:
    """Make a function that confines the calling process and its children, as far as the system
    supports it.
    """
    if sys.platform != "linux":
        return _limit
    import ctypes

    prctl = ctypes.CDLL(None).prctl
    tool = os.getpid()
    code = _code(os.uname().machine)
    text = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("@HP", len(code) // 8, ctypes.addressof(text))  # `struct sock_fprog`

    def confine() -> None:
        _limit()
        prctl(_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != tool:
            os._exit(1)  # the parent died before that
        prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
        if code and text:  # the buffer must live as long as its address is used
            prctl(_SET_SECCOMP, _FILTER, program, 0, 0)

    return confine


def _limit() -> None:
    for kind, most in _LIMITS:
        with contextlib.suppress(OSError, ValueError):  # the limit is lower already
            resource.setrlimit(kind, (most, most))


def _code(machine: str) -> bytes:
    """The filter for a machine, as a BPF program; empty if there is none."""
    if machine not in REFUSED or struct.calcsize("P") != struct.calcsize("Q"):
        return b""
    return assemble(ARCHITECTURES[machine], tuple(REFUSED[machine].values()))


def assemble(architecture: int, refused: tuple[int, ...]) -> bytes:
    """Assemble a filter that refuses these calls, and every call of another architecture."""
    tests = [(_IF_AT_LEAST, _X32), *((_IF_EQUAL, number) for number in refused)]
    allow = (_RETURN, 0, 0, _ALLOW)
    refuse = (_RETURN, 0, 0, _ERROR | errno.EPERM)
    steps = [
        (_LOAD, 0, 0, _ARCHITECTURE_AT),
        (_IF_EQUAL, 0, len(tests) + 2, architecture),
        (_LOAD, 0, 0, _NUMBER_AT),
        *((test, len(tests) - at, 0, operand) for at, (test, operand) in enumerate(tests)),
        allow,
        refuse,
    ]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)
