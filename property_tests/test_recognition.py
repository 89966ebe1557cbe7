"""Laws of recognition: how an archive is recognised does not depend on how it was packed or what
its file is called.
"""

import tempfile
from pathlib import Path

from hypothesis import event, given, settings
from hypothesis import strategies as st

from io_edges.archives.examine import look_into
from pipeline.archives.archive import ArchiveFile
from tests.support.corpus import MINIATURES, Miniature, Seen
from tests.support.miniatures import Files, pack, within
from tests.support.sweep import law

JUNK = (
    "__MACOSX/._a",
    "__MACOSX/y/z.php",
    ".DS_Store",
    "Thumbs.db",
    "desktop.ini",
    "a/.DS_Store",
    "._index.php",
)
miniatures = st.sampled_from(MINIATURES)
marked = st.sampled_from(
    [each for each in MINIATURES if each.by_marker and isinstance(each.seen, tuple)]
)
stems = st.sampled_from(
    ["a", "sea-theme", "ps_other-1.2.0", "token-8.x-1.9", "x (3)", "con", "module", "My files"]
)


def seen(
    files: Files, name: str, folders: tuple[str, ...] = ()
) -> frozenset[tuple[str, str, str | None, str]] | None:
    """Kind, name, version in it and system of each component of an archive; nothing if
    it is refused.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(pack(files, folders))
        archives = look_into(ArchiveFile(path=path, display_path=name))
    if any(archive.refusals for archive in archives):
        return None
    found = (archive.component for archive in archives)
    return frozenset(
        (each.kind, each.name, None if each.version_by else each.version, each.system)
        for each in found
        if each
    )


def expected(miniature: Miniature) -> frozenset[tuple[str, str, str | None, str]] | None:
    """What is to be seen in a miniature, without its evidence."""
    if isinstance(miniature.seen, str):
        return None
    return frozenset((each.kind, each.name, each.version, each.system) for each in miniature.seen)


def known(components: tuple[Seen, ...] | str) -> str:
    """The system of the first component, for the statistics."""
    return "refused" if isinstance(components, str) else components[0].system or "none"


@settings(max_examples=law(300))
@given(miniatures, st.lists(st.sampled_from(JUNK), unique=True), st.randoms())
def test_junk_and_order_change_nothing(
    miniature: Miniature, junk: list[str], random: object
) -> None:
    """Junk files of operating systems and the order of the entries change nothing about what an
    archive is.
    """
    has_backslashes = any("\\" in name for name in miniature.files)
    files = [
        *miniature.files.items(),
        *((name, "junk") for name in junk if not (has_backslashes and "/" in name)),
    ]
    random.shuffle(files)  # type: ignore[attr-defined]
    event(known(miniature.seen))
    assert seen(dict(files), miniature.archive) == expected(miniature)


@settings(max_examples=law(200))
@given(miniatures)
def test_entries_for_folders_change_nothing(miniature: Miniature) -> None:
    """Entries for the folders of an archive change nothing about what it is."""
    parents = {
        parent.as_posix()
        for name in miniature.files
        for parent in Path(name).parents
        if parent.name
    }
    assert seen(miniature.files, miniature.archive, tuple(sorted(parents))) == expected(miniature)


@settings(max_examples=law(300))
@given(marked, st.lists(stems, max_size=2), stems)
def test_the_file_and_the_folders_around_change_nothing(
    miniature: Miniature, folders: list[str], stem: str
) -> None:
    """If a marker gives the name, the archive may have any file name and one or two more folders
    around it.
    """
    files = miniature.files
    for folder in folders:
        files = within(folder, files) if not any("\\" in name for name in files) else files
    event(f"{known(miniature.seen)}, wrapped {len(folders)} times")
    assert seen(files, f"{stem}.zip") == expected(miniature)
