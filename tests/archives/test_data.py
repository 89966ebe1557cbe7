"""The data of entries: the same comes out, however it is read, and whatever inflates it."""

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
        return damage.reason, damage.entry


def outcomes(content: bytes) -> list[object]:
    """The outcomes of all entries of an archive."""
    opened = read_archive(content)
    small = [entry for entry in opened.entries if entry.size < LIMIT]
    return [outcome(opened, entry) for entry in small]


def archives() -> list[bytes]:
    """Archives whose records are accepted, with data that is sound and data that is not."""
    cases = (*shapes(), *refused_when_read())
    return [content for case in sample(cases, 60) if len(content := case.build()) < LIMIT]


@pytest.mark.sweep
@pytest.mark.parametrize("chunk", [1, 100])
def test_at_once_or_in_chunks(chunk: int, monkeypatch: pytest.MonkeyPatch, counted: Counted) -> None:
    """Of every archive whose records are accepted, the same comes out, or is damaged, however much is read at once."""
    contents = archives()
    at_once = [outcomes(content) for content in contents]
    monkeypatch.setattr(data, "_CHUNK", chunk)
    assert [outcomes(content) for content in contents] == at_once
    counted("archives read at once and in chunks", len(contents))


@pytest.mark.sweep
@pytest.mark.parametrize("chunk", [100, 256 * 1024])
def test_either_library(chunk: int, monkeypatch: pytest.MonkeyPatch, counted: Counted) -> None:
    """The library that is used and the one of Python agree on what comes out of every archive, and what is damaged."""
    contents = archives()
    monkeypatch.setattr(data, "_CHUNK", chunk)
    by_library = [outcomes(content) for content in contents]
    monkeypatch.setattr(data, "inflater", lambda: zlib)
    assert [outcomes(content) for content in contents] == by_library
    counted("archives inflated by two libraries", len(contents))
