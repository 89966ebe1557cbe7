"""Stage: prepare a component in the staging folder, so that only renames are left, or copies to another disk.

New files are extracted from the archive, or copied by an undo from those that the last run replaced. The other files of
the component stay in their place.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from msgspec import Struct
from returns.result import Failure, Success
from toolz import groupby

from io_edges.building.extract import Extractor, Source, extract
from io_edges.building.local import Staging
from io_edges.building.undoing import ReplacedFiles
from io_edges.system.folder import Folder
from io_edges.system.helpers import share
from io_edges.system.metadata import Times, copy_at, folders_like, give_as_made_in, link_or_copy_at
from io_edges.system.stop import Stop, require
from io_edges.system.trees import NOTHING, deepest
from pipeline.building.steps import Step
from pipeline.building.stores.changes import Change
from pipeline.building.stores.layout import STAGED_BACKUP
from pipeline.building.stores.record import Files, is_unread
from pipeline.building.stores.tree import Tree
from pipeline.report.outcome import BuildOutcome
from pipeline.selection.choices import Choice

Write: TypeAlias = Callable[[Files | None, Folder, Folder | None], Tree]
"""A function that writes files of a component into a folder, and returns what it wrote.

It takes the files (`None` for all), the folder, and the folder of the files that they replace, whose metadata they get.
"""


class _New(Struct, frozen=True):
    """A component that is not in the project yet, and the slot that it is extracted into."""

    slot: str
    choice: Choice
    step: Step


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
            texts = {**step.given.texts, **{name: step.texts[name] for name in step.merge.of("merged")}}
            return partial(extract, Source(step.choice, texts), self.extractor)
        change = self.undone.get(step.path)
        if change is None:
            return None
        return ReplacedFiles(self.project, change, self.times).write


def extract_new(steps: Mapping[str, Step], site: Site) -> dict[str, BuildOutcome[Tree]]:
    """Extract the new components into their slots, by several processes if there is much to extract.

    Returns for each slot the files that were written, or the errors of its archive. One process extracts all components
    of an archive file, so that it is opened only once.
    """
    new = list[_New]()
    for slot, step in steps.items():
        if step.choice is None or step.target.occupancy != "absent":
            continue
        new.append(_New(slot, step.choice, step))
        with (
            site.staging.folder.child(slot, make=True) as folder,
            deepest(site.project, step.choice.path.rpartition("/")[0]) as place,
        ):
            give_as_made_in(place, folder)
    files: dict[object, list[_New]] = groupby(lambda component: component.choice.archive.file.path, new)
    sizes = [sum(component.choice.archive.size for component in each) for each in files.values()]
    done = share([*files.values()], sizes, partial(_extract, site=site), site.extractor.bar)
    extracted = dict[str, BuildOutcome[Tree]]()
    for components in done:
        extracted.update(components)
    return extracted


def _extract(new: Sequence[_New], site: Site) -> dict[str, BuildOutcome[Tree]]:
    """Extract the components of one archive file, by slot."""
    components: dict[str, BuildOutcome[Tree]] = {}
    for component in new:
        step = component.step
        with site.staging.folder.child(component.slot) as folder:
            try:
                source = Source(component.choice, step.given.texts)
                files: Files | None = step.merge.files
                if not files:  # without a patch, the plan does not know the files of a new component
                    files = None
                written = extract(source, site.extractor, files, folder)
                components[component.slot] = Success(written)
            except Stop as stop:
                components[component.slot] = Failure(stop.errors)
    return components


def stage(change: Change, step: Step, site: Site, extracted: Mapping[str, BuildOutcome[Tree]]) -> Tree:
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
    with site.staging.folder.child(slot, make=True) as folder, folders_like({**new, **switched}, old, folder):
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
                if not is_unread(step.target.files[name]):
                    raise
        theirs = {name: step.merge.archive[name] for name in step.merge.archive_backed_up}
        if theirs and write:
            write(theirs, folder, None)
        bar.title = title
