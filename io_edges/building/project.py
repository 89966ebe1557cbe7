"""Project: the folder that is built, opened once and locked; its record; and the staging folder in it."""

import errno
import os
import re
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path, PurePath

from msgspec import Struct

from io_edges.building.swap import done_in, journal_in, read_own, settle
from io_edges.report.console import Console
from io_edges.system.folder import Folder
from io_edges.system.signals import held_signals
from io_edges.system.stop import Stop, cause_of, os_errors_as_problems
from io_edges.system.trees import empty, remove
from pipeline.building.journal import Journal, settled
from pipeline.building.layout import JOURNAL_FILE, PLAN_FILE, RECORD_FILE, STAGING
from pipeline.building.record import Record, read_record
from pipeline.report.build_notes import InterruptedRun, LeftOver, NotLocked
from pipeline.report.build_problems import OutputConflict, ProjectLocked, RecordUnreadable

RECORD_LIMIT = 256 * 1024**2
"""The maximum size of a record, in bytes."""
POLL_SECONDS = 0.05
"""The pause between attempts to get a lock."""
_OURS = re.compile(rf"\d+~?|{PLAN_FILE}|\.?{JOURNAL_FILE}(\.[0-9a-f]{{16}}\.tool-new)?")
"""The names that a run gives to what it puts into the staging folder."""
_TAKEN = frozenset({errno.EAGAIN, errno.EACCES})


class Project(Struct):
    """A project under construction. `folder` is `None` only in a dry run, if the project does not exist."""

    path: PurePath
    folder: Folder | None
    record: Record

    @property
    def ignores_case(self) -> bool:
        """Whether the disk ignores the case of names. This can be determined only while there is a staging folder."""
        return self.folder is not None and self.folder.look(STAGING.upper()) is not None


def project_path(start: PurePath, output: str) -> PurePath:
    """The absolute path of the project, which need not exist yet. Raises `Stop`."""
    project = Path(os.path.realpath(start / output) if ".." in PurePath(output).parts else start / output)
    with os_errors_as_problems(project):
        there = next(each for each in (project, *project.parents) if each.exists())
        if project.is_symlink() and there != project:
            raise Stop(OutputConflict(output, reason="link"))  # it is dangling
        if not there.is_dir():
            raise Stop(OutputConflict(output if there == project else str(there), reason="file"))
    return project


@contextmanager
def look_at_project(path: PurePath, console: Console) -> Iterator[Project]:
    """Open a project for reading only, with the record that settling a killed run would give. Raises `Stop`."""
    with os_errors_as_problems(path), ExitStack() as stack:
        if not Path(path).is_dir():
            yield Project(path, None, Record())
            return
        folder = stack.enter_context(Folder.at(str(path)))
        record = _record(folder)
        if _has_staging(folder):
            console.warn((InterruptedRun(dry=True),))
            with folder.inner(STAGING) as staging:
                if journal := _left_in(staging):
                    record = settled(record, journal, done_in(folder, staging, journal))
        yield Project(path, folder, record)


@contextmanager
def open_project(path: PurePath, wait: float, console: Console) -> Iterator[Project]:
    """Open and lock a project, made if it is missing, and settle what a killed run left. Raises `Stop`.

    If the run fails before it puts anything into a project folder that was made for it, the folder is removed again.
    """
    with os_errors_as_problems(path), _locked(Path(path), time.monotonic() + wait, console) as folder:
        yield Project(path, folder, _settled(folder, console))


@contextmanager
def staging_in(project: Folder, console: Console) -> Iterator[Folder]:
    """Make the folder for what is not yet in place, and remove it in the end, whatever happens. Raises `OSError`.

    It stays if its contents could not be put back; the next run does that.
    """
    staging = None
    try:
        staging = project.inner(STAGING, make=True)
        os.fchmod(staging.fd, 0o700)  # regardless of the umask
        yield staging
    finally:
        with held_signals():
            _clear(project, staging, console)


def _clear(project: Folder, staging: Folder | None, console: Console) -> None:
    """Remove the staging folder by its descriptor, because there may be none left to open it again."""
    if staging is None:
        project.prune(STAGING)
        return
    with staging:  # twice: a refusal, as for lack of descriptors, may be temporary
        if _stays(project, staging) and (cause := _stays(project, staging)):
            console.warn((LeftOver(STAGING, cause),))


def _stays(project: Folder, staging: Folder) -> str:
    """Remove the staging folder. Return the reason if it stays, else an empty string."""
    try:
        if staging.look(JOURNAL_FILE):
            return "the next run settles what is in it"
        empty(staging)
        with suppress(FileNotFoundError), project.naming_errors(STAGING):  # a hook script may have removed it
            os.rmdir(STAGING, dir_fd=project.fd)
    except OSError as error:
        return cause_of(error)
    return ""


@contextmanager
def _locked(path: Path, deadline: float, console: Console) -> Iterator[Folder]:
    """Open and lock a folder, made if it is missing. The lock ends with the process and leaves no file."""
    made: list[Path] = []
    waiting = False
    while True:
        try:
            _make(path, made)
            folder = Folder.at(str(path))
        except FileNotFoundError:  # another run has removed it in the meantime
            continue
        except BaseException:
            _unmake(made)
            raise
        with folder:
            locked = _lock(folder, console)
            if locked and _is_at(folder, path):
                try:
                    yield folder
                except BaseException:
                    _unmake(made)  # while the lock still keeps other runs from building in it
                    raise
                return
        if not locked and time.monotonic() >= deadline:
            raise Stop(ProjectLocked(str(path)))
        if not locked and not waiting:
            console.say(f"waiting for another run in {path}")
            waiting = True
        time.sleep(POLL_SECONDS)


def _make(path: Path, made: list[Path]) -> None:
    """Make a folder and its missing parents, each 0755 less the umask, and add them to `made`."""
    for each in reversed([each for each in (path, *path.parents) if not each.exists()]):
        with held_signals(), suppress(FileExistsError):  # another run has made it
            each.mkdir(0o755)
            made.append(each)


def _unmake(made: list[Path]) -> None:
    for each in reversed(made):
        with suppress(OSError):  # it is not empty: a hook script has put something there
            each.rmdir()


def _is_at(folder: Folder, path: Path) -> bool:
    """Whether a path still leads to the folder that was opened by it."""
    try:
        return os.path.samestat(path.stat(), os.fstat(folder.fd))
    except FileNotFoundError:
        return False


def _lock(folder: Folder, console: Console) -> bool:
    import fcntl  # only on POSIX systems

    try:
        fcntl.flock(folder.fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _TAKEN:
            return False
        console.warn((NotLocked(folder.path, cause_of(error)),))
    return True


def _settled(project: Folder, console: Console) -> Record:
    """Settle what a killed run left, and return the record."""
    record = _record(project)
    if not _has_staging(project):
        return record
    with project.inner(STAGING) as staging:
        if journal := _left_in(staging):
            record = settle(project, staging, journal, record)
    remove(project, STAGING)
    console.warn((InterruptedRun(),))
    return record


def _has_staging(project: Folder) -> bool:
    """Whether a killed run left its staging folder. Raises `Stop` if something that is not a folder has its name."""
    if obstacle := project.obstacle(STAGING):
        raise Stop(OutputConflict(obstacle[0], reason=obstacle[1]))
    return project.look(STAGING) is not None


def _left_in(staging: Folder) -> Journal | None:
    """The journal of a killed run, if it left one. Raises `Stop` for names that no run puts there."""
    if foreign := [name for name, _ in staging.entries() if not _OURS.fullmatch(name)]:
        raise Stop(*(OutputConflict(f"{STAGING}/{name}", reason="foreign") for name in sorted(foreign)))
    return journal_in(staging)


def _record(project: Folder) -> Record:
    data = read_own(project, RECORD_FILE, RECORD_LIMIT, RECORD_FILE)
    record = Record() if data is None else read_record(data)
    if record is None:
        raise Stop(RecordUnreadable(RECORD_FILE))
    return record
