"""Lookalikes: what a file is that is called `.zip` and has no end record, by its first bytes."""

from typing import Final

from pipeline.report.diagnostics.archives import DOWNLOAD, Flaw, Mend

HEAD_LIMIT: Final = 512
"""How many bytes at the beginning of a file are looked at."""
EMPTY: Final = Flaw("it is empty", DOWNLOAD)
CUT_OFF: Final = Flaw("its end is missing, as when a download stops", DOWNLOAD)
AS_TEXT: Final = Flaw(
    "it was changed on the way, as by a transfer in text mode",
    Mend(f"{DOWNLOAD.text}, in binary mode"),
)
PART: Final = Flaw(
    "it is a part of a split archive",
    Mend(
        "unpack the parts together, for example with 7-Zip, and pack what is in them with `zip -r`"
    ),
)
_PAGE: Final = Flaw("it is a web page, such as an error or a login", DOWNLOAD)
_UNKNOWN: Final = Flaw(
    "it is not a zip archive, or it is damaged", Mend("put a zip archive in its place")
)
_REPACK: Final = Mend("unpack it, and pack what is in it with `zip -r`")
_TAR: Final = Flaw("it is a tar archive", _REPACK)
_TAR_AT: Final = 257
_FORMATS: Final = (
    (b"PK\x03\x04", CUT_OFF),
    (b"Rar!\x1a\x07", Flaw("it is a rar archive", _REPACK)),
    (b"7z\xbc\xaf\x27\x1c", Flaw("it is a 7z archive", _REPACK)),
    (b"\x1f\x8b", Flaw("it is compressed by gzip, such as a `.tar.gz`", _REPACK)),
    (b"BZh", Flaw("it is compressed by bzip2, such as a `.tar.bz2`", _REPACK)),
    (b"\xfd7zXZ\x00", Flaw("it is compressed by xz, such as a `.tar.xz`", _REPACK)),
    (b"\x28\xb5\x2f\xfd", Flaw("it is compressed by zstd, such as a `.tar.zst`", _REPACK)),
)
"""What is wrong with a file, by the bytes that it begins with."""
_PAGES: Final = (b"<!doctype html", b"<html", b"<head", b"<body")


def lookalike(head: bytes) -> Flaw:
    """Why a file without an end record is refused, given its first `HEAD_LIMIT` bytes."""
    if not head:
        return EMPTY
    if head.removeprefix(b"\xef\xbb\xbf").lstrip().lower().startswith(_PAGES):
        return _PAGE
    if head[_TAR_AT:].startswith(b"ustar"):
        return _TAR
    return next((flaw for beginning, flaw in _FORMATS if head.startswith(beginning)), _UNKNOWN)


def was_text(data: bytes) -> bool:
    """Whether the beginning of a damaged zip archive shows that a program took it for text.

    No archive is UTF-8 beyond ASCII by chance, nor has it a carriage return before each of
    its line feeds.
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
