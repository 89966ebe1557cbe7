"""Patch run: write the patches that `tool patch` has made, all or none, in a transaction
of their own.

It changes no component, so it is neither logged nor undone, and the files that the last run
replaced stay.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path, PurePath

from msgspec import Struct

from io_edges.building.archives import keep_patches
from io_edges.building.local import staging_in
from io_edges.building.patches import home_in, stage_patches, written_home
from io_edges.building.project import Effect, Project
from io_edges.building.transaction import Transaction
from io_edges.report.console import Console
from io_edges.system.disks import may_change
from io_edges.system.folder import Folder
from io_edges.system.stop import Stop
from io_edges.system.syscalls import sync
from io_edges.system.trees import deepest
from pipeline.archives.places import Places
from pipeline.building.patching.patch import patch_path
from pipeline.building.stores.changes import Run
from pipeline.building.stores.journal import Journal
from pipeline.building.stores.layout import BACKUPS, LOCAL
from pipeline.building.stores.record import Files
from pipeline.report.diagnostics.disk import denied


class PatchJob(Struct, frozen=True):
    """Patches to write, and facts about the run."""

    texts: Mapping[str, bytes]
    """The contents of the patches, by their paths below `patches/`; empty for a patch
    that is removed.
    """
    as_read: Files
    """The states of the patch files when the plan read them."""
    home: PurePath
    """The folder that `patches/` is in."""
    places: Places
    project: Project
    run: Run
    effect: Effect
    """What the run has done so far, for its last line."""


def write_patches(job: PatchJob, console: Console) -> tuple[str, ...]:
    """Write patches, and keep copies of them.

    Patch files that somebody else has changed since they were read stay as they are; return
    their paths.
    """
    project = job.project
    has_local = project.folder.lstat(LOCAL) is not None
    with staging_in(project.folder, console) as staging, home_in(job.home, project.folder) as top:
        staging.clear()  # a run that was killed before it had a journal may have left files
        patches = stage_patches(job.texts, job.as_read, top, staging.folder, "0")
        if patches is None:
            return ()
        # First, so that after a kill no patch of this project passes for a pulled one.
        if has_local:
            keep_patches(filter(None, job.texts.values()), project.folder, staging)
        sync(staging.folder.fd)
        journal = Journal(
            run=job.run,
            changes=(),
            backup=f"{BACKUPS}/0",
            patches=patches,
            home=written_home(job.home, project.path),
            places=job.places,
        )
        transaction = Transaction(project.folder, staging, journal, top)
        try:
            transaction.commit_patches()
        except BaseException:
            if transaction.needs_settling():
                job.effect.note_changed()
            raise
    return tuple(transaction.changed_patches)


def check_writable(components: Iterable[str], home: PurePath) -> None:
    """Raise `Stop` if the patches of these components could not be written."""
    if not Path(home).is_dir():
        return
    for component in components:
        with (
            Folder.at(str(home)) as top,
            deepest(top, PurePath(patch_path(component)).parent.as_posix()) as folder,
        ):
            if not may_change(folder):
                raise Stop(denied(folder.path))
