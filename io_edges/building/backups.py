"""Backups: files that go to `.tool/backup/<time>/`. They are staged, so that putting them there needs little."""

from functools import partial
from itertools import chain, count
from typing import Final

from io_edges.building.exchange import inside
from io_edges.system.dir_chain import above, prune_at
from io_edges.system.folder import Folder
from io_edges.system.link_or_copy import link_or_copy
from io_edges.system.stop import Stop
from io_edges.system.trees import discard, remove_empty, state_of, walk
from pipeline.archives.entry_names import folders_above
from pipeline.building.journal import Change
from pipeline.building.layout import BACKUPS, LOCAL
from pipeline.report.diagnostics.building import BackedUp
from pipeline.report.diagnostics.conflicts import OutputConflict

_COPY: Final = f".{0:016x}.tool-new"
"""What a file is called until it is whole in the backup; the next run removes what a killed one left so."""


def new_backup(project: Folder, stamp: str) -> str:
    """The path of a folder for files that are moved away, named after the time, that does not exist yet.

    Raises `Stop` if something else is where such folders are, and `OSError`.
    """
    if obstacle := project.obstacle(BACKUPS):
        raise Stop(OutputConflict(obstacle[0], reason=obstacle[1]))
    names = chain((f"{BACKUPS}/{stamp}",), (f"{BACKUPS}/{stamp}-{number}" for number in count(2)))
    return next(name for name in names if project.status(name) is None)


def place_backup(change: Change, backup: str, project: Folder, staging: Folder) -> None:
    """Put the staged files of a component in the backup, too, unless that was done. Raises `Stop`, `OSError`."""
    if change.users and staging.look(change.backup):
        _put_all((staging, change.backup), change.users, project, f"{backup}/{change.path}")


def take_back_backup(change: Change, backup: str, project: Folder) -> None:
    """Undo `place_backup`. Raises `OSError`."""
    path = f"{backup}/{change.path}"
    if not change.users or project.obstacle(path):
        return
    if project.status(path):
        with project.inner(path) as place:
            copies = (f"{name.rpartition('/')[0]}/{_COPY}".lstrip("/") for name in change.users)
            for name in filter(partial(state_of, place), (*change.users, *copies)):
                with above(place, name) as (folder, last):
                    folder.discard(last)
        remove_empty(project, path)
    for each in reversed([backup, *(f"{backup}/{parent}" for parent in folders_above(change.path))]):
        prune_at(project, each)


def salvage(change: Change, names: tuple[str, ...], backup: str, project: Folder, staging: Folder) -> BackedUp | None:
    """Put files of the folder in the staging folder into a backup of their own. Raises `OSError`.

    Done once more, it gives the same backup; another version of a file goes to a further one.
    """
    if not names:
        return None
    backups = chain((f"{backup}-late",), (f"{backup}-late-{number}" for number in count(2)))
    places = (f"{each}/{change.path}" for each in backups)
    with staging.inner(change.slot) as source:
        place = next(place for place in places if _is_free(source, names, project, place))
    _put_all((staging, change.slot), names, project, place)
    return BackedUp(change.path, names, place)


def _is_free(source: Folder, names: tuple[str, ...], project: Folder, place: str) -> bool:
    """Whether a backup has none of some files, or the same."""
    there = [(name, state_of(project, f"{place}/{name}")) for name in names]
    return all(state is None or state == state_of(source, name) for name, state in there)


def _put_all(source: tuple[Folder, str], names: tuple[str, ...], project: Folder, place: str) -> None:
    """Put files in a backup, which may be on another disk; those that are there stay."""
    with source[0].inner(source[1]) as old, inside(project, place, make=True) as new:
        for path in names:
            with above(new, path, make=True) as (target, name):
                if target.look(name) is None:
                    discard(target, _COPY)
                    with above(old, path) as (folder, _):
                        link_or_copy(folder, name, target, _COPY, across=True)
                    target.move(_COPY, target, name)
    _share(project, place)


def _share(project: Folder, place: str) -> None:
    """Give the folders of a backup the rights of the local folder, so that whoever builds can add to them."""
    _, *parents = folders_above(place)
    with project.inner(LOCAL) as local:
        for path in parents:
            with project.inner(path) as folder:
                local.give_rights(folder.fd)
        for _, folder in walk(project, place):
            local.give_rights(folder.fd)
