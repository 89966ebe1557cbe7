"""Bundles: archives that hold several components, as folders or as archives (`docs/archives.md`)."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from pipeline.archives.archive import ArchiveFile, Entry
from pipeline.archives.markers import MEMBER_LIMIT, Root
from pipeline.archives.naming import is_paper, is_text
from pipeline.archives.recognise import Recognition, has_marker
from pipeline.archives.vet import RATIO_FROM, RATIO_LIMIT, SIZE_LIMIT
from pipeline.archives.zip.structure import ENTRY_LIMIT
from pipeline.report.problems.archives import LeftAlone
from pipeline.schema import is_archive_name

INNER_LIMIT: Final = 256 * 1024**2
"""Bytes of an archive in a bundle; it is read into memory."""
_NEVER: Final = frozenset({"test", "tests", "fixtures", "vendor", "node_modules"})
"""Folders whose archives are not components."""


class UnpackedSize(Struct, frozen=True):
    """What would come out of an archive: the entries, and their sizes unpacked and packed."""

    entries: int = 0
    size: int = 0
    packed: int = 0

    def and_in_it(self, entries: Iterable[Entry]) -> "UnpackedSize":
        """Add what would come out of an archive in it, whose packed size is already counted."""
        inside = unpacked_size_of(entries)
        return UnpackedSize(self.entries + inside.entries, self.size + inside.size, self.packed)


class Members(Struct, frozen=True):
    """What may be the members of a bundle: folders that are components, and archives, by the names of their entries."""

    folders: tuple[Recognition, ...] = ()
    archives: tuple[str, ...] = ()


def unpacked_size_of(entries: Iterable[Entry]) -> UnpackedSize:
    """What would come out of an archive with these entries."""
    listed = tuple(entries)
    return UnpackedSize(len(listed), sum(entry.size for entry in listed), sum(entry.packed for entry in listed))


def excess(unpacked: UnpackedSize) -> str | None:
    """Why a bundle is refused if, with the archives in it, it exceeds the limits of a single archive."""
    reasons = (
        (unpacked.entries > ENTRY_LIMIT, f"it has more than {ENTRY_LIMIT:,} entries, with those of the archives in it"),
        (unpacked.size > SIZE_LIMIT, "more than 2 GiB would come out of it and the archives in it"),
        (
            unpacked.size > RATIO_FROM and unpacked.size > RATIO_LIMIT * unpacked.packed,
            f"with the archives in it, it would grow more than {RATIO_LIMIT} times",
        ),
    )
    return next((reason for applies, reason in reasons if applies), None)


def inner_archives(roots: tuple[Root, ...]) -> tuple[str, ...]:
    """The names of the entries that are archives, at the last root or one folder down, if no root has a marker.

    None if there is code beside them: they are files of a component then, like those in a folder with a marker.
    None either if there are more than `MEMBER_LIMIT`.
    """
    if not roots or roots[-1].has_code:
        return ()
    root = roots[-1]
    offered = sorted(name for name in root.names if is_archive_name(name) and _is_offered(name))
    if len(offered) > MEMBER_LIMIT:
        return ()
    around = {name.rpartition("/")[0] for name in offered}
    component_folders = {
        folder.folder for folder in root.subfolders() if folder.folder in around and has_marker(folder)
    }
    return tuple(root.prefix + name for name in offered if name.rpartition("/")[0] not in component_folders)


def is_package(root: Root, inner: tuple[str, ...]) -> bool:
    """Whether a folder holds nothing but these archives and documentation, so that it is not itself a component."""
    archives = {name.removeprefix(root.prefix) for name in inner}
    return all(
        name in archives or is_paper(name.partition("/")[0]) or ("/" not in name and is_text(name))
        for name in root.names
    )


def left_alone(file: ArchiveFile, root: Root, members: Members) -> tuple[LeftAlone, ...]:
    """A note naming what in a bundle belongs to none of its members.

    Documentation does not count, nor do files directly in a bundle of folders only: mostly settings of tools.
    """
    member_folders = tuple(f"{recognition.file.member}/" for recognition in members.folders)
    archives = {name.removeprefix(root.prefix) for name in members.archives}
    around = {"", *(name.rpartition("/")[0] for name in archives)}
    rest = set[str]()
    for name in root.names - archives:
        top = name.partition("/")[0]
        folder, last = top if "/" in name else "", name.rpartition("/")[2]
        trifle = folder in around and (not archives or is_text(last) or last == "index.php")
        if not trifle and not name.startswith(member_folders) and not is_paper(folder):
            rest.add(top)
    return (LeftAlone(file.display_path, tuple(sorted(rest))),) if rest else ()


def _is_offered(name: str) -> bool:
    folder, _, last = name.rpartition("/")
    return "/" not in folder and folder.lower() not in _NEVER and not last.startswith(".")
