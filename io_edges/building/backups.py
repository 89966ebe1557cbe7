"""Backups: what goes to `.tool/backup/<time>/`: a staged folder that is renamed when all components are in place."""

import errno
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, count
from typing import Final

from io_edges.building.in_place import inside
from io_edges.system.dir_chain import above
from io_edges.system.folder import Folder
from io_edges.system.link_or_copy import link_or_copy_at
from io_edges.system.stop import Stop
from io_edges.system.trees import remove, survey
from pipeline.building.stores.journal import Journal
from pipeline.building.stores.layout import BACKUPS, LOCAL, STAGED_BACKUP
from pipeline.building.stores.record import is_unread
from pipeline.report.diagnostics.conflicts import OutputConflict

_UNFINISHED: Final = f".{0:016x}.tool-new"
"""What a backup that is not renamed is called until it is whole; the next one replaces what a killed run left of it."""


def new_backup(project: Folder, stamp: str) -> str:
    """The path of a folder for files that are moved away, named after the time, that does not exist yet.

    Raises `Stop` if something else is where such folders are, and `OSError`.
    """
    if obstacle := project.obstacle(BACKUPS):
        raise Stop(OutputConflict(obstacle[0], reason=obstacle[1]))
    names = chain((f"{BACKUPS}/{stamp}",), (f"{BACKUPS}/{stamp}-{number}" for number in count(2)))
    return next(name for name in names if project.status(name) is None)


def place_backup(backup: str, project: Folder, staging: Folder) -> None:
    """Rename the staged backup, or copy it to another disk, unless that was done. Raises `Stop`, `OSError`."""
    if staging.lstat(STAGED_BACKUP):
        with _backups_in(project) as backups:
            try:
                staging.move(STAGED_BACKUP, backups, _name(backup))
            except OSError as error:
                if error.errno != errno.EXDEV:
                    raise
                with staging.child(STAGED_BACKUP) as source:
                    _put_all(source, survey(staging, STAGED_BACKUP).files, backups, _name(backup))
                remove(staging, STAGED_BACKUP)


def take_back_backup(backup: str, project: Folder, staging: Folder) -> None:
    """Undo `place_backup`. Raises `OSError`."""
    if project.obstacle(BACKUPS) or project.status(BACKUPS) is None:
        return
    with project.inner(BACKUPS) as backups:
        remove(backups, _UNFINISHED)
        if backups.lstat(_name(backup)) and staging.lstat(STAGED_BACKUP) is None:
            try:
                backups.move(_name(backup), staging, STAGED_BACKUP)
            except OSError as error:
                if error.errno != errno.EXDEV:
                    raise
                remove(backups, _name(backup))


def move_unread(journal: Journal, project: Folder, staging: Folder) -> None:
    """Move the files to the backup that were moved aside, as no link could be made of them. Raises `OSError`."""
    for change in journal.moves:
        for name in (name for name in change.users if is_unread(change.before.get(name))):
            with (
                above(staging, f"{change.undo}/{name}") as (kept, last),
                above(project, f"{journal.backup}/{change.path}/{name}", make=True) as (backup, _),
            ):
                if kept.lstat(last) and backup.lstat(last) is None:
                    kept.move(last, backup, last)


@contextmanager
def _backups_in(project: Folder) -> Iterator[Folder]:
    """Open the folder of backups, made if it is missing. Raises `Stop` and `OSError`."""
    with inside(project, BACKUPS, make=True) as backups, project.inner(LOCAL) as local:
        local.give_rights(backups.fd)
        yield backups


def _put_all(source: Folder, names: Iterable[str], backups: Folder, name: str) -> None:
    """Link or copy files to a new backup, unless there is one of that name."""
    remove(backups, _UNFINISHED)
    with backups.child(_UNFINISHED, make=True) as folder:
        for each in names:
            link_or_copy_at(source, each, folder)
    if backups.lstat(name) is None:
        backups.move(_UNFINISHED, backups, name)


def _name(backup: str) -> str:
    return backup.rpartition("/")[2]
