"""Bundles: archives that hold several components, as folders or as archives (`docs/archives.md`)."""

from typing import Final

from msgspec import Struct

from pipeline.archives.archive import Archive, ArchiveFile
from pipeline.archives.markers import MEMBER_LIMIT, Root
from pipeline.archives.naming import NEVER, is_paper, is_text
from pipeline.archives.recognise import has_marker
from pipeline.report.diagnostics.archives import LeftAlone
from pipeline.schema import is_archive_name

INNER_LIMIT: Final = 256 * 1024**2
"""Bytes of an archive in a bundle; it is read into memory."""


class Members(Struct, frozen=True):
    """What may be the members of a bundle: folders that are components, and archives, by the names of their entries."""

    folders: tuple[Archive, ...] = ()
    archives: tuple[str, ...] = ()


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
    """A note naming the folders in a bundle of which all or part belongs to no member, except documentation.

    What lies beside an archive does not count.
    """
    member_folders = tuple(f"{recognition.file.member}/" for recognition in members.folders)
    rest = {name.partition("/")[0] for name in root.names if "/" in name and not name.startswith(member_folders)}
    rest -= {name.removeprefix(root.prefix).rpartition("/")[0] for name in members.archives}
    names = tuple(sorted(folder for folder in rest if not is_paper(folder)))
    return (LeftAlone(file.display_path, names),) if names else ()


def _is_offered(name: str) -> bool:
    folder, _, last = name.rpartition("/")
    return "/" not in folder and folder.lower() not in NEVER and not last.startswith(".")
