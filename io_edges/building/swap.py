"""Swap: put staged components in place, all or none; and settle what a killed run left half done.

The disk shows what has been done: a component is where the folder with its inode is. A run that fails can therefore
go back, and the next run can find out, from the journal alone, how far a killed one got.
"""

import errno
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

from io_edges.system.folder import Folder
from io_edges.system.signals import held_signals
from io_edges.system.stop import Stop
from io_edges.system.syscalls import sync
from io_edges.system.trees import remove_empty, survey
from pipeline.building.journal import Journal, Swap, read_journal, settled
from pipeline.building.layout import BACKUPS, JOURNAL_FILE, RECORD_FILE, STAGING
from pipeline.building.record import Files, FileState, Record, changed_since, users_files, write_record
from pipeline.building.sealed import seal
from pipeline.report.build_problems import OutputConflict, RecordUnreadable

JOURNAL_LIMIT = 256 * 1024**2
"""The maximum size of a journal, in bytes."""
_TAKEN = frozenset({errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR})
_ELSEWHERE = "it lies on another disk than the project, or in a layer below it, and cannot be renamed"
_BLOCKED = frozenset({errno.ELOOP, errno.ENOTDIR})


def commit(project: Folder, staging: Folder, journal: Journal, record: Record) -> None:
    """Put every component in place and write the record, or leave everything as it was. Raises `Stop` and `OSError`."""
    with held_signals():
        staging.replace(JOURNAL_FILE, seal(journal))
        try:
            for swap in journal.swaps:
                _apply(swap, project, staging)
                _verify(swap, staging)
            for swap in journal.swaps:
                _preserve(swap, journal.backup, project, staging, swap.users)
            sync(project.fd)
            save_record(project, settled(record, journal, {swap.path for swap in journal.swaps}))
        except BaseException:
            _roll_back(project, staging, journal)
            raise
        with suppress(OSError):  # the next run does this, and finds nothing to settle
            staging.discard(JOURNAL_FILE)


def save_record(project: Folder, record: Record) -> None:
    """Write the record, with the mode of the previous one. Raises `OSError`."""
    project.replace(RECORD_FILE, write_record(record), like=project.look(RECORD_FILE))


def read_own(folder: Folder, name: str, limit: int, path: str) -> bytes | None:
    """The bytes of one of the tool's own files, if it exists. Raises `OSError`, and `Stop` if it is not a file."""
    status = folder.look(name)
    if status and not stat.S_ISREG(status.st_mode):
        raise Stop(OutputConflict(path, reason="link" if stat.S_ISLNK(status.st_mode) else "other"))
    return folder.read(name, limit)


def journal_in(staging: Folder) -> Journal | None:
    """The journal of a run that was killed while it put components in place, if there is one.

    Raises `OSError`, and `Stop` if it is damaged, because what is beside it may be the user's.
    """
    data = read_own(staging, JOURNAL_FILE, JOURNAL_LIMIT, f"{STAGING}/{JOURNAL_FILE}")
    journal = read_journal(data) if data is not None else None
    if data is not None and journal is None:
        raise Stop(RecordUnreadable(f"{STAGING}/{JOURNAL_FILE}"))
    return journal


def done_in(project: Folder, staging: Folder, journal: Journal) -> set[str]:
    """The paths of the swaps that are done. Raises `OSError`, and `Stop` if that cannot be determined."""
    return {swap.path for swap in journal.swaps if _was_done(swap, project, staging)}


def settle(project: Folder, staging: Folder, journal: Journal, record: Record) -> Record:
    """Settle what a killed run left, with the user's files moved to the backup, and return the record.

    Raises `Stop` and `OSError`.
    """
    with held_signals():
        for swap in journal.swaps:
            _finish_exchange(swap, project, staging)
        done = done_in(project, staging, journal)
        for swap in journal.swaps:
            if swap.path in done:
                edited = changed_since(swap.seen, _old_files(swap, staging))
                _preserve(swap, journal.backup, project, staging, {*swap.users, *edited})
        for made in reversed(journal.made):
            project.prune(made)
        sync(project.fd)
        after = settled(record, journal, done)
        save_record(project, after)
        staging.discard(JOURNAL_FILE)
    return after


def _was_done(swap: Swap, project: Folder, staging: Folder) -> bool:
    """Whether a swap of an earlier run is done: by the inode or, if the project was copied, by the files.

    Raises `OSError`, and `Stop` if that cannot be determined.
    """
    if swap.inode is None or _is_done(swap, project):
        return _is_done(swap, project)
    waiting = staging.look(swap.slot)
    if waiting is not None and waiting.st_ino == swap.inode:
        return False
    written = swap.component.files if swap.component else {}
    places = ((project, swap.path), (staging, swap.slot))
    found = [folder.look(path) is not None and _is_whole(written, folder, path) for folder, path in places]
    if found[0] == found[1]:
        raise Stop(RecordUnreadable(f"{STAGING}/{JOURNAL_FILE}"))
    return found[0]


def _is_whole(written: Files, folder: Folder, path: str) -> bool:
    read = survey(folder, path, read=True)
    return read.keys() == written.keys() and not users_files(written, read)


@contextmanager
def _place(swap: Swap, project: Folder, *, make: bool = False) -> Iterator[tuple[Folder, str]]:
    """The opened folder that a component goes into, and the component's name there."""
    shelf, _, name = swap.path.partition("/")
    with _inside(project, shelf, make=make) as folder:
        yield folder, name


def _inside(project: Folder, path: str, *, make: bool = False) -> Folder:
    """Open a folder of the project. Raises `Stop` for an obstacle, which appeared after the plan was made."""
    try:
        return project.inner(path, make=make)
    except OSError as error:
        obstacle = project.obstacle(path) if error.errno in _BLOCKED else None
        if obstacle is None:
            raise
        raise Stop(OutputConflict(obstacle[0], reason=obstacle[1])) from error


def _is_done(swap: Swap, project: Folder) -> bool:
    if project.obstacle(swap.path) is not None:
        return False
    status = project.look(swap.path)
    return status is None if swap.inode is None else status is not None and status.st_ino == swap.inode


def _apply(swap: Swap, project: Folder, staging: Folder) -> None:
    try:
        _put(swap, project, staging)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        raise OSError(error.errno, _ELSEWHERE, f"{project.path}/{swap.path}") from error


def _put(swap: Swap, project: Folder, staging: Folder) -> None:
    with _place(swap, project, make=True) as (folder, name):
        if swap.inode is None:
            folder.move(name, staging, swap.slot)
        elif swap.replaces:
            _exchange(swap, staging, folder, name)
        else:
            try:
                staging.move(swap.slot, folder, name)
            except OSError as error:
                if error.errno not in _TAKEN:
                    raise
                raise Stop(OutputConflict(swap.path, reason="changed")) from error


def _exchange(swap: Swap, staging: Folder, folder: Folder, name: str) -> None:
    """Exchange the new folder and the old one: in one step if the system can, else in three."""
    if not staging.exchange(swap.slot, folder, name):
        folder.move(name, staging, swap.aside)
        staging.move(swap.slot, folder, name)
        staging.move(swap.aside, staging, swap.slot)


def _finish_exchange(swap: Swap, project: Folder, staging: Folder) -> None:
    """Undo or complete an exchange in three steps that was interrupted."""
    if staging.look(swap.aside):
        with _place(swap, project) as (folder, name):
            back = folder.look(name) is None
            staging.move(swap.aside, folder if back else staging, name if back else swap.slot)


def _verify(swap: Swap, staging: Folder) -> None:
    """Refuse to replace or remove files that were changed since the plan was made. Raises `Stop`."""
    edited = changed_since(swap.seen, _old_files(swap, staging))
    if edited:
        raise Stop(OutputConflict(swap.path, tuple(f"{swap.path}/{name}" for name in edited), reason="changed"))


def _old_files(swap: Swap, staging: Folder) -> dict[str, FileState]:
    """The files of the old folder, once it is in the staging folder."""
    has_old = swap.inode is None or swap.replaces
    return survey(staging, swap.slot) if has_old and staging.look(swap.slot) else {}


def _preserve(swap: Swap, backup: str, project: Folder, staging: Folder, names: Iterable[str]) -> None:
    """Move the user's files that are still in the old folder to the backup."""
    for name in sorted(names):
        folder, _, last = name.rpartition("/")
        with suppress(FileNotFoundError), staging.inner(_below(swap.slot, folder)) as old:
            if old.look(last):
                with _inside(project, _below(f"{backup}/{swap.path}", folder), make=True) as kept:
                    old.move(last, kept, last)


def _roll_back(project: Folder, staging: Folder, journal: Journal) -> None:
    """Put everything back as it was. If that raises `OSError`, the journal stays for the next run."""
    for swap in reversed(journal.swaps):
        _finish_exchange(swap, project, staging)
        if project.obstacle(f"{journal.backup}/{swap.path}") is None:
            _give_back(swap, journal.backup, project, staging)
        if _is_done(swap, project) and (swap.inode is not None or staging.look(swap.slot)):
            _revert(swap, project, staging)
    if project.obstacle(journal.backup) is None and project.look(journal.backup):
        remove_empty(project, journal.backup)
    for made in reversed(journal.made):
        project.prune(made)
    staging.discard(JOURNAL_FILE)


def _revert(swap: Swap, project: Folder, staging: Folder) -> None:
    with _place(swap, project) as (folder, name):
        if swap.inode is None:
            staging.move(swap.slot, folder, name)
        elif swap.replaces:
            _exchange(swap, staging, folder, name)
        else:
            folder.move(name, staging, swap.slot)


def _give_back(swap: Swap, backup: str, project: Folder, staging: Folder) -> None:
    for name in swap.users:
        folder, _, last = name.rpartition("/")
        with suppress(FileNotFoundError), project.inner(_below(f"{backup}/{swap.path}", folder)) as kept:
            if kept.look(last):
                with staging.inner(_below(swap.slot, folder)) as old:
                    kept.move(last, old, last)


def _below(top: str, folder: str) -> str:
    return f"{top}/{folder}" if folder else top


def new_backup(project: Folder, stamp: str) -> str:
    """The path of a folder for the user's files, named after the time, that does not exist yet."""
    names = (f"{BACKUPS}/{stamp}", *(f"{BACKUPS}/{stamp}-{number}" for number in range(2, 100_000)))
    return next(name for name in names if project.look(name) is None)
