"""Extract new: extract the new components, by several processes if there is much to extract.

One process extracts all components of an archive file, so that it is opened only once. A component
that is more than a process's share of the work is divided. Its folders are made first, so that each
has its rights before files are put into it.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Final

from msgspec import Struct
from returns.result import Failure, Success
from toolz import groupby

from io_edges.building.extract import (
    Extraction,
    NewFile,
    Source,
    extract,
    extraction,
    make_folders,
    write,
)
from io_edges.building.stage import Site
from io_edges.system.folder import Folder
from io_edges.system.helpers import share, share_of
from io_edges.system.metadata import give_as_made_in
from io_edges.system.stop import Stop
from io_edges.system.trees import deepest
from pipeline.building.steps import Step
from pipeline.building.stores.record import Files
from pipeline.building.stores.tree import Tree
from pipeline.report.outcome import BuildOutcome
from pipeline.selection.choices import Choice
from pipeline.values import replace

_FILE: Final = 16 * 1024
"""To make a file takes as long as to write so many bytes."""
_PARTS: Final = 4
"""The parts that each process's share of the work is divided into, so that all end together."""


class _New(Struct, frozen=True):
    """A component that is not in the project yet, and the slot that it is extracted into."""

    slot: str
    choice: Choice
    step: Step

    @property
    def source(self) -> Source:
        """Where its files come from."""
        return Source(self.choice, self.step.payload.texts)

    @property
    def files(self) -> Files | None:
        """Its files; without a patch, the plan does not know those of a new component."""
        return self.step.merge.files or None

    @property
    def work(self) -> int:
        """How long it takes to extract it, as the number of bytes that are written in that time."""
        archive = self.choice.archive
        return archive.size + archive.file_count * _FILE


class _Task(Struct, frozen=True):
    """What one process extracts: the components of one archive file, or a part of a component."""

    components: Sequence[_New]
    part: Extraction | None = None

    @property
    def size(self) -> int:
        """How many bytes come out of the archive."""
        if self.part:
            return sum(wanted.entry.size for wanted in self.part.wanted)
        return sum(component.choice.archive.size for component in self.components)

    @property
    def work(self) -> int:
        """As that of a component."""
        if self.part:
            return self.size + len(self.part.wanted) * _FILE
        return sum(component.work for component in self.components)


def extract_new(steps: Mapping[str, Step], site: Site) -> dict[str, BuildOutcome[Tree]]:
    """Extract the new components into their slots, by several processes if there is much of them.

    Returns for each slot the files that were written, or the errors of its archive.
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
    files: dict[object, list[_New]] = groupby(
        lambda component: component.choice.archive.file.path, new
    )
    extracted = dict[str, BuildOutcome[Tree]]()
    with ExitStack() as opened:
        tasks = list[_Task]()
        most = share_of(sum(component.work for component in new))
        for components in files.values():
            component = components[0]
            if len(components) > 1 or component.work <= most:
                tasks.append(_Task(components))
                continue
            try:
                prepared = _prepared(component, site, opened)
            except Stop as stop:
                extracted[component.slot] = Failure(stop.errors)
                continue
            for part in _divided(prepared.wanted, most // _PARTS):
                tasks.append(_Task(components, replace(prepared, wanted=part)))
        sizes = [task.size for task in tasks]
        work = [task.work for task in tasks]
        done = share(tasks, sizes, partial(_extract, site=site), site.extractor.bar, work)
    for outcomes in done:
        for slot, outcome in outcomes.items():
            extracted[slot] = _joined(extracted.get(slot), outcome)
    return extracted


def _prepared(component: _New, site: Site, opened: ExitStack) -> Extraction:
    """Open an archive, which stays open until all parts are written, and make the folders.

    Raises `Stop` if the archive is refused.
    """
    opener = opened.enter_context(site.extractor.opener.another())
    extractor = replace(site.extractor, opener=opener)
    prepared = extraction(component.source, extractor, component.files)
    with site.staging.folder.child(component.slot) as folder:
        make_folders(prepared.wanted, folder)
    return replace(prepared, has_folders=True)


def _divided(wanted: Sequence[NewFile], most: int) -> Iterator[Sequence[NewFile]]:
    """Divide the files of a component into parts of about `most` work each, in order.

    There is at least one part.
    """
    begin = 0
    work = 0
    for end, (_, entry, _) in enumerate(wanted, 1):
        work += entry.size + _FILE
        if work >= most:
            yield wanted[begin:end]
            begin = end
            work = 0
    if begin == 0 or begin < len(wanted):
        yield wanted[begin:]


def _extract(task: _Task, site: Site) -> dict[str, BuildOutcome[Tree]]:
    """Extract the components of a task, by slot."""
    extracted = dict[str, BuildOutcome[Tree]]()
    for component in task.components:
        with site.staging.folder.child(component.slot) as folder:
            try:
                extracted[component.slot] = Success(_written(task.part, component, site, folder))
            except Stop as stop:
                extracted[component.slot] = Failure(stop.errors)
    return extracted


def _written(part: Extraction | None, component: _New, site: Site, folder: Folder) -> Tree:
    """Write a component, or a part of it. Raises `Stop` if its archive is refused."""
    if part:
        return write(part, site.extractor, folder)
    return extract(component.source, site.extractor, component.files, folder)


def _joined(before: BuildOutcome[Tree] | None, part: BuildOutcome[Tree]) -> BuildOutcome[Tree]:
    """The files of a component with those of its next part, or the errors of the first one."""
    if before is None:
        return part
    return before.bind(lambda tree: part.map(tree.with_written))
