"""Libraries: the files from which the system's loader starts a program, found as it finds them.

They are all that a script's process can read of the system's libraries: where it reads no other, it loads no other
(`landlock`). Programs are those of Linux on 64 bits; of any other file nothing is found.
"""

import os
import re
import struct
from collections.abc import Iterator
from contextlib import suppress
from io import FileIO
from itertools import chain
from typing import Final

_CACHE: Final = "/etc/ld.so.cache"
_FOLDERS: Final = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib")
_MAGIC: Final = b"\x7fELF\x02\x01"  # 64 bits, little-endian
_LOADED, _DYNAMIC, _INTERPRETER = 1, 2, 3  # kinds of segments
_NEEDED, _STRINGS, _RPATH, _RUNPATH = 1, 5, 15, 29  # tags of the dynamic segment
_LONGEST: Final = 4096


def libraries(program: str) -> tuple[str, ...]:
    """The interpreter of a program, and each file that may be one of the libraries that it needs."""
    cache, usual, stated = _cache(), list(_FOLDERS), list[str]()
    files: dict[str, list[str]] = {}
    waiting = [program]
    while waiting:
        path = waiting.pop()
        for kind, text in sorted(_stated(path), reverse=True):  # the folders before what is looked for in them
            if kind == _INTERPRETER:
                files[text] = [text]
                usual.append(os.path.dirname(os.path.realpath(text)))  # noqa: PTH120 - strings all the way
            elif kind != _NEEDED:
                origin = os.path.dirname(os.path.realpath(path))  # noqa: PTH120
                stated += text.replace("${ORIGIN}", origin).replace("$ORIGIN", origin).split(":")
            elif text not in files:
                places = [*_in(stated, text), *(_named(cache, text) or _in(usual, text))]
                files[text] = [each for each in places if os.path.exists(each)]  # noqa: PTH110
                waiting += files[text][:1]
    return tuple(chain.from_iterable(files.values()))


def _in(folders: list[str], name: str) -> list[str]:
    return [f"{folder}/{name}" for folder in folders]


def _cache() -> str:
    with suppress(OSError), open(_CACHE, "rb") as cache:  # noqa: PTH123 - no `pathlib` for one look
        return os.fsdecode(cache.read())
    return ""


def _named(cache: str, name: str) -> list[str]:
    """The files of a name that the loader's cache has, in which each stands between two zero bytes."""
    ends = (found.start() for found in re.finditer(f"/{re.escape(name)}\0", cache))
    return [cache[cache.rfind("\0", 0, end) + 1 : end] + f"/{name}" for end in ends]


def _stated(path: str) -> Iterator[tuple[int, str]]:
    """What a program or library states as text: its interpreter, where it looks for libraries, and which."""
    with suppress(OSError, LookupError, struct.error), open(path, "rb", buffering=0) as file:  # noqa: PTH123
        header = file.read(64)
        if not header.startswith(_MAGIC):
            return
        (start,), (size, count) = struct.unpack_from("<Q", header, 32), struct.unpack_from("<HH", header, 54)
        table = os.pread(file.fileno(), size * count, start)
        segments = [struct.unpack_from("<I4xQQ8xQ", table, size * index) for index in range(count)]
        for kind, at, _, length in segments:
            if kind == _INTERPRETER:
                yield kind, _text(file, at)
            elif kind == _DYNAMIC:
                entries = list(struct.iter_unpack("<QQ", os.pread(file.fileno(), length, at)))
                strings = _place(segments, dict(entries)[_STRINGS])
                for tag, value in entries:
                    if tag in {_NEEDED, _RPATH, _RUNPATH}:
                        yield tag, _text(file, strings + value)


def _place(segments: list[tuple[int, ...]], address: int) -> int:
    """Where in the file the byte is that is loaded at an address."""
    return next(
        (
            place + address - first
            for kind, place, first, length in segments
            if kind == _LOADED and 0 <= address - first < length
        ),
        address,
    )


def _text(file: FileIO, at: int) -> str:
    return os.fsdecode(os.pread(file.fileno(), _LONGEST, at).partition(b"\0")[0])
