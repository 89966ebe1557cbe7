"""Patches: find and read the patches of a project, in its folder or in the current one, and
stage new ones.

A link or a file with the name `patches` is ignored. The transaction of a run writes patches, as
files of the folder `patches/` (`transaction.py`).
"""

import errno
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from pathlib import Path, PurePath

from toolz import unique

from io_edges.building.project import ProjectView
from io_edges.system.folder import Folder
from io_edges.system.metadata import folders_like, give_as_made_in
from io_edges.system.stop import Stop, problem_of
from io_edges.system.trees import above, survey
from io_edges.system.whole_file import write_whole
from pipeline.archives.places import Places
from pipeline.building.draft import PatchFiles
from pipeline.building.patching.patch import Patch
from pipeline.building.patching.patch_file import PATCH_LIMIT
from pipeline.building.planning.patching import patched_component
from pipeline.building.stores.changes import Change
from pipeline.building.stores.layout import PATCH_MARKS, PATCHES, kept_path
from pipeline.building.stores.record import Files, FileState
from pipeline.report.diagnostics.disk import FileSystemProblem
from pipeline.values import replace


def patches_of(view: ProjectView, start: PurePath) -> PatchFiles:
    """The patches of a project: in its folder, in the current one, or in that of an earlier run.

    The first folder that has any counts; if none has, the project. The patches of the current
    folder are noted as well.
    """
    files = _first_patches(view, start)
    if start in {view.path, files.home}:
        return files
    return replace(files, beside=_ours(patches_in(start), view.record.places))


def _first_patches(view: ProjectView, start: PurePath) -> PatchFiles:
    """The patches in the first folder that has any, or cannot be read; otherwise those in
    the project.
    """
    for home in unique((view.path, start, view.path / view.state.patches)):
        files = patches_in(home)
        if files.is_closed or _ours(files, view.record.places):
            return files
    return patches_in(view.path)


def _ours(files: PatchFiles, places: Places) -> tuple[str, ...]:
    """The names of the files that are patches of components."""
    return tuple(name for name in files.names if patched_component(name, places))


def patches_in(home: PurePath) -> PatchFiles:
    """The patches in a folder."""
    top = Path(home, PATCHES)
    if top.is_symlink():
        return PatchFiles(home, (), partial(_read, home))
    closed = list[OSError]()
    names = list[str]()
    links = list[str]()
    for place, folders, files in os.walk(top, onerror=closed.append):
        below = Path(place).relative_to(top)
        names += [(below / name).as_posix() for name in files]
        links += [(below / name).as_posix() for name in folders if Path(place, name).is_symlink()]
    is_closed = any(error.errno not in {errno.ENOENT, errno.ENOTDIR} for error in closed)
    return PatchFiles(
        home, tuple(sorted(names)), partial(_read, home), is_closed, tuple(sorted(links))
    )


def _read(home: PurePath, name: str) -> bytes | FileSystemProblem | None:
    path = f"{PATCHES}/{name}"
    try:
        with Folder.at(str(home)) as folder, above(folder, path) as (inside, last):
            status = inside.lstat(last)
            if status is None:
                return b""
            if not stat.S_ISREG(status.st_mode):
                return None
            return inside.read(last, PATCH_LIMIT + 1)
    except FileNotFoundError:
        return b""
    except OSError as error:
        return problem_of(path, error)


def is_kept(project: Folder | None, patch: Patch) -> bool:
    """Whether a copy of a patch is kept, because a run of this project wrote it or
    built with it.
    """
    return project is not None and project.status(kept_path(patch.digest, "patch")) is not None


def home_of(home: str, project: PurePath, start: PurePath | None) -> PurePath:
    """The folder of `patches/` by a journal: the project, or the current folder, if
    `home` names it.

    Nothing is written to any other folder, since anybody may have written the journal.
    """
    if not home:
        return project
    if Path(home).is_dir() and (start is None or not Path(home).samefile(start)):
        cause = "a run has written patches there: run this command in that folder"
        raise Stop(FileSystemProblem(home, cause))
    return PurePath(home)


def written_home(home: PurePath, project: PurePath) -> str:
    """The folder that `patches/` is in, as a journal names it; empty if it is the project."""
    if home == project:
        return ""
    return str(home)


@contextmanager
def home_in(home: PurePath, project: Folder) -> Iterator[Folder]:
    """Open the folder that `patches/` is in, which may be the project."""
    if str(home) == project.path:
        yield project
    else:
        with Folder.at(str(home)) as folder:
            yield folder


def stage_patches(
    texts: Mapping[str, bytes], as_read: Files, home: Folder, staging: Folder, slot: str
) -> Change | None:
    """Prepare patches, given by their paths below `patches/`; `None` if none of them changes.

    A patch with an empty text is removed. `as_read` has the states of the files when the plan read
    them. The first patches come with the files that protect them from git and from web servers.
    """
    contents = dict[str, bytes]()
    replaced = dict[str, FileState]()
    for name, text in texts.items():
        before = as_read.get(name)
        digest = None
        if text:
            digest = sha256(text).hexdigest()
        if before and before.digest == digest:
            continue
        if text:
            contents[name] = text
        if before:
            replaced[name] = before
    if contents:
        for name, mark in PATCH_MARKS.items():
            if home.status(f"{PATCHES}/{name}") is None:
                contents[name] = mark
    with staging.child(slot, make=True) as folder:
        adds = home.lstat(PATCHES) is None
        if adds:
            give_as_made_in(home, folder)
            _write(contents, folder, None)
        else:
            with (
                home.child(PATCHES) as old,
                folders_like(dict.fromkeys(contents, FileState()), old, folder),
            ):
                _write(contents, folder, old)
    after = dict(survey(staging, slot).files)
    if not (replaced or after):
        return None
    return Change(path=PATCHES, slot=slot, adds=adds, before=replaced, after=after)


def _write(contents: Mapping[str, bytes], folder: Folder, old: Folder | None) -> None:
    """Write files, each with the metadata of the file at the same path in `old`, if
    there is one.
    """
    for name, content in contents.items():
        like = None
        if old:
            like = old.status(name)
            if like and not stat.S_ISREG(like.st_mode):
                raise OSError(errno.EEXIST, "it is not a file", f"{old.path}/{name}")
        with above(folder, name, make=True) as (place, last):
            write_whole(place, last, content, like=like)
