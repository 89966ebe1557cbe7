"""Local: the folder `.tool/` in a project, for everything that concerns only this copy of
it (`docs/building.md`).

Only those who build the project can read it; version control ignores it, and web servers do
not serve it.
"""

import errno
import os
import stat
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import PurePath
from typing import Final

from msgspec import Struct, field

from io_edges.report.console import Console
from io_edges.system.disks import learn_modes, may_change
from io_edges.system.folder import Folder
from io_edges.system.signals import held_signals
from io_edges.system.stop import Stop, cause_of, refused_twice
from io_edges.system.trees import remove, walk
from io_edges.system.whole_file import write_whole
from pipeline.building.stores.layout import (
    ARCHIVES,
    BACKUPS,
    LOCAL,
    MARKS,
    RECORD_FILE,
    RUN_FILE,
    STAGING,
)
from pipeline.report.diagnostics.conflicts import OutputConflict
from pipeline.report.diagnostics.disk import FileSystemProblem, denied, left_over


def unreadable_local(project: Folder) -> FileSystemProblem | None:
    """Why the local folder cannot be read; `None` if it can, or is missing. Raises `Stop` if it is
    not a folder.
    """
    return _refused(project, os.R_OK | os.X_OK)


def look_for_modes(project: Folder) -> None:
    """Learn whether the disk of a project keeps modes, from the mode of a file that the tool has
    written there.
    """
    with suppress(OSError):  # an unreadable file says nothing, and is reported elsewhere
        if mark := project.status(f"{LOCAL}/{next(iter(MARKS))}"):
            with project.child(LOCAL) as local:
                learn_modes(mark, local)
        else:
            learn_modes(project.lstat(RECORD_FILE), None)


def ignores_case_in(project: Folder) -> bool:
    """Whether the disk of a project ignores case, by the first name with letters; `False`
    if none has.
    """
    for name, status in project.statuses():
        if name.isascii() and (other := name.swapcase()) != name:
            twin = project.lstat(other)
            return twin is not None and os.path.samestat(status, twin)
    return False


def check_access(project: Folder, paths: Sequence[str] = ()) -> None:
    """Raise `Stop` unless the tool may write to its own folder, and to record or backup
    if in `paths`.
    """
    # A run that changes nothing does not need it.
    is_fixed = bool(os.fstatvfs(project.fd).f_flag & os.ST_RDONLY)
    rights = os.R_OK | os.X_OK
    if not is_fixed:
        rights |= os.W_OK
    refused = _refused(project, rights)
    if RECORD_FILE in paths and (is_fixed or not may_change(project)):
        record = f"{project.path}/{RECORD_FILE}"
        problem = FileSystemProblem(
            record, "it is in a folder that is not writable", "folder closed"
        )
        if is_fixed:
            problem = FileSystemProblem(record, "it is on a read-only disk", "read-only")
        refused = refused or problem
    if BACKUPS in paths and project.status(BACKUPS) and not may_change(project, BACKUPS):
        refused = refused or denied(f"{project.path}/{BACKUPS}")
    if refused:
        raise Stop(refused)


def _refused(project: Folder, rights: int) -> FileSystemProblem | None:
    """The error of the first folder to which the process does not have these rights,
    with its owner.
    """
    for path in _folders_with(rights, project):
        status = project.status(path)
        if status and stat.S_ISLNK(status.st_mode):
            raise Stop(OutputConflict(path, reason="link"))
        if status and not stat.S_ISDIR(status.st_mode):
            raise Stop(OutputConflict(path, reason="file"))
        if status and not os.access(path, rights, dir_fd=project.fd):
            place = PurePath(project.path, path).as_posix()
            if status.st_uid == os.geteuid():
                return denied(place)
            cause = f"permission denied; it belongs to the user `{_user(status.st_uid)}`"
            return FileSystemProblem(place, cause, "owner")
    return None


def _folders_with(rights: int, project: Folder) -> Iterator[str]:
    """The folders to which a run needs these rights."""
    yield LOCAL
    yield STAGING
    if rights & os.W_OK:
        yield from _slots_of_others(project)


def _slots_of_others(project: Folder) -> Iterator[str]:
    """The folders, at any depth, that a killed run of another user left in the staging folder."""
    if project.status(STAGING):
        with project.inner(STAGING) as staging:
            for name, status in staging.statuses():
                if stat.S_ISDIR(status.st_mode) and status.st_uid != os.geteuid():
                    yield f"{STAGING}/{name}"
                    for path, _ in walk(staging, name):
                        yield f"{STAGING}/{path}"


def _user(number: int) -> str:
    import pwd  # only on POSIX systems

    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


def check_way(project: Folder, path: str) -> None:
    """Raise `Stop` if a file or a link is in the way of a path in the project."""
    if obstacle := project.obstacle(path):
        raise Stop(OutputConflict(obstacle[0], reason=obstacle[1]))


def inside(project: Folder, path: str, *, make: bool = False) -> Folder:
    """Open a folder of the project. Raises `Stop` if an obstacle has appeared since the
    plan was made.
    """
    try:
        return project.inner(path, make=make)
    except OSError as error:
        if error.errno in {errno.ELOOP, errno.ENOTDIR}:
            check_way(project, path)
        raise


@contextmanager
def local_in(project: Folder) -> Iterator[Folder]:
    """Open the local folder; make it if it is missing, and remove it in the end if
    nothing is in it.
    """
    local = None
    spare = project.again()  # a spare descriptor, which removing folders needs
    try:
        if project.lstat(LOCAL) is None:
            project.make(LOCAL)
        local = project.child(LOCAL)
        _mark(project, local)
        yield local
    finally:
        spare.close()
        with held_signals():
            _remove_if_unused(project, local)


def _mark(project: Folder, local: Folder) -> None:
    """Give a new local folder its mode, and the files that keep others out; never overwrite a file
    of the user.
    """
    missing = [name for name in MARKS if local.lstat(name) is None]
    if len(missing) == len(MARKS):
        project.give_rights(local.fd)
        os.fchmod(local.fd, stat.S_IMODE(os.fstat(local.fd).st_mode) & 0o2770)
    for name in missing:
        write_whole(local, name, MARKS[name], over="nothing", like="folder")


def _remove_if_unused(project: Folder, local: Folder | None) -> None:
    """Remove the local folder if it has nothing but the files that keep others out."""
    if local is None:
        project.prune(LOCAL)
        return
    with local:
        if refused_twice(lambda: _prune(project, local)):
            project.prune(LOCAL)  # it cannot be read, but it may be empty


def _prune(project: Folder, local: Folder) -> None:
    """Remove the local folder and its marks, unless it has anything else."""
    names = [name for name, _ in local.entries()]
    for name in names:
        if name not in MARKS or local.read(name, len(MARKS[name]) + 1) != MARKS[name]:
            return
    for name in names:
        local.discard(name)
    os.rmdir(LOCAL, dir_fd=project.fd)


_NAME: Final = STAGING.removeprefix(f"{LOCAL}/")
_ARCHIVES: Final = ARCHIVES.removeprefix(f"{LOCAL}/")


class Staging(Struct):
    """The opened staging folder."""

    folder: Folder
    added_archives: list[str] = field(default_factory=list)
    """The names of the kept archives that this run has added; if it fails, they are removed."""

    def is_in(self, local: Folder) -> bool:
        """Whether the staging folder still has its name in the local folder."""
        status = local.lstat(_NAME)
        return status is not None and os.path.samestat(status, os.fstat(self.folder.fd))

    def clear(self, but: Collection[str] = ()) -> None:
        """Remove everything in the staging folder except the names in `but`."""
        for name, is_folder in self.folder.entries():
            if name in but:
                continue
            if is_folder:
                remove(self.folder, name)
            else:
                self.folder.discard(name)


@contextmanager
def staging_in(project: Folder, console: Console) -> Iterator[Staging]:
    """Make the staging folder, and remove it in the end, whatever happens.

    It stays if a failed run could not put everything back; then the next run does.
    """
    staging = None
    spare = project.again()  # a spare descriptor, which removing folders needs
    with local_in(project) as local:
        try:
            staging = Staging(local.child(_NAME, make=True))
            local.give_rights(staging.folder.fd)
            yield staging
        finally:
            spare.close()
            with held_signals():
                _discard_staging(local, staging, console)


def _discard_staging(local: Folder, staging: Staging | None, console: Console) -> None:
    """Remove the staging folder by its descriptor, because none may be left to open it again. Warn
    if that fails.
    """
    if staging is None:
        local.prune(_NAME)
        return
    with staging.folder:
        if refused := refused_twice(lambda: _remove_staging(local, staging)):
            console.warn((left_over(STAGING, cause_of(refused)),))


def _remove_staging(local: Folder, staging: Staging) -> None:
    """Remove the staging folder. Raises `OSError` if it has a journal, which the next run needs."""
    if not staging.is_in(local):  # it was renamed to be kept, or a hook script has removed it
        return
    if staging.folder.lstat(RUN_FILE):
        raise OSError(errno.EBUSY, "the next run settles what is in it")
    with suppress(FileNotFoundError), local.child(_ARCHIVES) as kept:
        for name in staging.added_archives:
            kept.discard(name)
    local.prune(_ARCHIVES)
    staging.clear()
    with local.naming_errors(_NAME):
        os.rmdir(_NAME, dir_fd=local.fd)
