"""Bundles: archives that hold several components, as folders or as
archives (`docs/archives.md`).
"""

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct
from toolz import concat

from pipeline.archives.archive import Archive, ArchiveFile
from pipeline.archives.entry_names import folders_above
from pipeline.archives.markers import BY_FILE_NAME, TOOLS, Root, unbuilt
from pipeline.archives.naming import DEVELOPMENT, NEVER, SHELVES, is_in_place, is_paper, is_text
from pipeline.recognition.packages import is_of_a_system, is_own_package
from pipeline.recognition.recognise import brought_along, recognised_at, recognition_of
from pipeline.recognition.recognisers import fallback, first_identified, has_marker, may_have_marker
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.archives import left_alone
from pipeline.schema import is_archive_name
from pipeline.systems.table import SYSTEMS, system_called

INNER_LIMIT: Final = 256 * 1024**2
"""The largest archive in a bundle, with those around it, in bytes: it is read into memory."""
INNER_DEPTH: Final = 3
"""How deep archives may be nested."""
_ARCHIVE_DEPTH: Final = 4
"""How many folders deep archives are searched for."""
_SHELF_DEPTH: Final = 5
"""How many folders deep a site's `modules`, `plugins` and `themes` may be."""
_DEPTH: Final = 4
"""How many folders deep other components are searched for."""
_PASSED_OVER: Final = NEVER.union(*(system.folders.beside for system in SYSTEMS))
"""Folders that are not searched for components."""
_EXAMPLES: Final = frozenset({"example", "examples", "testing"})
"""Folders that never hold the only component of an archive."""
_TRUNK: Final = "trunk"
_COPIES: Final = frozenset({"tags", "branches"})
"""The folders of a Subversion repository: of the newest state, and of copies of other states."""
_ALONE_DEPTH: Final = 2
"""How many folders deep the only component of an archive may be."""


class Members(Struct, frozen=True):
    """The possible members of a bundle: folders that are components, and archives by the names of
    their entries.
    """

    folders: tuple[Archive, ...] = ()
    archives: tuple[str, ...] = ()


class _Member(Struct, frozen=True):
    """A folder with a marker, and its recognition."""

    path: str
    """The path relative to the root of the bundle."""
    root: Root
    archive: Archive

    @property
    def is_weak(self) -> bool:
        """Whether only a file name identifies the component, so that it may be a plain folder
        of code.
        """
        return (
            self.is_built
            and self.archive.component is not None
            and self.archive.component.field == BY_FILE_NAME
        )

    @property
    def is_built(self) -> bool:
        """Whether it is a theme or a module, or refused."""
        return self.archive.component is None or self.archive.component.what is None

    @property
    def around(self) -> str:
        """The path of the folder around it."""
        return self.path.rpartition("/")[0]


def recognise_folders(file: ArchiveFile, roots: tuple[Root, ...]) -> tuple[Archive, ...]:
    """Recognise an archive without a marker at its roots by its folders: they are the members of
    a bundle.

    One component is not a bundle: it is the component of the archive if nothing else in it could
    be one.
    """
    if not roots or is_of_a_system(roots[-1]):
        return ()
    root = roots[-1]
    marked = tuple(_marked_below(file, root))
    members = _certain(marked)
    built = [member for member in members if member.is_built]
    if not members or (root.has_code and (not built or len(members) > len(built) == 1)):
        return ()
    if not built:
        return _as_one(file, root, members)
    if not root.has_code:
        members = [*members, *_weak_beside(members, root, marked)]
    if len(members) == 1 and not _is_the_only_one(root, members[0]):
        return ()
    archives = list[Archive]()
    for member in members:
        archives += (member.archive, *brought_along(member.root, member.archive))
    return tuple(archives)


def _certain(marked: Iterable[_Member]) -> list[_Member]:
    """The members that more than a file name identifies. If all but one are in documentation, only
    that one.
    """
    certain = [member for member in marked if not member.is_weak]
    likely = [member for member in certain if not _is_beside(member.path)]
    if len(likely) == 1:
        return likely
    return certain


def _weak_beside(
    certain: list[_Member], root: Root, marked: Iterable[_Member]
) -> Iterator[_Member]:
    """The members that only a file name identifies, in a folder of components or beside
    certain members.
    """
    around = set(filter(_is_spelled, _around(marked)))
    if len(certain) > 1 or not _is_the_only_one(root, certain[0]):
        around |= _around(certain)
    for member in marked:
        if member.is_weak and member.around in around and not is_in_place(member.path):
            yield member


def _around(members: Iterable[_Member]) -> set[str]:
    """The paths of the folders that contain members."""
    return {member.around for member in members}


def _is_spelled(path: str) -> bool:
    """Whether a folder of a package has the name of a site's folder of components, in
    another spelling.
    """
    return f"{path.rpartition('/')[2].lower().rstrip('s')}s" in SHELVES


def _as_one(file: ArchiveFile, root: Root, found: list[_Member]) -> tuple[Archive, ...]:
    """An archive whose folders are neither themes nor modules: the only one, or all of them, judged
    by the first.
    """
    first = found[0]
    component = first.archive.component
    is_alone = len(found) == 1
    is_unsure = is_alone and (_has_code_beside(root, first) or not _is_the_only_one(root, first))
    if component is None or component.what is None or is_unsure:
        return ()
    name = ""
    version = None
    if is_alone:
        root = first.root
        name = component.name
        version = component.version
    marker = (component.evidence or "").removeprefix(root.prefix)
    marked = unbuilt(
        component.what, marker, component.field, name=name, version=version, system=component.system
    )
    return (recognition_of(file, root, marked),)


def _marked_below(file: ArchiveFile, root: Root) -> Iterator[_Member]:
    """The folders with a marker below a root; they are not searched further.

    Only a site's folders of components are searched at any depth. PHP is not read where a component
    is unlikely.
    """
    ways = _ways_to_shelves(root)
    folders = root.subfolders()
    pending = [(folder.folder, folder) for folder in reversed(folders)]
    unsearched = _unsearched(path for path, _ in pending)
    while pending:
        path, folder = pending.pop()
        depth = path.count("/") + 1
        if folder.folder.lower() in _PASSED_OVER:
            continue
        recognition = None
        if depth == 1 or is_in_place(path) or may_have_marker(folder):
            recognition = recognised_at(file.at(path), folder)
        if recognition:
            yield _Member(path, folder, recognition)
        elif path not in unsearched and (
            depth < _DEPTH or path in ways or is_in_place(f"{path}/any")
        ):
            for inner in reversed(folder.subfolders()):
                below = f"{path}/{inner.folder}"
                if not _is_beside(below):
                    pending.append((below, inner))


def _ways_to_shelves(root: Root) -> set[str]:
    """The folders in which a site keeps components, and those above them."""
    folders = set(concat(map(folders_above, root.names)))
    ways = set[str]()
    for folder in folders:
        if folder.rpartition("/")[2] in SHELVES and folder.count("/") < _SHELF_DEPTH:
            ways.update((folder, *folders_above(folder)))
    return ways


def _unsearched(folders: Iterable[str]) -> set[str]:
    """The folders at a root for documentation or development; only documentation, if there are
    no others. In a Subversion repository, all but the trunk.
    """
    names = set(folders)
    if _TRUNK in names and not _COPIES.isdisjoint(names):
        return names - {_TRUNK}
    unsearched = set(filter(_is_beside, names))
    if unsearched == names:
        return set(filter(is_paper, names))
    return unsearched


def _is_the_only_one(root: Root, member: _Member) -> bool:
    """Whether the only folder with a marker is the component of an archive, regardless of what lies
    beside it.

    It must belong to a system, and the archive must be neither a package of its own nor a component
    that has its marker in a folder.
    """
    component = member.archive.component
    if is_in_place(member.path):
        return True
    if (
        component is None
        or not system_called(component.system).name
        or member.path.count("/") >= _ALONE_DEPTH
    ):
        return False
    is_example = not _EXAMPLES.isdisjoint(member.path.lower().split("/"))
    is_below = first_identified(fallback("folder"), root) is not None
    return not (is_example or is_below or is_own_package(root))


def _has_code_beside(root: Root, member: _Member) -> bool:
    """Whether there is PHP outside a folder: an archive with code is built rather than skipped."""
    for name in root.names:
        file = name.rpartition("/")[2]
        if file.endswith(".php") and file not in TOOLS and not name.startswith(f"{member.path}/"):
            return True
    return False


def inner_archives(roots: tuple[Root, ...]) -> tuple[str, ...]:
    """The names of the entries that are archives, at the last root or some folders deep, if no root
    has a marker.

    Archives beside code are files of a component, like those in a folder with a marker, and are
    left out.
    """
    if not roots or roots[-1].has_code:
        return ()
    root = roots[-1]
    offered = [name for name in root.names if is_archive_name(name) and _is_offered(name)]
    own = set[str]()
    for path, folder in _folders(root, set(concat(map(folders_above, offered)))):
        if folder.has_code or has_marker(folder):
            own.add(path)
    return tuple(root.prefix + name for name in offered if own.isdisjoint(folders_above(name)))


def _folders(root: Root, paths: set[str], around: str = "") -> Iterator[tuple[str, Root]]:
    """The folders that contain some paths, and all folders above them."""
    if not paths:
        return
    for folder in root.subfolders():
        path = f"{around}{folder.folder}"
        if path in paths:
            yield path, folder
            yield from _folders(folder, paths, f"{path}/")


def is_wrapper(root: Root, inner: tuple[str, ...]) -> bool:
    """Whether a folder contains only these archives and documentation, so that it is not itself
    a component.
    """
    archives = set(inner)
    for name in root.names:
        top, slash, _ = name.partition("/")
        is_documentation = is_paper(top) or (not slash and is_text(name))
        if not is_documentation and root.prefix + name not in archives:
            return False
    return True


def leftovers(file: ArchiveFile, root: Root, members: Members) -> tuple[WarningDiagnostic, ...]:
    """A warning about the folders and the code in a bundle that belong, in whole or in part, to
    no member.

    Documentation, development files and whatever lies beside an archive do not count.
    """
    if any(member.file == file for member in members.folders):
        return ()
    inside = ""
    if file.member:
        inside = f"{file.member}!"
    of_members = tuple(f"{member.file.member.removeprefix(inside)}/" for member in members.folders)
    around_archives = {
        name.removeprefix(root.prefix).partition("/")[0] for name in members.archives
    }
    rest = set[str]()
    for name in root.names:
        top, slash, _ = name.partition("/")
        if not slash:
            if name.endswith(".php") and name not in TOOLS:
                rest.add(name)
        elif top not in around_archives and not name.startswith(of_members) and not _is_beside(top):
            rest.add(top)
    if not rest:
        return ()
    return (left_alone(file.display_path, tuple(sorted(rest))),)


def _is_beside(path: str) -> bool:
    """Whether a folder's name shows that it may lie beside a component, as its documentation or
    development files.
    """
    folder = path.rpartition("/")[2]
    return (is_paper(folder) or folder.lower() in DEVELOPMENT) and not is_in_place(path)


def _is_offered(name: str) -> bool:
    *folders, last = name.split("/")
    is_other = any(folder.lower() in NEVER or is_paper(folder) for folder in folders)
    return len(folders) <= _ARCHIVE_DEPTH and not is_other and not last.startswith(".")
