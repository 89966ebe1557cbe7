"""State file: what the tool last wrote here, read and written whole. Where it cannot be, the record stands in."""

import time

from io_edges.building.local import local_in
from io_edges.building.record_file import read_own
from io_edges.report.console import Console
from io_edges.system.folder import Folder
from io_edges.system.stop import Stop, cause_of
from io_edges.system.whole_file import write_whole
from pipeline.building.layout import LOCAL, STATE_FILE
from pipeline.building.state import State, read_state, write_state
from pipeline.report.problems.disk import StateDamaged, StateUnwritable

STATE_LIMIT = 256 * 1024**2
"""The maximum size of a state, in bytes."""
_PATH = f"{LOCAL}/{STATE_FILE}"


def load_state(project: Folder, console: Console) -> State:
    """The state; an empty one if there is none, or if it is damaged or cannot be read, which is told."""
    if project.status(LOCAL) is None:
        return State()
    try:
        with project.inner(LOCAL) as folder:
            data = read_own(folder, STATE_FILE, STATE_LIMIT, _PATH)
        state = State() if data is None else read_state(data)
    except (OSError, Stop) as error:
        console.warn((StateDamaged(_PATH, cause_of(error) if isinstance(error, OSError) else "it is not a file"),))
        return State()
    if state is None:
        console.warn((StateDamaged(_PATH),))
    return state or State()


def update_state(project: Folder, before: State, after: State, console: Console) -> None:
    """Write the state if it has changed; warn if it cannot be written."""
    if after == before:
        return
    try:
        with local_in(project) as folder:
            write_whole(folder, STATE_FILE, write_state(after, time.time_ns()))
    except OSError as error:
        console.warn((StateUnwritable(_PATH, cause_of(error)),))
