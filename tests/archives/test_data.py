"""The data of entries: it is the same however it is read, and whichever library inflates it."""

import zlib

import pytest

from io_edges.archives import data
from io_edges.archives.data import Damage
from io_edges.archives.zips import OpenArchive, read_archive
from pipeline.archives.archive import Entry
from tests.support.benign import shapes
from tests.support.hostile import refused_when_read
from tests.support.sweep import Counted, sample

LIMIT = 100_000
"""Bytes of the largest archive that is read in chunks of a few."""


def outcome(opened: OpenArchive, entry: Entry) -> bytes | tuple[str, str | None]:
    """What an entry holds, or what is wrong with it."""
    try:
        return b"".join(opened.chunks(entry))
    except Damage as damage:
        return str(damage.flaw), damage.flaw.entry


def outcomes(content: bytes) -> list[object]:
    """The outcomes of all entries of an archive."""
    opened = read_archive(content)
    small = [entry for entry in opened.entries if entry.size < LIMIT]
    return [outcome(opened, entry) for entry in small]


def archives() -> list[bytes]:
    """Archives whose records are accepted, with data that is sound and data that is not."""
    builds = [*(shape.build for shape in shapes()), *(case.build for case in refused_when_read())]
    return [content for build in sample(builds, 60) if len(content := build()) < LIMIT]


@pytest.mark.sweep
def test_in_chunks_or_by_either_library(monkeypatch: pytest.MonkeyPatch, counted: Counted) -> None:
    """An archive with accepted records gives the same data, or the same damage, however much is
    read at once.

    The library that is used and that of Python inflate it alike.
    """
    contents = archives()
    at_once = [outcomes(content) for content in contents]
    for chunk in (1, 100):
        monkeypatch.setattr(data, "_CHUNK", chunk)
        assert [outcomes(content) for content in contents] == at_once
    monkeypatch.setattr(data, "inflater", lambda: zlib)
    for chunk in (100, 256 * 1024):
        monkeypatch.setattr(data, "_CHUNK", chunk)
        assert [outcomes(content) for content in contents] == at_once
    counted("archives read at once and in chunks, by two libraries", len(contents))
