"""Bundles: archives that hold several components, as folders or as archives (`docs/archives.md`)."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct
from toolz import concat

from pipeline.archives.archive import Archive, ArchiveFile
from pipeline.archives.composer import is_of_a_system
from pipeline.archives.entry_names import folders_above
from pipeline.archives.markers import MEMBER_LIMIT, Root, make_root
from pipeline.archives.naming import DEVELOPMENT, NEVER, is_paper, is_text
from pipeline.archives.prestashop import BY_FILE_NAME
from pipeline.archives.recognise import brought_along, has_marker, recognised_at
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.archives import left_alone
from pipeline.schema import is_archive_name

INNER_LIMIT: Final = 256 * 1024**2
"""Bytes of an archive in a bundle, with those around it; it is read into memory."""
INNER_DEPTH: Final = 3
"""How deep archives may be in one another."""
_FOLDERS: Final = 4
"""How many folders down archives are looked for, and the folders of a site that keep components."""
_SHELVES: Final = frozenset({"modules", "plugins", "themes"})
"""Folders of a site in which each folder may be a component."""
_GROUPS: Final = frozenset({"contrib", "custom"})
"""Folders in these that only keep components apart."""
_SHELF_LIMIT: Final = 16
"""The most folders of a site that are looked into."""


class Members(Struct, frozen=True):
    """The possible members of a bundle: folders that are components, and archives by the names of their entries."""

    folders: tuple[Archive, ...] = ()
    archives: tuple[str, ...] = ()


def recognise_folders(file: ArchiveFile, roots: tuple[Root, ...]) -> tuple[Archive, ...]:
    """Recognise an archive without a marker at its roots by those in its folders: the members of a bundle.

    Without one there, and with no code beside it, by those in the only folder that is neither of documentation nor of
    development, such as `src`; else by those in the folders in which a site keeps its components.
    """
    if not roots or is_of_a_system(roots[-1]):
        return ()
    root = roots[-1]
    papers = tuple(folder for folder in root.subfolders() if not is_paper(folder.folder))
    folders = tuple(folder for folder in papers if not _is_beside(folder.folder)) or papers
    alone = len(folders) == 1 and not root.has_code
    return (
        _side_by_side(file, root)
        or (_side_by_side(file, folders[0], f"{folders[0].folder}/") if alone else ())
        or _of_a_site(file, root)
    )


def inner_archives(roots: tuple[Root, ...]) -> tuple[str, ...]:
    """The names of the entries that are archives, at the last root or some folders down, if no root has a marker.

    None of those beside code: they are files of a component, like those in a folder with a marker. None at all if there
    are more than `MEMBER_LIMIT`.
    """
    if not roots or roots[-1].has_code:
        return ()
    root = roots[-1]
    offered = sorted(name for name in root.names if is_archive_name(name) and _is_offered(name))
    if not 0 < len(offered) <= MEMBER_LIMIT:
        return ()
    folders = _folders(root, {folder for name in offered for folder in folders_above(name)})
    own = {folder for folder, inside in folders if inside.has_code or has_marker(inside)}
    return tuple(root.prefix + name for name in offered if own.isdisjoint(folders_above(name)))


def _folders(root: Root, paths: set[str]) -> Iterator[tuple[str, Root]]:
    """Folders at any depth, by their paths."""
    names = sorted(root.names)
    for path in paths:
        begin, end = bisect_left(names, f"{path}/"), bisect_left(names, f"{path}0")  # `0` comes after `/`
        below = (name[len(path) + 1 :] for name in names[begin:end])
        yield path, make_root(f"{root.prefix}{path}/", below, root.read)


def is_wrapper(root: Root, inner: tuple[str, ...]) -> bool:
    """Whether a folder holds nothing but these archives and documentation, so that it is not itself a component."""
    archives = {name.removeprefix(root.prefix) for name in inner}
    return all(
        name in archives or is_paper(name.partition("/")[0]) or ("/" not in name and is_text(name))
        for name in root.names
    )


def leftovers(file: ArchiveFile, root: Root, members: Members) -> tuple[WarningDiagnostic, ...]:
    """A warning naming the folders in a bundle of which all or part belongs to no member.

    Documentation and development do not count, nor what lies beside an archive.
    """
    inside = f"{file.member}!" if file.member else ""
    member_folders = tuple(f"{recognition.file.member.removeprefix(inside)}/" for recognition in members.folders)
    rest = {name.partition("/")[0] for name in root.names if "/" in name and not name.startswith(member_folders)}
    rest -= {name.removeprefix(root.prefix).partition("/")[0] for name in members.archives}
    names = tuple(sorted(folder for folder in rest if not _is_beside(folder)))
    return (left_alone(file.display_path, names),) if names else ()


def _is_beside(folder: str) -> bool:
    """Whether a folder may be beside a component, of its documentation or of its development, by its name."""
    return is_paper(folder) or folder.lower() in DEVELOPMENT


def _is_offered(name: str) -> bool:
    *folders, last = name.split("/")
    return len(folders) <= _FOLDERS and NEVER.isdisjoint(map(str.lower, folders)) and not last.startswith(".")


def _side_by_side(file: ArchiveFile, root: Root, within: str = "") -> tuple[Archive, ...]:
    """The components side by side in a folder; `within` is its path in the bundle.

    A PHP file named after its folder does not count if there is code beside the folders, or if no folder has another
    marker. A single one must be of a system, if there is more than documentation beside it, and no code.
    """
    folders = root.subfolders()
    if len(folders) > MEMBER_LIMIT:
        return ()
    found = {folder: each for folder in folders if (each := recognised_at(file.at(within + folder.folder), folder))}
    sure = {folder: each for folder, each in found.items() if not _is_weak(each)}
    plain = {folder: each for folder, each in sure.items() if not _is_beside(folder.folder)}
    sure = plain if len(plain) == 1 else sure
    members = found if sure and not root.has_code else sure
    others = [folder for folder in folders if folder not in members and not _is_beside(folder.folder)]
    if len(members) == 1 and (root.has_code or (others and not _is_alone(next(iter(members.values())), others))):
        return ()
    return _with_brought_along((each, folder) for folder, each in members.items())


def _is_alone(member: Archive, others: list[Root]) -> bool:
    """Whether a single component is of a system, and no other folder may be or hold one.

    That would have code directly in it, or folders with a marker.
    """
    is_of_system = member.component is not None and member.component.system != ""
    return is_of_system and not any(
        other.has_code or any(map(has_marker, other.subfolders()[:MEMBER_LIMIT])) for other in others
    )


def _of_a_site(file: ArchiveFile, root: Root) -> tuple[Archive, ...]:
    """The components in the folders in which a site, and no component, keeps them; not a single one beside code."""
    shelves = sorted({shelf for name in root.names if (shelf := _shelf_of(name))})[:_SHELF_LIMIT]
    above = {folder for shelf in shelves for folder in folders_above(shelf[:-1])}
    own = {f"{path}/" for path, inside in _folders(root, above) if has_marker(inside)}
    folders = [folder for shelf in shelves if not shelf.startswith(tuple(own)) for folder in _on_shelf(root, shelf)]
    if len(folders) > MEMBER_LIMIT:
        return ()
    found = ((recognised_at(file.at(folder.prefix[len(root.prefix) : -1]), folder), folder) for folder in folders)
    members = [(each, folder) for each, folder in found if each and not (_is_weak(each) or _is_other(each))]
    return () if len(members) == 1 and root.has_code else _with_brought_along(members)


def _shelf_of(name: str) -> str:
    """The folder of a site that a file is in, ending in `/`; empty if it is in none."""
    folders = name.split("/")[:-2]
    for number, folder in enumerate(folders[: _FOLDERS + 1], 1):
        if folder in _SHELVES:
            return "/".join((*folders[:number], ""))
        if _is_beside(folder):
            break
    return ""


def _on_shelf(root: Root, shelf: str) -> Iterator[Root]:
    for folder in root.subfolders(shelf):
        yield from root.subfolders(f"{shelf}{folder.folder}/") if folder.folder in _GROUPS else (folder,)


def _with_brought_along(members: Iterable[tuple[Archive, Root]]) -> tuple[Archive, ...]:
    return tuple(concat((member, *brought_along(folder, member)) for member, folder in members))


def _is_weak(recognition: Archive) -> bool:
    """Whether only a file name identifies the component, so that it may be a plain folder of code."""
    return recognition.component is not None and recognition.component.field == BY_FILE_NAME


def _is_other(recognition: Archive) -> bool:
    """Whether the archive is neither a theme nor a module."""
    return recognition.component is not None and recognition.component.what is not None
