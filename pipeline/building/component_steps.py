"""Component steps: what is done about a selected component, given what it was made from, and what its archive gives.

A component with an unknown base stays as it is, unless `--force` names it: then the archive is built whole. The rules
are in `docs/building.md`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from pipeline.building import base as bases
from pipeline.building.base import Base, Survey, moved_away
from pipeline.building.draft import Draft
from pipeline.building.merging.files_merge import replace_all
from pipeline.building.patching.given import Given, Readable
from pipeline.building.patching.patch_file import Patch
from pipeline.building.patching.patching import with_misfits
from pipeline.building.steps import Step, build_step, decided
from pipeline.building.stores.record import RecordedComponent, archive_name
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.bases import (
    Command,
    DropBehind,
    Later,
    UnknownBase,
    UnknownComponent,
    drop_behind,
    old_version_shown,
)
from pipeline.report.diagnostics.updates import PartialArchive, edits_replaced
from pipeline.report.events import ComponentKind
from pipeline.selection.choices import Choice

_MANY: Final = 10
"""From how many files on an update may leave too few of them."""


def step_for(survey: Survey, choice: Choice, base: Base, given: Given, draft: Draft) -> Step:
    """Decide what is done about a selected component, given its base and what building it gives."""
    survey = replace(survey, target=survey.target.with_bits_of(given.files))
    if base.certainty == "behind":
        return _left(survey, choice, base, draft)
    built = build_step(choice, survey.target, given, base.component, draft.options.prefer)
    if given.conflicts or given.invalid:
        built = with_misfits(built, given, draft.options.prefer)
    if base.certainty == "unknown":
        return _without_base(survey, built, base, given, draft)
    found = survey.found
    wrong = () if draft.options.consents else tuple(_partial(survey, base.component, built))
    return replace(
        built,
        recorded=survey.written,
        marker=found.evidence or "" if found else "",
        there=found.version or "" if found else "",
        is_foreign=survey.is_foreign,
        wrong=wrong,
    )


def _left(survey: Survey, choice: Choice, base: Base, draft: Draft) -> Step:
    """The step for a component of which the drop is behind: it stays, if it is there."""
    step = _kept(survey, choice.component.built_kind)
    if survey.target.occupancy != "absent":
        return step
    archive, available = archive_name(choice.archive.file), choice.component.version or ""
    missing = DropBehind(survey.path, archive, available, base.version, command=command_of(draft))
    return replace(step, wrong=(missing,))


def _without_base(survey: Survey, built: Step, base: Base, given: Given, draft: Draft) -> Step:
    """The step for a component with an unknown base: it stays, or `--force` has its archive built whole."""
    stays = survey.files.keys() - given.files.keys() - moved_away(survey, given.files)
    forced = replace_all(survey.files, given.files, stays)
    if draft.options.consents:
        return replace(decided(built, forced), recorded=survey.written, base=None)
    likely = archive_name(base.likely.archive.file) if base.likely else ""
    about = UnknownComponent(
        survey.path,
        version=base.version,
        archive=built.archive,
        available=built.version or "",
        likely=likely,
        replaces=len(forced.replaced),
        leaves=len(forced.left),
        moves=len(forced.gone),
    )
    unknown = UnknownBase((about,), command_of(draft))
    return replace(_kept(survey, built.kind), wrong=(unknown,), forced=forced)


def _kept(survey: Survey, kind: ComponentKind) -> Step:
    """A step that leaves a component as it is, and says nothing of it."""
    return Step(
        kind=kind,
        path=survey.path,
        action="keep",
        files=len(survey.files),
        target=survey.target,
        recorded=survey.written,
        there=(survey.version or "") if survey.is_foreign else "",
        is_foreign=survey.is_foreign,
    )


def _partial(survey: Survey, base: RecordedComponent | None, built: Step) -> Iterator[PartialArchive]:
    """The error of an archive with less than half of a component's files, which would remove the others.

    If the record names this archive, there is no error.
    """
    before = [name for name, state in base.files.items() if state.kind != "folder"] if base else []
    left = len(built.merge.files.keys() & set(before))
    is_less = max(left, built.files) * 2 < len(before) and len(before) >= _MANY
    is_recorded = survey.recorded and built.choice and survey.recorded.comes_from(built.choice.archive)
    if is_less and not is_recorded:
        yield PartialArchive(built.path, built.archive, built.files, left, len(before))


def command_of(draft: Draft) -> Command:
    """What a command line begins with that a message advises."""
    return Command(draft.found.drop, draft.found.output)


def lost_edits(surveys: Iterable[Survey], patches: Mapping[str, Readable]) -> Iterator[WarningDiagnostic]:
    """Name the edits that other versions have replaced."""
    for each in surveys:
        patch = patches.get(each.path)
        if files := bases.lost_edits(each, patch.names if isinstance(patch, Patch) else ()):
            yield edits_replaced(each.path, each.version or "", files)


def later_versions(surveys: Sequence[Survey], late: Mapping[str, Base], draft: Draft) -> Iterator[WarningDiagnostic]:
    """Name the components of which the drop is behind."""
    components = tuple(_later(each, each.choice, late[each.path]) for each in surveys if each.choice)
    if components:
        yield drop_behind(components, command_of(draft))


def _later(survey: Survey, choice: Choice, base: Base) -> Later:
    return Later(survey.path, base.version, archive_name(choice.archive.file), choice.component.version or "")


def warn_of_old_versions(draft: Draft) -> Draft:
    """Name the kept files that say another version than the one that is built."""
    return draft.with_warnings(
        *(
            old_version_shown(step.path, f"{step.path}/{step.marker}", step.there)
            for step in draft.plan.steps
            if step.marker in step.merge.of("declined") and step.there not in {"", step.version}
        )
    )
