"""Removals: what happens to components that the tool built and does not build any longer.

Takes the record, the selection and what is in the project; gives what is removed, which only `--prune` asks for, what
is kept and why, and what the record forgets. The rules are in `docs/building.md`.
"""

from collections.abc import Collection, Mapping

from msgspec import Struct
from msgspec.structs import replace
from returns.result import Failure, Success

from pipeline.building.draft import Draft
from pipeline.building.names import is_from
from pipeline.building.steps import Target, kept_step, removal_step
from pipeline.building.stores.record import Record, archive_name
from pipeline.report.diagnostics.bases import UnknownBase, UnknownComponent
from pipeline.report.diagnostics.building import kept_components
from pipeline.report.diagnostics.drop import DropNotFound
from pipeline.report.outcome import BuildOutcome
from pipeline.selection.choices import Choice
from pipeline.selection.select import Selection


class Removals(Struct, frozen=True):
    """The recorded components that are not built any more, by their paths."""

    left_out: tuple[str, ...] = ()
    """Those that the selection leaves out."""
    gone: tuple[str, ...] = ()
    """Those whose archive is not in the drop."""
    in_doubt: bool = False
    """Whether not even `--prune` removes them: an archive is refused, which may hold any of them or, if it is not known
    which of several is the theme, its parent; or the drop has none."""
    by_flag: bool = False
    """Whether a flag of the run leaves one out."""


def check_archives(draft: Draft) -> BuildOutcome[Draft]:
    """Refuse to remove anything if the drop has no archive: it may be a disk that is not mounted."""
    if draft.options.prune and not _has_archives(draft.selection):
        return Failure((DropNotFound(draft.found.drop, is_empty=True),))
    return Success(draft)


def remove_components(draft: Draft) -> Draft:
    """Remove what is recorded and not built, if that is asked for and certain, or else keep it and warn of it."""
    plan, kind_of = draft.plan, draft.record.places.kind_of
    leaving = removals(draft.record, draft.selection, draft.options.names)
    places = {path: plan.places[path] for path in (*leaving.left_out, *leaving.gone)}
    absent = _absent(places)
    if draft.options.prune and not leaving.in_doubt:
        made, present = plan.before.components, sorted(places.keys() - absent)
        steps = tuple(removal_step(kind_of(path), path, places[path], made[path]) for path in present if path in made)
        if unknown := tuple(UnknownComponent(path) for path in present if path not in made):
            plan = replace(plan, refused=(*plan.refused, UnknownBase(unknown, draft.found.command)))
    else:
        left_out, gone = (
            tuple(path for path in paths if places[path].occupancy == "present")
            for paths in (leaving.left_out, leaving.gone)
        )
        steps = tuple(kept_step(kind_of(path), path, draft.record.components[path]) for path in (*left_out, *gone))
        if steps:
            kept = kept_components(left_out, gone, in_doubt=leaving.in_doubt, by_flag=leaving.by_flag)
            plan = replace(plan, warnings=(*plan.warnings, kept))
    absent |= _absent(draft.found.occupancies(_only_in_state(draft)))
    return replace(draft, plan=replace(plan, steps=(*plan.steps, *steps), absent=frozenset(absent)))


def update_record(draft: Draft) -> Draft:
    """The draft with the record of the run, as if no component changed: as found, without those that are gone."""
    kept = {path: each for path, each in draft.record.components.items() if path not in draft.plan.absent}
    found = {step.path: step.component for step in draft.plan.steps if step.component and step.action == "keep"}
    return draft.with_plan(record=replace(draft.record, components={**kept, **found}))


def _only_in_state(draft: Draft) -> tuple[str, ...]:
    """The paths that the state alone has: a killed run removed them, or the record came from elsewhere."""
    names, known = draft.options.names, draft.state.components.keys() - draft.record.components.keys()
    built = {step.path for step in draft.plan.steps}
    return tuple(sorted((known if names is None else known & names) - built))


def removals(record: Record, selection: Selection, names: frozenset[str] | None = None) -> Removals:
    """Find the recorded components that are not built; if `names` are given, among these.

    What a refused archive holds is unknown: what is recorded of it neither is left out nor has gone.
    """
    choices = [
        each for each in selection.choices if names is None or each.archive.component is None or each.path in names
    ]
    known = tuple(choice for choice in choices if choice.reason.rule != "refused")
    selected = {choice.path for choice in known if choice.selected}
    refused = [choice.archive.file for choice in choices if choice.is_refused]
    doubtful = frozenset(archive_name(file).removesuffix(f"!{file.member}") for file in refused)
    asked = record.components.keys() if names is None else record.components.keys() & names
    others = {path: record.components[path].archive for path in sorted(asked - selected)}
    out = [choice for choice in known if not choice.selected]
    left_out = _left_out(others, out)
    gone = tuple(path for path, archive in others.items() if path not in left_out and not is_from(archive, doubtful))
    by_flag = [choice for choice in out if choice.reason.location and choice.reason.location.is_flag]
    return Removals(left_out, gone, bool(doubtful) or not _has_archives(selection), bool(_left_out(others, by_flag)))


def _has_archives(selection: Selection) -> bool:
    return any(choice.archive.file.is_in_drop for choice in selection.choices)


def _left_out(others: Mapping[str, str], choices: Collection[Choice]) -> tuple[str, ...]:
    """The paths of recorded components, given with their archives, that some choices leave out."""
    unselected = {choice.path for choice in choices}
    closed = frozenset(archive_name(choice.archive.file) for choice in choices if not choice.archive.component)
    return tuple(path for path, archive in others.items() if path in unselected or is_from(archive, closed))


def _absent(places: Mapping[str, Target]) -> set[str]:
    return {path for path, place in places.items() if place.occupancy == "absent"}
