"""Patches: find, read and write the patches of a project: in its folder, or in the current one.

What is called `patches` and is a link or a file is none of ours. A run of `tool patch` that is refused leaves nothing
behind.
"""

import errno
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from hashlib import sha256
from itertools import accumulate
from pathlib import Path, PurePath
from typing import Final

from toolz import unique

from io_edges.building.project import ProjectView
from io_edges.system.folder import Folder
from io_edges.system.stop import cause_of
from io_edges.system.trees import above, prune_at
from io_edges.system.whole_file import write_whole
from pipeline.building.draft import PatchFiles
from pipeline.building.patching.patch_file import PATCH_LIMIT, Patch, patch_path
from pipeline.building.planning.patching import patched_component
from pipeline.building.stores.layout import LOCAL, MARKS, PATCHES, kept_path
from pipeline.report.diagnostics.disk import FileSystemProblem

_MARKS: Final = {".gitattributes": b"*.patch -text\n", ".htaccess": MARKS[".htaccess"]}
"""What keeps git from changing the ends of lines, and a web server from handing patches out."""


def patches_of(view: ProjectView, start: PurePath) -> PatchFiles:
    """The patches of a project: in its folder, the current one, or that of an earlier run.

    It is the first one that has any; if none has, the project.
    """
    homes = map(_patches_in, unique((view.path, start, view.path / view.state.patches)))
    places = view.record.places
    ours = (each for each in homes if each.is_closed or any(patched_component(name, places) for name in each.names))
    return next(ours, None) or _patches_in(view.path)


def _patches_in(home: PurePath) -> PatchFiles:
    """The patches in a folder."""
    top = Path(home, PATCHES)
    closed = list[OSError]()
    tree = os.walk(top, onerror=closed.append) if not top.is_symlink() else ()
    names = sorted(Path(place, name).relative_to(top).as_posix() for place, _, files in tree for name in files)
    is_closed = any(error.errno not in {errno.ENOENT, errno.ENOTDIR} for error in closed)
    return PatchFiles(home, tuple(names), partial(_read, home), is_closed)


def _read(home: PurePath, name: str) -> bytes | FileSystemProblem | None:
    path = f"{PATCHES}/{name}"
    try:
        with Folder.at(str(home)) as folder, above(folder, path) as (inside, last):
            status = inside.lstat(last)
            if status is None:
                return b""
            return inside.read(last, PATCH_LIMIT + 1) if stat.S_ISREG(status.st_mode) else None
    except FileNotFoundError:
        return b""
    except OSError as error:
        return FileSystemProblem(path, cause_of(error))


def is_kept(project: Folder | None, patch: Patch) -> bool:
    """Whether a patch was written or built here, so that it is kept. Raises `OSError`."""
    return project is not None and project.status(kept_path(patch.digest, "patch")) is not None


@contextmanager
def patches_written(home: PurePath, texts: Mapping[str, bytes], project: Folder) -> Iterator[None]:
    """Write the patches of components, or remove those that are empty; and keep them in their project.

    If that fails, or what is done with them, all is as it was. Raises `OSError`.
    """
    if not texts:
        yield
        return
    with Folder.at(str(home)) as folder, ExitStack() as undo:
        for component, text in texts.items():
            for name, content in _MARKS.items() if text else ():  # first: after a kill no patch is without them
                if folder.status(f"{PATCHES}/{name}") is None:
                    _put(folder, f"{PATCHES}/{name}", content, undo)
            if text and project.status(LOCAL):  # first: after a kill no patch of this project is taken for a pulled one
                _put(project, kept_path(sha256(text).hexdigest(), "patch"), text, undo)
            _put(folder, patch_path(component), text, undo)
        yield
        undo.pop_all()


def _put(home: Folder, path: str, content: bytes, undo: ExitStack) -> None:
    """Write a file, or remove it if it is to be empty; `undo` gets what puts it back."""
    folders = [*accumulate(path.split("/")[:-1], "{}/{}".format)]
    for each in folders if content else ():
        if home.status(each) is None:
            undo.callback(prune_at, home, each)
    with above(home, path, make=bool(content)) as (folder, name):
        before = folder.read(name, PATCH_LIMIT + 1)
        status = folder.lstat(name)
        undo.callback(_set, home, path, before, status)
        if content != before:
            _set(home, path, content, status)


def _set(home: Folder, path: str, content: bytes | None, like: os.stat_result | None) -> None:
    with above(home, path) as (folder, name):
        if content:
            write_whole(folder, name, content, like=like)
        else:
            folder.discard(name)
