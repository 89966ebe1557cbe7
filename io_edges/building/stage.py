"""Stage: prepare a component in the staging folder, so that only renames are left, or copies to
another disk.

New files are extracted from the archive, or copied by an undo from those that the last run
replaced. The other files of the component stay in their place.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TypeAlias

from msgspec import Struct

from io_edges.building.extract import Extractor, Source, extract
from io_edges.building.local import Staging
from io_edges.building.undoing import ReplacedFiles
from io_edges.system.folder import Folder
from io_edges.system.metadata import Times, copy_at, folders_like, link_or_copy_at
from io_edges.system.stop import CHANGED, require
from io_edges.system.trees import NOTHING, prune_at, remove, survey
from pipeline.archives.entry_names import folders_above
from pipeline.building.steps import Step
from pipeline.building.stores.changes import Change
from pipeline.building.stores.layout import STAGED_BACKUP
from pipeline.building.stores.record import Files, are_alike, is_denied
from pipeline.building.stores.tree import Tree
from pipeline.report.outcome import BuildOutcome

Write: TypeAlias = Callable[[Files | None, Folder, Folder | None], Tree]
"""A function that writes files of a component into a folder, and returns what it wrote.

It takes the files (`None` for all), the folder, and the folder of the files that they replace,
whose metadata they get.
"""


class Site(Struct, frozen=True):
    """The project, its staging folder, and the extractor of archives."""

    project: Folder
    staging: Staging
    extractor: Extractor
    undone: Mapping[str, Change] = {}
    """The changes of the run that is undone, by the paths of their components."""
    times: Times = None
    """The access and modification times of copied files; `None` keeps those of the originals."""

    def writer_of(self, step: Step) -> Write | None:
        """The function that writes the new files of a component; `None` if it gets none."""
        if step.choice:
            texts = {
                **step.payload.texts,
                **{name: step.texts[name] for name in step.merge.of("merged")},
            }
            return partial(extract, Source(step.choice, texts), self.extractor)
        change = self.undone.get(step.path)
        if change is None:
            return None
        return ReplacedFiles(self.project, change, self.times).write


def stage(
    change: Change, step: Step, site: Site, extracted: Mapping[str, BuildOutcome[Tree]]
) -> Tree:
    """Prepare a change: its new files in its slot, unless `extracted` has them, and its backup.

    Returns the files that were written. Raises `Stop` if its archive is refused.
    """
    write = site.writer_of(step)
    if change.slot in extracted:
        return require(extracted[change.slot])
    if change.adds and write:
        with site.staging.folder.child(change.slot, make=True) as folder:
            return write(None, folder, None)
    if step.target.occupancy == "absent":
        return NOTHING
    with site.project.inner(step.path) as old:
        if change.backed_up:
            _back_up(change, step, write, old, site)
        if write is None or change.removes:
            return NOTHING
        return _merged(change.slot, step, write, old, site)


def _merged(slot: str, step: Step, write: Write, old: Folder, site: Site) -> Tree:
    """Make the folder with the new files of a component that is in the project."""
    result = step.merge
    after = result.files
    new = {name: after[name] for name in (*result.written, *result.of("merged"))}
    switched = {name: after[name] for name in result.switched}
    written = Tree()
    with (
        site.staging.folder.child(slot, make=True) as folder,
        folders_like({**new, **switched}, old, folder),
    ):
        if new:
            written = write(new, folder, old)
        for name, state in switched.items():
            copy_at(old, name, folder, executable=state.executable)
    return written


def _back_up(change: Change, step: Step, write: Write | None, old: Folder, site: Site) -> None:
    """Stage the files for the backup: the user's, and with `--mine` those of the archive."""
    with site.staging.folder.inner(f"{STAGED_BACKUP}/{step.path}", make=True) as folder:
        bar = site.extractor.bar
        title = bar.title
        bar.title = "backing up"
        for name in step.merge.backed_up:
            bar.begin(f"{step.path}/{name}")
            try:
                link_or_copy_at(old, name, folder)
            except PermissionError:  # the file is moved to the backup once the new one is in place
                if not is_denied(step.target.files[name]):
                    raise
        theirs = {name: step.merge.archive[name] for name in step.merge.archive_backed_up}
        if theirs and write:
            write(theirs, folder, None)
        bar.title = title


def unstage_backups(paths: Iterable[str], staging: Staging) -> None:
    """Remove the staged backups of components, given their paths."""
    for path in paths:
        remove(staging.folder, f"{STAGED_BACKUP}/{path}")
        for above in reversed([*folders_above(path)]):
            prune_at(staging.folder, f"{STAGED_BACKUP}/{above}")
        staging.folder.prune(STAGED_BACKUP)


def check_untouched(
    changes: Iterable[Change], written: Mapping[str, Tree], staging: Staging
) -> None:
    """Raise `OSError` if a staged file is not as it was written.

    `written` has the files of each component as staging wrote them, by its path.
    """
    for change in changes:
        expected = {move.name: move.wanted for move in change.file_moves if move.wanted}
        if change.removes or not expected:
            continue
        known = written.get(change.path, NOTHING)
        there = survey(staging.folder, change.slot, known).files
        for name, state in sorted({**there, **expected}.items()):
            is_alone = change.adds or (state and state.kind != "folder")
            if is_alone and not are_alike(there.get(name), expected.get(name)):
                path = f"{staging.folder.path}/{change.slot}/{name}"
                raise OSError(CHANGED, "it was changed after it was verified", path)
