"""Compare archives with the components on disk: a step for each selected component, or why there is none.

A component with an unknown base stays as it is, unless `--force` names it: then the archive is built whole. The rules
are in `docs/building.md`.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from returns.result import Success
from toolz import concat

from pipeline.archives.entry_names import is_within
from pipeline.building.draft import Draft
from pipeline.building.merging.files_merge import merge_files, replace_all
from pipeline.building.merging.preference import Preference, Preferred
from pipeline.building.names import about
from pipeline.building.patching.given import Given
from pipeline.building.planning.base import Base, bases_of, behind, moved_away
from pipeline.building.planning.contents import contents_of, rebase
from pipeline.building.planning.patching import warnings_on_patches, with_departed, with_misfits
from pipeline.building.planning.surveys import edits_lost, surveys_of
from pipeline.building.steps import Step, Survey, decided
from pipeline.building.stores.record import RecordedComponent, archive_name
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.archives import ArchiveRejected
from pipeline.report.diagnostics.bases import (
    DropBehind,
    Later,
    UnknownBase,
    UnknownComponent,
    drop_behind,
    old_version_shown,
)
from pipeline.report.diagnostics.disk import FileSystemProblem
from pipeline.report.diagnostics.selection import ComponentAmbiguous
from pipeline.report.diagnostics.updates import PartialArchive
from pipeline.report.outcome import BuildOutcome, errors_of, value_of
from pipeline.selection.choices import Choice
from pipeline.systems.table import is_rewritten
from pipeline.values import replace

_PASSABLE: Final = (ArchiveRejected, ComponentAmbiguous, FileSystemProblem)
"""Errors of single archives or components: the others can be built."""
_MANY: Final = 10
"""From how many files on an update may leave too few of them."""


def pick(draft: Draft) -> BuildOutcome[Draft]:
    """Take the selected archives that can be built. Errors: those of the selection, unless they are passed over."""
    options = draft.options
    selection = about(draft.selection, options.names, draft.record)
    is_passable = all(isinstance(each, _PASSABLE) for each in selection.errors)
    if options.keep_going and is_passable:
        draft = draft.with_plan(replace(draft.plan, refused=selection.errors))
        selection = replace(selection, errors=())
    built = selection.selected.map(lambda chosen: tuple(each for each in chosen if each.is_built))
    return built.map(lambda choices: replace(draft, choices=choices))


def compare(draft: Draft) -> Draft:
    """Survey the components on disk, and compare them with the archives, the record and the state."""
    surveys = surveys_of(draft)
    plan = draft.plan
    judged = [] if draft.options.consents else [each for each in surveys if each.path not in draft.options.versions]
    late = {each.path: base for each in judged if (base := behind(each))}
    outcomes = _contents([each for each in surveys if each.path not in late], draft)
    read = {path: value_of(outcome) for path, outcome in outcomes.items()}
    gives = {path: given for path, given in read.items() if given}
    bases = {**late, **bases_of([each for each in surveys if each.path not in late], gives, draft)}
    steps = list[Step]()
    refused = list[Step]()
    for each in surveys:
        base = bases[each.path]
        if each.choice is None:
            steps.append(Step(survey=each, base=base.component))  # see `removals`
        elif each.path in late:
            steps.append(behind_step(each, each.choice, base, draft))
        elif each.path not in gives:
            refused.append(Step(survey=each, base=base.component))
        else:
            given = with_departed(rebase(each.choice, gives[each.path], base.component, draft), each)
            steps.append(step_for(each, each.choice, base, given, draft))
    anew = {step.path: step.given.rewritten for step in steps if step.given.rewritten}
    draft = draft.with_plan(replace(plan, steps=tuple(steps), patches={**plan.patches, **anew}))
    draft = draft.passing_over(refused, *concat(map(errors_of, outcomes.values())))
    patched = {path: each.names for path, each in draft.plan.patches.items()}
    return draft.with_warnings(
        *concat(edits_lost(each, patched.get(each.path, ())) for each in surveys),
        *later_versions([each for each in surveys if each.path in late and each.is_there], late, draft),
        *warnings_on_patches(steps),
    )


def _contents(surveys: Iterable[Survey], draft: Draft) -> dict[str, BuildOutcome[Given]]:
    """The files that building components gives, or why an archive is refused, by the paths of those that are selected.

    What an archive gives that was built here is known from the state; never from the record, which anybody may have
    written. Nothing is read where nothing is there, unless somebody asks about it.
    """
    patches = draft.plan.patches
    is_asked = bool(draft.options.prefer.patterns or draft.options.frozen)
    selected = {each.path: (each, each.choice) for each in surveys if each.choice}
    wanted = [pair for pair in selected.values() if pair[0].is_there or pair[0].path in patches or is_asked]
    last = {each.path: each.last.component for each, _ in wanted if each.last and each.is_there}
    nothing = dict.fromkeys(selected, Success(Given()))
    return {**nothing, **contents_of([choice for _, choice in wanted], draft.found, patches, last)}


def step_for(survey: Survey, choice: Choice, base: Base, given: Given, draft: Draft) -> Step:
    """Decide what is done about a selected component, given its base and what building it gives."""
    options = draft.options
    survey = replace(survey, target=survey.target.with_bits_of(given.files))
    if patch := options.versions.get(survey.path):
        given = replace(given, conflicts=tuple(replace(each, kept=patch) for each in given.conflicts))
    built = build_step(survey, choice, given, base.component, options.prefer)
    if given.conflicts or given.invalid:
        built = with_misfits(built, options.prefer)
    if base.certainty == "known":
        if options.consents or survey.path in options.versions:
            return built
        return replace(built, wrong=tuple(_partial(built, choice)))
    stays = survey.files.keys() - given.files.keys() - moved_away(survey, given.files)
    named = options.prefer.named
    forced = replace_all(survey.files, given.files, stays, lambda name: named(f"{survey.path}/{name}"))
    if options.consents:
        return decided(built, forced)
    unknown = UnknownComponent(
        survey.path,
        version=base.version,
        kind=survey.kind,
        archive=archive_name(choice.archive.file),
        available=choice.component.version or "",
        likely=archive_name(base.likely.archive.file) if base.likely else "",
        replaces=len(forced.replaced),
        leaves=len(forced.untouched),
        moves=len(forced.gone),
    )
    return Step(survey=survey, wrong=(UnknownBase(unknown, draft.found.command),), forced=forced)


def build_step(
    survey: Survey, choice: Choice, given: Given, base: RecordedComponent | None, prefer: Preference
) -> Step:
    """Decide what is done about a selected component, given what building it gives, and what it was made from.

    Of what the system writes anew, the archive's is built.
    """

    def preferred(name: str) -> Preferred:
        path = f"{survey.path}/{name}"
        if is_rewritten(choice.component, name) and not prefer.spells(path):
            return "theirs"
        return prefer.of(path)

    written = given.as_written(base.files if base else {}, survey.files)
    step = Step(
        survey=survey,
        base=base,
        component=given.recorded(choice.archive, survey.last.component if survey.last else None),
        given=given,
    )
    return decided(step, merge_files(written, survey.files, given.files, preferred))


def behind_step(survey: Survey, choice: Choice, base: Base, draft: Draft) -> Step:
    """The step of a component of which the drop is behind: it stays, which is an error if nothing of it is there."""
    step = Step(survey=survey, base=base.component)
    if survey.target.occupancy != "absent":
        return step
    archive = archive_name(choice.archive.file)
    available = choice.component.version or ""
    return replace(
        step, wrong=(DropBehind(survey.path, archive, available, base.version, command=draft.found.command),)
    )


def _partial(built: Step, choice: Choice) -> Iterator[PartialArchive]:
    """The error of an archive with less than half of a component's files, which would remove the others, or one that
    would remove a file that the system demands.

    If the record names this archive, there is no error.
    """
    recorded = built.survey.recorded
    if built.base is None or (recorded and recorded.comes_from(choice.archive)):
        return
    apart = choice.component.apart
    files = built.base.files.items()
    before = {name for name, state in files if state.kind != "folder" and not is_within(name, apart)}
    lost = [name for name in choice.component.lacks if name in before]
    if lost:
        yield PartialArchive(built.path, built.archive, built.files, len(before), len(before), lost[0])
        return
    remaining = len(before.intersection(built.merge.files))
    if max(remaining, built.files) * 2 < len(before) and len(before) >= _MANY:
        yield PartialArchive(built.path, built.archive, built.files, remaining, len(before))


def later_versions(surveys: Iterable[Survey], late: Mapping[str, Base], draft: Draft) -> Iterator[WarningDiagnostic]:
    """Name the components of which the drop is behind."""
    choices = [each.choice for each in surveys if each.choice]
    components = tuple(
        Later(each.path, late[each.path].version, archive_name(each.archive.file), each.component.version or "")
        for each in choices
    )
    if components:
        yield drop_behind(components, draft.found.command)


def warn_of_old_versions(draft: Draft) -> Draft:
    """Name the kept files that say another version than the one that is built."""
    shown = [step for step in draft.plan.steps if step.marker in step.merge.of("declined")]
    others = [step for step in shown if step.there not in {"", step.version}]
    return draft.with_warnings(
        *(old_version_shown(step.path, f"{step.path}/{step.marker}", step.there) for step in others)
    )
