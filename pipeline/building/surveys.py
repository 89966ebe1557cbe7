"""Surveys: ask the disk for the components that a run is about, and the drop for what they were made from."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace
from toolz import unique

from pipeline.archives.archive import Archive, Component
from pipeline.building.base import Base, Candidate, Survey, base_of, replaced
from pipeline.building.draft import Draft
from pipeline.building.patching.given import Given
from pipeline.building.patching.patch_file import Patch
from pipeline.building.patching.patching import contents_with_patches
from pipeline.building.stores.state import bases
from pipeline.report.outcome import value_of
from pipeline.selection.choices import Choice, Reason
from pipeline.selection.versions import are_equal


def surveys_of(draft: Draft) -> tuple[Survey, ...]:
    """Every component that is selected or recorded, as it is on disk."""
    record, options, choices = draft.record, draft.options, {each.path: each for each in draft.choices}
    paths = [path for path in unique((*choices, *record.components)) if options.names is None or path in options.names]
    targets = draft.found.places(paths)
    written = bases(record, draft.state, targets).components
    surveys = tuple(
        Survey(
            path=path,
            target=target.with_bits_of(written[path].files) if path in written else target,
            written=written.get(path),
            recorded=record.components.get(path),
            last=draft.state.components.get(path),
            choice=choices.get(path),
        )
        for path, target in targets.items()
    )
    asked = {each.path: each.files for each in surveys if each.may_be_replaced and (each.choice or options.prune)}
    found = draft.found.installed(asked) if asked else {}
    return tuple(_replaced(each, found, draft) if each.path in asked else each for each in surveys)


def _replaced(survey: Survey, found: Mapping[str, Component | None], draft: Draft) -> Survey:
    """As `replaced`; the archive is opened for its patched files only if that decides it."""
    known = replaced(survey, found.get(survey.path), {})
    patch = draft.plan.patches.get(survey.path)
    if not (known.is_replaced and known.choice and isinstance(patch, Patch)):
        return known
    (outcome,) = contents_with_patches([known.choice], draft.found, draft.plan.patches)
    gives = value_of(outcome) or Given()
    return replaced(survey, known.found, {name: gives.files[name] for name in gives.texts})


def bases_of(surveys: Sequence[Survey], gives: Mapping[str, Given], draft: Draft) -> dict[str, Base]:
    """What components were made from, by their paths, given what building those that are selected gives."""
    from_drop = {each.path: _based(each, _in_drop(each, gives, draft), draft) for each in surveys}
    unknown = [each for each in surveys if from_drop[each.path].certainty == "unknown"]
    kept = draft.found.kept() if unknown else ()
    from_kept = {each.path: _based(each, _among(kept, each, draft), draft) for each in unknown}
    return {**from_drop, **{path: base for path, base in from_kept.items() if base.component}}


def _based(survey: Survey, candidates: Iterator[Candidate], draft: Draft) -> Base:
    is_confirmed = draft.options.names is not None and draft.options.prefer.whole == "mine"
    return base_of(survey, tuple(candidates) if survey.is_foreign else (), is_confirmed=is_confirmed)


def _in_drop(survey: Survey, gives: Mapping[str, Given], draft: Draft) -> Iterator[Candidate]:
    """The archives of the drop that a component may have been made from."""
    if survey.choice and survey.path in gives:
        yield survey.choice, gives[survey.path].unpatched
    others = [each for each in draft.selection.choices if each.path == survey.path and each is not survey.choice]
    yield from _read([each for each in others if each.archive.component and not each.archive.refusals], draft)


def _among(archives: Sequence[Archive], survey: Survey, draft: Draft) -> Iterator[Candidate]:
    """The archives among kept ones that have the version on disk, one without a name of its own too."""
    kind, name = draft.record.places.kind_of(survey.path), survey.path.rpartition("/")[2]
    named = (
        Choice(each, replace(each.component, name=name), False, Reason("older"))
        for each in archives
        if each.component and each.component.kind == kind and (each.component.name == name or each.component.named_by)
    )
    yield from _read([each for each in named if are_equal(each.component.version, survey.version)], draft)


def _read(choices: Sequence[Choice], draft: Draft) -> Iterator[Candidate]:
    """Archives with their files, as far as they can be read."""
    for choice, outcome in zip(choices, draft.found.contents(choices), strict=True):
        if (files := value_of(outcome)) is not None:
            yield choice, files
