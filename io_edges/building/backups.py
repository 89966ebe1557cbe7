"""Backups: files that go to `.tool-backup/<time>/`. They are staged as a folder, which is put there in one rename."""

import errno
from itertools import chain, count

from io_edges.building.whereabouts import inside
from io_edges.system.carry import carry_at
from io_edges.system.folder import Folder
from io_edges.system.stop import Stop
from io_edges.system.trees import remove_empty
from pipeline.building.journal import Swap
from pipeline.building.layout import BACKUPS
from pipeline.report.build_problems import OutputConflict
from pipeline.report.run_notes import BackedUp


def new_backup(project: Folder, stamp: str) -> str:
    """The path of a folder for files that are moved away, named after the time, that does not exist yet.

    Raises `Stop` if something else is where such folders are, and `OSError`.
    """
    if obstacle := project.obstacle(BACKUPS):
        raise Stop(OutputConflict(obstacle[0], reason=obstacle[1]))
    names = chain((f"{BACKUPS}/{stamp}",), (f"{BACKUPS}/{stamp}-{number}" for number in count(2)))
    return next(name for name in names if project.status(name) is None)


def place_backup(swap: Swap, backup: str, project: Folder, staging: Folder) -> None:
    """Put the staged files of a component in the backup, and look whether they are there. Raises `Stop`, `OSError`."""
    if not swap.users or (staging.look(swap.backup) is None and project.status(f"{backup}/{swap.path}")):
        return
    shelf, _, name = swap.path.partition("/")
    with inside(project, f"{backup}/{shelf}", make=True) as folder:
        staging.move(swap.backup, folder, name)
        with folder.inner(name) as place:
            for user in swap.users:
                if place.status(user) is None:
                    raise OSError(errno.ENOENT, "it is not in the backup", f"{place.path}/{user}")


def take_back_backup(swap: Swap, backup: str, project: Folder, staging: Folder) -> None:
    """Undo `place_backup`. Raises `OSError`."""
    path = f"{backup}/{swap.path}"
    if swap.users and staging.look(swap.backup) is None and project.obstacle(path) is None and project.status(path):
        with project.inner(path.rpartition("/")[0]) as folder:
            folder.move(swap.path.rpartition("/")[2], staging, swap.backup)


def remove_empty_backup(backup: str, project: Folder) -> None:
    """Remove the folders of a backup that has no files. Raises `OSError`."""
    if project.obstacle(backup) is None and project.status(backup):
        remove_empty(project, backup)


def salvage(swap: Swap, names: tuple[str, ...], backup: str, project: Folder, staging: Folder) -> BackedUp | None:
    """Put files of the folder in the staging folder into a backup of their own. Raises `OSError`."""
    if not names:
        return None
    place = f"{backup}-late/{swap.path}"
    with staging.inner(swap.slot) as source, inside(project, place, make=True) as target:
        for name in names:
            carry_at(source, name, target)
    return BackedUp(swap.path, names, place)
