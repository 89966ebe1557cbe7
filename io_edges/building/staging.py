"""Staging: the folder in a project for what is not yet in place, and how it is left again.

All that is in it is the tool's, and is removed with it.
"""

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress

from msgspec import Struct, field

from io_edges.building.local import local_in
from io_edges.report.console import Console
from io_edges.system.folder import Folder
from io_edges.system.signals import held_signals
from io_edges.system.stop import cause_of
from io_edges.system.trees import remove
from pipeline.building.stores.layout import ARCHIVES, RUN_FILE, STAGING
from pipeline.report.diagnostics.disk import left_over

_NAME, _ARCHIVES = (each.rpartition("/")[2] for each in (STAGING, ARCHIVES))


class Staging(Struct):
    """The opened staging folder."""

    folder: Folder
    kept: list[str] = field(default_factory=list)
    """The archives that this run has added to those that are kept; if it fails, they are removed."""

    def is_in(self, local: Folder) -> bool:
        """Whether the folder still has its name in the local folder."""
        status = local.lstat(_NAME)
        return status is not None and os.path.samestat(status, os.fstat(self.folder.fd))

    def clear(self, but: Collection[str] = ()) -> None:
        """Remove all that is in it, `but` some names. Raises `OSError`."""
        for name, is_folder in self.folder.entries():
            if name not in but:
                (remove if is_folder else Folder.discard)(self.folder, name)


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
        staging.clear()
        with local.naming_errors(_NAME):
            os.rmdir(_NAME, dir_fd=local.fd)
    except OSError as error:
        return cause_of(error)
    return None
