"""Store: read and write the record, the state and the last drop.

If the state cannot be read or written, the record takes its place.
"""

import stat
import time
from contextlib import suppress
from typing import Final

from msgspec import Struct

from io_edges.building.local import local_in
from io_edges.report.console import Console
from io_edges.system.folder import Folder
from io_edges.system.stop import Stop, cause_of, refused_twice
from io_edges.system.whole_file import write_whole
from pipeline.building.stores.last_drop import LastDrop, read_last_drop, write_last_drop
from pipeline.building.stores.layout import DROP_FILE, LOCAL, RECORD_FILE, STATE_FILE
from pipeline.building.stores.record import Record, is_merging, read_record, write_record
from pipeline.building.stores.state import State, read_state, write_state
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.building import RecordUnreadable
from pipeline.report.diagnostics.conflicts import OutputConflict
from pipeline.report.diagnostics.disk import damaged_file, unwritable_file

OWN_LIMIT: Final = 256 * 1024**2
"""The maximum size of a file of the tool's own, in bytes."""
_STATE: Final = f"{LOCAL}/{STATE_FILE}"
_DROP: Final = f"{LOCAL}/{DROP_FILE}"


class Store(Struct, frozen=True):
    """The record and the state of a project, on disk or as they will be."""

    record: Record
    state: State


def read_own(folder: Folder, path: str) -> bytes | None:
    """The bytes of one of the tool's own files, given its folder and its path; `None` if
    it is missing.

    Raises `Stop` if it is not a file.
    """
    name = path.rpartition("/")[2]
    status = folder.lstat(name)
    if status and stat.S_ISLNK(status.st_mode):
        raise Stop(OutputConflict(path, reason="link"))
    if status and not stat.S_ISREG(status.st_mode):
        raise Stop(OutputConflict(path, reason="other"))
    return folder.read(name, OWN_LIMIT)


def load_record(project: Folder) -> Record:
    """Read the record; an empty one if there is none. Raises `Stop` if it is damaged."""
    data = read_own(project, RECORD_FILE)
    if data is None:
        return Record()
    record = read_record(data)
    if record is None:
        raise Stop(RecordUnreadable(RECORD_FILE, is_merging(data)))
    return record


def save_record(project: Folder, record: Record | None) -> None:
    """Write the record, with the mode of the previous one; `None` removes it."""
    if record is None:
        project.discard(RECORD_FILE)
    else:
        write_whole(project, RECORD_FILE, write_record(record), like=project.lstat(RECORD_FILE))


def load_state(project: Folder, console: Console, record: Record) -> State:
    """Read the state, given the record. It is empty if there is none, or, with a warning, if it
    cannot be read.
    """
    if project.status(LOCAL) is None:
        return State()
    try:
        with project.inner(LOCAL) as folder:
            data = read_own(folder, _STATE)
    except OSError as error:
        console.warn((damaged_file(_STATE, "state", cause_of(error)),))
        return State()
    except Stop:
        console.warn((damaged_file(_STATE, "state", "it is not a file"),))
        return State()
    if data is None:
        return State()
    state = read_state(data, record)
    if state is None:
        console.warn((damaged_file(_STATE, "state"),))
        return State()
    return state


def update_state(project: Folder, before: State, after: State) -> tuple[WarningDiagnostic, ...]:
    """Write the state if it has changed. If that fails, a stale state file is deleted, and a
    warning returned.

    Raises `OSError` if it can be neither written nor deleted.
    """
    if after == before:
        return ()
    is_stale = after.components != before.components
    data = write_state(after, time.time_ns())
    try:
        with local_in(project) as local:
            if refused := refused_twice(
                lambda: write_whole(local, STATE_FILE, data, like="folder")
            ):
                if is_stale:
                    local.discard(STATE_FILE)
                raise refused
    except OSError as error:
        if is_stale and project.status(_STATE):
            raise
        return (unwritable_file(_STATE, cause_of(error), is_cache=False),)
    return ()


def load_last_drop(project: Folder) -> LastDrop:
    """Read the drop of the last run that built; none if the file cannot be read, so that the user
    is asked for it.
    """
    with suppress(OSError, Stop):
        if project.status(LOCAL):
            with project.inner(LOCAL) as folder:
                return read_last_drop(read_own(folder, _DROP) or b"")
    return LastDrop()


def save_last_drop(
    project: Folder, before: LastDrop, after: LastDrop
) -> tuple[WarningDiagnostic, ...]:
    """Write the drop of the run, if it has changed; return a warning if the system refuses that."""
    if after == before:
        return ()
    try:
        with local_in(project) as local:
            write_whole(local, DROP_FILE, write_last_drop(after), like="folder")
    except OSError as error:
        return (unwritable_file(_DROP, cause_of(error), is_cache=False),)
    return ()
