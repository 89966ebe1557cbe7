"""Patch run: write the patches that `tool patch` has made, all or none, as a transaction of their own.

It changes no component, so nothing of it is logged or undone; what the last run has replaced stays.
"""

from collections.abc import Mapping
from pathlib import PurePath

from msgspec import Struct

from io_edges.building.archives import keep_patches
from io_edges.building.local import staging_in
from io_edges.building.patches import home_in, stage_patches, written_home
from io_edges.building.project import Effect, Project
from io_edges.building.transaction import Transaction, commit_patches, is_begun
from io_edges.report.console import Console
from io_edges.system.syscalls import sync
from pipeline.archives.places import Places
from pipeline.building.stores.changes import Run
from pipeline.building.stores.journal import Journal
from pipeline.building.stores.layout import BACKUPS, LOCAL
from pipeline.building.stores.record import Files


class PatchJob(Struct, frozen=True):
    """Patches to write, and what has to be known about the run."""

    texts: Mapping[str, bytes]
    """Their texts, by their paths below `patches/`; one that is to be removed has none."""
    as_read: Files
    """Those that they replace, as they were read."""
    home: PurePath
    """The folder that `patches/` is in."""
    places: Places
    project: Project
    run: Run
    effect: Effect
    """What is done so far, for the last line of a run that stops."""


def write_patches(job: PatchJob, console: Console) -> tuple[str, ...]:
    """Write patches, and keep them; return those that somebody has changed since they were read, which stay.

    Raises `Stop` and `OSError`.
    """
    project = job.project
    has_local = project.folder.lstat(LOCAL) is not None
    with staging_in(project.folder, console) as staging, home_in(job.home, project.folder) as top:
        staging.clear()  # what a run left that was killed before it had a journal
        patches = stage_patches(job.texts, job.as_read, top, staging.folder, "0")
        if patches is None:
            return ()
        if has_local:  # first: after a kill no patch of this project is taken for a pulled one
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
        this = Transaction(project.folder, staging, journal, top)
        try:
            commit_patches(this)
        except BaseException:
            if is_begun(staging):
                job.effect.note_changed()
            raise
    return tuple(this.stays)
