"""Contents: what is in files, where they are merged or compared by lines."""

from collections.abc import Collection, Iterable
from contextlib import suppress
from functools import partial
from pathlib import PurePath
from typing import Final

from io_edges.archives.data import Damage
from io_edges.archives.examine import look_into
from io_edges.archives.zips import Opener, Vetted
from io_edges.building.git import GIT
from io_edges.building.project import ProjectView
from io_edges.system.dir_chain import DirChain
from io_edges.system.folder import Folder
from io_edges.system.stop import Stop
from pipeline.archives.archive import Archive, ArchiveFile, contents
from pipeline.building.draft import Contents
from pipeline.building.merging.line_merge import MOST_BYTES
from pipeline.building.patching.given import patch_path
from pipeline.building.patching.patch_file import PATCH_LIMIT, Patch, read_patch
from pipeline.building.stores.layout import ARCHIVES, is_digest, kept_path
from pipeline.building.stores.record import RecordedComponent
from pipeline.selection.choices import Choice

_ENOUGH: Final = MOST_BYTES + 1
"""Bytes that show that there are too many."""
_NO_TEXT: Final = b"\0"
"""In place of a file that may not be read: it is named, and not compared."""


def contents_in(view: ProjectView, home: PurePath, vetted: Vetted) -> Contents:
    """What is asked of the files of a project, of the archives of the drop, and of those that are kept.

    `home` is the folder in which the patches of the project are.
    """
    return Contents(
        there=partial(_there, view),
        given=partial(_given, vetted),
        kept=partial(_kept, view),
        patch=partial(_kept_patch, view, home),
        git=GIT,
    )


def _there(view: ProjectView, path: str, names: Iterable[str]) -> dict[str, bytes]:
    """What is on the disk; a file that may not be read is no text. Raises `OSError`."""
    read: dict[str, bytes] = {}
    if view.folder is None:
        return read
    with DirChain(view.folder) as chain:
        for name in names:
            above, _, last = f"{path}/{name}".rpartition("/")
            folder = chain.found(above)
            try:
                content = folder.read(last, _ENOUGH) if folder else None
            except PermissionError:
                content = _NO_TEXT
            if content is not None:
                read[name] = content
    return read


def _given(vetted: Vetted, choice: Choice, names: Collection[str]) -> dict[str, bytes]:
    """What an archive of the drop has. Raises `OSError`, and `Stop` if it is damaged."""
    try:
        return _texts(choice.archive.file, choice.component.root, names, vetted)
    except Damage as damage:
        raise Stop(damage.rejection_of(choice.archive.file)) from damage


def _kept(view: ProjectView, recorded: RecordedComponent, names: Collection[str]) -> dict[str, bytes] | None:
    """What a kept archive has, in a bundle the component with its content; `None` if it is not kept, or damaged.

    Raises `OSError`.
    """
    digest, path = recorded.digest, kept_path(recorded.digest)
    if view.folder is None or not is_digest(digest) or view.folder.status(path) is None:
        return None
    file = ArchiveFile(path=PurePath(view.folder.path, path), display_path=path.rpartition("/")[2])
    members = [each for each in look_into(file) if each.digest == digest and each.component]
    for each in members:
        if each.component and (each.content == recorded.content or (not recorded.content and len(members) == 1)):
            with suppress(Damage):
                return _texts(each.file, each.component.root, names)
    return None


def kept_archives(view: ProjectView) -> tuple[Archive, ...]:
    """The archives that are kept of earlier builds, and are as their names say. Raises `OSError`."""
    if view.folder is None or view.folder.status(ARCHIVES) is None:
        return ()
    with view.folder.inner(ARCHIVES) as kept:
        names = sorted(name for name, _ in kept.entries() if is_digest(name.removesuffix(".zip")))
        files = [ArchiveFile(path=PurePath(kept.path, name), display_path=name) for name in names]
    found = (each for file in files for each in look_into(file))
    return tuple(each for each in found if each.component and f"{each.digest}.zip" == each.file.whole)


def _kept_patch(view: ProjectView, home: PurePath, path: str, digest: str) -> Patch | None:
    """The patch that a component was built with: the kept one, or that of the project if it is the same."""
    for place in (PurePath(view.path, kept_path(digest, "patch")), home / patch_path(path)):
        with suppress(OSError), Folder.at(str(place.parent)) as folder:
            patch = read_patch(folder.read(place.name, PATCH_LIMIT + 1) or b"", path)
            if isinstance(patch, Patch) and patch.digest == digest:
                return patch
    return None


def _texts(file: ArchiveFile, root: str, names: Collection[str], vetted: Vetted | None = None) -> dict[str, bytes]:
    """Files of a component from its archive. Raises `Damage` and `OSError`."""
    with Opener(vetted) as opener:
        opened = opener.open(file)
        files = {name: entry for name, entry in contents(opened.index.below(root), root) if entry.kind == "file"}
        return {name: _first(opened.chunks(files[name])) for name in names if name in files}


def _first(chunks: Iterable[bytes]) -> bytes:
    """The beginning of a content, as long as is needed to see that it is too long."""
    content = bytearray()
    for chunk in chunks:
        content += chunk
        if len(content) > MOST_BYTES:
            break
    return bytes(content[:_ENOUGH])
