"""The records of a zip archive, read alone (`docs/archives.md`)."""

import pytest

from pipeline.archives.zip.records import CENTRAL_LENGTH, read_central_record
from tests.support.zip_writer import Item, pack


@pytest.mark.parametrize("length", [0, CENTRAL_LENGTH - 1, CENTRAL_LENGTH])
def test_a_directory_that_is_cut_off(length: int) -> None:
    """A record that does not fit into the central directory is not read, and the offset does not
    move.
    """
    archive = pack(Item(name=b"name"))
    directory = archive[archive.index(b"PK\1\2") :]
    assert read_central_record(directory[:length], 0) == (None, 0)
    record, end = read_central_record(directory, 0)
    assert record is not None
    assert end == CENTRAL_LENGTH + len(b"name")


def test_a_record_may_end_with_the_directory() -> None:
    """A record without a name fits into a directory that has exactly its length."""
    archive = pack(Item(name=b""))
    begin = archive.index(b"PK\1\2")
    record, end = read_central_record(archive[begin : begin + CENTRAL_LENGTH], 0)
    assert record is not None
    assert (record.name, end) == (b"", CENTRAL_LENGTH)
