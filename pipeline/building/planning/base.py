"""Base: what a component on disk was made from. An update needs it for the comparison.

    known      the tool wrote the component; or the drop, or a kept archive, has the version on disk
    unknown    a system or somebody replaced the component, or no run built it, and no such
               archive is found
    behind     the archive in the drop is older than the record, the base or the disk

If the base is unknown or the drop is behind, the component stays as it is. The rules are
in `docs/building.md`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Literal

from msgspec import Struct

from pipeline.archives.entry_names import can_run, leads_into_repository
from pipeline.archives.versions import are_equal, compare_versions
from pipeline.building.draft import Draft
from pipeline.building.patching.payload import Payload
from pipeline.building.planning.surveys import (
    Candidate,
    choices_for,
    kept_candidates,
    read_candidates,
)
from pipeline.building.stores.record import (
    Files,
    FileState,
    RecordedComponent,
    archive_name,
    are_alike,
    as_recorded,
    version_of,
    without_folders,
)
from pipeline.building.survey import Survey
from pipeline.selection.choices import Choice
from pipeline.systems.table import is_rewritten
from pipeline.values import replace


class Base(Struct, frozen=True):
    """The base of a component, or why there is none to compare with; the component then stays as it
    is.
    """

    certainty: Literal["known", "unknown", "behind"]
    component: RecordedComponent | None = None
    """The known base; `None` if it is not known, or if nothing of the component is on disk
    or was built.
    """
    version: str = ""
    """The version on disk if the base is unknown; the later version if the drop is behind."""
    likely: Choice | None = None
    """The archive that may be an unknown base."""

    @property
    def likely_archive(self) -> str:
        """The name of the archive that may be the base; empty if there is none."""
        if self.likely is None:
            return ""
        return archive_name(self.likely.archive.file)


def base_if_behind(survey: Survey) -> Base | None:
    """The base of a component for which the drop is behind; `None` if it is not behind.

    The drop is behind if its archive is older than record or disk, or if somebody replaced what was
    built from it.
    """
    if survey.choice is None or survey.is_pulled_back:
        return None
    later = _later_version(survey, survey.choice)
    was_built = any(component.comes_from(survey.choice.archive) for component in survey.built)
    if later is None and not (survey.is_replaced and was_built):
        return None
    base = Base("behind", version=later or survey.version or "")
    if survey.is_foreign:
        return base
    return replace(base, component=survey.written)


def _later_version(survey: Survey, choice: Choice) -> str | None:
    """The version on disk, else in the record, that is later than the archive's;
    `None` if none is.
    """
    available = choice.component.version
    if (
        survey.is_there
        and survey.version
        and compare_versions(survey.version, available) == "older"
    ):
        return survey.version
    recorded = version_of(survey.recorded)
    if recorded and compare_versions(recorded, available) == "older":
        return recorded
    return None


def base_of(survey: Survey, candidates: Sequence[Candidate], *, is_confirmed: bool) -> Base:
    """The base of a component, given the archives that it may have been made from.

    The drop must not be behind. `is_confirmed` says that the user accepts an uncertain base.
    """
    if not survey.is_foreign:
        return Base("known", survey.written)
    # Somebody has files there, but none of them is of the component.
    if not survey.found and all(survey.files.keys().isdisjoint(files) for _, files in candidates):
        return Base("known")
    version = survey.found.version if survey.found else None
    equal = list[Candidate]()
    unsaid = list[Candidate]()
    for choice, files in candidates:
        if _alike(survey, (choice, files)) == len(without_folders(files)):
            return Base("known", _made_from(survey, choice, files))
        if are_equal(choice.component.version, version):
            equal.append((choice, files))
        if not (version and choice.component.version):
            unsaid.append((choice, files))
    likely = max(equal or unsaid, key=partial(_alike, survey), default=None)
    if likely is None:
        return Base("unknown", version=version or "")
    if is_confirmed or (equal and _is_certain(survey, *likely)):
        return Base("known", _made_from(survey, *likely))
    return Base("unknown", version=version or "", likely=likely[0])


def _alike(survey: Survey, candidate: Candidate) -> int:
    """How many files of an archive are alike on disk."""
    _, files = candidate
    return sum(
        are_alike(survey.files.get(name), state) for name, state in without_folders(files).items()
    )


def _is_certain(survey: Survey, choice: Choice, files: Files) -> bool:
    """Whether an archive of the version on disk is certainly the base: its files are all on disk,
    or those that are on disk are all alike.

    A kept archive under another name may be of another component; then all files have to be on
    disk. Files that the system rewrites do not count.
    """
    there = survey.files
    archived = without_folders(files)
    if all(name in there for name in archived):
        return True
    known_as = choice.archive.component
    if known_as is None or known_as.name != choice.component.name:
        return False
    counted = (
        name for name in archived if name in there and not is_rewritten(choice.component, name)
    )
    return all(are_alike(there[name], archived[name]) for name in counted)


def _made_from(survey: Survey, choice: Choice, files: Files) -> RecordedComponent:
    """The record's entry as if the archive had been built; files that earlier builds wrote count
    as unedited.
    """
    made = as_recorded(choice.archive, files)
    ours = dict[str, FileState]()
    for name, state in survey.files.items():
        if any(are_alike(state, component.files.get(name)) for component in survey.built):
            ours[name] = state
    return replace(made, files={**made.files, **ours})


def moved_away(survey: Survey, files: Files) -> frozenset[str]:
    """The files on disk that must not stay beside the files of an archive: executable code that the
    archive lacks and no user added.
    """
    others = survey.files.keys() - files.keys()
    if survey.last:
        others -= survey.last.added
    return frozenset(name for name in others if can_run(name) and not leads_into_repository(name))


def bases_of(
    surveys: Iterable[Survey], payloads: Mapping[str, Payload], draft: Draft
) -> dict[str, Base]:
    """The bases of components, by path, given the payloads of the selected ones."""
    is_confirmed = draft.options.names is not None and draft.options.prefer.whole == "mine"
    kept = cache(draft.reader.list_kept)
    made: dict[str, Base] = {}
    for survey in surveys:
        from_drop = tuple[Candidate, ...]()
        if survey.is_foreign:
            from_drop = tuple(_in_drop(survey, payloads, draft))
        base = base_of(survey, from_drop, is_confirmed=is_confirmed)
        if base.certainty == "unknown":
            of_kept = base_of(
                survey, tuple(kept_candidates(kept(), survey, draft)), is_confirmed=is_confirmed
            )
            # The file is called by its digest, which says nothing to people.
            if of_kept.component:
                named = f"kept archive of {of_kept.component.version}"
                base = replace(of_kept, component=replace(of_kept.component, archive=named))
        made[survey.path] = base
    return made


def _in_drop(survey: Survey, payloads: Mapping[str, Payload], draft: Draft) -> Iterator[Candidate]:
    """The archives in the drop that a component may have been made from, each with its files
    without a patch.
    """
    if survey.choice and survey.path in payloads:
        yield survey.choice, payloads[survey.path].unpatched
    yield from read_candidates(
        [choice for choice in choices_for(survey, draft) if choice is not survey.choice], draft
    )
