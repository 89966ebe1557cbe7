"""Obstacles: why steps cannot be done. A run stops at them, or passes their components over.

The rules are in `docs/building.md`.
"""

import shlex
from collections.abc import Collection, Iterable, Iterator
from pathlib import PurePath
from typing import TypeVar

from returns.result import Failure, Success
from toolz import concat, unique

from pipeline.archives.entry_names import clashes, folders_above
from pipeline.building.draft import JudgedDraft, MergedDraft
from pipeline.building.merging.preference import idle_patterns, wrong_patterns
from pipeline.building.patching.patch import patch_path
from pipeline.building.steps import Step
from pipeline.building.stores.layout import BACKUPS
from pipeline.building.stores.record import (
    implied_folders,
    is_denied,
)
from pipeline.building.target_folders import FLAGS
from pipeline.report.diagnostics import Error
from pipeline.report.diagnostics.conflicts import Dispute, DisputedFile, InTheWay, OutputConflict
from pipeline.report.diagnostics.disk import FileSystemProblem, denied
from pipeline.report.diagnostics.patches import PatchConflict
from pipeline.report.diagnostics.selection import ComponentAmbiguous
from pipeline.report.outcome import BuildOutcome
from pipeline.values import replace

_Draft = TypeVar("_Draft", bound=MergedDraft)


def check_patterns(draft: _Draft) -> BuildOutcome[_Draft]:
    """Refuse patterns that match no file in scope or contradict each other; warn of those
    without effect.
    """
    options = draft.options
    if not options.prefer.patterns:
        return Success(draft)
    known = set[str]()
    for path, component in draft.record.components.items():
        if options.names is None or path in options.names:
            known |= _in_project(path, component.files)
    decided = set[str]()
    for step in draft.plan.steps:
        known |= _in_project(step.path, _known(step))
        decided |= _in_project(step.path, _decided(step))
        if options.frozen:  # then an edited file has to pass
            decided |= _in_project(step.path, step.merge.of("edited"))
    wrong = tuple(wrong_patterns(options.prefer, known))
    if wrong:
        return Failure(wrong)
    return Success(draft.with_warnings(*idle_patterns(options.prefer, decided)))


def _in_project(path: str, files: Iterable[str]) -> set[str]:
    """The project paths of a component's files."""
    return {f"{path}/{name}" for name in files}


def _known(step: Step) -> Iterator[str]:
    """Every file of a component that is on disk, was built, or is in the archive or the patch."""
    yield from step.merge.disk
    yield from step.merge.base
    yield from step.merge.archive
    if step.forced:
        yield from step.forced.disk
        yield from step.forced.archive
    conflicts = (*step.patch_errors, *step.waived_conflicts)
    yield from (conflict.name for conflict in conflicts if isinstance(conflict, PatchConflict))


def _decided(step: Step) -> Iterator[str]:
    """The files that a preference of this run decides, or would decide with `--force`."""
    yield from step.merge.of("forced", "declined")
    if step.forced:
        yield from step.forced.of("forced", "declined")
    yield from (conflict.name for conflict in step.waived_conflicts if not step.is_built_again)


def refuse_conflicts(draft: JudgedDraft) -> BuildOutcome[JudgedDraft]:
    """Pass over the steps that cannot be done.

    Errors, without `--keep-going`: the conflicts and the refused archives.
    """
    plan = draft.plan
    options = draft.options
    ignores_case = bool(plan.changes) and draft.reader.ignores_case()
    if ignores_case:
        alike = tuple(case_clashes(plan.steps))
        if alike:
            return Failure(alike)
    skipped = list[Step]()
    wrong = list[Error]()
    for step in plan.steps:
        errors = list[Error]()
        if ignores_case:
            errors += _case_conflicts(step, draft.record.components)
        errors += conflicts(step, options.forces_named, draft.reader.command.output)
        if errors:
            skipped.append(step)
            wrong += errors
    if any(error.stops for error in wrong) and not options.keep_going:
        return Failure(tuple(unique((*wrong, *plan.refused))))
    draft = draft.skipping(skipped, *wrong)
    return Success(draft.with_plan(replace(draft.plan, refused=tuple(unique(draft.plan.refused)))))


def check_own_places(draft: JudgedDraft) -> BuildOutcome[JudgedDraft]:
    """Refuse a plan that needs a backup if a file or link is in the way of the backup."""
    backups = list[str]()
    if any(step.backed_up for step in draft.plan.steps):
        backups.append(BACKUPS)
    for place in draft.reader.view_occupancies(backups).values():
        if place.occupancy in {"file", "link"}:
            return Failure((OutputConflict(place.obstacle, reason=place.occupancy),))
    return Success(draft)


def conflicts(step: Step, replaces_unread: bool = False, output: str = ".") -> Iterator[Error]:
    """Why a step cannot be done: disputed files, an unknown base, a patch that does not fit, or
    an obstacle.

    `replaces_unread` says whether files that cannot be read may be replaced; `output` is the
    project as the user wrote it.
    """
    yield from step.errors
    unread = tuple(_unread(step, replaces_unread, output))
    if unread:
        yield from unread
        return
    disputed = tuple(_disputed(step, name, why) for name, why in step.merge.disputes.items())
    if disputed:
        yield OutputConflict(step.path, disputed=disputed, undoing=step.choice is None)
    yield from step.patch_errors
    reason = step.target.occupancy
    if reason in {"file", "link"}:
        yield _in_the_way(step, reason)


def _in_the_way(step: Step, reason: InTheWay) -> OutputConflict:
    """The error of a file or link in the way of a component, at its path or above."""
    obstacle = step.target.obstacle
    is_its_own = obstacle == step.path
    if step.choice is None:
        return OutputConflict(
            obstacle, reason=reason, undoing=is_its_own and step.action != "remove"
        )
    conflict = OutputConflict(obstacle, reason=reason, flags=_flags_beyond(step))
    if is_its_own:
        return replace(conflict, kind=step.kind)
    return conflict


def _disputed(step: Step, name: str, why: Dispute) -> DisputedFile:
    """A disputed file, with why it was not merged."""
    patch = patch_path(step.path) if name in step.payload.texts else ""
    file = DisputedFile(f"{step.path}/{name}", why, patch=patch)
    unmerged = step.unmerged.get(name)
    if unmerged:
        file = replace(file, unmerged=unmerged.why, lines=unmerged.lines)
    return file


def _flags_beyond(step: Step) -> str:
    """The flags that build into the folder to which a linked target folder leads; empty
    without a link.
    """
    folder = PurePath(step.target.leads_to)
    if not folder.name:
        return ""
    return shlex.join((f"--output={folder.parent}", f"{FLAGS[step.kind]}={folder.name}"))


def _unread(step: Step, replaces_unread: bool, output: str) -> Iterator[FileSystemProblem]:
    """The errors of files of base or archive that the user cannot read, and of a folder that
    cannot be listed.

    With `replaces_unread`, a file that is replaced need not be readable.
    """
    left_by = ""
    if step.choice and step.kind == "module":
        left_by = step.name
    if step.target.is_closed and step.action != "keep":
        yield denied(PurePath(output, step.path).as_posix(), left_by)
    if not step.merge.outcomes:
        return
    unread = {name: state for name, state in step.target.files.items() if is_denied(state)}
    if not unread:
        return
    sides = (*step.merge.base.items(), *step.merge.archive.items())
    readable = [name for name, state in sides if not is_denied(state)]
    needed = {*readable, *concat(map(folders_above, readable))}
    replaced: Collection[str] = ()
    if replaces_unread:
        replaced = step.merge.of("forced")
    for name, state in unread.items():
        is_replaced = state.kind == "file" and name in replaced
        if name in needed and not is_replaced:
            yield denied(PurePath(output, step.path, name).as_posix(), left_by)


def case_clashes(steps: Iterable[Step]) -> Iterator[ComponentAmbiguous]:
    """The errors of components that would share one folder on a disk that ignores case."""
    built = {step.path: step.choice for step in steps if step.choice}
    for one, other in clashes(built):
        archives = (built[path].archive.file.display_path for path in (one, other) if path in built)
        yield ComponentAmbiguous(
            built[other].component.kind, built[other].component.name, tuple(archives)
        )


def _case_conflicts(step: Step, recorded: Iterable[str]) -> Iterator[OutputConflict]:
    """The errors of a component, or of its files, whose name differs only in case from
    one on disk.
    """
    if step.action in {"keep", "remove"}:
        return
    pairs = [pair for pair in clashes((step.path, *recorded)) if step.path in pair]
    others = set(concat(pairs)) - {step.path}
    if others and step.target.occupancy == "present":
        yield OutputConflict(step.path, reason="case", other=min(others))
        return
    there = {*step.target.files, *implied_folders(step.target.files)}
    for pair in clashes(step.merge.files.keys() - step.merge.disputes):
        old, new = sorted(pair, key=lambda name: name not in there)
        # Else folders above them are named.
        is_first = old.rpartition("/")[0] == new.rpartition("/")[0]
        if old in there and is_first:
            yield OutputConflict(f"{step.path}/{new}", reason="case", other=f"{step.path}/{old}")
