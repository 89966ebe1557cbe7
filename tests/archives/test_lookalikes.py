"""Files that are called `.zip` and are none: each is told by its first bytes (`docs/refusals.md`)."""

import bz2
import gzip
import io
import lzma
import os
import tarfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from io_edges.building.cache import OpenCache
from io_edges.report.progress import Bar
from pipeline.archives.archive import ArchiveFile
from pipeline.archives.zip.lookalikes import HEAD_LIMIT, lookalike, may_be_incomplete
from pipeline.report.build_problems import ArchiveRejected
from tests.support.project import Project
from tests.support.zip_writer import Item, pack


def tar() -> bytes:
    """A tar archive of one file."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("m/m.php"))
    return file.getvalue()


REPACK = "unpack it, and pack what is in it with `zip -r`"
CUT_OFF = "its end is missing, as when a download stops; get the archive again"
PAGE = "it is a web page, such as an error or a login; get the archive again"
EMPTY = "it is empty; get the archive again"
UNKNOWN = "it is not a zip archive, or it is damaged"
LOOKALIKES = {
    "nothing": (b"", EMPTY),
    "a page": (b"<!DOCTYPE html>\n<html>404", PAGE),
    "a page with a mark and blanks": (b"\xef\xbb\xbf\r\n  <HTML lang=en>", PAGE),
    "cut off": (pack(Item())[:-30], CUT_OFF),
    "tar": (tar(), f"it is a tar archive; {REPACK}"),
    "gzip": (gzip.compress(tar()), f"it is compressed by gzip, such as a `.tar.gz`; {REPACK}"),
    "bzip2": (bz2.compress(tar()), f"it is compressed by bzip2, such as a `.tar.bz2`; {REPACK}"),
    "xz": (lzma.compress(tar()), f"it is compressed by xz, such as a `.tar.xz`; {REPACK}"),
    "zstd": (b"\x28\xb5\x2f\xfd\x04\x00", f"it is compressed by zstd, such as a `.tar.zst`; {REPACK}"),
    "rar": (b"Rar!\x1a\x07\x01\x00", f"it is a rar archive; {REPACK}"),
    "7z": (b"7z\xbc\xaf\x27\x1c\x00\x04", f"it is a 7z archive; {REPACK}"),
    "text": (b"no archive", UNKNOWN),
    "zeros": (bytes(HEAD_LIMIT), UNKNOWN),
}


@pytest.mark.parametrize(("data", "reason"), LOOKALIKES.values(), ids=LOOKALIKES)
def test_a_lookalike(data: bytes, reason: str) -> None:
    """The first bytes tell what a file is, and so what to do."""
    assert lookalike(data[:HEAD_LIMIT]) == reason


def test_what_may_be_incomplete() -> None:
    """A file that is empty or has no end may still be being written; the others are what they are."""
    assert {reason for _, reason in LOOKALIKES.values() if may_be_incomplete(reason)} == {EMPTY, CUT_OFF}


def test_lookalikes_in_a_drop(project: Project) -> None:
    """Each is refused with its reason, and with what to do about it."""
    for name, (data, _) in LOOKALIKES.items():
        os.utime(project.write(f"{name}.zip", data), (0, 0))
    reasons = {f"{name}.zip": reason.partition("; ") for name, (_, reason) in LOOKALIKES.items()}
    told = {each["source"]: (each["message"], each["help"]) for each in project.create().told("error")}
    assert {name: message for name, (message, _) in told.items()} == {
        name: f"`{name}`: {what}" for name, (what, _, _) in reasons.items()
    }
    assert [name for name, (_, _, advice) in reasons.items() if not told[name][1].startswith(advice)] == []


@pytest.mark.parametrize(
    ("name", "age", "is_recent"),
    [
        ("cut off", 0, True),
        ("cut off", 1.9, True),
        ("cut off", -1.9, True),
        ("cut off", 2, False),
        ("cut off", -2, False),
        ("text", 0, False),
    ],
)
def test_what_may_still_be_being_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, age: float, is_recent: bool
) -> None:
    """A file that is incomplete and was changed less than two seconds ago, by whichever clock, may be being copied."""
    data, reason = LOOKALIKES[name]
    path = tmp_path / "a.zip"
    path.write_bytes(data)
    os.utime(path, (1000, 1000))
    monkeypatch.setattr("io_edges.archives.examine.time", SimpleNamespace(time=lambda: 1000 + age))
    file = ArchiveFile(path=path, display_path="a.zip")
    ((archive,),) = OpenCache(None).look_into([file], Bar("", 0, visible=False))
    assert archive.refusals == (ArchiveRejected("a.zip", reason, is_recent=is_recent),)


def test_a_member_that_is_cut_off(project: Project, tmp_path: Path) -> None:
    """An archive in a bundle is not being copied, however new the bundle is."""
    project.write("bundle.zip", pack(Item(name=b"a.zip", data=LOOKALIKES["cut off"][0])))
    (error,) = project.create().told("error")
    assert error["message"] == f"`bundle.zip!a.zip`: {CUT_OFF.partition('; ')[0]}"
