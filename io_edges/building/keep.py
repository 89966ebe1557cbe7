"""Keep: once everything is in place, keep what later runs need: a line in the log, archives,
replaced files, backups.

Every step can be repeated, as the next run after a kill does. The last step renames the staging
folder, with the journal and the replaced files, in place of that of the previous run.
"""

import errno
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from operator import attrgetter
from typing import Final

from toolz import unique

from io_edges.building.archives import describe_archives, forget_archives, logged_in
from io_edges.building.in_place import Workspace
from io_edges.building.local import Staging, check_way, inside
from io_edges.building.store import Store, read_own
from io_edges.report.progress import Bar
from io_edges.system.folder import FRESH, Folder, fresh_name
from io_edges.system.metadata import link_or_copy_at
from io_edges.system.stop import cause_of, refused_twice
from io_edges.system.trees import above, remove, survey
from io_edges.system.whole_file import write_whole
from pipeline.building.showing.run_log import LoggedRun, log_entry, with_run, write_log
from pipeline.building.stores.journal import Journal, needed_archives, read_journal
from pipeline.building.stores.layout import (
    ARCHIVES,
    BACKUPS,
    LOCAL,
    LOG_FILE,
    PLAN_FILE,
    PREVIOUS,
    RUN_FILE,
    STAGED_BACKUP,
    STAGING,
)
from pipeline.building.stores.record import is_denied
from pipeline.building.stores.undoable import Undoable
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.disk import archives_forgotten, unwritable_file

_PREVIOUS: Final = PREVIOUS.removeprefix(f"{LOCAL}/")
"""The name of the folder of the previous run in the local folder."""
_STAGING: Final = STAGING.removeprefix(f"{LOCAL}/")
"""The name of the staging folder in the local folder."""


def keep(
    journal: Journal, store: Store, workspace: Workspace, staging: Staging, home: Folder
) -> tuple[WarningDiagnostic, ...]:
    """Keep what later runs need, given record and state after the run; warn of what the system
    refuses twice.

    `home` is the folder that `patches/` is in. Raises `OSError` if the staging folder
    cannot be renamed.
    """
    project = workspace.project
    bar = workspace.bar
    needed = _needed(journal, store)
    forgotten = list[str]()
    with project.inner(LOCAL) as local:
        if not staging.is_in(local):  # a killed run has renamed it already
            return ()
        move_unread(journal, project, staging.folder)
        forget = partial(forget_archives, local, home, needed, journal.run.limit, forgotten)
        log_failed = _attempted(f"{LOCAL}/{LOG_FILE}", lambda: _log(log_entry(journal), local))
        describing_failed = _attempted(
            ARCHIVES, partial(describe_archives, journal, store.record, local)
        )
        forgetting_failed = _attempted(ARCHIVES, forget)
        room_failed = _attempted(
            PREVIOUS, lambda: _make_room(local, staging.folder, journal.rest, bar)
        )
        failures = filter(None, (log_failed, describing_failed, forgetting_failed, room_failed))
        warnings = tuple(unique(failures, key=attrgetter("location")))
        if forgotten:
            warnings += (archives_forgotten(tuple(unique(forgotten)), journal.run.limit or 0),)
        if journal.run.keeps and room_failed is None:
            undoable = journal.own.joined(journal.rest)
            staging.clear(
                but={RUN_FILE, *(change.replaced_slot for change in undoable.file_changes)}
            )
            # After this, the next run has nothing to settle.
            local.move(_STAGING, local, _PREVIOUS)
        else:
            staging.clear(but={RUN_FILE})
            local.move(_STAGING, local, fresh_name())
            _sweep(local, bar)
    return warnings


def _needed(journal: Journal, store: Store) -> set[str]:
    """The digests of the archives that a later run may need, given record and state
    after this run.
    """
    needed = needed_archives(journal, store.record)
    done = {change.path for change in journal.moves}
    for path, build in store.state.components.items():
        if path not in done:
            needed.update(build.component.kept)
    return needed


def _attempted(path: str, action: Callable[[], None]) -> WarningDiagnostic | None:
    """Do something, at most twice; return the warning about `path` if the system refuses
    it both times.
    """
    refused = refused_twice(action)
    if refused is None:
        return None
    return unwritable_file(path, cause_of(refused), is_cache=False)


def load_previous(project: Folder) -> Journal | None:
    """The journal of the last run that changed the project; `None` if it was not kept,
    or is damaged.
    """
    if project.status(PREVIOUS) is None:
        return None
    with project.inner(PREVIOUS) as folder:
        data = read_own(folder, f"{PREVIOUS}/{RUN_FILE}")
    if not data:
        return None
    return read_journal(data)


def _log(run: LoggedRun, local: Folder) -> None:
    before = logged_in(local)
    runs = with_run(before, run)
    if runs != before:
        write_whole(local, LOG_FILE, write_log(runs), like="folder")


def _make_room(local: Folder, staging: Folder, rest: Undoable | None, bar: Bar) -> None:
    """Rename what the previous run kept, and remove it; take over the files that can
    still be undone.

    If it has folders of another user, who alone can remove them, a later run of that user does.
    """
    if rest and local.lstat(_PREVIOUS):
        with local.child(_PREVIOUS) as previous:
            for change in rest.file_changes:
                if (
                    previous.lstat(change.replaced_slot)
                    and staging.lstat(change.replaced_slot) is None
                ):
                    previous.move(change.replaced_slot, staging, change.replaced_slot)
    if local.lstat(_PREVIOUS):
        local.move(_PREVIOUS, local, fresh_name())
    _sweep(local, bar)


def _sweep(local: Folder, bar: Bar) -> None:
    """Remove the hooks' plan and renamed folders, as far as the system allows."""
    refused_twice(partial(local.discard, PLAN_FILE))
    refused_twice(partial(_discard_renamed, local, bar))


def _discard_renamed(local: Folder, bar: Bar) -> None:
    for name, status in local.statuses():
        if stat.S_ISREG(status.st_mode) or not re.fullmatch(FRESH, name):
            continue
        discard = partial(local.discard, name)
        if stat.S_ISDIR(status.st_mode):
            discard = partial(remove, local, name, bar.count)
        refused_twice(discard)


_UNFINISHED: Final = f".{0:016x}.tool-new"
"""The name of a backup while it is copied to another disk; if a run is killed then, the next one
replaces it.
"""


def new_backup(project: Folder, stamp: str) -> str:
    """The path of a new folder for backed-up files, named after the time.

    Raises `Stop` if a file or a link is in the way.
    """
    check_way(project, BACKUPS)
    path = f"{BACKUPS}/{stamp}"
    number = 1
    while project.status(path) is not None:
        number += 1
        path = f"{BACKUPS}/{stamp}-{number}"
    return path


def place_backup(backup: str, project: Folder, staging: Folder) -> None:
    """Move the staged backup to its place, by a rename or by copying to another disk, unless
    that was done.
    """
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
    """Undo `place_backup`."""
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
    """Move unreadable files to the backup, which were moved to the kept files because they could
    not be linked.
    """
    for change in journal.moves:
        for name in change.backed_up:
            if not is_denied(change.before.get(name)):
                continue
            with (
                above(staging, f"{change.replaced_slot}/{name}") as (kept, last),
                above(project, f"{journal.backup}/{change.path}/{name}", make=True) as (backup, _),
            ):
                if kept.lstat(last) and backup.lstat(last) is None:
                    kept.move(last, backup, last)


@contextmanager
def _backups_in(project: Folder) -> Iterator[Folder]:
    """Open the folder of backups; make it if it is missing."""
    with inside(project, BACKUPS, make=True) as backups, project.inner(LOCAL) as local:
        local.give_rights(backups.fd)
        yield backups


def _put_all(source: Folder, names: Iterable[str], backups: Folder, name: str) -> None:
    """Link or copy files to a new backup, unless a backup of that name exists."""
    remove(backups, _UNFINISHED)
    with backups.child(_UNFINISHED, make=True) as folder:
        for path in names:
            link_or_copy_at(source, path, folder)
    if backups.lstat(name) is None:
        backups.move(_UNFINISHED, backups, name)


def _name(backup: str) -> str:
    return backup.rpartition("/")[2]
