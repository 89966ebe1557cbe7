"""Own files: the record, read and written whole, and how a file of the tool's own is read."""

import stat

from io_edges.system.folder import Folder
from io_edges.system.stop import Stop
from io_edges.system.whole_file import write_whole
from pipeline.building.layout import RECORD_FILE
from pipeline.building.record import Record, is_merging, read_record, write_record
from pipeline.report.build_problems import OutputConflict, RecordUnreadable

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


def update_record(project: Folder, before: Record, after: Record) -> None:
    """Write the record if it has changed. Raises `OSError`."""
    if after != before:
        save_record(project, after)


def save_record(project: Folder, record: Record) -> None:
    """Write the record, with the mode of the previous one. Raises `OSError`."""
    write_whole(project, RECORD_FILE, write_record(record), like=project.look(RECORD_FILE))
