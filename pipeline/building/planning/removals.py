"""Removals: what happens to components that the tool built and does not build any longer.

Takes the record, the selection and what is in the project; gives what is removed, which only `--prune` asks for, what
is kept and why, and what the record forgets. The rules are in `docs/building.md`.
"""

from collections.abc import Collection, Mapping

from msgspec import Struct
from returns.result import Failure, Success
from toolz import concat, dissoc

from pipeline.building.draft import Draft
from pipeline.building.merging.files_merge import retire
from pipeline.building.names import is_from
from pipeline.building.steps import Step
from pipeline.building.stores.record import Record, RecordedComponent, archive_name
from pipeline.building.stores.state import LastBuild
from pipeline.report.diagnostics.bases import UnknownBase, UnknownComponent
from pipeline.report.diagnostics.building import kept_components
from pipeline.report.diagnostics.drop import DropNotFound
from pipeline.report.outcome import BuildOutcome
from pipeline.selection.choices import Choice
from pipeline.selection.select import Selection
from pipeline.values import replace


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
    """Remove what is recorded and not built, if that is asked for and certain, or else keep it and warn of it.

    Record and state forget what is not there any more.
    """
    leaving = removals(draft.record, draft.selection, draft.options.names)
    unselected = [step for step in draft.plan.steps if step.survey.choice is None]
    departed = [step for step in unselected if step.path in {*leaving.left_out, *leaving.gone}]
    there = [step for step in departed if step.target.occupancy != "absent"]
    draft = _without(draft, {step.path for step in departed if step.target.occupancy == "absent"})
    if draft.options.prune and not leaving.in_doubt:
        unknown = (UnknownComponent(step.path, step.there, step.kind) for step in there if step.base is None)
        errors = tuple(UnknownBase(component, draft.found.command) for component in unknown)
        done = {step.path: _removal(step, step.base) for step in there if step.base}
    else:
        errors = ()
        done = {step.path: step for step in there if step.target.occupancy == "present"}
        left_out, gone = (tuple(path for path in paths if path in done) for paths in (leaving.left_out, leaving.gone))
        if done:
            unknown_paths = tuple(path for path, step in done.items() if step.base is None)
            kept = kept_components(
                left_out, gone, in_doubt=leaving.in_doubt, by_flag=leaving.by_flag, unknown=unknown_paths
            )
            draft = draft.with_warnings(kept)
    draft = draft.passing_over([step for step in unselected if step.path not in done], *errors)
    steps = tuple(done.get(step.path, step) for step in draft.plan.steps)
    return draft.with_plan(replace(draft.plan, steps=steps))


def _removal(step: Step, base: RecordedComponent) -> Step:
    return replace(step, action="remove", merge=retire(base.files, step.target.files, step.target.mounts))


def _without(draft: Draft, absent: Collection[str]) -> Draft:
    """The draft whose record and state have forgotten components of which nothing is there.

    Those that the state alone has are looked for: a killed run removed them, or the record came from elsewhere.
    """
    names = draft.options.names
    record = draft.record.components
    state = draft.state.components
    built = {step.path for step in draft.plan.steps}
    unrecorded = sorted(path for path in state.keys() - record.keys() - built if names is None or path in names)
    lost = {path for path, place in draft.found.occupancies(unrecorded).items() if place.occupancy == "absent"}
    return replace(
        draft,
        record=replace(draft.record, components=dissoc(record, *absent)),
        state=replace(draft.state, components=dissoc(state, *absent, *lost)),
    )


def update_stores(draft: Draft) -> Draft:
    """The draft with record and state of the run, as if no component changed: with what is kept as it was found."""
    record = dict(draft.record.components)
    state = dict(draft.state.components)
    for step in draft.plan.steps:
        if step.component and step.action == "keep":
            record[step.path] = step.component
            state[step.path] = LastBuild(
                component=step.component, tree=step.target.tree, shown=step.shown, dropped=step.dropped
            )
    after = replace(
        draft.plan,
        record=replace(draft.record, components=record),
        state=replace(draft.state, components=state),
    )
    return draft.with_plan(after)


def removals(record: Record, selection: Selection, names: frozenset[str] | None = None) -> Removals:
    """Find the recorded components that are not built; if `names` are given, among these.

    What a refused archive holds is unknown: what is recorded of it neither is left out nor has gone. Nor is what may be
    a copy of a component that is built.
    """
    choices = [
        each for each in selection.choices if names is None or each.archive.component is None or each.path in names
    ]
    known = tuple(choice for choice in choices if choice.reason.rule != "refused")
    selected = {choice.path for choice in known if choice.selected}
    refused = [choice.archive.file for choice in choices if choice.is_refused]
    doubtful = frozenset(archive_name(file).removesuffix(f"!{file.member}") for file in refused)
    asked = record.components.keys() if names is None else record.components.keys() & names
    copies = frozenset(concat(choice.copies for choice in known if choice.selected))
    others = {path: record.components[path].archive for path in sorted(asked - selected - copies)}
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
