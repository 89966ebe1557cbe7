"""Lookalikes: what a file is that is called `.zip` and has no end record, by its first bytes."""

from typing import Final

from pipeline.report.diagnostics.archives import DOWNLOAD

HEAD_LIMIT: Final = 512
"""How many bytes at the beginning of a file are looked at."""
EMPTY: Final = f"it is empty; {DOWNLOAD}"
CUT_OFF: Final = f"its end is missing, as when a download stops; {DOWNLOAD}"
AS_TEXT: Final = f"it was changed on the way, as by a transfer in text mode; {DOWNLOAD}, in binary mode"
_UNKNOWN: Final = "it is not a zip archive, or it is damaged; put a zip archive in its place"
_REPACK: Final = "it is {}; unpack it, and pack what is in it with `zip -r`"
_TAR_AT: Final = 257
_FORMATS: Final = (
    (b"PK\x03\x04", CUT_OFF),
    (b"Rar!\x1a\x07", _REPACK.format("a rar archive")),
    (b"7z\xbc\xaf\x27\x1c", _REPACK.format("a 7z archive")),
    (b"\x1f\x8b", _REPACK.format("compressed by gzip, such as a `.tar.gz`")),
    (b"BZh", _REPACK.format("compressed by bzip2, such as a `.tar.bz2`")),
    (b"\xfd7zXZ\x00", _REPACK.format("compressed by xz, such as a `.tar.xz`")),
    (b"\x28\xb5\x2f\xfd", _REPACK.format("compressed by zstd, such as a `.tar.zst`")),
)
"""The kind of a file, by the bytes that it begins with."""
_PAGES: Final = (b"<!doctype html", b"<html", b"<head", b"<body")


def lookalike(head: bytes) -> str:
    """Why a file without an end record is refused, given its first `HEAD_LIMIT` bytes, as a clause."""
    if not head:
        return EMPTY
    if head.removeprefix(b"\xef\xbb\xbf").lstrip().lower().startswith(_PAGES):
        return f"it is a web page, such as an error or a login; {DOWNLOAD}"
    if head[_TAR_AT:].startswith(b"ustar"):
        return _REPACK.format("a tar archive")
    return next((reason for beginning, reason in _FORMATS if head.startswith(beginning)), _UNKNOWN)


def was_text(data: bytes) -> bool:
    """Whether the beginning of a damaged zip archive shows that a program took it for text.

    No archive is UTF-8 beyond ASCII by chance, nor has it a carriage return before each of its line feeds.
    """
    if not data.startswith(b"PK\x03\x04"):
        return False
    return (not data.isascii() and _is_utf_8(data)) or 0 < data.count(b"\n") == data.count(b"\r\n")


def _is_utf_8(data: bytes) -> bool:
    """Whether bytes are text in UTF-8, but for a character that is cut off at the end."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error.reason == "unexpected end of data"
    return True
