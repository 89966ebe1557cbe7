"""Miniature archives: what is seen in each, from its file on (`docs/archives.md`)."""

from pathlib import Path

import msgspec
import pytest

from io_edges.drop import look_into
from pipeline.archives import Archive, ArchiveFile
from pipeline.problems import ArchiveRejected
from tests.miniatures import MINIATURES, Miniature, Seen, lay


def looked_at(path: Path) -> tuple[Seen, ...] | str:
    """What is seen in an archive, or why it is refused."""
    archives = look_into(ArchiveFile(path=path, shown=path.name))
    refusals = [refusal for archive in archives for refusal in archive.refusals]
    if refusals:
        assert isinstance(refusals[0], ArchiveRejected)
        return refusals[0].reason
    found = ((archive.file, archive.component) for archive in archives)
    return tuple(
        Seen(each.kind, each.name, each.version, each.evidence, each.system, file.member)
        for file, each in found
        if each is not None
    )


@pytest.mark.parametrize("miniature", MINIATURES, ids=lambda miniature: miniature.shape)
def test_what_is_seen(miniature: Miniature, tmp_path: Path) -> None:
    """Kind, name, version, evidence and system of each component of an archive, or why it is refused."""
    assert looked_at(lay(miniature.files, tmp_path / miniature.archive)) == miniature.seen


@pytest.mark.parametrize("miniature", MINIATURES, ids=lambda miniature: miniature.shape)
def test_what_is_seen_is_plain_data(miniature: Miniature, tmp_path: Path) -> None:
    """What is made of an archive can be kept as JSON and read again."""
    path = lay(miniature.files, tmp_path / miniature.archive)
    for archive in look_into(ArchiveFile(path=path, shown=path.name)):
        kept = msgspec.json.encode(archive, enc_hook=str)
        assert msgspec.json.decode(kept, type=Archive, dec_hook=lambda of, text: of(text)) == archive
