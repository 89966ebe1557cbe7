"""Crash: tell what the runtime itself says when it ends a script apart from what the script printed.

A script can print the same words. It gains nothing: they are hidden, or it fails in a way that it chooses.
"""

import errno
import os
from typing import Final

_LEFT_WAITING: Final = b": Top-level await promise never resolved"
_COLOURS: Final = 16  # bytes that may stand around the runtime's "error"
_BANNER: Final = b"=" * 60
_SHORTAGES: Final = {
    b"unable to create worker threads": errno.EAGAIN,
    b"Resource temporarily unavailable": errno.EAGAIN,
    b"Too many open files": errno.EMFILE,
    b"Cannot allocate memory": errno.ENOMEM,
    b"out of memory": errno.ENOMEM,
}


def own_output(printed: bytes) -> tuple[bytes, bytes]:
    """What a script printed, and the runtime's own words after it, if there are any."""
    lines = printed.split(b"\n")
    for index, line in enumerate(lines):
        if _begins_crash(line, lines[index + 1 : index + 2]):
            return b"".join(each + b"\n" for each in lines[:index]), b"\n".join(lines[index:])
    return printed, b""


def _begins_crash(line: bytes, following: list[bytes]) -> bool:
    if line in {b"#", _BANNER}:
        return any(each.startswith((b"# Fatal ", b"Deno ")) for each in following)
    return line.startswith(b"<--- Last few GCs --->") or is_left_waiting(line)


def is_left_waiting(line: bytes) -> bool:
    """Whether a line says that a script awaits, at its top level, a promise that never settles."""
    head = line.removesuffix(_LEFT_WAITING)
    return head != line and len(head) < len(b"error") + _COLOURS and b"error" in head


def shortage_in(words: bytes) -> OSError | None:
    """The error of the system that keeps a runtime from starting, by its own words."""
    code = next((code for text, code in _SHORTAGES.items() if text in words), None)
    return None if code is None else OSError(code, os.strerror(code))
