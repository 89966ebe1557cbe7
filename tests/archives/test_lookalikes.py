"""Files called `.zip` that are not zip archives, recognised by their first bytes
(`docs/archives.md`).
"""

import bz2
import gzip
import io
import lzma
import tarfile
from collections.abc import Callable

import pytest

from io_edges.archives.zips import read_archive
from pipeline.archives.zip.lookalikes import AS_TEXT, HEAD_LIMIT, lookalike, was_text
from tests.support.zip_writer import Item, pack


def tar() -> bytes:
    """A tar archive of one file."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("m/m.php"))
    return file.getvalue()


REPACK = "unpack it, and pack what is in it with `zip -r`"
CUT_OFF = "its end is missing, as when a download stops; download the archive again"
PAGE = "it is a web page, such as an error or a login; download the archive again"
EMPTY = "it is empty; download the archive again"
UNKNOWN = "it is not a zip archive, or it is damaged; put a zip archive in its place"
LOOKALIKES = {
    "nothing": (b"", EMPTY),
    "a page": (b"<!DOCTYPE html>\n<html>404", PAGE),
    "a page with a mark and blanks": (b"\xef\xbb\xbf\r\n  <HTML lang=en>", PAGE),
    "cut off": (pack(Item())[:-30], CUT_OFF),
    "tar": (tar(), f"it is a tar archive; {REPACK}"),
    "gzip": (gzip.compress(tar()), f"it is compressed by gzip, such as a `.tar.gz`; {REPACK}"),
    "bzip2": (bz2.compress(tar()), f"it is compressed by bzip2, such as a `.tar.bz2`; {REPACK}"),
    "xz": (lzma.compress(tar()), f"it is compressed by xz, such as a `.tar.xz`; {REPACK}"),
    "zstd": (
        b"\x28\xb5\x2f\xfd\x04\x00",
        f"it is compressed by zstd, such as a `.tar.zst`; {REPACK}",
    ),
    "rar": (b"Rar!\x1a\x07\x01\x00", f"it is a rar archive; {REPACK}"),
    "7z": (b"7z\xbc\xaf\x27\x1c\x00\x04", f"it is a 7z archive; {REPACK}"),
    "text": (b"no archive", UNKNOWN),
    "zeros": (bytes(HEAD_LIMIT), UNKNOWN),
}


@pytest.mark.parametrize(("data", "reason"), LOOKALIKES.values(), ids=LOOKALIKES)
def test_a_lookalike(data: bytes, reason: str) -> None:
    """The first bytes of a file show what it is, and the error says what to do."""
    assert str(lookalike(data[:HEAD_LIMIT])) == reason


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: data.decode("latin-1").encode(),
        lambda data: data.decode(errors="replace").encode(),
    ],
    ids=["line ends", "encoding", "replacement"],
)
def test_a_transfer_in_text_mode(change: Callable[[bytes], bytes]) -> None:
    """An archive that a program transferred as text is refused as such: it has to be downloaded
    again.
    """
    data = change(pack(Item(), Item(name=b"m/a.txt", data=b"a\nb\n", method=0)))
    opened = read_archive(data)
    assert (opened.entries, opened.flaws) == ((), (AS_TEXT,))
    assert was_text(b"PK\x03\x04\xc3")
    assert not was_text(b"PK\x03\x04\xc3\x28")
    assert not was_text(b"no archive\r\n")
