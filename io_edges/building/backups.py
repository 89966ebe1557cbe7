"""Backups: what goes to `.tool/backup/<time>/`: a staged folder that is renamed when all components are in place."""

import errno
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, count
from typing import Final

from io_edges.building.exchange import inside
from io_edges.system.folder import Folder
from io_edges.system.link_or_copy import link_or_copy_at
from io_edges.system.stop import Stop
from io_edges.system.trees import remove, state_of, survey, walk
from pipeline.building.journal import Change
from pipeline.building.layout import BACKUPS, LOCAL, STAGED_BACKUP
from pipeline.building.record import FileState
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.building import backed_up
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
        _share(staging, STAGED_BACKUP)
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


def salvage(
    change: Change, names: tuple[str, ...], backup: str, project: Folder, staging: Folder
) -> WarningDiagnostic | None:
    """Put files that are in the staging folder, in the place of others, into a backup of their own. Raises `OSError`.

    Done once more, it gives the same backup; another version of a file goes to a further one.
    """
    if not names:
        return None
    places = chain((f"{backup}-late",), (f"{backup}-late-{number}" for number in count(2)))
    with staging.inner(change.replaced) as source, _backups_in(project) as backups:
        files = [state_of(source, name) for name in names]
        place, is_there = next(
            (place, there is not None)
            for place in places
            if (there := _states(backups, f"{_name(place)}/{change.path}", names)) in (None, files)
        )
        if not is_there:
            _put_all(source, names, backups, f"{_name(place)}/{change.path}")
    return backed_up(change.path, names, f"{place}/{change.path}")


def _states(backups: Folder, path: str, names: Iterable[str]) -> list[FileState | None] | None:
    """What files of a component hold in a backup; `None` if there is no such backup."""
    is_there = backups.lstat(path.partition("/")[0])
    return [state_of(backups, f"{path}/{name}") for name in names] if is_there else None


@contextmanager
def _backups_in(project: Folder) -> Iterator[Folder]:
    """Open the folder of backups, made if it is missing. Raises `Stop` and `OSError`."""
    with inside(project, BACKUPS, make=True) as backups, project.inner(LOCAL) as local:
        local.give_rights(backups.fd)
        yield backups


def _put_all(source: Folder, names: Iterable[str], backups: Folder, place: str) -> None:
    """Link or copy files to a place in a new backup, unless there is one."""
    name, _, below = place.partition("/")
    remove(backups, _UNFINISHED)
    with backups.inner(f"{_UNFINISHED}/{below}".rstrip("/"), make=True) as folder:
        for each in names:
            link_or_copy_at(source, each, folder)
    _share(backups, _UNFINISHED)
    if backups.lstat(name) is None:
        backups.move(_UNFINISHED, backups, name)


def _share(parent: Folder, name: str) -> None:
    """Give the folders of a backup the rights of the folder that it is in, so that whoever builds can read them."""
    for _, folder in walk(parent, name):
        parent.give_rights(folder.fd)


def _name(backup: str) -> str:
    return backup.rpartition("/")[2]
