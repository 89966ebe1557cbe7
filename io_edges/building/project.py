"""Project: open and lock the folder that is built, and read its record and its state."""

import os
import sys
import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path, PurePath

from msgspec import Struct

from io_edges.building.local import check_access, check_way, look_for_modes, unreadable_local
from io_edges.building.store import Store, load_last_drop, load_record, load_state
from io_edges.report.console import Console
from io_edges.system.folder import Folder
from io_edges.system.signals import held_signals
from io_edges.system.stop import Stop, os_errors_as_diagnostics
from io_edges.system.syscalls import is_locked, lock
from io_edges.system.trees import remove
from pipeline.building.steps import Step
from pipeline.building.stores.changes import RUN_KINDS, Run, RunKind
from pipeline.building.stores.journal import Journal
from pipeline.building.stores.last_drop import LastDrop
from pipeline.building.stores.layout import STAGING
from pipeline.building.stores.record import Record
from pipeline.building.stores.state import State
from pipeline.config.variables import Keeping
from pipeline.report.diagnostics.conflicts import OutputConflict
from pipeline.report.diagnostics.disk import ProjectLocked, not_locked
from pipeline.report.diagnostics.runs import interrupted_run, live_run
from pipeline.report.diagnostics.selection import ahead
from pipeline.values import replace

POLL_SECONDS = 0.05
"""The pause between attempts to take the lock, in seconds."""


class Effect(Struct):
    """What a run has done to a project so far."""

    is_changed: bool = False
    """Whether the run has changed the project, or may have."""
    is_other_record: bool = False
    """Whether the run has changed the components of the record."""
    steps: tuple[Step, ...] = ()
    """The steps that are done."""
    finished: Journal | None = None
    """The journal of the killed run that this run has finished first."""

    def note_finished(self, journal: Journal) -> None:
        """Note that a killed run is finished, or is about to be."""
        self.is_changed = True
        self.finished = journal

    def note_changed(self, steps: tuple[Step, ...] = ()) -> None:
        """Note that the project has changed, and which steps are done."""
        self.is_changed = True
        self.steps = steps


class ProjectView(Struct, frozen=True):
    """A project that is only read. `folder` is `None` if it does not exist."""

    path: PurePath
    folder: Folder | None
    record: Record
    state: State = State()
    last_drop: LastDrop = LastDrop()
    is_readable: bool = True
    """Whether the local folder can be read."""
    interrupted: frozenset[str] = frozenset()
    """The paths of the components that a killed run was changing."""

    @property
    def settled(self) -> "ProjectView":
        """This view without the entries of interrupted components in record and state."""
        components = dict(self.record.components)
        builds = dict(self.state.components)
        for path in self.interrupted:
            components.pop(path, None)
            builds.pop(path, None)
        record = replace(self.record, components=components)
        return replace(self, record=record, state=replace(self.state, components=builds))


class Project(ProjectView, frozen=True):
    """A project that is built: opened, locked and settled."""

    folder: Folder
    finished: Journal | None = None
    """The journal of the killed run that was finished first, if there was one."""


def run_of(kind: RunKind, keeping: Keeping) -> Run:
    """The facts about a run that changes a project, which later runs need."""
    return Run(
        id=os.urandom(8).hex(),
        time=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        command=("tool", *sys.argv[1:]),
        keeps=keeping.is_on,
        limit=keeping.limit,
        kind=kind,
    )


@contextmanager
def view_project(path: PurePath, console: Console) -> Iterator[ProjectView]:
    """Open a project for reading, and warn if a run was killed, or another run is changing it."""
    with os_errors_as_diagnostics(path), ExitStack() as stack:
        if not Path(path).is_dir():
            yield ProjectView(path, None, Record())
            return
        folder = stack.enter_context(Folder.at(str(path)))
        look_for_modes(folder)
        found = load_record(folder)
        unreadable = unreadable_local(folder)
        is_readable = unreadable is None
        if unreadable:
            console.warn(ahead((unreadable,), console.context, console.log_format))
        state = State()
        if is_readable:
            state = load_state(folder, console, found)
        last_drop = load_last_drop(folder)
        interrupted = frozenset[str]()
        if is_readable and _has_staging(folder):
            interrupted = frozenset(_interrupted_in(folder, console))
        yield ProjectView(path, folder, found, state, last_drop, is_readable, interrupted)


def _interrupted_in(folder: Folder, console: Console) -> tuple[str, ...]:
    """Warn of a running or killed run; return the paths of the components that a killed one
    was changing.
    """
    # Costs start-up time, and only a killed run needs it.
    from io_edges.building.settle import (
        load_killed_run,
    )

    if is_locked(folder.fd):
        console.warn((live_run(),))
        return ()
    if (journal := load_killed_run(folder)) is None:
        console.warn((interrupted_run("idle"),))
        return ()
    paths = tuple(sorted(journal.paths))
    console.warn((interrupted_run("begun", journal.run.words, paths),))
    return paths


def check_settled(interrupted: Iterable[str]) -> None:
    """Raise `Stop` if a killed run was changing components."""
    if errors := tuple(OutputConflict(path, reason="interrupted") for path in sorted(interrupted)):
        raise Stop(*errors)


@contextmanager
def open_project(
    path: PurePath,
    wait: float,
    console: Console,
    effect: Effect,
    *,
    settles: Collection[RunKind] = RUN_KINDS,
) -> Iterator[Project]:
    """Open and lock a project; make its folder if it is missing.

    If a run of a kind in `settles` was killed, it is settled first, and `effect` notes that. If a
    new project folder is still empty when the run fails, it is removed again.
    """
    with (
        os_errors_as_diagnostics(path),
        _locked(Path(path), time.monotonic() + wait, console) as folder,
    ):
        look_for_modes(folder)
        found = load_record(folder)
        check_access(folder)
        state = load_state(folder, console, found)
        project = Project(path, folder, found, state, load_last_drop(folder))
        if _has_staging(folder):
            project = _settled(project, console, effect, settles)
        yield project


@contextmanager
def _locked(path: Path, deadline: float, console: Console) -> Iterator[Folder]:
    """Open and lock a folder; make it if it is missing. Warn if the disk has no locks.

    The lock ends with the process and leaves no file.
    """
    made: tuple[Path, ...] = ()
    waiting = False
    while True:
        made += make_folder(path)
        try:
            folder = Folder.at(str(path))
        except FileNotFoundError:  # another run has removed it in the meantime
            continue
        except BaseException:
            _unmake(made)
            raise
        with folder:
            locked = lock(folder.fd)
            if isinstance(locked, str):
                console.warn((not_locked(folder.path, locked),))
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
            console.print_text(f"waiting for another run in {path}")
            waiting = True
        time.sleep(POLL_SECONDS)


def make_folder(path: Path) -> tuple[Path, ...]:
    """Make a folder and its missing parents, or none, each with the rights of its parent; return
    the new ones.
    """
    made: tuple[Path, ...] = ()
    try:
        missing = [folder for folder in (path, *path.parents) if not folder.exists()]
        for new in reversed(missing):
            with held_signals(), suppress(FileExistsError):  # another run has made it
                new.mkdir(0o755)
                made += (new,)
                with Folder.at(str(new.parent)) as parent, parent.child(new.name) as folder:
                    parent.give_rights(folder.fd)
    except BaseException:
        _unmake(made)
        raise
    return made


def _unmake(made: tuple[Path, ...]) -> None:
    for folder in reversed(made):
        with suppress(OSError):  # it is not empty: a hook script has put something there
            folder.rmdir()


def _is_at(folder: Folder, path: Path) -> bool:
    """Whether a path still leads to the opened folder."""
    try:
        return os.path.samestat(path.stat(), os.fstat(folder.fd))
    except FileNotFoundError:
        return False


def _settled(
    project: Project, console: Console, effect: Effect, settles: Collection[RunKind]
) -> Project:
    """Settle a killed run of one of these kinds; return the project as it is afterwards."""
    # Cost start-up time, and only a killed run needs them.
    from io_edges.building.settle import (
        load_killed_run,
        settle,
    )

    killed = load_killed_run(project.folder)
    if killed and killed.run.kind not in settles:
        return project
    settled = settle(project.folder, Store(project.record, project.state), killed, effect, console)
    remove(project.folder, STAGING)
    console.warn(settled.warnings)
    return replace(
        project, record=settled.store.record, state=settled.store.state, finished=settled.finished
    )


def _has_staging(project: Folder) -> bool:
    """Whether a killed run left its staging folder. Raises `Stop` if something else
    has its name.
    """
    check_way(project, STAGING)
    return project.status(STAGING) is not None
