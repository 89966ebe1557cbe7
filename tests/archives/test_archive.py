"""Archives as values: what identifies the files of a component (`docs/building.md`)."""

import json
from hashlib import sha256
from pathlib import PurePath

import pytest

from pipeline.archives.archive import Archive, ArchiveFile, Component, Entry, with_component


def described(name: str) -> Archive:
    """An archive of a module with a file and a link, both with a name in them."""
    file = ArchiveFile(path=PurePath("a.zip"), display_path="a.zip")
    entries = (
        Entry(name=f"m/{name}", size=3, crc=2**32 - 1),
        Entry(name="m/z", kind="link", target=name),
    )
    return with_component(
        Archive(file=file), Component(kind="module", name="m", root="m/"), entries
    )


@pytest.mark.parametrize("name", ["a", "a b", 'a"', "é", "##[error]", "::error::", "\u202e"])
def test_content(name: str) -> None:
    """The content digest of a component is the digest of a list as plain JSON; it does not depend
    on how names are shown.
    """
    rows: list[tuple[str, int, int, bool, str | None]] = [
        (name, 3, 2**32 - 1, False, None),
        ("z", 0, 0, False, name),
    ]
    rows.sort()
    plain = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
    archive = described(name)
    assert (archive.file_count, archive.size, archive.content) == (
        2,
        3,
        sha256(plain.encode()).hexdigest(),
    )


def test_content_of_names_that_are_not_utf_8() -> None:
    """An archive with names that are not UTF-8 is refused, but it has a content digest of its own
    all the same.
    """
    assert len({described(name).content for name in ("\udcfe", "\udcff", "?")}) == 3
