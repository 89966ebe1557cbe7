"""Archives as values: what identifies the files of a component (`docs/building.md`)."""

from hashlib import sha256
from pathlib import PurePath

import pytest

from pipeline.archives.archive import Archive, ArchiveFile, Component, Entry, describe
from pipeline.report.escape import to_json


@pytest.mark.parametrize("name", ["a", 'a"\\\n', "é", "\x7f", "\u202e", "\udcff"])
def test_content(name: str) -> None:
    """It is the digest of a list as JSON with escapes, whatever is in names, so it is as records of old have it."""
    file = ArchiveFile(path=PurePath("a.zip"), display_path="a.zip")
    entries = (Entry(name=f"m/{name}", size=3, crc=2**32 - 1), Entry(name="m/z", kind="link", target=name))
    described = describe(Archive(file=file), Component(kind="module", name="m", root="m/"), entries)
    rows = sorted([[name, 3, 2**32 - 1, False, None], ["z", 0, 0, False, name]])
    assert (described.files, described.size) == (2, 3)
    assert described.content == sha256(to_json(rows).encode()).hexdigest()
