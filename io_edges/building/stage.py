"""Stage: prepare a component in the staging folder, so that only renames are left.

What the archive gives anew is extracted; everything else stays where it is.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace
from returns.result import Failure, Success
from toolz import groupby

from io_edges.building.extract import Extractor, extract, write_file
from io_edges.building.staging import Staging
from io_edges.system.dir_chain import above, deepest
from io_edges.system.folder import Folder
from io_edges.system.helpers import share
from io_edges.system.link_or_copy import copy_at, folders_like, link_or_copy_at
from io_edges.system.metadata import give_as_made_in
from io_edges.system.stop import Stop, require
from io_edges.system.trees import NOTHING
from pipeline.building.steps import Step
from pipeline.building.stores.journal import Change, Entry
from pipeline.building.stores.layout import STAGED_BACKUP
from pipeline.building.stores.record import Files, as_recorded, is_unread
from pipeline.building.stores.tree import Tree
from pipeline.report.outcome import BuildOutcome
from pipeline.selection.choices import Choice

_New: TypeAlias = tuple[str, Choice, Step]
"""A component that is not there yet, by its slot."""
Write: TypeAlias = Callable[[Files | None, Folder, Folder | None], Tree]
"""Writes files of a component into a folder, those given or all, like those of an old folder, and returns them.

Raises `Stop`, `OSError`."""


class Offer(Struct, frozen=True):
    """What can be written of a component: all of its files, and what writes them."""

    files: Files
    write: Write
    marker: str = ""
    """The file that says the version; empty if none does."""
    aside: str = ""
    """The folder in the project that has files which nobody could read."""


class Site(Struct, frozen=True):
    """The project, the staging folder in it, and what extracts archives."""

    project: Folder
    staging: Staging
    extractor: Extractor
    offers: Mapping[str, Offer] = {}
    """What is offered of components that are not built from an archive, by the paths of these."""

    def offer(self, step: Step) -> Offer | None:
        """What can be written of the component of a step, if anything."""
        if step.choice is None:
            return self.offers.get(step.path)
        files, component = step.component.files if step.component else {}, step.choice.component
        marker = (component.evidence or "").removeprefix(component.root)
        return Offer(files, partial(extract, (step.choice, step.patched), self.extractor), marker)


def extract_new(steps: Mapping[str, Step], site: Site) -> dict[str, BuildOutcome[Tree]]:
    """Extract the components that are new into slots, with helpers if there is much of it. Raises `OSError`.

    Returns what was written of each, or why its archive is refused. Those of one archive file are extracted by one
    process, so that it is opened only once.
    """
    new = [
        (slot, step.choice, step) for slot, step in steps.items() if step.choice and step.target.occupancy == "absent"
    ]
    for slot, choice, _ in new:
        with (
            site.staging.folder.child(slot, make=True) as folder,
            deepest(site.project, choice.path.rpartition("/")[0]) as place,
        ):
            give_as_made_in(place, folder)
    files: dict[object, list[_New]] = groupby(lambda each: each[1].archive.file.path, new)
    sizes = [sum(choice.archive.size for _, choice, _ in choices) for choices in files.values()]
    done = share([*files.values()], sizes, partial(_extract, site=site), site.extractor.bar)
    return {slot: extracted for each in done for slot, extracted in each.items()}


def _extract(choices: Sequence[_New], site: Site) -> dict[str, BuildOutcome[Tree]]:
    """Extract the components of one archive file, by slot."""
    components: dict[str, BuildOutcome[Tree]] = {}
    for slot, choice, step in choices:
        with site.staging.folder.child(slot) as folder:
            try:
                written = extract((choice, step.patched), site.extractor, step.merge.files or None, folder)
                components[slot] = Success(written)
            except Stop as stop:
                components[slot] = Failure(stop.errors)
    return components


def stage(step: Step, slot: str, site: Site, extracted: Mapping[str, BuildOutcome[Tree]]) -> tuple[Change, Tree]:
    """Prepare a step, given what was extracted; return what is left to do, and the digests of the written files.

    Raises `Stop` if its archive is refused, and `OSError`.
    """
    change = Change(path=step.path, slot=slot, before=dict(step.target.files))
    if step.target.occupancy == "absent":
        return _added(change, step, site, extracted)
    with site.project.inner(step.path) as old:
        change = replace(change, users=_back_up(step, old, site))
        if step.action == "remove" or not (offer := site.offer(step)):
            return replace(change, removes=True, after=step.merge.files, says=Entry(step.component)), NOTHING
        return _merged(replace(change, marker=offer.marker, aside=offer.aside), step, offer.write, old, site)


def _added(change: Change, step: Step, site: Site, extracted: Mapping[str, BuildOutcome[Tree]]) -> tuple[Change, Tree]:
    if step.choice is None:
        return _given(change, step, site)
    written = require(extracted[change.slot])
    is_patched = step.component and step.component.patch
    component = step.component if is_patched else as_recorded(step.choice.archive, written.files)
    return replace(change, adds=True, after=written.files, says=Entry(component)), written


def _given(change: Change, step: Step, site: Site) -> tuple[Change, Tree]:
    """Make a component that is not there, and is not built from an archive."""
    if (offer := site.offer(step)) is None:
        return replace(change, removes=True), NOTHING
    with site.staging.folder.child(change.slot, make=True) as folder:
        written = offer.write(None, folder, None)
    return replace(change, adds=True, after=written.files, says=Entry(step.component)), written


def _merged(change: Change, step: Step, write: Write, old: Folder, site: Site) -> tuple[Change, Tree]:
    """Make the folder with the new files of a component that is there."""
    after, result, written = step.merge.files, step.merge, Tree()
    fresh = {name: after[name] for name in (*result.written, *result.of("merged"), *result.switched)}
    with site.staging.folder.child(change.slot, make=True) as folder, folders_like(fresh, old, folder):
        if result.written:
            written = write({name: after[name] for name in result.written}, folder, old)
        for name in result.of("merged"):
            with above(old, name) as (replaced, last), above(folder, name, make=True) as (place, _):
                write_file(last, (step.texts[name],), after[name].executable, (place, replaced), site.extractor)
        for name in result.switched:
            copy_at(old, name, folder, executable=after[name].executable)
    return replace(change, after=after, says=Entry(step.component), merged=result.of("merged")), written


def _back_up(step: Step, old: Folder, site: Site) -> tuple[str, ...]:
    """Stage the files that go to the backup, and return their paths."""
    ours, theirs = step.merge.backed_up, step.merge.put_by
    if not ours and not theirs:
        return ()
    with site.staging.folder.inner(f"{STAGED_BACKUP}/{step.path}", make=True) as folder:
        for name in ours:
            try:
                link_or_copy_at(old, name, folder)
            except PermissionError:  # it is moved there when the new one is in place
                if not is_unread(step.target.files[name]):
                    raise
        offer = site.offer(step)
        if theirs and offer:
            files = {name: offer.files[name] for name in theirs if name in offer.files}
            offer.write(files, folder, None)
            return (*ours, *files)
    return ours
