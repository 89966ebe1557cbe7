"""Base: what a component on disk was made from. An update is compared with that, so it has to be known.

    known      it is as the tool wrote it; or the drop has the archive of the version on disk, or one is kept
    unknown    a system or somebody has replaced it, or no run has built it, and no such archive is found
    behind     the archive of the drop is older than the record, the base or the disk says

A component with an unknown base, or of which the drop is behind, stays as it is. The rules are in `docs/building.md`.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Literal, TypeAlias

from msgspec import Struct
from toolz import unique

from pipeline.archives.archive import Archive, Component
from pipeline.archives.entry_names import can_run, last_part, leads_into_repository
from pipeline.archives.versions import are_equal, compare_versions
from pipeline.building.draft import Draft
from pipeline.building.patching.given import Given
from pipeline.building.planning.contents import contents_of
from pipeline.building.steps import Survey
from pipeline.building.stores.record import Files, FileState, RecordedComponent, are_alike, as_recorded
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


class Base(Struct, frozen=True):
    """What a component on disk was made from, or why it stays as it is."""

    certainty: Literal["known", "unknown", "behind"]
    component: RecordedComponent | None = None
    """The base, if it is known; `None` if nothing of the component is on disk, and nothing was built."""
    version: str = ""
    """Of an unknown one, the version on disk; if the drop is behind, the later version."""
    likely: Choice | None = None
    """Of an unknown one, the archive that is perhaps its base."""


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
    counted = {name: state for name, state in _plain(candidate[1]).items() if not is_rewritten(component, name)}
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


def behind(survey: Survey) -> Base | None:
    """That the archive of the drop is behind: older than record, base or disk, or the one that was replaced."""
    if survey.choice is None or survey.is_pulled_back:
        return None
    available = survey.choice.component.version
    recorded = survey.recorded
    later = (recorded.version if recorded else None, survey.version if survey.is_there else None)
    versions = [each for each in later if each and compare_versions(each, available) == "older"]
    built = (survey.written, recorded, survey.last.component if survey.last else None)
    was_built = survey.is_replaced and any(each and each.comes_from(survey.choice.archive) for each in built)
    if not versions and not was_built:
        return None
    return Base(
        "behind",
        component=None if survey.is_foreign else survey.written,
        version=versions[-1] if versions else survey.version or "",
    )


def base_of(survey: Survey, candidates: Sequence[Candidate], *, is_confirmed: bool) -> Base:
    """The base of a component that is not behind, given the archives that it may have been made from.

    `is_confirmed` says that somebody has confirmed an uncertain one.
    """
    if not survey.is_foreign:
        return Base("known", survey.written)
    if not survey.found and all(survey.files.keys().isdisjoint(each[1]) for each in candidates):
        return Base("known")  # nothing of the component is there, but files of somebody
    whole = [each for each in candidates if _alike(survey, each) == len(_plain(each[1]))]
    version = survey.found.version if survey.found else None
    equal = [each for each in candidates if are_equal(each[0].component.version, version)]
    unsaid = [each for each in candidates if not (version and each[0].component.version)]
    likely = max(equal or unsaid, key=partial(_alike, survey), default=None)
    if whole:
        return Base("known", _made_from(survey, *whole[0]))
    if likely and (is_confirmed or (equal and _is_certain(survey, *likely))):
        return Base("known", _made_from(survey, *likely))
    return Base("unknown", version=version or "", likely=likely[0] if likely else None)


def _plain(files: Files) -> Files:
    """Files without empty folders."""
    return {name: state for name, state in files.items() if state.kind != "folder"}


def _alike(survey: Survey, candidate: Candidate) -> int:
    """With how many files of an archive the disk agrees."""
    return sum(are_alike(survey.files.get(name), state) for name, state in _plain(candidate[1]).items())


def _is_certain(survey: Survey, choice: Choice, files: Files) -> bool:
    """Whether every file of an archive of the version on disk is there, or those that are there are alike.

    A kept archive may have another name, and be of another component: then every file has to be there.
    """
    there = survey.files
    plain = _plain(files)
    if all(name in there for name in plain):
        return True
    counted = (name for name in plain if name in there and not is_rewritten(choice.component, name))
    called = choice.archive.component.name if choice.archive.component else ""
    return called == choice.component.name and all(are_alike(there[name], plain[name]) for name in counted)


def _made_from(survey: Survey, choice: Choice, files: Files) -> RecordedComponent:
    """What the record would say of an archive that was built here; what was written here before is no edit."""
    before = [each.files for each in (survey.written, survey.recorded) if each]
    if survey.last:
        before.append(survey.last.component.files)
    ours = {
        name: state for name, state in survey.files.items() if any(are_alike(state, each.get(name)) for each in before)
    }
    made = as_recorded(choice.archive, files)
    return replace(made, files={**made.files, **ours})


def moved_away(survey: Survey, files: Files) -> frozenset[str]:
    """The files that an archive does not have, and that would not stay beside it: they can run, and nobody here has
    added them.
    """
    added = survey.last.added if survey.last else frozenset[str]()
    others = survey.files.keys() - files.keys() - added
    return frozenset(name for name in others if can_run(name) and not leads_into_repository(name))


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


def of_its_version(draft: Draft) -> FindCandidates:
    """What finds archives of the version that a component on disk says, in the drop and among those that are kept."""
    kept = cache(draft.found.kept)

    def found(survey: Survey) -> Iterator[Candidate]:
        yield from _read([each for each in _of_its_path(survey, draft) if _is_of_its_version(each, survey)], draft)
        yield from _among(kept(), survey, draft)

    return found


def bases_of(surveys: Iterable[Survey], gives: Mapping[str, Given], draft: Draft) -> dict[str, Base]:
    """What components were made from, by their paths, given what building those that are selected gives."""
    is_confirmed = draft.options.names is not None and draft.options.prefer.whole == "mine"
    kept = cache(draft.found.kept)
    made: dict[str, Base] = {}
    for each in surveys:
        from_drop = tuple(_in_drop(each, gives, draft)) if each.is_foreign else ()
        made[each.path] = base_of(each, from_drop, is_confirmed=is_confirmed)
        if made[each.path].certainty == "unknown":
            base = base_of(each, tuple(_among(kept(), each, draft)), is_confirmed=is_confirmed)
            if base.component:  # the file is called by its digest, which says nothing to people
                named = f"kept archive of {base.component.version}"
                made[each.path] = replace(base, component=replace(base.component, archive=named))
    return made


def _in_drop(survey: Survey, gives: Mapping[str, Given], draft: Draft) -> Iterator[Candidate]:
    """The archives of the drop that a component may have been made from."""
    if survey.choice and survey.path in gives:
        yield survey.choice, gives[survey.path].unpatched
    yield from _read([each for each in _of_its_path(survey, draft) if each is not survey.choice], draft)


def _of_its_path(survey: Survey, draft: Draft) -> Iterator[Choice]:
    """The archives of a component in the drop, whether they are selected or not."""
    for choice in draft.selection.choices:
        if choice.path == survey.path and choice.archive.component and not choice.archive.refusals:
            yield choice


def _is_of_its_version(choice: Choice, survey: Survey) -> bool:
    """Whether an archive has the version that the component on disk says."""
    return survey.found is not None and are_equal(choice.component.version, survey.found.version)


def _among(archives: Iterable[Archive], survey: Survey, draft: Draft) -> Iterator[Candidate]:
    """The archives among kept ones that have the version on disk, one without a name of its own too."""
    kind = draft.record.places.kind_of(survey.path)
    name = last_part(survey.path)
    named = (
        Choice(each, replace(each.component, name=name), False, Reason("older"))
        for each in archives
        if each.component and each.component.kind == kind and (each.component.name == name or each.component.named_by)
    )
    yield from _read([each for each in named if _is_of_its_version(each, survey)], draft)


def _read(choices: Sequence[Choice], draft: Draft) -> Iterator[Candidate]:
    """Archives with their files, as far as they can be read."""
    for choice, outcome in zip(choices, draft.found.contents(choices), strict=True):
        if (files := value_of(outcome)) is not None:
            yield choice, files
