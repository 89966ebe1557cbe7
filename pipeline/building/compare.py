"""Compare archives with the components on disk: a step for each component, or why there is none."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace
from returns.result import Success
from toolz import concat

from pipeline.building.base import Survey, behind
from pipeline.building.component_steps import later_versions, lost_edits, step_for
from pipeline.building.draft import Draft
from pipeline.building.names import about
from pipeline.building.patching.given import Given
from pipeline.building.patching.patching import (
    content_as_built,
    contents_with_patches,
    is_as_built,
    warnings_on_patches,
)
from pipeline.building.patching.rebasing import rebase
from pipeline.building.stores.record import Record
from pipeline.building.surveys import bases_of, surveys_of
from pipeline.report.diagnostics.archives import ArchiveRejected
from pipeline.report.diagnostics.disk import FileSystemProblem
from pipeline.report.diagnostics.selection import ComponentAmbiguous
from pipeline.report.outcome import BuildOutcome, errors_of, value_of
from pipeline.selection.choices import Choice

_PASSABLE: Final = (ArchiveRejected, ComponentAmbiguous, FileSystemProblem)
"""Errors of single archives or components: the others can be built."""


def pick(draft: Draft) -> BuildOutcome[Draft]:
    """Take the selected archives that can be built. Errors: those of the selection, unless they are passed over."""
    options = draft.options
    selection = about(draft.selection, options.names, draft.record)
    is_passable = all(isinstance(each, _PASSABLE) for each in selection.errors)
    if options.keep_going and is_passable:
        draft = replace(draft, plan=replace(draft.plan, refused=selection.errors))
        selection = replace(selection, errors=())
    built = selection.selected.map(lambda chosen: tuple(each for each in chosen if each.is_built))
    return built.map(lambda choices: replace(draft, choices=choices))


def compare(draft: Draft) -> Draft:
    """Survey the components on disk, and compare them with the archives, the record and the state."""
    surveys, plan = surveys_of(draft), draft.plan
    late = {} if draft.options.consents else {each.path: base for each in surveys if (base := behind(each))}
    given = _contents([(each, each.choice) for each in surveys if each.choice and each.path not in late], draft)
    gives = {path: value for path, outcome in given.items() if (value := value_of(outcome))}
    made = {**late, **bases_of([each for each in surveys if each.path not in late], gives, draft)}
    rebased = {
        each.path: rebase(each.choice, gives[each.path], made[each.path].component, draft)
        for each in surveys
        if each.choice and each.path in gives
    }
    gives = {path: each.given for path, each in rebased.items()}
    anew = {path: each.patch for path, each in rebased.items() if each.patch}
    steps = tuple(
        step_for(each, each.choice, made[each.path], gives.get(each.path, Given()), draft)
        for each in surveys
        if each.choice and (each.path in gives or each.path in late)
    )
    plan = replace(
        plan,
        steps=steps,
        patches={**plan.patches, **anew},
        rewritten=frozenset(anew),
        refused=(*plan.refused, *concat(map(errors_of, given.values()))),
        places={each.path: each.target for each in surveys},
        before=Record({path: base.component for path, base in made.items() if base.component}, draft.record.folders),
    )
    return replace(draft, plan=plan).with_warnings(
        *lost_edits(surveys, plan.patches),
        *later_versions([each for each in surveys if each.path in late and each.is_there], late, draft),
        *warnings_on_patches(steps, gives, draft.record.components, anew),
    )


def _contents(surveys: Sequence[tuple[Survey, Choice]], draft: Draft) -> dict[str, BuildOutcome[Given]]:
    """The files that building components gives, or why an archive is refused, by the paths of components.

    What an archive gives that was built here is known from the state; never from the record, which anybody may have
    written. Nothing is read where nothing is there, unless somebody asks about it. The others are asked for in the
    order of their archive files, so that each is opened once.
    """
    given: dict[str, BuildOutcome[Given]] = {}
    patches, is_asked = draft.plan.patches, bool(draft.options.prefer.patterns or draft.options.frozen)
    unread = []
    for each, choice in surveys:
        last = each.last.component if each.last else None
        if not (each.is_there or each.path in patches or is_asked):
            given[each.path] = Success(Given())
        elif last and each.is_there and is_as_built(choice, last, patches):
            given[each.path] = Success(content_as_built(choice, last, draft.found, patches))
        else:
            unread.append(choice)
    unread.sort(key=lambda choice: choice.archive.file.zip_file)
    read = contents_with_patches(unread, draft.found, patches)
    return given | {choice.path: outcome for choice, outcome in zip(unread, read, strict=True)}
