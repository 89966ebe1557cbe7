"""Contents: read what is at the paths of components, what the archives in the drop hold, and the
files that are compared.
"""

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from pathlib import PurePath
from typing import Final

from returns.result import Failure, Success

from io_edges.archives.data import Damage
from io_edges.archives.examine import look_into
from io_edges.archives.zips import OpenArchive, Opener, Vetted
from io_edges.building.git import GIT
from io_edges.building.project import ProjectView
from io_edges.system.disks import keeps_modes, mounts_below
from io_edges.system.folder import Folder
from io_edges.system.stop import Stop
from io_edges.system.trees import NOTHING, DirChain, above, survey
from pipeline.archives.archive import ArchiveFile, Component, Entry, contents
from pipeline.building.draft import Contents
from pipeline.building.merging.lines import MOST_BYTES
from pipeline.building.patching.patch import Patch, patch_path
from pipeline.building.patching.patch_file import PATCH_LIMIT, read_patch
from pipeline.building.stores.layout import is_digest, kept_path
from pipeline.building.stores.record import Files, FileState, RecordedComponent, implied_folders
from pipeline.building.survey import Target
from pipeline.recognition.recognise import installed
from pipeline.report.outcome import BuildOutcome
from pipeline.selection.choices import Choice
from pipeline.values import replace

_ENOUGH: Final = MOST_BYTES + 1
"""So many bytes show that a file is too long to be compared."""
_NO_TEXT: Final = b"\0"
"""Stands for the content of an unreadable file, which is named, but not compared."""


def contents_in(view: ProjectView, home: PurePath, vetted: Vetted) -> Contents:
    """The functions that read the files of a project, the archives of the drop, and the
    kept archives.

    `home` is the folder with the patches of the project.
    """
    return Contents(
        read_disk=partial(_there, view),
        read_archive=partial(_given, vetted),
        read_kept=partial(_kept, view),
        read_patch=partial(_kept_patch, view, home),
        git=GIT,
    )


def _there(view: ProjectView, path: str, names: Iterable[str]) -> dict[str, bytes]:
    """The contents of files of a component on disk; those of unreadable ones are `_NO_TEXT`."""
    read: dict[str, bytes] = {}
    if view.folder is None:
        return read
    with DirChain(view.folder) as chain:
        for name in names:
            parent, _, last = f"{path}/{name}".rpartition("/")
            folder = chain.found(parent)
            if folder is None:
                continue
            try:
                content = folder.read(last, _ENOUGH)
            except PermissionError:
                content = _NO_TEXT
            if content is not None:
                read[name] = content
    return read


def _given(vetted: Vetted, choice: Choice, names: Collection[str]) -> dict[str, bytes]:
    """The contents of files of an archive of the drop. Raises `Stop` if it is damaged."""
    try:
        return _texts(choice.archive.file, choice.component.root, names, vetted)
    except Damage as damage:
        raise Stop(damage.rejection_of(choice.archive.file)) from damage


def _kept(
    view: ProjectView, recorded: RecordedComponent, names: Collection[str]
) -> dict[str, bytes] | None:
    """The contents of files of a kept archive; `None` if the archive is not kept, or damaged.

    In a bundle, the component is found by its content.
    """
    digest = recorded.digest
    path = kept_path(recorded.digest)
    if view.folder is None or not is_digest(digest) or view.folder.status(path) is None:
        return None
    file = ArchiveFile(path=PurePath(view.folder.path, path), display_path=path.rpartition("/")[2])
    members = [member for member in look_into(file) if member.digest == digest and member.component]
    is_only_one = len(members) == 1 and not recorded.content
    for member in members:
        if member.component and (is_only_one or member.content == recorded.content):
            with suppress(Damage):
                return _texts(member.file, member.component.root, names)
    return None


def _kept_patch(view: ProjectView, home: PurePath, path: str, digest: str) -> Patch | None:
    """The patch that a component was built with: the kept one, or that of the project if it
    is the same.
    """
    for place in (PurePath(view.path, kept_path(digest, "patch")), home / patch_path(path)):
        with suppress(OSError), Folder.at(str(place.parent)) as folder:
            patch = read_patch(folder.read(place.name, PATCH_LIMIT + 1) or b"", path)
            if patch.digest == digest:
                return patch
    return None


def _texts(
    file: ArchiveFile, root: str, names: Collection[str], vetted: Vetted | None = None
) -> dict[str, bytes]:
    """The contents of files of a component in its archive. Raises `Damage`."""
    with Opener(vetted) as opener:
        opened = opener.open(file)
        files = {
            name: entry
            for name, entry in contents(opened.index.below(root), root)
            if entry.kind == "file"
        }
        return {name: _first(opened.chunks(files[name])) for name in names if name in files}


def _first(chunks: Iterable[bytes]) -> bytes:
    """The first bytes of a content: enough to see that it is too long."""
    content = bytearray()
    for chunk in chunks:
        content += chunk
        if len(content) > MOST_BYTES:
            break
    return bytes(content[:_ENOUGH])


def place_at(path: str, project: ProjectView) -> Target:
    """Look at the path of a component, but not at its files."""
    if project.folder is None:
        return Target()
    if obstacle := project.folder.obstacle(path):
        real = ""
        if obstacle == (path.rpartition("/")[0], "link"):
            real = os.path.realpath(project.path / obstacle[0])
        return Target(occupancy=obstacle[1], obstacle=obstacle[0], leads_to=real)
    status = project.folder.status(path)
    has_modes = keeps_modes(status or os.fstat(project.folder.fd))
    if status is None:
        return Target(has_modes=has_modes)
    return Target(occupancy="present", has_modes=has_modes)


def targets_at(paths: Sequence[str], project: ProjectView) -> dict[str, Target]:
    """Look at the paths of components, and at their files."""
    targets = {path: place_at(path, project) for path in paths}
    present = {path: target for path, target in targets.items() if target.occupancy == "present"}
    if project.folder is None or not present:
        return targets
    mounts = mounts_below(project.folder)
    for path, target in present.items():
        known = NOTHING
        if path in project.state.components:
            known = project.state.components[path].tree
        try:
            tree = survey(project.folder, path, known)
            targets[path] = replace(target, tree=tree, mounts=_inside(path, mounts))
        except PermissionError:
            targets[path] = replace(target, is_closed=True)
    return targets


def _inside(path: str, places: Iterable[str]) -> tuple[str, ...]:
    """The paths among `places` that are `path` or below it, relative to it."""
    return tuple(place[len(path) + 1 :] for place in places if f"{place}/".startswith(f"{path}/"))


def installed_at(found: Mapping[str, Files], project: ProjectView) -> dict[str, Component | None]:
    """Recognise installed components by their markers, given their files."""
    components = dict[str, Component | None]()
    for path, files in found.items():
        kind = project.record.places.kind_of(path)
        components[path] = installed(
            kind, path.rpartition("/")[2], files, partial(_peek, project, path)
        )
    return components


def _peek(project: ProjectView, path: str, name: str, limit: int) -> bytes | None:
    """The first bytes of a file of a component; `None` if there is no such file, or it
    cannot be read.
    """
    if project.folder:
        with suppress(OSError), above(project.folder, f"{path}/{name}") as (folder, last):
            return folder.read(last, limit)
    return None


def contents_of(choices: Iterable[Choice], vetted: Vetted) -> list[BuildOutcome[Files]]:
    """The files of the selected components, with their digests, or the errors of
    refused archives.
    """
    with Opener(vetted) as opener:
        return [_files_of(choice, opener) for choice in choices]


def _files_of(choice: Choice, opener: Opener) -> BuildOutcome[Files]:
    archive = choice.archive
    root = choice.component.root
    try:
        opened = opener.open(archive.file)
        entries = without_parents(contents(opened.index.below(root), root, choice.component.apart))
        return Success({name: _state(entry, opened) for name, entry in entries})
    except Damage as damage:
        return Failure((damage.rejection_of(archive.file),))


def without_parents(entries: tuple[tuple[str, Entry], ...]) -> tuple[tuple[str, Entry], ...]:
    """The entries without the folders that the paths of others imply."""
    implied = implied_folders(name for name, _ in entries)
    return tuple(
        (name, entry)
        for name, entry in entries
        if entry.kind != "folder" or (name and name not in implied)
    )


def _state(entry: Entry, opened: OpenArchive) -> FileState:
    if entry.kind == "folder":
        return FileState(kind="folder")
    if entry.kind == "link":
        return FileState(kind="link", target=entry.target)
    digest = sha256()
    for chunk in opened.chunks(entry):
        digest.update(chunk)
    return FileState(executable=entry.executable, digest=digest.hexdigest())
