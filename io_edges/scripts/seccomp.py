"""Seccomp: the system calls that a script's process is refused, with the error "operation not permitted".

Deno lets a script change mode, owner and times of any file that it may read, through an open descriptor, and lock it;
Landlock covers neither. So the kernel refuses every call that changes metadata or locks a whole file, and `io_uring`,
by which some of these calls could be made out of sight of the filter (`docs/scripts.md`).

A filter is a program for the kernel's classic BPF machine, which is run at each call on a `struct seccomp_data`.
There is one for the two architectures that Deno is built for; elsewhere there is none.
"""

import errno
import os
import struct
import sys
from collections.abc import Callable
from typing import Final, TypeAlias

_Numbers: TypeAlias = dict[str, int]

_SHARED: Final[_Numbers] = {  # later than the common table of numbers, which begins at 424
    "io_uring_setup": 425,
    "fchmodat2": 452,
    "setxattrat": 463,
    "removexattrat": 466,
    "file_setattr": 469,
}
_X86_64: Final[_Numbers] = _SHARED | {
    **{"chmod": 90, "fchmod": 91, "fchmodat": 268},
    **{"chown": 92, "fchown": 93, "lchown": 94, "fchownat": 260},
    **{"utime": 132, "utimes": 235, "futimesat": 261, "utimensat": 280},
    **{"setxattr": 188, "lsetxattr": 189, "fsetxattr": 190},
    **{"removexattr": 197, "lremovexattr": 198, "fremovexattr": 199},
    **{"flock": 73, "ioctl": 16},
}
_AARCH64: Final[_Numbers] = _SHARED | {
    **{"fchmod": 52, "fchmodat": 53, "fchownat": 54, "fchown": 55, "utimensat": 88},
    **{"setxattr": 5, "lsetxattr": 6, "fsetxattr": 7},
    **{"removexattr": 14, "lremovexattr": 15, "fremovexattr": 16},
    **{"flock": 32, "ioctl": 29},
}
ARCHITECTURES: Final = {"x86_64": (0xC000003E, _X86_64), "aarch64": (0xC00000B7, _AARCH64)}
"""By the name of the machine: the number by which the kernel's audit knows it, and its system calls."""
_POINTER: Final = 8
"""Bytes of an address: a tool of 32 bits on such a machine makes the calls of another architecture."""
_X32: Final = 0x40000000
"""From here on, numbers on x86_64 are those of a second table, x32; on aarch64 there are none."""
_SETTING_FLAGS: Final = (0x40086602, 0x40046602, 0x40087602, 0x40047602, 0x401C5820)
"""The requests of `ioctl` that change a file's flags: `FS_IOC_SETFLAGS`, `FS_IOC_SETVERSION`, `FS_IOC_FSSETXATTR`."""

_LOAD, _RETURN = 0x20, 0x06  # BPF_LD | BPF_W | BPF_ABS, BPF_RET | BPF_K
_IF_EQUAL, _IF_AT_LEAST = 0x15, 0x35  # BPF_JMP | BPF_JEQ | BPF_K, BPF_JMP | BPF_JGE | BPF_K
_NUMBER_AT, _ARCHITECTURE_AT, _REQUEST_AT = 0, 4, 24  # in `struct seccomp_data`; the low half of the second argument
_ALLOW: Final = 0x7FFF0000
_REFUSE: Final = 0x00050000 | errno.EPERM
_SET_SECCOMP, _FILTER = 22, 2  # prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER)

_Step: TypeAlias = tuple[int, int, str]


def restriction() -> Callable[[], None]:
    """Make a function that refuses these calls to the calling thread, and all that comes of it, for ever.

    The thread must have given up new privileges. The function raises `OSError` if the kernel refuses. Raises
    `OSError` if there is no filter for this system.
    """
    program = _program()
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    code = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("@HP", len(program) // 8, ctypes.addressof(code))  # `struct sock_fprog`

    def restrict() -> None:
        if libc.prctl(_SET_SECCOMP, _FILTER, header, 0, 0) != 0 and code:  # which must live as long as its address
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

    return restrict


def assemble(architecture: int, numbers: _Numbers) -> bytes:
    """Assemble the filter. Each step is an operation, its operand, and where to go if it holds; else to the next."""
    refused = sorted(set(numbers.values()) - {numbers["ioctl"]})
    steps: list[_Step] = [
        (_LOAD, _ARCHITECTURE_AT, ""),
        (_IF_EQUAL, architecture, "ours"),
        (_RETURN, _REFUSE, ""),  # a call in the way of another architecture
        (_LOAD, _NUMBER_AT, "ours:"),
        (_IF_AT_LEAST, _X32, "refuse"),
        *((_IF_EQUAL, number, "refuse") for number in refused),
        (_IF_EQUAL, numbers["ioctl"], "request"),
        (_RETURN, _ALLOW, ""),
        (_LOAD, _REQUEST_AT, "request:"),
        *((_IF_EQUAL, request, "refuse") for request in _SETTING_FLAGS),
        (_RETURN, _ALLOW, ""),
        (_RETURN, _REFUSE, "refuse:"),
    ]
    at = {label: index for index, (_, _, label) in enumerate(steps) if label.endswith(":")}
    return b"".join(
        struct.pack("=HBBI", operation, at[f"{to}:"] - index - 1 if f"{to}:" in at else 0, 0, operand)
        for index, (operation, operand, to) in enumerate(steps)
    )


def _program() -> bytes:
    """The filter of this machine. Raises `OSError` if there is none."""
    machine = os.uname().machine
    if sys.platform != "linux" or machine not in ARCHITECTURES or struct.calcsize("P") != _POINTER:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    return assemble(*ARCHITECTURES[machine])
