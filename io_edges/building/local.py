"""Local: the folder `.tool/` in a project, for all that concerns this one copy of it (`docs/building.md`).

Only whoever builds the project may look into it, version control leaves it out, and a web server does not hand it out.
"""

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import PurePath

from io_edges.report.console import Console
from io_edges.system.folder import Folder
from io_edges.system.modes import learn_modes
from io_edges.system.mounts import why_closed
from io_edges.system.signals import held_signals
from io_edges.system.stop import Stop
from io_edges.system.trees import walk
from io_edges.system.whole_file import write_whole
from pipeline.building.stores.layout import BACKUPS, LOCAL, MARKS, RECORD_FILE, STAGING
from pipeline.report.diagnostics.conflicts import OutputConflict
from pipeline.report.diagnostics.disk import FileSystemProblem
from pipeline.report.diagnostics.selection import ahead


def can_look_into(project: Folder, console: Console) -> bool:
    """Whether the local folder can be read, or is missing; warn if not. Raises `Stop` for what is no folder."""
    if refused := _refused(project, os.R_OK | os.X_OK):
        console.warn(ahead((refused,), console.context))
    return not refused


def look_for_modes(project: Folder) -> None:
    """Learn whether the disk of a project keeps modes, by what the tool has written there; new ones are as they say."""
    with suppress(OSError):  # what cannot be looked at says nothing, and is reported elsewhere
        if mark := project.status(f"{LOCAL}/{next(iter(MARKS))}"):
            with project.child(LOCAL) as local:
                learn_modes(mark, local)
        else:
            learn_modes(project.lstat(RECORD_FILE), None)


def check_access(project: Folder) -> None:
    """Raise `Stop` unless the local folder is missing, or can be read and written."""
    if refused := unwritable_in(project, (LOCAL,)):
        raise Stop(*refused)


def ignores_case_in(project: Folder) -> bool:
    """Whether the disk of a project does not tell names apart that differ only in case, as far as one of them shows."""
    for name, status in project.statuses():
        if name.isascii() and (other := name.swapcase()) != name:
            twin = project.lstat(other)
            return twin is not None and os.path.samestat(status, twin)
    return False


def unwritable_in(project: Folder, paths: Sequence[str]) -> tuple[FileSystemProblem, ...]:
    """What keeps the tool from writing its own files at some paths in a project. Raises `OSError`."""
    is_fixed = os.fstatvfs(project.fd).f_flag & os.ST_RDONLY  # a run that changes nothing may do without
    if refused := _refused(project, os.R_OK | os.X_OK | (0 if is_fixed else os.W_OK)):
        return (refused,)
    if RECORD_FILE in paths and (why := why_closed(project)):
        where = why if is_fixed else "in a folder that is not writable"
        return (FileSystemProblem(f"{project.path}/{RECORD_FILE}", f"it is {where}"),)
    if BACKUPS in paths and project.status(BACKUPS) and not os.access(BACKUPS, os.W_OK | os.X_OK, dir_fd=project.fd):
        return (FileSystemProblem(f"{project.path}/{BACKUPS}", "permission denied"),)
    return ()


def _refused(project: Folder, rights: int) -> FileSystemProblem | None:
    """The folder to which the process does not have these rights, and whose it is."""
    for path in chain((LOCAL, STAGING), _slots_of_others(project) if rights & os.W_OK else ()):
        status = project.status(path)
        if status and not stat.S_ISDIR(status.st_mode):
            raise Stop(OutputConflict(path, reason="link" if stat.S_ISLNK(status.st_mode) else "file"))
        if status and not os.access(path, rights, dir_fd=project.fd):
            whose = "" if status.st_uid == os.geteuid() else f"; it belongs to the user `{_user(status.st_uid)}`"
            return FileSystemProblem(PurePath(project.path, path).as_posix(), f"permission denied{whose}")
    return None


def _slots_of_others(project: Folder) -> Iterator[str]:
    """The folders that a killed run of another user left in the staging folder, and those in them. Raises `OSError`."""
    if project.status(STAGING):
        with project.inner(STAGING) as staging:
            for name, status in staging.statuses():
                if stat.S_ISDIR(status.st_mode) and status.st_uid != os.geteuid():
                    yield f"{STAGING}/{name}"
                    yield from (f"{STAGING}/{path}" for path, _ in walk(staging, name))


def _user(number: int) -> str:
    import pwd  # only on POSIX systems

    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


@contextmanager
def local_in(project: Folder) -> Iterator[Folder]:
    """Open the local folder, made if it is missing; in the end it is removed if nothing is in it. Raises `OSError`."""
    local, spare = None, project.again()  # a descriptor, which it takes to look into what is to be removed
    try:
        if project.lstat(LOCAL) is None:
            project.make(LOCAL)
        local = project.child(LOCAL)
        _mark(project, local)
        yield local
    finally:
        spare.close()
        with held_signals():
            _leave(project, local)


def _mark(project: Folder, local: Folder) -> None:
    """Give a new local folder its mode, and the files that keep others out of it, but none over a file of the user."""
    missing = [name for name in MARKS if local.lstat(name) is None]
    if len(missing) == len(MARKS):
        project.give_rights(local.fd)
        os.fchmod(local.fd, stat.S_IMODE(os.fstat(local.fd).st_mode) & 0o2770)
    for name in missing:
        write_whole(local, name, MARKS[name], over="nothing", like="folder")


def _leave(project: Folder, local: Folder | None) -> None:
    """Remove the local folder if it has nothing but its marks; twice, as a refusal may be temporary."""
    if local is None:
        project.prune(LOCAL)
        return
    with local:
        for _ in range(2):
            with suppress(OSError):
                _prune(project, local)
                return
        with suppress(OSError):  # where it cannot be looked into, it may be empty
            os.rmdir(LOCAL, dir_fd=project.fd)


def _prune(project: Folder, local: Folder) -> None:
    names = [name for name, _ in local.entries()]
    if all(name in MARKS and local.read(name, len(MARKS[name]) + 1) == MARKS[name] for name in names):
        for name in names:
            local.discard(name)
        os.rmdir(LOCAL, dir_fd=project.fd)
