"""Project: the folder that is built, opened once and locked, with its record; and the staging folder in it."""

import errno
import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path, PurePath

from msgspec import Struct

from io_edges.console import Console
from io_edges.disk import why
from io_edges.folder import Folder
from io_edges.signals import held_signals
from io_edges.stop import Stop, filesystem
from io_edges.swap import done_in, journal_in, settle
from pipeline.journal import JOURNAL_FILE, settled
from pipeline.notes import InterruptedRun, LeftOver, NotLocked
from pipeline.problems import OutputConflict, ProjectLocked, RecordUnreadable
from pipeline.record import RECORD_FILE, Record, read_record

STAGING = ".tool-staging"
RECORD_LIMIT = 256 * 1024**2
"""Bytes of a record, at most."""
POLL_SECONDS = 0.05
"""How often a lock is asked for while it is waited for."""
_TAKEN = frozenset({errno.EAGAIN, errno.EACCES})


class Project(Struct):
    """A project under construction. Without a folder it is not there, and nothing is written: a dry run."""

    path: PurePath
    folder: Folder | None
    record: Record


def project_path(start: PurePath, output: str) -> PurePath:
    """The absolute path of the project, which need not be there yet. Raises `Stop`."""
    project = Path(os.path.normpath(start / output))
    with filesystem(project):
        there = next(each for each in (project, *project.parents) if each.exists())
        if os.path.lexists(project) and there != project:
            raise Stop(OutputConflict(output, found="link"))  # it leads nowhere
        if not there.is_dir():
            raise Stop(OutputConflict(output if there == project else str(there), found="file"))
    return project


@contextmanager
def look_at_project(path: PurePath, console: Console) -> Iterator[Project]:
    """Open a project for reading only, as it would be once a run that was killed in it is settled."""
    with filesystem(path), ExitStack() as stack:
        folder = stack.enter_context(Folder.at(str(path))) if Path(path).is_dir() else None
        yield Project(path, folder, _record_for_reading(folder, console) if folder else Record())


@contextmanager
def open_project(path: PurePath, wait: float, console: Console) -> Iterator[Project]:
    """Open a project, made if it is missing, lock it, and settle what a killed run has left. Raises `Stop`.

    A project folder that was made for a run that fails before it puts anything into it is removed again.
    """
    with filesystem(path):
        made = _make(Path(path))
        try:
            with _locked(path, time.monotonic() + wait, console) as folder:
                yield Project(path, folder, _settled(folder, console))
        except BaseException:
            for each in reversed(made):
                with suppress(OSError):  # it is not empty: a hook script has put something there
                    each.rmdir()
            raise


@contextmanager
def staging_in(project: Folder, console: Console) -> Iterator[Folder]:
    """Make the folder for what is not yet in its place, and remove it whatever happens. Raises `OSError`.

    It stays if what it holds could not be put back: the next run will.
    """
    os.mkdir(STAGING, 0o700, dir_fd=project.fd)
    try:
        with project.inner(STAGING) as folder:
            yield folder
    finally:
        with held_signals():
            _clear(project, console)


def _clear(project: Folder, console: Console) -> None:
    try:
        if project.look(f"{STAGING}/{JOURNAL_FILE}"):
            console.warn((LeftOver(STAGING, "the next run settles what is in it"),))
        else:
            project.remove(STAGING)
    except OSError as error:
        console.warn((LeftOver(STAGING, why(error)),))


def _make(path: Path) -> list[Path]:
    """Make a folder and those above it, 0755 less the umask each; give the ones that were not there."""
    missing = [each for each in (path, *path.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(0o755, exist_ok=True)
    return missing[::-1]


@contextmanager
def _locked(path: PurePath, deadline: float, console: Console) -> Iterator[Folder]:
    """Open a folder and lock it; the lock ends with the process, and leaves no file."""
    while True:
        with Folder.at(str(path)) as folder:
            locked = _lock(folder, console)
            there = Path(path).stat() if locked else None
            if there and os.path.samestat(there, os.fstat(folder.fd)):  # else it was removed and made again meanwhile
                yield folder
                return
        if not locked and time.monotonic() >= deadline:
            raise Stop(ProjectLocked(str(path)))
        time.sleep(POLL_SECONDS)


def _lock(folder: Folder, console: Console) -> bool:
    import fcntl  # which only POSIX systems have

    try:
        fcntl.flock(folder.fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _TAKEN:
            return False
        console.warn((NotLocked(folder.path, why(error)),))
    return True


def _settled(project: Folder, console: Console) -> Record:
    """The record, after what a killed run has left is settled."""
    record = _record(project)
    if project.look(STAGING) is None:
        return record
    with project.inner(STAGING) as staging:
        journal = journal_in(staging)
        if journal:
            record = settle(project, staging, journal, record)
    project.remove(STAGING)
    console.warn((InterruptedRun(),))
    return record


def _record_for_reading(project: Folder, console: Console) -> Record:
    record = _record(project)
    if project.look(STAGING) is None:
        return record
    console.warn((InterruptedRun(dry=True),))
    with project.inner(STAGING) as staging:
        journal = journal_in(staging)
    return settled(record, journal, done_in(project, journal)) if journal else record


def _record(project: Folder) -> Record:
    data = project.read(RECORD_FILE, RECORD_LIMIT)
    record = Record() if data is None else read_record(data)
    if record is None:
        raise Stop(RecordUnreadable(RECORD_FILE))
    return record
