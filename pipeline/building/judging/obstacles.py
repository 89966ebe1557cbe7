"""Obstacles: what keeps steps from being done. A run stops at them, or passes these components over.

With `--frozen`, so does what would not be as the record says; `--check` finds it. The rules are in `docs/building.md`.
"""

import shlex
from collections.abc import Iterable, Iterator
from pathlib import PurePath

from returns.result import Failure, Success
from toolz import concat, unique

from pipeline.archives.entry_names import clashes, is_within
from pipeline.building.draft import Draft
from pipeline.building.merging.preference import idle_patterns, wrong_patterns
from pipeline.building.patching.patch import patch_path
from pipeline.building.planning.patching import unused_patches
from pipeline.building.steps import NotBuilt, Plan, Step
from pipeline.building.stores.layout import BACKUPS, RECORD_FILE
from pipeline.building.stores.record import (
    Files,
    Record,
    RecordedComponent,
    archive_name,
    are_alike,
    implied_folders,
    is_unread,
)
from pipeline.building.target_folders import FLAGS
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics import Error
from pipeline.report.diagnostics.building import (
    OutOfDate,
    files_edited,
    gives_others,
    not_as_recorded,
    patch_differs,
    patch_unfit,
    patch_unused,
    would_change,
)
from pipeline.report.diagnostics.conflicts import Dispute, DisputedFile, OutputConflict
from pipeline.report.diagnostics.disk import FileSystemProblem, denied
from pipeline.report.diagnostics.drop import repacked_archive
from pipeline.report.diagnostics.patches import PatchConflict
from pipeline.report.diagnostics.selection import ComponentAmbiguous
from pipeline.report.diagnostics.updates import BuiltElsewhere
from pipeline.report.outcome import BuildOutcome
from pipeline.selection.choices import Choice
from pipeline.values import replace


def check_patterns(draft: Draft) -> BuildOutcome[Draft]:
    """Refuse patterns that match no file in scope, or contradict each other; warn of those that decide nothing."""
    options = draft.options
    steps = draft.plan.steps
    if not options.prefer.patterns:
        return Success(draft)
    recorded = draft.record.components
    asked = recorded if options.names is None else recorded.keys() & options.names
    files = {f"{path}/{name}" for path in asked for name in recorded[path].files}
    wrong = tuple(wrong_patterns(options.prefer, files.union(*map(_known, steps))))
    edited = (f"{step.path}/{name}" for step in steps for name in step.merge.of("edited")) if options.frozen else ()
    decided = frozenset((*concat(map(_decided, steps)), *edited))  # with `frozen` an edited file has to pass
    return Failure(wrong) if wrong else Success(draft.with_warnings(*idle_patterns(options.prefer, decided)))


def _known(step: Step) -> frozenset[str]:
    """Every file of a component that is on the disk, was built or is in archive or patch, by their project paths."""
    unfit = {each.name for each in (*step.unfit, *step.waived) if isinstance(each, PatchConflict)}
    files = {*step.merge.disk, *step.merge.base, *step.merge.archive, *unfit}
    if step.forced:
        files |= {*step.forced.disk, *step.forced.archive}
    return frozenset(f"{step.path}/{name}" for name in files)


def _decided(step: Step) -> Iterator[str]:
    """The files about which a preference of this run decided, likewise, or would decide beside `--force`."""
    waived = () if step.is_built_again else (each.name for each in step.waived)
    would = step.forced.of("forced", "declined") if step.forced else ()
    return (f"{step.path}/{name}" for name in (*step.merge.of("forced", "declined"), *would, *waived))


def refuse_conflicts(draft: Draft) -> BuildOutcome[Draft]:
    """Take out the steps that cannot be done. Errors: why, and the refused archives, unless they are passed over."""
    plan = draft.plan
    options = draft.options
    ignores_case = bool(plan.changes) and draft.found.ignores_case()
    if alike := tuple(case_clashes(plan.steps)) if ignores_case else ():
        return Failure(alike)
    passed_over = list[Step]()
    wrong = list[Error]()
    for step in plan.steps:
        of_case = _case_conflicts(step, draft.record.components) if ignores_case else ()
        if found := (*of_case, *conflicts(step, options.consents, draft.found.output)):
            passed_over.append(step)
            wrong += found
    if not (options.keep_going or all(isinstance(each, NotBuilt) for each in wrong)):
        return Failure(tuple(unique((*wrong, *plan.refused))))
    draft = draft.passing_over(passed_over, *wrong)
    return Success(draft.with_plan(replace(draft.plan, refused=tuple(unique(draft.plan.refused)))))


def check_own_places(draft: Draft) -> BuildOutcome[Draft]:
    """Refuse a plan if something is in the way of the backup."""
    backups = (BACKUPS,) if any(step.backed_up for step in draft.plan.steps) else ()
    for place in draft.found.occupancies(backups).values():
        if place.occupancy in {"file", "link"}:
            return Failure((OutputConflict(place.obstacle, reason=place.occupancy),))
    return Success(draft)


def conflicts(step: Step, consents: bool = False, output: str = ".") -> Iterator[Error]:
    """What keeps a step from being done: files that both sides changed, an unknown base, a patch that does not fit, and
    what is in the way. `consents` is whether unread files may be replaced; `output`, the project as the user wrote it.
    """
    yield from step.wrong
    if unread := tuple(_unread(step, consents, output)):
        yield from unread
        return
    if disputed := tuple(_disputed(step, name, why) for name, why in step.merge.disputes.items()):
        yield OutputConflict(step.path, disputed=disputed, undoing=step.choice is None)
    yield from step.unfit
    if step.target.occupancy in {"file", "link"}:
        obstacle = step.target.obstacle
        reason = step.target.occupancy
        if step.choice is None:
            yield OutputConflict(obstacle, reason=reason, undoing=obstacle == step.path and step.action != "remove")
        else:
            kind = step.kind if obstacle == step.path else ""
            yield OutputConflict(obstacle, reason=reason, kind=kind, flags=_flags_beyond(step))


def _disputed(step: Step, name: str, why: Dispute) -> DisputedFile:
    """A file that both sides changed, if neither wins."""
    patch = patch_path(step.path) if name in step.given.texts else ""
    file = DisputedFile(f"{step.path}/{name}", why, patch=patch)
    unmerged = step.unmerged.get(name)
    return replace(file, unmerged=unmerged.why, lines=unmerged.lines) if unmerged else file


def _flags_beyond(step: Step) -> str:
    """The flags that build into the folder that the target folder leads to, if that is a link; else nothing."""
    folder = PurePath(step.target.leads_to)
    return shlex.join((f"--output={folder.parent}", f"{FLAGS[step.kind]}={folder.name}")) if folder.name else ""


def _unread(step: Step, consents: bool, output: str) -> Iterator[FileSystemProblem]:
    """What this user may not read of a component, and base or archive have. Anything else need not be read.

    With consent a file need not be read that is replaced.
    """
    left_by = step.name if step.choice and step.kind == "module" else ""
    if step.target.is_closed and step.action != "keep":
        yield denied(PurePath(output, step.path).as_posix(), left_by)
    replaced = step.merge.of("forced") if consents else ()
    files = step.target.files if step.merge.outcomes else {}
    unread = {name: state for name, state in files.items() if is_unread(state)}
    sides = (step.merge.base, step.merge.archive) if unread else ()
    names = {name for files in sides for name, state in files.items() if not is_unread(state)}
    for name, state in unread.items():
        is_needed = name in names or any(each.startswith(f"{name}/") for each in names)
        if is_needed and not (state.kind == "file" and name in replaced):
            yield denied(PurePath(output, step.path, name).as_posix(), left_by)


def case_clashes(steps: Iterable[Step]) -> Iterator[ComponentAmbiguous]:
    """Components that would be in each other's place on a disk that ignores case."""
    built = {step.path: step.choice for step in steps if step.choice}
    for one, other in clashes(built):
        archives = (built[path].archive.file.display_path for path in (one, other) if path in built)
        yield ComponentAmbiguous(built[other].component.kind, built[other].component.name, tuple(archives))


def _case_conflicts(step: Step, recorded: Iterable[str]) -> Iterator[OutputConflict]:
    """What is in the way of a changed component, or of a file in it, by a name that differs only in case."""
    if step.action in {"keep", "remove"}:
        return
    others = [name for pair in clashes((step.path, *recorded)) if step.path in pair for name in pair]
    if others and step.target.occupancy == "present":
        yield OutputConflict(step.path, reason="case", other=min(name for name in others if name != step.path))
        return
    there = {*step.target.files, *implied_folders(step.target.files)}
    for pair in clashes(step.merge.files.keys() - step.merge.disputes):
        old, new = sorted(pair, key=lambda name: name not in there)
        is_first = old.rpartition("/")[0] == new.rpartition("/")[0]  # else folders above them are named
        if old in there and is_first:
            yield OutputConflict(f"{step.path}/{new}", reason="case", other=f"{step.path}/{old}")


def check_frozen(draft: Draft) -> BuildOutcome[Draft]:
    """With `frozen`, refuse a run after which the record, or a recorded file on disk, would not be as recorded.

    An archive that was packed again with the same files passes, and so do edited files where the disk's are preferred.
    """
    if not draft.options.frozen:
        return Success(draft)
    errors = list[OutOfDate]()
    warnings = list[WarningDiagnostic]()
    passed_over = {step.path for step in draft.plan.passed_over}
    copies = {each.path for each in draft.plan.refused if isinstance(each, BuiltElsewhere)}
    for path, step in sorted(draft.plan.surveyed.items()):
        choice = step.survey.choice
        before = step.survey.recorded
        if before and (choice is None or path in copies):
            errors.append(not_as_recorded(path, before.archive, before.digest, ""))
        elif choice is None or path in passed_over:
            continue  # an error of its own says why
        elif before is None:
            errors.append(not_as_recorded(path, archive_name(choice.archive.file), "", choice.archive.digest))
        elif wrong := _difference(path, before, choice, step.component):
            errors.append(wrong)
        else:
            if before.digest != choice.archive.digest:
                warnings.append(repacked_archive(archive_name(choice.archive.file), path))
            if files := _departing(step, _files_built(before, choice), draft):
                errors.append(files_edited(path, files))
            errors += [patch_unfit(path, each.patch, each.file) for each in step.waived]
    errors += [patch_unused(each.message, each.location) for each in unused_patches(draft)]
    return Failure(tuple(errors)) if errors else Success(draft.with_warnings(*warnings))


def _difference(
    path: str, before: RecordedComponent, choice: Choice, after: RecordedComponent | None
) -> OutOfDate | None:
    """Why the record after the run would not be the one before."""
    digest = choice.archive.digest
    has_others = after is not None and _files_built(before, choice) != _files_built(after, choice)
    if before.digest != digest and (after is None or has_others or before.patch != after.patch):
        return not_as_recorded(path, archive_name(choice.archive.file), before.digest, digest)
    if after and before.patch != after.patch:
        return patch_differs(path, patch_path(path), before.patch, after.patch)
    return gives_others(path, before.archive) if has_others else None


def _files_built(recorded: RecordedComponent, choice: Choice) -> Files:
    """The recorded files, without those that are not built with the component, which an older record may have."""
    apart = choice.component.apart
    return {name: state for name, state in recorded.files.items() if not is_within(name, apart)}


def _departing(step: Step, recorded: Files, draft: Draft) -> tuple[str, ...]:
    """The recorded files that would not be as recorded after the run, without those that the user prefers."""
    is_built = step.component is not None and not step.target.obstacle
    outcome: Files = step.merge.files if is_built else step.target.files
    prefer = draft.options.prefer
    departing = (name for name, state in recorded.items() if not are_alike(outcome.get(name), state))
    return tuple(name for name in departing if not is_built or prefer.of(f"{step.path}/{name}") != "mine")


def out_of_date(plan: Plan, before: Record) -> tuple[OutOfDate, ...]:
    """What a run would change, an error for each component; `before` is the record that is there."""
    if plan.changes or not changes_record(plan, before):
        return tuple(would_change(step.path, step.action) for step in plan.changes)
    return (would_change(RECORD_FILE, "update"),)


def changes_record(plan: Plan, before: Record) -> bool:
    """Whether a run would change the record."""
    after = {**plan.record.components, **{step.path: step.component for step in plan.changes}}
    return {path: each for path, each in after.items() if each} != before.components
