"""Surveys: the selected and recorded components on disk, and whether another version has
replaced them.

A component is replaced if a system or somebody put another version in its place. The rules are
in `docs/building.md`.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import TypeAlias

from toolz import unique

from pipeline.archives.archive import Archive, Component
from pipeline.archives.entry_names import can_run, last_part
from pipeline.archives.versions import are_equal
from pipeline.building.draft import Draft, SourcedDraft
from pipeline.building.patching.payload import Payload
from pipeline.building.planning.contents import payloads_of
from pipeline.building.stores.record import (
    Files,
    FileState,
    RecordedComponent,
    are_alike,
    without_folders,
)
from pipeline.building.stores.state import written_in
from pipeline.building.survey import Survey
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.updates import edits_replaced
from pipeline.report.outcome import value_of
from pipeline.selection.choices import Choice, Reason
from pipeline.systems.table import is_rewritten
from pipeline.values import replace

Candidate: TypeAlias = tuple[Choice, Files]
"""An archive that a component may have been made from, and its files without a patch."""
PatchedFiles: TypeAlias = Mapping[str, FileState | None]
"""The files of a component that a patch changes, as they are with the patch; `None` for a file that
it removes.
"""
FindCandidates: TypeAlias = Callable[[Survey], Iterable[Candidate]]
"""Find the archives of the version that the component on disk states."""


def surveys_of(draft: SourcedDraft) -> tuple[Survey, ...]:
    """The surveys of all selected or recorded components in scope."""
    record = draft.record
    options = draft.options
    choices = {choice.path: choice for choice in draft.choices}
    paths = [*unique((*choices, *sorted(record.components)))]
    if options.names is not None:
        paths = [path for path in paths if path in options.names]
    surveys = list[Survey]()
    for path, there in draft.reader.view_targets(paths).items():
        recorded = record.components.get(path)
        last = draft.state.components.get(path)
        written = written_in(recorded, last, there.files)
        if recorded and last and path not in draft.plan.patches:
            written = _written_without_patch(written, recorded, last.component, there.files)
        target = there
        if written:
            target = there.with_bits_of(written.files)
        survey = Survey(
            kind=record.places.kind_of(path),
            path=path,
            target=target,
            written=written,
            recorded=recorded,
            last=last,
            choice=choices.get(path),
        )
        surveys.append(survey)
    found = draft.reader.recognise_installed(
        {survey.path: survey.files for survey in surveys if survey.may_be_replaced}
    )
    candidates = candidate_finder(draft)
    return tuple(
        _with_replacement_unless_patched(survey, found.get(survey.path), candidates, draft)
        for survey in surveys
    )


def _written_without_patch(
    written: RecordedComponent | None,
    recorded: RecordedComponent,
    built: RecordedComponent,
    disk: Files,
) -> RecordedComponent | None:
    """What the tool wrote, if the record came from another machine without the patch that the
    component was built with there.

    A file that is on disk as that patch makes it, but was not built like that here, was edited by
    hand.
    """
    if (
        written is None
        or not recorded.patch
        or recorded.patch == built.patch
        or recorded.source != built.source
    ):
        return written
    by_hand = {
        name: state
        for name, state in built.files.items()
        if are_alike(disk.get(name), recorded.files.get(name))
        and not are_alike(disk.get(name), state)
    }
    return replace(written, files={**written.files, **by_hand})


def _with_replacement_unless_patched(
    survey: Survey, found: Component | None, candidates: FindCandidates, draft: SourcedDraft
) -> Survey:
    """The survey with what replaced the component, as `with_replacement` decides it. The archive is
    opened for the patched files only if they decide.
    """
    known = with_replacement(survey, found, {}, candidates)
    patches = draft.plan.patches
    if not (known.is_replaced and known.choice and survey.path in patches):
        return known
    payload = (
        value_of(payloads_of([known.choice], draft.reader, patches, {})[survey.path]) or Payload()
    )
    patched = {name: payload.files.get(name) for name in (*payload.texts, *payload.removed)}
    return with_replacement(survey, found, patched, candidates)


def with_replacement(
    survey: Survey, found: Component | None, patched: PatchedFiles, candidates: FindCandidates
) -> Survey:
    """The survey with the component that the marker on disk describes, and whether that component
    replaced what the tool wrote.

    A component is replaced if its marker states another version, and the marker and one more file
    differ from everything that the tool has left here, with or without the patch. Written files
    count, even if they are missing, and so does new code, but not files that the system rewrites.
    The marker alone is enough if no other file counts, or if the disk has all files of an archive
    of that version.
    """
    survey = replace(survey, found=found)
    written = survey.written
    if (
        written is None
        or found is None
        or not found.version
        or are_equal(written.version, found.version)
    ):
        return survey
    if survey.last and are_equal(survey.last.shown, found.version):
        return survey
    names = {*written.files, *filter(can_run, survey.files)}
    counted = {name for name in names if not is_rewritten(found, name)}
    foreign = {name for name in counted if _is_foreign(survey, name, patched)}
    if found.marker not in foreign:
        return survey
    is_enough = len(foreign) > 1 or counted == {found.marker}
    return replace(
        survey, is_replaced=is_enough or any(map(partial(_is_made_of, survey), candidates(survey)))
    )


def _is_made_of(survey: Survey, candidate: Candidate) -> bool:
    """Whether the disk has every file of an archive, except those that the system rewrites."""
    choice, files = candidate
    for name, state in without_folders(files).items():
        if not is_rewritten(choice.component, name) and not are_alike(
            survey.files.get(name), state
        ):
            return False
    return True


def _is_foreign(survey: Survey, name: str, patched: PatchedFiles) -> bool:
    """Whether a file on disk, or its absence, is not what the tool has left here."""
    there = survey.files.get(name)
    if survey.written and are_alike(there, survey.written.files.get(name)):
        return False
    if survey.last and are_alike(there, survey.last.tree.files.get(name)):
        return False
    return not (name in patched and are_alike(there, patched[name]))


def edits_lost(survey: Survey, patched: Collection[str]) -> Iterator[WarningDiagnostic]:
    """Warn of edited or patched files that were lost when another version replaced
    the component.
    """
    if survey.last is None or not survey.is_replaced:
        return
    after_run = survey.last.tree.files
    built = survey.last.component.files
    lost = list[str]()
    for name, state in built.items():
        after = after_run.get(name)
        is_ours = after is not None and (name in patched or not are_alike(after, state))
        if is_ours and not are_alike(after, survey.files.get(name)):
            lost.append(name)
    if lost:
        yield edits_replaced(survey.path, survey.version or "", tuple(lost))


def candidate_finder(draft: Draft) -> FindCandidates:
    """A function that finds archives of the version on disk, in the drop and among the
    kept archives.
    """
    kept = cache(draft.reader.list_kept)

    def find(survey: Survey) -> Iterator[Candidate]:
        yield from read_candidates(
            [
                choice
                for choice in choices_for(survey, draft)
                if _has_version_on_disk(choice, survey)
            ],
            draft,
        )
        yield from kept_candidates(kept(), survey, draft)

    return find


def choices_for(survey: Survey, draft: Draft) -> Iterator[Choice]:
    """The archives of a component in the drop, selected or not."""
    for choice in draft.selection.choices:
        if choice.path == survey.path and choice.archive.component and not choice.archive.refusals:
            yield choice


def _has_version_on_disk(choice: Choice, survey: Survey) -> bool:
    """Whether an archive has the version that the component on disk states."""
    return survey.found is not None and are_equal(choice.component.version, survey.found.version)


def kept_candidates(
    archives: Iterable[Archive], survey: Survey, draft: Draft
) -> Iterator[Candidate]:
    """The kept archives that a component may have been made from: those of the version on disk that
    have its name, or no name of their own.
    """
    kind = draft.record.places.kind_of(survey.path)
    name = last_part(survey.path)
    choices = list[Choice]()
    for archive in archives:
        component = archive.component
        if (
            component is None
            or component.kind != kind
            or not (component.name == name or component.named_by)
        ):
            continue
        choice = Choice(archive, replace(component, name=name), False, Reason("older"))
        if _has_version_on_disk(choice, survey):
            choices.append(choice)
    yield from read_candidates(choices, draft)


def read_candidates(choices: Sequence[Choice], draft: Draft) -> Iterator[Candidate]:
    """The archives that can be read, each with its files; damaged ones are left out."""
    for choice, outcome in zip(choices, draft.reader.list_contents(choices), strict=True):
        if (files := value_of(outcome)) is not None:
            yield choice, files
