"""Libraries: the files from which the system's loader starts a program, as it lists them.

They are all that a script's process can read of the system's libraries: where it reads no other, it loads no other
(`landlock`). Programs are those of Linux on 64 bits; of any other file nothing is found.
"""

import os
import re
import struct
import subprocess
from contextlib import suppress
from typing import Final

_MAGIC: Final = b"\x7fELF\x02\x01"  # 64 bits, little-endian
_SECONDS: Final = 10
_INTERPRETER: Final = 3  # the kind of the segment that names the loader


def libraries(program: str) -> tuple[str, ...]:
    """The loader of a program, and each library that it loads. Raises `OSError` if that cannot be found out."""
    loader = _loader(program)
    if not loader:
        return ()
    command = [loader, "--list", program]
    try:
        listing = subprocess.run(
            command, env={}, stdin=subprocess.DEVNULL, capture_output=True, check=True, timeout=_SECONDS
        ).stdout
    except subprocess.SubprocessError as error:
        raise OSError(f"{loader} does not tell the libraries of {program}") from error
    return (loader, *re.findall(r"(/.*) \(0x[0-9a-f]+\)$", os.fsdecode(listing), re.MULTILINE))


def _loader(program: str) -> str:
    """The loader that a program names; nothing if it names none."""
    with suppress(struct.error), open(program, "rb", buffering=0) as file:  # noqa: PTH123 - no `pathlib` for one look
        header = file.read(64)
        if not header.startswith(_MAGIC):
            return ""
        (start,), (size, count) = struct.unpack_from("<Q", header, 32), struct.unpack_from("<HH", header, 54)
        table = os.pread(file.fileno(), size * count, start)
        for kind, at, length in struct.iter_unpack("<I4xQ16xQ16x", table):
            if kind == _INTERPRETER:
                return os.fsdecode(os.pread(file.fileno(), length, at).rstrip(b"\0"))
    return ""
