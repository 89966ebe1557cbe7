"""Ahead: what a run would meet in the places of components, without a plan of the whole run (`docs/everyday.md`).

Its steps are those of a plan, so that the commands which only look never say anything else than `tool create`.
"""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from io_edges.archives.members import Opener
from io_edges.building.cache import OpenCache
from io_edges.building.project import ProjectView
from io_edges.building.targets import archive_files, targets_at
from io_edges.system.stop import Stop
from pipeline.building.ownership import Winner, changed_since
from pipeline.building.plan import Step, Target, build_step, conflicts
from pipeline.building.record import Record
from pipeline.report.build_problems import OutputConflict
from pipeline.report.problems import Problem
from pipeline.selection.choices import Choice


class Ahead(Struct, frozen=True, kw_only=True):
    """What is in the places of components, what the record says of them, and why a run would stop there."""

    targets: Mapping[str, Target]
    record: Record
    """The record of these components, as if it had not come from elsewhere."""
    conflicts: tuple[OutputConflict, ...]
    refused: tuple[Problem, ...]
    """The problems of archives whose damage shows as they are compared."""


def look_ahead(paths: Sequence[str], selected: Iterable[Choice], view: ProjectView, cache: OpenCache) -> Ahead:
    """Look at the places of components, and compare those that differ from the record with the archives selected."""
    targets = targets_at(paths, view, cache.files)
    record = cache.own_record(view.record, targets)
    doubtful = [each for each in selected if _may_stop(each, targets, record)]
    steps, refused = steps_of(sorted(doubtful, key=lambda each: each.component.path), targets, view, cache, "nobody")
    return Ahead(targets=targets, record=record, conflicts=conflicts(steps), refused=refused)


def would_be_built(choice: Choice) -> bool:
    """Whether a run builds an archive: it is selected, is not refused, and has files."""
    return choice.selected and bool(choice.archive.files) and not choice.archive.refusals


def _may_stop(choice: Choice, targets: Mapping[str, Target], record: Record) -> bool:
    """Whether a run may stop at a component: something is in its way, or somebody changed or added something in it."""
    target, recorded = targets[choice.component.path], record.components.get(choice.component.path)
    return target.standing in {"file", "link"} or bool(changed_since(recorded.files if recorded else {}, target.files))


def steps_of(
    selected: Sequence[Choice], targets: Mapping[str, Target], view: ProjectView, cache: OpenCache, wins: Winner
) -> tuple[list[Step], tuple[Problem, ...]]:
    """The steps of selected components, and the problems of archives whose damage shows as they are compared."""
    steps: dict[int, Step] = {}
    refused: tuple[Problem, ...] = ()
    recorded = cache.own_record(view.record, {each.component.path: targets[each.component.path] for each in selected})
    with Opener(cache.vetted) as opener:  # which opens each archive once, if its components follow one another
        for number, choice in sorted(enumerate(selected), key=lambda each: each[1].archive.file.zip_file):
            path = choice.component.path
            try:
                files = archive_files(choice, targets[path], view, opener)
            except Stop as stop:
                refused += stop.problems
            else:
                steps[number] = build_step(choice, targets[path], files, recorded.components.get(path), wins)
    return [steps[number] for number in sorted(steps)], refused
