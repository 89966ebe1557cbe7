"""The filter of system calls, run on a machine of its own: what the kernel would answer on each architecture."""

import errno
import re
import struct
from functools import cache
from pathlib import Path

import pytest

from io_edges.scripts import seccomp

ALLOWED, REFUSED, UNKNOWN = "allowed", "refused", "unknown"
NAMES = {0x7FFF0000: ALLOWED, 0x00050000 | errno.EPERM: REFUSED, 0x00050000 | errno.ENOSYS: UNKNOWN}
PROGRAM = 4095
MACHINES = pytest.mark.parametrize("machine", seccomp.ARCHITECTURES)
HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}


@cache
def filter_of(machine: str) -> list[tuple[int, ...]]:
    """The steps of the filter of a machine."""
    return list(struct.iter_unpack("=HBBI", seccomp.assemble(*seccomp.ARCHITECTURES[machine], PROGRAM)))


def answer(machine: str, number: int, *arguments: int, architecture: int | None = None) -> str:
    """What the filter of a machine answers to a call, by the rules of the kernel's BPF machine."""
    own, _ = seccomp.ARCHITECTURES[machine]
    given = [each % (1 << 64) for each in (*arguments, 0, 0, 0, 0, 0, 0)[:6]]
    data = struct.pack("=IIQ6Q", number, own if architecture is None else architecture, 0, *given)
    steps, at, value = filter_of(machine), 0, 0
    while True:
        operation, if_true, if_false, operand = steps[at]
        if operation == 0x06:
            return NAMES[operand]
        if operation == 0x20:
            value = struct.unpack_from("=I", data, operand)[0]
            at += 1
        else:
            holds = {0x15: value == operand, 0x35: value >= operand, 0x45: value & operand != 0}[operation]
            at += 1 + (if_true if holds else if_false)


REFUSED_CALLS = {  # from the tables of the kernel: number on x86_64 and on aarch64
    "execve": (59, 221),
    "fork": (57, None),
    "vfork": (58, None),
    "ptrace": (101, 117),
    "kill": (62, 129),
    "tgkill": (234, 131),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "sethostname": (170, 161),
    "setrlimit": (160, 164),
    "socket": (41, 198),
    "connect": (42, 203),
    "bind": (49, 200),
    "sendmsg": (46, 211),
    "inotify_init1": (294, 26),
    "inotify_add_watch": (254, 27),
    "flock": (73, 32),
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchownat": (260, 54),
    "utimensat": (280, 88),
    "fsetxattr": (190, 7),
    "ftruncate": (77, 46),
    "mkdirat": (258, 34),
    "unlinkat": (263, 35),
    "renameat2": (316, 276),
    "symlinkat": (266, 36),
    "bpf": (321, 280),
    "keyctl": (250, 219),
    "memfd_create": (319, 279),
    "seccomp": (317, 277),
}
UNKNOWN_CALLS = {"io_uring_setup": 425, "clone3": 435, "openat2": 437, "fchmodat2": 452, "setxattrat": 463}
"""Calls that are so new that who makes them does without: they are answered as by an older kernel."""

JUDGED = {  # what is called, with which arguments, and the answer
    "open to read": ("openat", (-100, 0, 0o2000000), ALLOWED),
    "open to write": ("openat", (-100, 0, 0o1), REFUSED),
    "open to read and write": ("openat", (-100, 0, 0o2), REFUSED),
    "open to truncate": ("openat", (-100, 0, 0o1000), REFUSED),
    "make a file": ("openat", (-100, 0, 0o100), REFUSED),
    "map a file": ("mmap", (0, 4096, 1, 2, 9), ALLOWED),
    "map memory to execute": ("mmap", (0, 4096, 7, 0x22, -1), ALLOWED),
    "map a library while the program is loaded": ("mmap", (0, 4096, 5, 0x812, 3), ALLOWED),
    "map a library later": ("mmap", (0, 4096, 5, 0x812, 11), REFUSED),
    "start a thread": ("clone", (0x3D0F00,), ALLOWED),
    "start a thread with musl": ("clone", (0x7D0F00,), ALLOWED),
    "start a process": ("clone", (17,), REFUSED),
    "start a thread in another namespace": ("clone", (0x3D0F00 | 0x40000000,), REFUSED),
    "run the runtime": ("execveat", (PROGRAM,), ALLOWED),
    "run another program": ("execveat", (11,), REFUSED),
    "a pair of streams": ("socketpair", (1, 0x80801), ALLOWED),
    "a pair that can send elsewhere": ("socketpair", (1, 2), REFUSED),
    "a pair of another family": ("socketpair", (30, 0x80801), REFUSED),
    "duplicate": ("fcntl", (1, 1030, 3), ALLOWED),
    "lock": ("fcntl", (1, 6), REFUSED),
    "lock for all": ("fcntl", (1, 37), REFUSED),
    "hear of changes": ("fcntl", (1, 1026), REFUSED),
    "ask for a terminal": ("ioctl", (1, 0x5401), ALLOWED),
    "type into a terminal": ("ioctl", (1, 0x5412), REFUSED),
    "set the flags of a file": ("ioctl", (1, 0x40086602), REFUSED),
    "name a thread": ("prctl", (15,), ALLOWED),
    "outlive the tool": ("prctl", (1, 0), REFUSED),
    "ask for a limit": ("prlimit64", (0, 3, 0), ALLOWED),
    "raise a limit": ("prlimit64", (0, 7, 0x7FFF00000010), REFUSED),
    "raise a limit, at an even address": ("prlimit64", (0, 7, 0x7FFF00000000), REFUSED),
}


@MACHINES
def test_refuses_by_default(machine: str) -> None:
    """Of the first thousand calls none is allowed, with whatever arguments, that an evaluation does not need."""
    numbers = {**seccomp.ARCHITECTURES[machine][1]}
    harmless = [arguments for _, arguments, decision in JUDGED.values() if decision == ALLOWED]
    allowed = {each for each in range(1000) if ALLOWED in {answer(machine, each, *arguments) for arguments in harmless}}
    assert allowed == set(numbers.values())


@MACHINES
def test_refuses_these_calls(machine: str) -> None:
    """What starts, signals, connects, watches, locks or changes something is refused; what is new is unknown."""
    column = list(seccomp.ARCHITECTURES).index(machine)
    old = {name: answer(machine, row[column] or row[0]) for name, row in REFUSED_CALLS.items() if row[column]}
    new = {name: answer(machine, number) for name, number in UNKNOWN_CALLS.items()}
    assert (old, new) == (dict.fromkeys(old, REFUSED), dict.fromkeys(UNKNOWN_CALLS, UNKNOWN))


@MACHINES
@pytest.mark.parametrize(("call", "arguments", "expected"), JUDGED.values(), ids=JUDGED)
def test_judges_by_the_arguments(machine: str, call: str, arguments: tuple[int, ...], expected: str) -> None:
    """A call that can do more than an evaluation needs is allowed only as an evaluation makes it."""
    assert answer(machine, seccomp.ARCHITECTURES[machine][1][call], *arguments) == expected


@MACHINES
def test_the_numbers_are_those_of_the_kernel(machine: str) -> None:
    """Each call has the number that the headers of the kernel give it on that machine."""
    if not HEADERS[machine].exists():
        pytest.skip(f"{HEADERS[machine]} is not here")
    text = HEADERS[machine].read_text()
    kernel = {name: int(number) for name, number in re.findall(r"#define __NR(?:3264)?_(\w+) (\d+)\s", text)}
    kernel.setdefault("newfstatat", kernel.get("fstatat", -1))
    numbers = seccomp.ARCHITECTURES[machine][1]
    assert numbers == {name: kernel.get(name) for name in numbers}


def test_refuses_every_call_in_another_way() -> None:
    """The tables of 32-bit programs and of x32, in which the numbers mean something else, are closed."""
    i386, x32, read = 0x40000003, 0x40000000, 0
    answers = (
        answer("x86_64", read, architecture=i386),
        answer("x86_64", x32 | read),
        answer("x86_64", read),
    )
    assert answers == (REFUSED, UNKNOWN, ALLOWED)
