"""The filter of system calls, run on a machine of its own: what the kernel would answer on each architecture."""

import errno
import struct

import pytest

from io_edges.scripts import seccomp

ALLOWED, REFUSED = "allowed", "refused"
X86_64, AARCH64 = 0xC000003E, 0xC00000B7


def answer(program: bytes, architecture: int, number: int, request: int = 0) -> str:
    """What a filter answers to a call, by the rules of the kernel's BPF machine."""
    data = struct.pack("=IIQ6Q", number, architecture, 0, 0, request, 0, 0, 0, 0)
    steps = list(struct.iter_unpack("=HBBI", program))
    at, value = 0, 0
    while True:
        operation, if_true, if_false, operand = steps[at]
        match operation:
            case 0x20:
                value = struct.unpack_from("=I", data, operand)[0]
                at += 1
            case 0x15:
                at += 1 + (if_true if value == operand else if_false)
            case 0x35:
                at += 1 + (if_true if value >= operand else if_false)
            case 0x06:
                return {0x7FFF0000: ALLOWED, 0x00050000 | errno.EPERM: REFUSED}[operand]
            case _:
                raise AssertionError(operation)


CALLS = {  # from the tables of the kernel: number on x86_64 and on aarch64
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, None),
    "fchown": (93, 55),
    "lchown": (94, None),
    "fchownat": (260, 54),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "setxattrat": (463, 463),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "removexattrat": (466, 466),
    "file_setattr": (469, 469),
    "io_uring_setup": (425, 425),
    "flock": (73, 32),
}


@pytest.mark.parametrize(("architecture", "column"), [(X86_64, 0), (AARCH64, 1)], ids=["x86_64", "aarch64"])
def test_refuses_these_calls_and_no_others(architecture: int, column: int) -> None:
    """Of the first thousand, exactly those that change metadata, lock a file or escape the filter are refused."""
    name = "x86_64" if architecture == X86_64 else "aarch64"
    program = seccomp.assemble(*seccomp.ARCHITECTURES[name])
    refused = {number for number in range(1000) if answer(program, architecture, number) == REFUSED}
    assert refused == {numbers[column] for numbers in CALLS.values()} - {None}


@pytest.mark.parametrize(("architecture", "ioctl"), [(X86_64, 16), (AARCH64, 29)], ids=["x86_64", "aarch64"])
def test_refuses_the_requests_that_set_flags(architecture: int, ioctl: int) -> None:
    """`ioctl` is refused where it changes the flags of a file, whatever the upper half of the request says."""
    name = "x86_64" if architecture == X86_64 else "aarch64"
    program = seccomp.assemble(*seccomp.ARCHITECTURES[name])
    set_flags, terminal, get_flags = 0x40086602, 0x5401, 0x80086601
    requests = (set_flags, set_flags | 1 << 40, terminal, get_flags)
    answers = tuple(answer(program, architecture, ioctl, request) for request in requests)
    assert answers == (REFUSED, REFUSED, ALLOWED, ALLOWED)


def test_refuses_every_call_in_another_way() -> None:
    """The tables of 32-bit programs and of x32, in which the numbers mean something else, are closed."""
    program = seccomp.assemble(*seccomp.ARCHITECTURES["x86_64"])
    i386, x32, read = 0x40000003, 0x40000000, 0
    answers = (answer(program, i386, read), answer(program, X86_64, x32 | read), answer(program, X86_64, read))
    assert answers == (REFUSED, REFUSED, ALLOWED)
