"""Staging: the folder in a project for what is not yet in place, and how it is left again.

Nothing in it is removed that is not known to be the tool's: the folders that this run made, by their inodes, and the
tool's own files. Anything else stays, and the run says so.
"""

import errno
import os
import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress

from msgspec import Struct, field

from io_edges.building.local import local_in
from io_edges.report.console import Console
from io_edges.system.folder import Folder
from io_edges.system.signals import held_signals
from io_edges.system.stop import cause_of
from io_edges.system.trees import remove
from io_edges.system.whole_file import FRESH
from pipeline.building.layout import ARCHIVES, RUN_FILE, STAGED_BACKUP, STAGING
from pipeline.report.diagnostics.disk import left_over

_NAME, _ARCHIVES = (each.rpartition("/")[2] for each in (STAGING, ARCHIVES))
_FOLDERS = rf"\d+(\.undo)?|{STAGED_BACKUP}"
_FILES = rf"\.?{RUN_FILE}({FRESH})?"
_OURS = re.compile(rf"{_FOLDERS}|{_FILES}")
"""The names that a run gives to what it puts into the staging folder."""


class Staging(Struct):
    """The opened staging folder, and the inodes of the folders that this run has made in it."""

    folder: Folder
    inodes: dict[str, int] = field(default_factory=dict)
    kept: list[str] = field(default_factory=list)
    """The archives that this run has added to those that are kept; if it fails, they are removed."""

    def make(self, name: str) -> Folder:
        """Make a folder for files of this run, and open it. Raises `OSError`."""
        with held_signals():
            self.folder.make(name)
            try:
                folder = self.folder.child(name)
                self.inodes[name] = os.fstat(folder.fd).st_ino
            except OSError:
                self.folder.prune(name)
                raise
        return folder

    def open(self, name: str) -> Folder:
        """Open a folder that this run made. Raises `OSError`, also if another was put in its place."""
        folder = self.folder.child(name)
        if os.fstat(folder.fd).st_ino != self.inodes[name]:
            folder.close()
            raise OSError(errno.ESTALE, "another folder was put in its place", f"{self.folder.path}/{name}")
        return folder

    def is_in(self, local: Folder) -> bool:
        """Whether the folder still has its name in the local folder."""
        status = local.lstat(_NAME)
        return status is not None and os.path.samestat(status, os.fstat(self.folder.fd))

    def clear(self, but: Collection[str] = ()) -> tuple[str, ...]:
        """Remove what this run has put there; return the names of what is left, `but` some. Raises `OSError`.

        What is called like a folder of a run is given another name, so that the next run does not take it for one.
        """
        left: list[str] = []
        for name, is_folder in self.folder.entries():
            status = self.folder.lstat(name)
            if name in but:
                continue
            if is_folder and status and status.st_ino == self.inodes.get(name):
                remove(self.folder, name)
            elif not is_folder and re.fullmatch(_FILES, name):
                self.folder.discard(name)
            elif _OURS.fullmatch(name):
                self.folder.move(name, self.folder, f"{name}.kept")
                left.append(f"{name}.kept")
            else:
                left.append(name)
        return tuple(left)


@contextmanager
def staging_in(project: Folder, console: Console) -> Iterator[Staging]:
    """Make the folder for what is not yet in place, and remove it in the end, whatever happens. Raises `OSError`.

    It stays if its contents could not be put back; the next run does that.
    """
    staging, spare = None, project.again()  # a descriptor, which it takes to look into what is to be removed
    with local_in(project) as local:
        try:
            staging = Staging(local.child(_NAME, make=True))
            local.give_rights(staging.folder.fd)
            yield staging
        finally:
            spare.close()
            with held_signals():
                _leave(local, staging, console)


def foreign_names(folder: Folder) -> list[str]:
    """The names in a staging folder that no run gives to anything. Raises `OSError`."""
    return sorted(name for name, _ in folder.entries() if not _OURS.fullmatch(name))


def inodes_in(folder: Folder) -> dict[str, int]:
    """The inodes of all that is in a staging folder, which a killed run has made. Raises `OSError`."""
    return {name: status.st_ino for name, status in folder.statuses()}


def _leave(local: Folder, staging: Staging | None, console: Console) -> None:
    """Remove the staging folder by its descriptor, because there may be none left to open it again."""
    if staging is None:
        local.prune(_NAME)
        return
    with staging.folder:  # twice: a refusal, as for lack of descriptors, may be temporary
        if _stays(local, staging) is not None and (cause := _stays(local, staging)) is not None:
            console.warn((left_over(STAGING, cause),))


def _stays(local: Folder, staging: Staging) -> str | None:
    """Remove the staging folder. Return the reason if it stays, empty if the next run needs it."""
    try:
        if not staging.is_in(local):  # it is what is kept of the run, or a hook script has removed it
            return None
        if staging.folder.lstat(RUN_FILE):
            return ""
        with suppress(FileNotFoundError), local.child(_ARCHIVES) as kept:
            for name in staging.kept:
                kept.discard(name)
        local.prune(_ARCHIVES)
        if left := staging.clear():
            return f"`{left[0]}` in it was not made by this run"
        with local.naming_errors(_NAME):
            os.rmdir(_NAME, dir_fd=local.fd)
    except OSError as error:
        return cause_of(error)
    return None
