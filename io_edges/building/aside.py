"""Aside: what a run leaves for later when all is in place: what it put aside, archives, and a line in the log.

All of it is done before the journal is removed, and can be done again: the next run after a kill does so. What a run
puts aside lies in the staging folder, until it takes the place of what the run before it put aside.
"""

import time
from collections.abc import Collection, Iterable
from contextlib import suppress
from hashlib import sha256
from itertools import chain

from msgspec.structs import replace

from io_edges.building.memories import OWN_LIMIT, read_own
from io_edges.system.folder import Folder
from io_edges.system.trees import remove
from io_edges.system.whole_file import write_whole
from pipeline.building.journal import Journal, Run, Swap
from pipeline.building.layout import (
    ARCHIVES,
    ASIDE,
    LOCAL,
    LOG_FILE,
    PREVIOUS,
    RUN_FILE,
    STAGED_ARCHIVES,
    STATE_FILE,
    is_digest,
)
from pipeline.building.record import Record, write_record
from pipeline.building.run_log import LoggedRun, logged, read_log, write_log
from pipeline.building.sealed import seal
from pipeline.building.state import State, read_state, restored, write_state
from pipeline.building.undo import Previous, read_previous

_PREVIOUS, _ARCHIVES = PREVIOUS.rpartition("/")[2], ARCHIVES.rpartition("/")[2]
"""Their names in the local folder."""


def close(journal: Journal, done: Collection[str], record: Record, project: Folder, staging: Folder) -> None:
    """Leave for later what a run did whose swaps in `done` are in place, and whose record is written. Raises `OSError`.

    An earlier version of the tool left nothing.
    """
    if journal.run is None or not done:
        return
    swaps = tuple(swap for swap in journal.swaps if swap.path in done)
    with project.inner(LOCAL) as local:
        _log(logged(journal, journal.run, swaps), local)
        if journal.run.restores:
            _restore_state(journal.run, local)
        _file_archives(local, staging)
        if journal.run.keeps:
            _file_previous(journal, swaps, digest_of(record, journal.run), local, staging)
        elif local.look(_PREVIOUS):
            remove(local, _PREVIOUS)
        built = chain(record.components.values(), (journal.run.before or Record()).components.values())
        _forget_archives(local, {f"{each.digest}.zip" for each in built}, done)


def digest_of(record: Record, run: Run | None = None) -> str:
    """What identifies a record, however it is laid out; empty if there is none."""
    if run and run.unrecords and not record.components:
        return ""
    return sha256(write_record(record)).hexdigest()


def load_previous(project: Folder) -> Previous | None:
    """What the last run that changed the project did; `None` if it is not kept, or damaged. Raises `OSError`."""
    if project.status(PREVIOUS) is None:
        return None
    with project.inner(PREVIOUS) as folder:
        data = read_own(folder, f"{PREVIOUS}/{RUN_FILE}")
    return read_previous(data) if data else None


def load_log(project: Folder) -> tuple[LoggedRun, ...]:
    """The runs that changed the project, the newest last. Raises `OSError`."""
    if project.status(LOCAL) is None:
        return ()
    with project.inner(LOCAL) as local:
        return read_log(local.read(LOG_FILE, OWN_LIMIT) or b"")


def _log(run: LoggedRun, local: Folder) -> None:
    data = local.read(LOG_FILE, OWN_LIMIT) or b""
    runs = read_log(data)
    if run.id not in {each.id for each in runs}:
        write_whole(local, LOG_FILE, write_log(runs, run), like=local.look(LOG_FILE))


def _restore_state(run: Run, local: Folder) -> None:
    """Have the state say what it said before the run that this one undoes, even if this one is killed now."""
    write_whole(local, STATE_FILE, write_state(restored(_state_in(local), run.restores), time.time_ns()))


def _file_archives(local: Folder, staging: Folder) -> None:
    """Move the archives that a run keeps to where they are kept."""
    if staging.look(STAGED_ARCHIVES) is None:
        return
    with staging.inner(STAGED_ARCHIVES) as staged, local.child(_ARCHIVES, make=True) as kept:
        for name, is_folder in staged.entries():
            if not is_folder and _is_archive(name):
                staged.move(name, kept, name)


def _file_previous(journal: Journal, swaps: Iterable[Swap], record: str, local: Folder, staging: Folder) -> None:
    """Put what a run has put aside in the place of what the one before it has. What is done already is passed over."""
    if journal.run is None or staging.look(ASIDE) is None:
        return
    with staging.inner(ASIDE) as aside:
        run = replace(journal.run, base=None, restores={})
        previous = Previous(run=run, swaps=tuple(swaps), places=journal.places, record=record)
        write_whole(aside, RUN_FILE, seal(previous))
    if local.look(_PREVIOUS):
        remove(local, _PREVIOUS)
    staging.move(ASIDE, local, _PREVIOUS)


def _forget_archives(local: Folder, needed: Collection[str], done: Collection[str]) -> None:
    """Remove the archives that are not needed, nor known to the state as those of components that were not changed."""
    with suppress(FileNotFoundError), local.child(_ARCHIVES) as kept:
        names = [name for name, is_folder in kept.entries() if not is_folder and _is_archive(name)]
        if unneeded := {*names} - {*needed}:
            state = _state_in(local).components
            unneeded -= {f"{each.component.digest}.zip" for path, each in state.items() if path not in done}
        for name in sorted(unneeded):
            kept.discard(name)


def _state_in(local: Folder) -> State:
    return read_state(local.read(STATE_FILE, OWN_LIMIT) or b"") or State()


def _is_archive(name: str) -> bool:
    stem, _, suffix = name.partition(".")
    return suffix == "zip" and is_digest(stem)
