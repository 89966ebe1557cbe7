"""Surveys: every component that is selected or recorded, as it is on disk, and whether another version replaced it.

It was replaced if a system or somebody has put another version in its place. The rules are in `docs/building.md`.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TypeAlias

from toolz import unique

from pipeline.archives.archive import Archive, Component
from pipeline.archives.entry_names import can_run, last_part
from pipeline.archives.versions import are_equal
from pipeline.building.draft import Draft
from pipeline.building.patching.given import Given
from pipeline.building.planning.contents import contents_of
from pipeline.building.steps import Survey
from pipeline.building.stores.record import Files, FileState, RecordedComponent, are_alike
from pipeline.building.stores.state import written_in
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.updates import edits_replaced
from pipeline.report.outcome import value_of
from pipeline.selection.choices import Choice, Reason
from pipeline.systems.table import is_rewritten
from pipeline.values import replace

Candidate: TypeAlias = tuple[Choice, Files]
"""An archive that a component may have been made from, and the files that it gives without a patch."""
Patched: TypeAlias = Mapping[str, FileState | None]
"""What a patch makes of files; `None` of one that it removes."""
FindCandidates: TypeAlias = Callable[[Survey], Iterable[Candidate]]
"""Find the archives of the version that the component on disk says."""


def surveys_of(draft: Draft) -> tuple[Survey, ...]:
    """Every component that is selected or recorded, as it is on disk."""
    record = draft.record
    options = draft.options
    choices = {each.path: each for each in draft.choices}
    paths = [
        path
        for path in unique((*choices, *sorted(record.components)))
        if options.names is None or path in options.names
    ]
    targets = draft.found.places(paths)
    surveys: list[Survey] = []
    for path, target in targets.items():
        recorded = record.components.get(path)
        last = draft.state.components.get(path)
        written = written_in(recorded, last, target.files)
        if recorded and last and path not in draft.plan.patches:
            written = _without_patch(written, recorded, last.component, target.files)
        seen = target.with_bits_of(written.files) if written else target
        surveys.append(
            Survey(
                kind=record.places.kind_of(path),
                path=path,
                target=seen,
                written=written,
                recorded=recorded,
                last=last,
                choice=choices.get(path),
            )
        )
    found = draft.found.installed({each.path: each.files for each in surveys if each.may_be_replaced})
    candidates = of_its_version(draft)
    return tuple(_replaced(each, found.get(each.path), candidates, draft) for each in surveys)


def _without_patch(
    written: RecordedComponent | None, recorded: RecordedComponent, built: RecordedComponent, disk: Files
) -> RecordedComponent | None:
    """What the tool wrote here, where the record has come without the patch that it was built with elsewhere.

    A file that is on disk as that patch makes it, and was not built like that here, was edited by hand.
    """
    if written is None or not recorded.patch or recorded.patch == built.patch or recorded.source != built.source:
        return written
    by_hand = {
        name: state
        for name, state in built.files.items()
        if are_alike(disk.get(name), recorded.files.get(name)) and not are_alike(disk.get(name), state)
    }
    return replace(written, files={**written.files, **by_hand})


def _replaced(survey: Survey, found: Component | None, candidates: FindCandidates, draft: Draft) -> Survey:
    """As `replaced`; the archive is opened for its patched files only if that decides it."""
    known = replaced(survey, found, {}, candidates)
    patches = draft.plan.patches
    if not (known.is_replaced and known.choice and survey.path in patches):
        return known
    gives = value_of(contents_of([known.choice], draft.found, patches, {})[survey.path]) or Given()
    patched = {name: gives.files.get(name) for name in (*gives.texts, *gives.removed)}
    return replaced(survey, found, patched, candidates)


def replaced(survey: Survey, found: Component | None, patched: Patched, candidates: FindCandidates) -> Survey:
    """A survey with what the component on disk says that it is, given the files that its patch makes.

    It was replaced if its marker says another version than was written, and neither the marker nor one more file is as
    anybody here has left it: one that was written, also if it is missing, or new code. Without such a file to ask, the
    marker is enough, and so it is if the disk is as an archive of that version. What the system writes anew does not
    count.
    """
    survey = replace(survey, found=found)
    written = survey.written
    if written is None or found is None or not found.version or are_equal(written.version, found.version):
        return survey
    if survey.last and are_equal(survey.last.shown, found.version):
        return survey
    names = {*written.files, *filter(can_run, survey.files)}
    counted = {name for name in names if not is_rewritten(found, name)}
    foreign = {name for name in counted if _is_foreign(survey, name, patched)}
    if found.marker not in foreign:
        return survey
    is_enough = len(foreign) > 1 or counted == {found.marker}
    return replace(survey, is_replaced=is_enough or any(_is_made_of(survey, each) for each in candidates(survey)))


def _is_made_of(survey: Survey, candidate: Candidate) -> bool:
    """Whether the disk agrees with every file of an archive but those that the system writes anew."""
    component = candidate[0].component
    counted = {name: state for name, state in plain(candidate[1]).items() if not is_rewritten(component, name)}
    return all(are_alike(survey.files.get(name), state) for name, state in counted.items())


def _is_foreign(survey: Survey, name: str, patched: Patched) -> bool:
    """Whether a file is there, or missing, as nobody here has left it."""
    there = survey.files.get(name)
    known = [survey.written.files.get(name)] if survey.written else []
    if survey.last:
        known.append(survey.last.tree.files.get(name))
    if name in patched:
        known.append(patched[name])
    return not any(are_alike(there, each) for each in known)


def edits_lost(survey: Survey, patched: Collection[str]) -> Iterator[WarningDiagnostic]:
    """Name the files that were edited or patched, as the state says, and that another version has replaced."""
    if survey.last is None or not survey.is_replaced:
        return
    after_run = survey.last.tree.files
    built = survey.last.component.files
    ours = [
        name for name in built if name in after_run and (name in patched or not are_alike(after_run[name], built[name]))
    ]
    if lost := tuple(name for name in ours if not are_alike(after_run[name], survey.files.get(name))):
        yield edits_replaced(survey.path, survey.version or "", lost)


def of_its_version(draft: Draft) -> FindCandidates:
    """What finds archives of the version that a component on disk says, in the drop and among those that are kept."""
    kept = cache(draft.found.kept)

    def found(survey: Survey) -> Iterator[Candidate]:
        yield from read([each for each in of_its_path(survey, draft) if _is_of_its_version(each, survey)], draft)
        yield from among(kept(), survey, draft)

    return found


def of_its_path(survey: Survey, draft: Draft) -> Iterator[Choice]:
    """The archives of a component in the drop, whether they are selected or not."""
    for choice in draft.selection.choices:
        if choice.path == survey.path and choice.archive.component and not choice.archive.refusals:
            yield choice


def _is_of_its_version(choice: Choice, survey: Survey) -> bool:
    """Whether an archive has the version that the component on disk says."""
    return survey.found is not None and are_equal(choice.component.version, survey.found.version)


def among(archives: Iterable[Archive], survey: Survey, draft: Draft) -> Iterator[Candidate]:
    """The archives among kept ones that have the version on disk, one without a name of its own too."""
    kind = draft.record.places.kind_of(survey.path)
    name = last_part(survey.path)
    named = (
        Choice(each, replace(each.component, name=name), False, Reason("older"))
        for each in archives
        if each.component and each.component.kind == kind and (each.component.name == name or each.component.named_by)
    )
    yield from read([each for each in named if _is_of_its_version(each, survey)], draft)


def read(choices: Sequence[Choice], draft: Draft) -> Iterator[Candidate]:
    """Archives with their files, as far as they can be read."""
    for choice, outcome in zip(choices, draft.found.contents(choices), strict=True):
        if (files := value_of(outcome)) is not None:
            yield choice, files


def plain(files: Files) -> Files:
    """Files without empty folders."""
    return {name: state for name, state in files.items() if state.kind != "folder"}
