"""Aside: what a run leaves for later when all is in place: what it put aside, archives, and a line in the log.

All of it is done before the journal is removed, and can be done again: the next run after a kill does so. What a run
puts aside lies in the staging folder, until it takes the place of what the run before it put aside.
"""

import re
from collections.abc import Callable, Collection
from contextlib import suppress
from hashlib import sha256
from itertools import chain
from operator import attrgetter

from msgspec.structs import replace
from toolz import unique

from io_edges.building.memories import OWN_LIMIT, read_own, save_state
from io_edges.system.folder import Folder
from io_edges.system.link_or_copy import link_or_copy
from io_edges.system.stop import cause_of
from io_edges.system.trees import remove
from io_edges.system.whole_file import FRESH, fresh_name, write_whole
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
from pipeline.building.run_log import LoggedRun, logged, read_log, recorded_alone, write_log
from pipeline.building.sealed import seal
from pipeline.building.state import State, read_state, restored
from pipeline.building.undo import Previous, read_previous
from pipeline.report.diagnostics.disk import UnwritableFile

_PREVIOUS, _ARCHIVES = PREVIOUS.rpartition("/")[2], ARCHIVES.rpartition("/")[2]
"""Their names in the local folder."""


def close(
    journal: Journal, done: Collection[str], record: Record, project: Folder, staging: Folder
) -> tuple[UnwritableFile, ...]:
    """Leave for later what a run did whose swaps in `done` are in place, if it has any, and whose record is written.

    An earlier version of the tool left nothing. What the system refuses twice is left out, and returned. Raises
    `OSError` if it refuses the state, which the next run needs.
    """
    run = journal.run
    if run is None:
        return ()
    swaps = tuple(swap for swap in journal.swaps if swap.path in done)
    built = chain(record.components.values(), (run.before or Record()).components.values())
    needed = {f"{each.digest}.zip" for each in built}
    with project.inner(LOCAL) as local:
        if run.restores:
            _restore_state(run, local)
        left_out = (
            _attempted(f"{LOCAL}/{LOG_FILE}", lambda: _log(logged(journal, run, swaps, record), local)),
            _attempted(ARCHIVES, lambda: _file_archives(local, staging)),
            _attempted(ARCHIVES, lambda: _forget_archives(local, needed, done)),
            _attempted(PREVIOUS, lambda: _file_previous(journal, swaps, record, local, staging)),
        )
        _sweep(local)
    return tuple(unique((note for note in left_out if note), key=attrgetter("file")))


def _attempted(path: str, leave: Callable[[], None]) -> UnwritableFile | None:
    """Leave something for later, on the second attempt if the first is refused; return what is said if that is, too."""
    with suppress(OSError):
        leave()
        return None
    try:
        leave()
    except OSError as error:
        return UnwritableFile(path, cause_of(error), is_cache=False)
    return None


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
        write_whole(local, LOG_FILE, write_log(runs, run), like="folder")


def _restore_state(run: Run, local: Folder) -> None:
    """Have the state say what it said before the run that this one undoes, even if this one is killed now."""
    save_state(local, restored(_state_in(local), run.restores))


def _file_archives(local: Folder, staging: Folder) -> None:
    """Put the archives that a run keeps where they are kept, which may be another disk."""
    if staging.look(STAGED_ARCHIVES) is None:
        return
    with staging.inner(STAGED_ARCHIVES) as staged, local.child(_ARCHIVES, make=True) as kept:
        local.give_rights(kept.fd)
        for name, is_folder in staged.entries():
            if not is_folder and _is_archive(name) and kept.look(name) is None:
                link_or_copy(staged, name, kept, fresh := fresh_name(), across=True)
                kept.move(fresh, kept, name)


def _file_previous(journal: Journal, swaps: tuple[Swap, ...], record: Record, local: Folder, staging: Folder) -> None:
    """Put what a run has put aside in the place of what the one before it has. What is done already is passed over.

    The latter may have folders of another user, which only that one can remove.
    """
    is_kept = journal.run is not None and journal.keeps
    if journal.run is None or (is_kept and staging.look(ASIDE) is None):
        return
    if is_kept:
        with staging.inner(ASIDE) as aside:
            run = replace(journal.run, base=None, restores={})
            alone, digest = recorded_alone(run, swaps, record), digest_of(record, journal.run)
            previous = Previous(run=run, swaps=swaps, places=journal.places, record=digest, recorded_alone=alone)
            write_whole(aside, RUN_FILE, seal(previous), like="folder")
    if local.look(_PREVIOUS):
        local.move(_PREVIOUS, local, fresh_name())
    if is_kept:
        staging.move(ASIDE, local, _PREVIOUS)


def _sweep(local: Folder) -> None:
    """Remove what runs put aside before the last one, if this user can; twice, as a refusal may be temporary."""
    for _ in range(2):
        with suppress(OSError):
            for name, is_folder in local.entries():
                if is_folder and re.fullmatch(FRESH, name):
                    with suppress(OSError):
                        remove(local, name)


def _forget_archives(local: Folder, needed: Collection[str], done: Collection[str]) -> None:
    """Remove the archives that are not needed, nor known to the state as those of components that were not changed.

    With them goes what a killed run left half copied.
    """
    with suppress(FileNotFoundError), local.child(_ARCHIVES) as kept:
        files = [name for name, is_folder in kept.entries() if not is_folder]
        names = [name for name in files if _is_archive(name) or re.fullmatch(FRESH, name)]
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
