"""Miniature archives: what is recognised in each file (`docs/archives.md`)."""

from pathlib import Path

import msgspec
import pytest

from io_edges.archives.examine import look_into
from pipeline.archives.archive import Archive, ArchiveFile
from pipeline.report.diagnostics.archives import DISTRUST, ArchiveRejected, Flaw, Mend, not_built
from tests.support.corpus import MINIATURES, Miniature, Seen
from tests.support.miniatures import BANNER, HARBOUR, Files, lay, pack, within
from tests.support.sweep import sample


def seen_in(archives: tuple[Archive, ...]) -> tuple[Seen, ...] | str:
    """What is seen in an archive, or why it is refused."""
    refusals = [refusal for archive in archives for refusal in archive.refusals]
    if refusals:
        assert isinstance(refusals[0], ArchiveRejected)
        return str(refusals[0].flaw)
    found = ((archive.file, archive.component) for archive in archives)
    return tuple(
        Seen(each.kind, each.name, each.version, each.evidence, each.system, file.member)
        for file, each in found
        if each is not None
    )


@pytest.mark.parametrize("miniature", MINIATURES, ids=lambda miniature: miniature.shape)
def test_what_is_seen(miniature: Miniature, tmp_path: Path) -> None:
    """Each archive gives its components with kind, name, version, evidence and system, or the
    reason of its refusal; JSON can hold all of it.
    """
    path = lay(miniature.files, tmp_path / miniature.archive)
    archives = look_into(ArchiveFile(path=path, display_path=path.name))
    assert seen_in(archives) == miniature.seen
    for archive in archives:
        kept = msgspec.json.encode(archive, enc_hook=str)
        assert (
            msgspec.json.decode(kept, type=Archive, dec_hook=lambda of, text: of(text)) == archive
        )


def test_a_marker_that_is_damaged(tmp_path: Path) -> None:
    """An archive with a damaged marker is not recognised; if another marker recognises it, it is
    refused.
    """
    whole = bytearray(
        pack({"module.json": '{"name": "tides"}', "readme.txt": "", "a.zip": pack(BANNER)})
    )
    both = bytearray(pack({"theme.json": '{"name": "tides"}', "module.json": '{"name": "tides"}'}))
    for content, marker, kind in ((whole, b"module.json", None), (both, b"theme.json", "module")):
        content[content.index(marker) + len(marker) + 2] ^= 0xFF
        path = tmp_path / "tides.zip"
        path.write_bytes(content)
        (archive,) = look_into(ArchiveFile(path=path, display_path="tides.zip"))
        assert (archive.component and archive.component.kind) == kind
        (refusal,) = archive.refusals
        assert isinstance(refusal, ArchiveRejected)
        assert refusal.flaw.entry == marker.decode()


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("name", "text", "fits"),
    sample(
        [
            ("theme.toml", "a = 1\n", 1),
            ("a.info", "a=\n", 24),
            ("config/module.ini", "a=\n", 24),
            ("a.info.yml", "- a\n", 6),
        ],
        2,
    ),
)
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.usefixtures("unmeasured")
def test_markers_that_are_too_large(
    name: str, text: str, fits: int, packed: bool, tmp_path: Path
) -> None:
    """An archive is refused if the markers of the archives in it take too long to read, but not
    because of its folders.
    """
    for count in (fits, fits + 1):
        folders = [{name: (text * 65536)[: 65536 - 256]} for _ in range(count)]
        many = (
            {f"{n}.zip": pack(files) for n, files in enumerate(folders)}
            if packed
            else {
                path: content
                for n, files in enumerate(folders)
                for path, content in within(f"{n}", files).items()
            }
        )
        path = lay(
            {**many, "z/module.json": '{"name": "z"}', "y/module.json": '{"name": "y"}'},
            tmp_path / "x.zip",
        )
        archives = look_into(ArchiveFile(path=path, display_path="x.zip"))
        refusals = [refusal for archive in archives for refusal in archive.refusals]
        reason = "its markers are too large, or too many, with those of the archives in it"
        assert refusals == (
            [] if count == fits or not packed else [ArchiveRejected("x.zip", Flaw(reason))]
        )
        if not packed:
            assert {archive.component and archive.component.name for archive in archives} == (
                {"y", "z"} if count == fits else {"x"}
            )


def test_a_bundle_with_too_many_markers(tmp_path: Path) -> None:
    """If not all folders of a bundle can be searched, it is refused: it is neither built in part
    nor as one module.
    """
    many = {f"{n}/m.info.yml": "- a\n" * 16_000 for n in range(1, 9)}
    some = {f"0{name}/module.json": f'{{"name": "{name}"}}' for name in "ab"}
    path = lay({**some, **many}, tmp_path / "x.zip")
    (archive,) = look_into(ArchiveFile(path=path, display_path="x.zip"))
    reason = "its markers are too large, or too many, with those of the archives in it"
    assert archive.refusals == (ArchiveRejected("x.zip", Flaw(reason)),)


def test_a_bundle_of_bombs(tmp_path: Path) -> None:
    """The unpacked size of the archives in a bundle counts towards the limit of the bundle
    itself.
    """
    bomb = pack({**BANNER, "zeros": bytes(30 * 1024**2)})
    path = lay({f"{number}.zip": bomb for number in range(3)}, tmp_path / "x.zip")
    (archive,) = look_into(ArchiveFile(path=path, display_path="x.zip"))
    assert archive.refusals == (
        ArchiveRejected("x.zip", Flaw("it would grow more than 100 times", DISTRUST)),
    )


OF_COMPONENTS = Flaw(
    "it has more than 1,000 components", Mend("unpack it, and pack them by themselves")
)
OF_ARCHIVES = Flaw(
    "it has more than 1,000 archives in it", Mend("unpack it, and put them in the drop")
)


@pytest.mark.parametrize(
    ("member", "around", "flaw"),
    [
        ("m{}/module.json", {}, OF_COMPONENTS),
        ("www/modules/m{}/module.json", {"x": ""}, OF_COMPONENTS),
        ("{}.zip", {}, OF_ARCHIVES),
        ("dependencies/modules/m{}/module.json", HARBOUR, OF_COMPONENTS),
    ],
)
def test_a_bundle_of_more_than_a_thousand(
    member: str, around: Files, flaw: Flaw, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bundle of more components or archives than the limit is refused; the reason names the
    limit, which is 1,000.
    """
    monkeypatch.setattr("io_edges.archives.examine.MEMBER_LIMIT", 20)
    for count, is_refused in ((20 - len(around), False), (21, True)):
        contents = (f'{{"name": "m{number}"}}' for number in range(count))
        files = {
            member.format(number): pack({"module.json": each}) if member.endswith(".zip") else each
            for number, each in enumerate(contents)
        }
        path = lay({**around, **files}, tmp_path / "x.zip")
        archives = look_into(ArchiveFile(path=path, display_path="x.zip"))
        refusals = [refusal for archive in archives for refusal in archive.refusals]
        assert refusals == ([ArchiveRejected("x.zip", flaw)] if is_refused else [])


def test_a_bundle_in_a_bundle_that_is_not_looked_into(tmp_path: Path) -> None:
    """Folders that take long to read in one archive of a bundle do not keep the next archives from
    being read.
    """
    folders = {f"{n}/m.info.yml": "- a\n" * 16_000 for n in range(7)}
    path = lay({"a.zip": pack(folders), "b.zip": pack(BANNER)}, tmp_path / "x.zip")
    one, two = look_into(ArchiveFile(path=path, display_path="x.zip"))
    assert one.warnings == (not_built("x.zip!a.zip", "unmarked"),)
    assert one.refusals == ()
    assert (two.component and two.component.name) == "ps_banner"
    assert two.refusals == ()


def test_archives_in_an_archive_within_limits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An archive in a bundle may not be larger than can be read into memory."""
    path = lay(
        {"a.zip": pack(BANNER), "b.zip": pack({**BANNER, "more": "x" * 9999})}, tmp_path / "x.zip"
    )
    monkeypatch.setattr("io_edges.archives.zips.INNER_LIMIT", len(pack(BANNER)))
    one, two = look_into(ArchiveFile(path=path, display_path="x.zip"))
    assert one.refusals == ()
    assert one.component is not None
    assert two.component is None
    assert [
        refusal.archive for refusal in two.refusals if isinstance(refusal, ArchiveRejected)
    ] == ["x.zip!b.zip"]
