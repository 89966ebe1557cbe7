"""Crash: tell what the runtime itself says when it ends a script apart from what the script printed.

A script can print the same words. It gains nothing: they are hidden, or it fails in a way that it chooses.
"""

import errno
import os
import re
from typing import Final

LEFT_WAITING: Final = ": Top-level await promise never resolved"
"""What the runtime says of a script that awaits, at its top level, a promise that never settles."""
_CRASH: Final = re.compile(
    rb"^(?:#\n# Fatal |={60}\nDeno |<--- Last few GCs --->|(?:\x1b\[[0-9;]*m)*error(?:\x1b\[[0-9;]*m)*%b$)"
    % LEFT_WAITING.encode(),
    re.MULTILINE,
)
"""Where what the runtime says begins."""
_SHORTAGES: Final = {
    b"unable to create worker threads": errno.EAGAIN,
    b"Resource temporarily unavailable": errno.EAGAIN,
    b"Too many open files": errno.EMFILE,
    b"Cannot allocate memory": errno.ENOMEM,
    b"out of memory": errno.ENOMEM,
}


def own_output(printed: bytes) -> tuple[bytes, bytes]:
    """What a script printed, and the runtime's own words after it, if there are any."""
    found = _CRASH.search(printed)
    at = found.start() if found else len(printed)
    return printed[:at], printed[at:]


def shortage_in(words: bytes) -> OSError | None:
    """The error of the system that keeps a runtime from starting, by its own words."""
    code = next((code for text, code in _SHORTAGES.items() if text in words), None)
    return None if code is None else OSError(code, os.strerror(code))
