"""Seccomp: the system calls that a script's process may make; the kernel refuses all others.

What is allowed is what ordinary configurations were seen to call (`tests/scripts/test_configurations.py` under
`strace`), and what other versions of the kernel, the C library and the processor call in their place. A call that can
do more than that is judged by its arguments: files are only opened for reading, a new process is a thread, a socket is
one end of a pair, and a file is mapped to be executed only while the program is being loaded. So nothing
else can start, listen, connect, watch, lock or change a file, whatever the runtime offers (`docs/scripts.md`).

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
_Step: TypeAlias = tuple[int, int, str, str]
"""An operation, its operand, and where to go if it holds and if not: to a label, or else to the next step."""


def _numbers(table: str) -> _Numbers:
    words = table.split()
    return {name: int(number) for name, number in zip(words[::2], words[1::2], strict=True)}


_X86_64: Final = _numbers("""
    read 0 write 1 open 2 close 3 stat 4 fstat 5 lstat 6 poll 7 lseek 8 mmap 9 mprotect 10 munmap 11 brk 12
    rt_sigaction 13 rt_sigprocmask 14 rt_sigreturn 15 ioctl 16 pread64 17 readv 19 writev 20 access 21 sched_yield 24
    mremap 25 madvise 28 nanosleep 35 getpid 39 sendto 44 recvfrom 45 socketpair 53 clone 56 exit 60 uname 63 fcntl 72
    getcwd 79 chdir 80 readlink 89 gettimeofday 96 getrlimit 97 getrusage 98 sysinfo 99 times 100 getuid 102 getgid 104
    geteuid 107 getegid 108 getppid 110 sigaltstack 131 sched_getparam 143 sched_getscheduler 145 prctl 157
    arch_prctl 158 gettid 186 time 201 futex 202 sched_getaffinity 204 getdents64 217 set_tid_address 218
    restart_syscall 219 clock_gettime 228 clock_getres 229 clock_nanosleep 230 exit_group 231 epoll_wait 232
    epoll_ctl 233 openat 257 newfstatat 262 readlinkat 267 faccessat 269 ppoll 271 set_robust_list 273 epoll_pwait 281
    eventfd2 290 epoll_create1 291 pipe2 293 prlimit64 302 getcpu 309 getrandom 318 execveat 322 membarrier 324
    pkey_mprotect 329 pkey_alloc 330 pkey_free 331 statx 332 rseq 334 faccessat2 439 epoll_pwait2 441 futex_waitv 449
""")
_AARCH64: Final = _numbers("""
    getcwd 17 eventfd2 19 epoll_create1 20 epoll_ctl 21 epoll_pwait 22 fcntl 25 ioctl 29 faccessat 48 chdir 49 openat 56
    close 57 pipe2 59 getdents64 61 lseek 62 read 63 write 64 readv 65 writev 66 pread64 67 ppoll 73 readlinkat 78
    newfstatat 79 fstat 80 exit 93 exit_group 94 set_tid_address 96 futex 98 set_robust_list 99 nanosleep 101
    clock_gettime 113 clock_getres 114 clock_nanosleep 115 sched_getscheduler 120 sched_getparam 121
    sched_getaffinity 123 sched_yield 124 restart_syscall 128 sigaltstack 132 rt_sigaction 134 rt_sigprocmask 135
    rt_sigreturn 139 times 153 uname 160 getrlimit 163 getrusage 165 prctl 167 getcpu 168 gettimeofday 169 getpid 172
    getppid 173 getuid 174 geteuid 175 getgid 176 getegid 177 gettid 178 sysinfo 179 socketpair 199 sendto 206
    recvfrom 207 brk 214 munmap 215 mremap 216 clone 220 mmap 222 mprotect 226 madvise 233 prlimit64 261 getrandom 278
    execveat 281 membarrier 283 pkey_mprotect 288 pkey_alloc 289 pkey_free 290 statx 291 rseq 293 faccessat2 439
    epoll_pwait2 441 futex_waitv 449
""")
ARCHITECTURES: Final = {"x86_64": (0xC000003E, _X86_64), "aarch64": (0xC00000B7, _AARCH64)}
"""By the name of the machine: the number by which the kernel's audit knows it, and its system calls."""
_POINTER: Final = 8
"""Bytes of an address: a tool of 32 bits on such a machine makes the calls of another architecture."""
_COMMON: Final = 424
"""From here on, numbers are common to all machines, and so new that a C library can do without (as with `clone3`, whose
arguments a filter cannot see) if it hears that there is no such call. On x86_64 the table x32 lies there, too."""

_LOAD, _RETURN = 0x20, 0x06  # BPF_LD | BPF_W | BPF_ABS, BPF_RET | BPF_K
_IF_EQUAL, _IF_AT_LEAST, _IF_ANY_BIT = 0x15, 0x35, 0x45  # BPF_JMP | (BPF_JEQ, BPF_JGE, …) | BPF_K
_NUMBER_AT, _ARCHITECTURE_AT = 0, 4  # in `struct seccomp_data`
_ALLOW: Final = 0x7FFF0000
_ERROR: Final = 0x00050000
_SET_SECCOMP, _FILTER = 22, 2  # prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER)

_WRITING: Final = os.O_ACCMODE | os.O_CREAT | os.O_TRUNC
_FIRST_DESCRIPTOR: Final = 3
"""The loader opens each library as the first after the standard streams. The runtime's event loop then takes its place
for as long as it lives, so that no library that is loaded later is opened there."""


def _argument(index: int) -> _Step:
    """Load the low half of an argument, counted from 0."""
    return _LOAD, 16 + 8 * index, "", ""


def _one_of(index: int, *values: int) -> list[_Step]:
    return [_argument(index), *((_IF_EQUAL, value, "allow", "") for value in values)]


def _judged(program: int) -> dict[str, list[_Step]]:
    """What decides about a call; what falls through is refused."""
    return {
        "open": [_argument(1), (_IF_ANY_BIT, _WRITING, "", "allow")],
        "openat": [_argument(2), (_IF_ANY_BIT, _WRITING, "", "allow")],
        "mmap": [
            _argument(2),
            (_IF_ANY_BIT, 4, "", "allow"),  # to be executed
            _argument(3),
            (_IF_ANY_BIT, 0x20, "allow", ""),  # of no file: what the runtime compiles
            *_one_of(4, _FIRST_DESCRIPTOR),
        ],
        "clone": _one_of(0, 0x3D0F00, 0x7D0F00),  # the flags of a thread, in glibc and in musl
        "execveat": _one_of(0, program),
        "socketpair": [_argument(0), (_IF_EQUAL, 1, "", "refuse"), *_one_of(1, 0x80801, 0x80001)],  # Unix, stream
        "fcntl": _one_of(1, 0, 1, 2, 3, 4, 1030),  # duplicate, and the flags of a descriptor: no locks
        "ioctl": _one_of(1, 0x5401, 0x802C542A, 0x5413, 0x5421, 0x5451),  # what terminal, how wide; to wait, to inherit
        "prctl": _one_of(0, 15, 0x53564D41),  # the names of a thread and of memory
        "prlimit64": [_argument(2), (_IF_EQUAL, 0, "", "refuse"), (_LOAD, 36, "", ""), (_IF_EQUAL, 0, "allow", "")],
    }


def restriction(program: int) -> Callable[[], None]:
    """Make a function that refuses all other calls to the calling thread, and all that comes of it, for ever.

    `program` is the descriptor that may be executed. The thread must have given up new privileges. The function raises
    `OSError` if the kernel refuses. Raises `OSError` if there is no filter for this system.
    """
    code_of_filter = _filter(program)
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    code = ctypes.create_string_buffer(code_of_filter, len(code_of_filter))
    header = struct.pack("@HP", len(code_of_filter) // 8, ctypes.addressof(code))  # `struct sock_fprog`

    def restrict() -> None:
        if libc.prctl(_SET_SECCOMP, _FILTER, header, 0, 0) != 0 and code:  # which must live as long as its address
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

    return restrict


def assemble(architecture: int, numbers: _Numbers, program: int) -> bytes:
    """Assemble the filter."""
    judged = {name: steps for name, steps in _judged(program).items() if name in numbers}
    steps: list[_Step] = [
        (_LOAD, _ARCHITECTURE_AT, "", ""),
        (_IF_EQUAL, architecture, "", "refuse"),  # a call in the way of another architecture
        (_LOAD, _NUMBER_AT, "", ""),
        *((_IF_EQUAL, number, name if name in judged else "allow", "") for name, number in numbers.items()),
        (_IF_AT_LEAST, _COMMON, "unknown", "refuse"),
    ]
    at: dict[str, int] = {}
    for name, decision in judged.items():
        at[name] = len(steps)
        steps += [*decision, (_RETURN, _ERROR | errno.EPERM, "", "")]
    for name, answer in ("allow", _ALLOW), ("refuse", _ERROR | errno.EPERM), ("unknown", _ERROR | errno.ENOSYS):
        at[name] = len(steps)
        steps.append((_RETURN, answer, "", ""))
    return b"".join(
        struct.pack("=HBBI", operation, *(at[to] - here - 1 if to else 0 for to in targets), operand)
        for here, (operation, operand, *targets) in enumerate(steps)
    )


def _filter(program: int) -> bytes:
    """The filter of this machine. Raises `OSError` if there is none."""
    machine = os.uname().machine
    if sys.platform != "linux" or machine not in ARCHITECTURES or struct.calcsize("P") != _POINTER:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    return assemble(*ARCHITECTURES[machine], program)
