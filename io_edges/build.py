"""Build: do to the project what the plan says, through a staging folder, all or nothing."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePath

from io_edges.console import Console
from io_edges.disk import why
from io_edges.stop import Stop, filesystem
from io_edges.zips import Damage, OpenArchive, open_archive
from pipeline.archives import Archive, Entry
from pipeline.notes import BackedUp, LeftOver
from pipeline.plan import Plan, Step
from pipeline.problems import ArchiveRejected, OutputConflict

BACKUPS = ".tool-backup"
STAGING = ".tool-staging-"
_NO_FOLLOW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)


@contextmanager
def staging(project: PurePath, console: Console) -> Iterator[Path]:
    """Make a folder in the project for what is not yet in its place, and remove it whatever happens."""
    with filesystem(project):
        Path(project).mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix=STAGING, dir=project))
    try:
        yield folder
    finally:
        try:
            shutil.rmtree(folder)
        except OSError as error:
            console.warn((LeftOver(folder.name, why(error)),))


def extract(plan: Plan, folder: Path) -> None:
    """Extract every component that changes into the staging folder, and verify it."""
    for step in plan.steps:
        if step.action != "keep":
            _extract_one(step.choice.archive, folder / step.path)


def swap(plan: Plan, folder: Path, stamp: str, console: Console) -> None:
    """Put every staged component in its place by rename; if one fails, undo those before it."""
    undo: list[Callable[[], object]] = []
    try:
        for step in plan.steps:
            if step.action != "keep":
                _swap_one(step, Path(plan.project), folder, stamp, undo)
    except BaseException:
        for back in reversed(undo):
            back()
        raise
    moved = (step.path for step in plan.steps if step.displaces)
    console.warn(BackedUp(path, f"{BACKUPS}/{stamp}/{path}") for path in moved)


def _extract_one(archive: Archive, target: Path) -> None:
    root = archive.component.root if archive.component else ""
    try:
        with filesystem(archive.file.path), open_archive(archive.file.path) as opened:
            if opened.entries != archive.entries:
                raise Damage("it changed while it was read")
            target.mkdir(parents=True)
            for entry in archive.contents:
                with filesystem(target / entry.name[len(root) :]):
                    _write(opened, entry, target / entry.name[len(root) :])
    except Damage as damage:
        raise Stop(ArchiveRejected(archive.file.shown, damage.reason, damage.entry)) from damage


def _write(opened: OpenArchive, entry: Entry, path: Path) -> None:
    """Write one entry; modes are 0644, 0755 for what is executable and for folders, less the umask."""
    if entry.kind == "folder":
        path.mkdir(0o755, parents=True, exist_ok=True)
        return
    path.parent.mkdir(0o755, parents=True, exist_ok=True)
    if entry.kind == "link":
        path.symlink_to(entry.target or "")
        return
    with os.fdopen(os.open(path, _NO_FOLLOW, 0o755 if entry.executable else 0o644), "wb") as file:
        for chunk in opened.chunks(entry):
            file.write(chunk)


def _swap_one(step: Step, project: Path, folder: Path, stamp: str, undo: list[Callable[[], object]]) -> None:
    target, staged = project / step.path, folder / step.path
    with filesystem(target):
        if not target.parent.exists():
            target.parent.mkdir(0o755)
            undo.append(target.parent.rmdir)
        if step.displaces:
            backup = project / BACKUPS / stamp / step.path
            backup.parent.mkdir(0o755, parents=True, exist_ok=True)
            _move(target, backup, undo)
        if os.path.lexists(target):
            raise Stop(OutputConflict(step.path))
        _move(staged, target, undo)


def _move(source: Path, target: Path, undo: list[Callable[[], object]]) -> None:
    source.rename(target)
    undo.append(lambda: target.rename(source))
