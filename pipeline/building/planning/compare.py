"""Compare archives with the components on disk: a step for each selected component, or why
there is none.

A component with an unknown base stays as it is, unless `--force` names it: then the archive is
built whole. The rules are in `docs/building.md`.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from returns.result import Success
from toolz import concat

from pipeline.archives.entry_names import is_within
from pipeline.building.draft import ComparedDraft, Draft, JudgedDraft, PickedDraft, SourcedDraft
from pipeline.building.merging.files_merge import merge_files, replace_all
from pipeline.building.merging.outcomes import Merge
from pipeline.building.merging.preference import Preference, Preferred
from pipeline.building.names import restrict_to_names
from pipeline.building.patching.patch import Patch
from pipeline.building.patching.payload import Payload
from pipeline.building.planning.base import Base, base_if_behind, bases_of, moved_away
from pipeline.building.planning.contents import payloads_of, rebase
from pipeline.building.planning.patching import warnings_on_patches, with_lost_files, with_misfits
from pipeline.building.planning.surveys import edits_lost, surveys_of
from pipeline.building.steps import Step, with_merge
from pipeline.building.stores.record import RecordedComponent, archive_name, without_folders
from pipeline.building.survey import Survey
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics import Passable
from pipeline.report.diagnostics.bases import (
    DropBehind,
    Later,
    UnknownBase,
    UnknownComponent,
    drop_behind,
    old_version_shown,
)
from pipeline.report.diagnostics.updates import PartialArchive
from pipeline.report.outcome import BuildOutcome, errors_of, value_of
from pipeline.selection.choices import Choice
from pipeline.systems.table import is_rewritten
from pipeline.values import replace

_MANY: Final = 10
"""How many files a component must have before an archive can count as partial."""


def pick(draft: Draft) -> BuildOutcome[PickedDraft]:
    """Take the selected archives that can be built. Errors: those of the selection that are not
    skipped.
    """
    options = draft.options
    selection = restrict_to_names(draft.selection, options.names, draft.record)
    is_passable = all(isinstance(error, Passable) for error in selection.errors)
    if options.keep_going and is_passable:
        draft = draft.with_plan(replace(draft.plan, refused=selection.errors))
        selection = replace(selection, errors=())
    built = selection.selected.map(
        lambda chosen: tuple(choice for choice in chosen if choice.is_built)
    )
    return built.map(lambda choices: replace(draft, choices=choices).become(PickedDraft))


def compare(draft: SourcedDraft) -> ComparedDraft:
    """Compare the archives with the components on disk, the record and the state: the draft has a
    step for each component.
    """
    surveys = surveys_of(draft)
    behind = _behind(surveys, draft)
    others = [survey for survey in surveys if survey.path not in behind]
    outcomes = _payloads(others, draft)
    payloads = dict[str, Payload]()
    for path, outcome in outcomes.items():
        payload = value_of(outcome)
        if payload is not None:
            payloads[path] = payload
    bases = {**behind, **bases_of(others, payloads, draft)}
    steps = tuple(
        step_of(survey, bases[survey.path], payloads.get(survey.path), draft) for survey in surveys
    )
    patches = {**draft.plan.patches}
    refused = list[Step]()
    for step in steps:
        if step.payload.rewritten:
            patches[step.path] = step.payload.rewritten
        if step.path in outcomes and step.path not in payloads:
            refused.append(step)
    draft = draft.with_plan(replace(draft.plan, steps=steps, patches=patches))
    draft = draft.skipping(refused, *concat(map(errors_of, outcomes.values())))
    return draft.become(ComparedDraft).with_warnings(
        *_warn_of_lost_edits(surveys, patches),
        *later_versions(surveys, behind, draft),
        *warnings_on_patches(steps),
    )


def _behind(surveys: Iterable[Survey], draft: Draft) -> dict[str, Base]:
    """The bases of the components for which the drop is behind, by path.

    A component whose version the command line names is not among them. If the user insists on
    building the named components, there are none.
    """
    bases = dict[str, Base]()
    if draft.options.forces_named:
        return bases
    for survey in surveys:
        base = base_if_behind(survey)
        if base and not draft.options.names_version(survey.path):
            bases[survey.path] = base
    return bases


def _payloads(surveys: Iterable[Survey], draft: SourcedDraft) -> dict[str, BuildOutcome[Payload]]:
    """The payload of each selected component by its path, or the errors of a refused archive.

    The state tells the files of an archive that was built on this machine; the record is not
    trusted for that, because anybody may have written it. The archive of a new component is read
    only for a patch, a pattern or `--frozen`; otherwise its payload is empty.
    """
    patches = draft.plan.patches
    is_asked = bool(draft.options.prefer.patterns or draft.options.frozen)
    unread = dict[str, BuildOutcome[Payload]]()
    choices = list[Choice]()
    built = dict[str, RecordedComponent]()
    for survey in surveys:
        if survey.choice is None:
            continue
        unread[survey.path] = Success(Payload())
        if survey.is_there or survey.path in patches or is_asked:
            choices.append(survey.choice)
        if survey.is_there and survey.last:
            built[survey.path] = survey.last.component
    return {**unread, **payloads_of(choices, draft.reader, patches, built)}


def _warn_of_lost_edits(
    surveys: Iterable[Survey], patches: Mapping[str, Patch]
) -> Iterator[WarningDiagnostic]:
    """Warn of edits that were lost when another version replaced a component."""
    for survey in surveys:
        patch = patches.get(survey.path)
        yield from edits_lost(survey, patch.names if patch else ())


def step_of(survey: Survey, base: Base, payload: Payload | None, draft: SourcedDraft) -> Step:
    """Decide the step of a component, given its base and its payload.

    There is no payload if the archive is refused. The step then keeps the component, as it does for
    one that is only recorded (see `removals`).
    """
    choice = survey.choice
    if choice and base.certainty == "behind":
        return behind_step(survey, choice, base, draft)
    if choice is None or payload is None:
        return Step(survey=survey, base=base.component)
    rebased = rebase(choice, payload, base.component, draft)
    return selected_step(survey, choice, base, with_lost_files(rebased, survey), draft)


def selected_step(
    survey: Survey, choice: Choice, base: Base, payload: Payload, draft: Draft
) -> Step:
    """Decide the step of a selected component that can be built."""
    options = draft.options
    survey = replace(survey, target=survey.target.with_bits_of(payload.files))
    if patch := options.kept_patches.get(survey.path):
        payload = replace(
            payload,
            conflicts=tuple(replace(conflict, kept=patch) for conflict in payload.conflicts),
        )
    built = build_step(survey, choice, payload, base.component, options.prefer)
    if payload.conflicts or payload.invalid:
        built = with_misfits(built, options.prefer)
    if base.certainty == "known":
        if options.forces_named or options.names_version(survey.path):
            return built
        return replace(built, errors=tuple(_partial(built, choice)))
    forced = _forced(survey, payload, options.prefer)
    if options.forces_named:
        return with_merge(built, forced)
    unknown = UnknownComponent(
        survey.path,
        version=base.version,
        kind=survey.kind,
        archive=archive_name(choice.archive.file),
        available=choice.component.version or "",
        likely=base.likely_archive,
        replaces=len(forced.replaced),
        leaves=len(forced.untouched),
        moves=len(forced.gone),
    )
    return Step(survey=survey, errors=(UnknownBase(unknown),), forced=forced)


def _forced(survey: Survey, payload: Payload, prefer: Preference) -> Merge:
    """The outcomes of files if the user consents to build over an unknown base."""
    stays = survey.files.keys() - payload.files.keys() - moved_away(survey, payload.files)
    return replace_all(
        survey.files, payload.files, stays, lambda name: prefer.named(f"{survey.path}/{name}")
    )


def build_step(
    survey: Survey,
    choice: Choice,
    payload: Payload,
    base_entry: RecordedComponent | None,
    prefer: Preference,
) -> Step:
    """Decide the step of a selected component, given its payload and what it was made from.

    For files that the system rewrites, the archive's version is built.
    """

    def preferred(name: str) -> Preferred:
        path = f"{survey.path}/{name}"
        if is_rewritten(choice.component, name) and not prefer.names_exactly(path):
            return "theirs"
        return prefer.of(path)

    step = Step(
        survey=survey,
        base=base_entry,
        component=payload.recorded(choice.archive, survey.last_built),
        payload=payload,
    )
    base_files = payload.as_written(base_entry.files if base_entry else {}, survey.files)
    return with_merge(step, merge_files(base_files, survey.files, payload.files, preferred))


def behind_step(survey: Survey, choice: Choice, base: Base, draft: Draft) -> Step:
    """The step of a component for which the drop is behind: it stays, or it is an error if it is
    not on disk.
    """
    step = Step(survey=survey, base=base.component)
    if survey.target.occupancy != "absent":
        return step
    archive = archive_name(choice.archive.file)
    available = choice.component.version or ""
    return replace(
        step,
        errors=(DropBehind(survey.path, archive, available, base.version),),
    )


def _partial(built: Step, choice: Choice) -> Iterator[PartialArchive]:
    """The error of an archive that has less than half of the component's files, or lacks one that
    the system demands.

    There is no error if the record names this archive.
    """
    recorded = built.survey.recorded
    if built.base is None or (recorded and recorded.comes_from(choice.archive)):
        return
    apart = choice.component.apart
    before = {name for name in without_folders(built.base.files) if not is_within(name, apart)}
    lost = [name for name in choice.component.lacks if name in before]
    if lost:
        yield PartialArchive(
            built.path, built.archive, built.file_count, len(before), len(before), lost[0]
        )
        return
    remaining = len(before.intersection(built.merge.files))
    if max(remaining, built.file_count) * 2 < len(before) and len(before) >= _MANY:
        yield PartialArchive(built.path, built.archive, built.file_count, remaining, len(before))


def later_versions(
    surveys: Iterable[Survey], behind: Mapping[str, Base], draft: Draft
) -> Iterator[WarningDiagnostic]:
    """Warn of the components on disk for which the drop is behind, given the bases of these, by
    path.
    """
    later = list[Later]()
    for survey in surveys:
        choice = survey.choice
        if choice and survey.is_there and survey.path in behind:
            archive = archive_name(choice.archive.file)
            available = choice.component.version or ""
            later.append(Later(survey.path, behind[survey.path].version, archive, available))
    if later:
        yield drop_behind(tuple(later), draft.reader.command)


def warn_of_old_versions(draft: JudgedDraft) -> JudgedDraft:
    """Warn of markers that stay the user's and state another version than the one that is built."""
    warnings = list[WarningDiagnostic]()
    for step in draft.plan.steps:
        is_declined = step.marker in step.merge.of("declined")
        if is_declined and step.version_on_disk not in {"", step.version}:
            warnings.append(
                old_version_shown(step.path, f"{step.path}/{step.marker}", step.version_on_disk)
            )
    return draft.with_warnings(*warnings)
