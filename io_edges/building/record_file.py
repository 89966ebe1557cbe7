"""Record file: the record, read and written whole, and how a file of the tool's own is read."""

import stat

from io_edges.system.folder import Folder
from io_edges.system.stop import Stop
from io_edges.system.whole_file import write_whole
from pipeline.building.journal import Run
from pipeline.building.layout import RECORD_FILE
from pipeline.building.record import Record, is_merging, read_record, write_record
from pipeline.report.problems.building import RecordUnreadable
from pipeline.report.problems.conflicts import OutputConflict

RECORD_LIMIT = 256 * 1024**2
"""The maximum size of a record, in bytes."""


def read_own(folder: Folder, name: str, limit: int, path: str) -> bytes | None:
    """The bytes of one of the tool's own files, if it exists. Raises `OSError`, and `Stop` if it is not a file."""
    status = folder.look(name)
    if status and not stat.S_ISREG(status.st_mode):
        raise Stop(OutputConflict(path, reason="link" if stat.S_ISLNK(status.st_mode) else "other"))
    return folder.read(name, limit)


def load_record(project: Folder) -> Record:
    """The record; an empty one if there is none. Raises `OSError`, and `Stop` if it is damaged."""
    data = read_own(project, RECORD_FILE, RECORD_LIMIT, RECORD_FILE)
    record = Record() if data is None else read_record(data)
    if record is None:
        raise Stop(RecordUnreadable(RECORD_FILE, is_merging(data or b"")))
    return record


def update_record(project: Folder, before: Record, after: Record, run: Run | None = None) -> None:
    """Write the record if a component in it has changed, as that which a run leaves. Raises `OSError`."""
    if after.components != before.components:
        save_record_of(run, project, after)


def save_record_of(run: Run | None, project: Folder, record: Record) -> None:
    """Write the record that a run leaves, with the mode of the previous one, or remove it if it leaves none.

    Raises `OSError`.
    """
    if run and run.unrecords and not record.components:
        project.discard(RECORD_FILE)
    else:
        write_whole(project, RECORD_FILE, write_record(record), like=project.look(RECORD_FILE))
