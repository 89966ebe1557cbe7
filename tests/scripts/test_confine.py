"""The filter of system calls, run on a simulated machine: the kernel's answers on each
architecture.
"""

import errno
import re
import struct
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from io_edges.scripts import confine

ALLOWED, REFUSED = "allowed", "refused"
ANSWERS = {0x7FFF0000: ALLOWED, 0x00050000 | errno.EPERM: REFUSED}
MACHINES = pytest.mark.parametrize("machine", confine.REFUSED)
HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}
LATER = {"fchmodat2": 452, "setxattrat": 463, "removexattrat": 466, "file_setattr": 469}
"""Calls that the headers of an older kernel lack; their numbers are the same on every machine."""


@cache
def filter_of(machine: str) -> list[tuple[int, ...]]:
    """The steps of the filter of a machine."""
    code = confine.assemble(
        confine.ARCHITECTURES[machine], tuple(confine.REFUSED[machine].values())
    )
    return list(struct.iter_unpack("=HBBI", code))


def answer(machine: str, number: int, architecture: int | None = None) -> str:
    """What the filter of a machine answers to a call, by the rules of the kernel's BPF machine."""
    data = struct.pack(
        "=II", number, confine.ARCHITECTURES[machine] if architecture is None else architecture
    )
    steps, at, value = filter_of(machine), 0, 0
    while True:
        operation, if_true, if_false, operand = steps[at]
        if operation == 0x06:
            return ANSWERS[operand]
        if operation == 0x20:
            value = struct.unpack_from("=I", data, operand)[0]
            at += 1
        else:
            holds = {0x15: value == operand, 0x35: value >= operand}[operation]
            at += 1 + (if_true if holds else if_false)


@MACHINES
def test_refuses_what_changes_metadata_and_nothing_else(machine: str) -> None:
    """Of the first thousand calls, exactly those that change mode, owner, times or attributes are
    refused.
    """
    refused = {number for number in range(1000) if answer(machine, number) == REFUSED}
    assert refused == set(confine.REFUSED[machine].values())


@MACHINES
def test_the_numbers_are_those_of_the_kernel(machine: str) -> None:
    """Each call has its number in the headers of the kernel, and no call of its family is missing.

    The families are those that change mode, owner, times or attributes.
    """
    if not HEADERS[machine].exists():
        pytest.skip(f"{HEADERS[machine]} is not here")
    kernel = {
        name: int(number)
        for name, number in re.findall(r"#define __NR_(\w+) (\d+)\s", HEADERS[machine].read_text())
    }
    numbers = confine.REFUSED[machine]
    assert numbers == {name: kernel.get(name, LATER.get(name)) for name in numbers}
    family = re.compile(
        r"[fl]?chmod\w*|[fl]?chown\w*|f?utimes?|futimesat|[fl]?(?:set|remove)xattr\w*|utimensat"
    )
    assert {name for name in kernel if family.fullmatch(name)} - {*numbers} == set()


def test_refuses_every_call_in_another_way() -> None:
    """The call tables of 32-bit programs and of x32, in which the numbers mean something else, are
    closed.
    """
    i386, x32, read = 0x40000003, 0x40000000, 0
    answers = (answer("x86_64", read, i386), answer("x86_64", x32 | read), answer("x86_64", read))
    assert answers == (REFUSED, REFUSED, ALLOWED)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has such a switch")
def test_a_confined_process_gains_no_privileges() -> None:
    """No program that a confined process starts has more permissions, like a setuid program."""
    status = subprocess.run(
        ["cat", "/proc/self/status"],
        preexec_fn=confine.confinement(),
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "NoNewPrivs:\t1\n" in status
