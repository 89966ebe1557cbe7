"""Build: do to the project what the plan says, through a staging folder, all or nothing."""

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePath

from io_edges.console import Console
from io_edges.disk import why
from io_edges.members import open_member
from io_edges.stop import Stop, filesystem
from io_edges.targets import in_the_way, mode_of
from io_edges.zips import Damage, OpenArchive
from pipeline.archives import Archive, Entry, describe, is_junk
from pipeline.notes import BackedUp, LeftOver
from pipeline.plan import Plan, Step, conflicts
from pipeline.problems import ArchiveRejected, OutputConflict

BACKUPS = ".tool-backup"
STAGING = ".tool-staging-"
_NO_FOLLOW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)


@contextmanager
def staging(project: PurePath, console: Console) -> Iterator[Path]:
    """Make a folder in the project for what is not yet in its place, and remove it whatever happens.

    A project folder that was made for it is removed again if the run fails before anything is put into it.
    """
    with filesystem(project):
        made = make_folders(Path(project))
        folder = Path(tempfile.mkdtemp(prefix=STAGING, dir=project))
    try:
        yield folder
    except BaseException:
        _remove(folder, console)
        for each in reversed(made):
            with suppress(OSError):  # it is not empty: a hook script has put something there
                each.rmdir()
        raise
    _remove(folder, console)


def _remove(folder: Path, console: Console) -> None:
    try:
        shutil.rmtree(folder)
    except OSError as error:
        console.warn((LeftOver(folder.name, why(error)),))


def make_folders(path: Path) -> list[Path]:
    """Make a folder and those above it, 0755 less the umask each; give the ones that were not there."""
    missing = [each for each in (path, *path.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(0o755)
    return missing[::-1]


def extract(plan: Plan, folder: Path) -> None:
    """Extract every component that changes into the staging folder, and verify it."""
    for step in plan.steps:
        if step.action != "keep":
            _extract_one(step.choice.archive, folder / step.path)


def swap(plan: Plan, folder: Path, console: Console) -> None:
    """Put every staged component in its place by rename; if one fails, undo those before it."""
    backup = _new_backup(Path(plan.project))
    undo: list[Callable[[], object]] = []
    try:
        for step in plan.steps:
            if step.action != "keep":
                _swap_one(step, Path(plan.project), folder, backup, undo)
    except BaseException:
        for back in reversed(undo):
            back()
        raise
    moved = (step.path for step in plan.steps if step.displaces)
    console.warn(BackedUp(path, f"{backup}/{path}") for path in moved)


def _new_backup(project: Path) -> str:
    """A folder for what is moved aside, by the time of day, that is not there yet."""
    stamp = f"{BACKUPS}/{time.strftime('%Y%m%d-%H%M%S')}"
    names = (stamp, *(f"{stamp}-{count}" for count in range(2, 1000)))
    return next((name for name in names if not os.path.lexists(project / name)), stamp)


def _extract_one(archive: Archive, target: Path) -> None:
    if archive.refusals:
        raise AssertionError(archive.refusals)  # a plan has none of these
    root = archive.component.root if archive.component else ""
    try:
        with filesystem(archive.file.path), open_member(archive.file) as opened:
            if not archive.component or describe(archive, archive.component, opened.entries) != archive:
                raise Damage("it changed while it was read")
            make_folders(target)
            for entry in opened.entries:
                if entry.name.startswith(root) and not is_junk(entry.name):
                    with filesystem(target / entry.name[len(root) :]):
                        _write(opened, entry, target / entry.name[len(root) :])
    except Damage as damage:
        raise Stop(ArchiveRejected(archive.file.shown, damage.reason, damage.entry)) from damage


def _write(opened: OpenArchive, entry: Entry, path: Path) -> None:
    """Write one entry; modes are 0644, 0755 for what is executable and for folders, less the umask."""
    if entry.kind == "folder":
        make_folders(path)
        return
    make_folders(path.parent)
    if entry.kind == "link":
        path.symlink_to(entry.target or "")
        return
    with os.fdopen(os.open(path, _NO_FOLLOW, mode_of(entry)), "wb") as file:
        for chunk in opened.chunks(entry):
            file.write(chunk)


def _swap_one(step: Step, project: Path, folder: Path, backup: str, undo: list[Callable[[], object]]) -> None:
    target, aside = project / step.path, f"{backup}/{step.path}"
    with filesystem(target):
        for path in (step.path, aside) if step.displaces else (step.path,):
            if blocked := in_the_way(project, path):  # since the plan was made
                raise Stop(*conflicts(path, blocked, force=True))
        undo += [made.rmdir for made in make_folders(target.parent)]
        if step.displaces:
            undo += [made.rmdir for made in make_folders((project / aside).parent)]
            _move(target, project / aside, undo)
        if os.path.lexists(target):
            raise Stop(OutputConflict(step.path))
        _move(folder / step.path, target, undo)


def _move(source: Path, target: Path, undo: list[Callable[[], object]]) -> None:
    source.rename(target)
    undo.append(lambda: target.rename(source))
