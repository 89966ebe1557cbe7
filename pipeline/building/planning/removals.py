"""Removals: what happens to recorded components that are no longer built.

Takes the record, the selection and the components on disk. With `--prune`, the components are
removed; otherwise they stay, with a warning. The record forgets those that are not on disk. The
rules are in `docs/building.md`.
"""

from collections.abc import Collection, Mapping

from msgspec import Struct
from returns.result import Failure, Success
from toolz import dissoc

from pipeline.building.draft import Draft, JudgedDraft, MergedDraft
from pipeline.building.merging.files_merge import retire
from pipeline.building.names import is_from
from pipeline.building.steps import Step
from pipeline.building.stores.record import Record, RecordedComponent, archive_name
from pipeline.building.stores.state import LastBuild
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.bases import UnknownBase, UnknownComponent
from pipeline.report.diagnostics.building import kept_components
from pipeline.report.diagnostics.drop import DropNotFound
from pipeline.report.outcome import BuildOutcome
from pipeline.selection.choices import Choice
from pipeline.selection.select import Selection
from pipeline.values import replace


class Removals(Struct, frozen=True):
    """The paths of the recorded components that are no longer built."""

    left_out: tuple[str, ...] = ()
    """The components that a setting or a flag leaves out."""
    without_archive: tuple[str, ...] = ()
    """The components whose archive is not in the drop."""
    in_doubt: bool = False
    """Whether `--prune` removes nothing, because a refused archive may hold a component, or the
    drop has no archive.
    """
    by_flag: bool = False
    """Whether a flag of the run leaves a component out."""

    @property
    def paths(self) -> frozenset[str]:
        """The paths of all removals."""
        return frozenset((*self.left_out, *self.without_archive))


def check_archives(draft: Draft) -> BuildOutcome[Draft]:
    """Refuse `--prune` if the drop has no archive: its disk may not be mounted."""
    if draft.options.prune and not _has_archives(draft.selection):
        return Failure((DropNotFound(draft.reader.command.drop, is_empty=True),))
    return Success(draft)


def remove_components(draft: MergedDraft) -> JudgedDraft:
    """Remove the components that are no longer built if `--prune` is given and certain; else
    warn of them.

    The record and the state forget components that are no longer on disk.
    """
    removals = find_removals(draft.record, draft.selection, draft.options.names)
    is_pruned = draft.options.prune and not removals.in_doubt
    unselected = [step for step in draft.plan.steps if step.survey.choice is None]
    absent = set[str]()
    done = dict[str, Step]()
    errors = list[UnknownBase]()
    for step in unselected:
        if step.path not in removals.paths:
            continue
        if step.target.occupancy == "absent":
            absent.add(step.path)
        elif is_pruned and step.base:
            done[step.path] = _removal(step, step.base)
        elif is_pruned:
            component = UnknownComponent(step.path, step.version_on_disk, step.kind)
            errors.append(UnknownBase(component))
        elif step.survey.is_there:
            done[step.path] = step
    draft = _without(draft, absent)
    if done and not is_pruned:
        draft = draft.with_warnings(_kept(removals, done))
    draft = draft.skipping([step for step in unselected if step.path not in done], *errors)
    steps = tuple(done.get(step.path, step) for step in draft.plan.steps)
    return draft.with_plan(replace(draft.plan, steps=steps)).become(JudgedDraft)


def _kept(removals: Removals, steps: Mapping[str, Step]) -> WarningDiagnostic:
    """The warning of components that stay in the project although they are no longer
    built, by path.
    """
    return kept_components(
        tuple(path for path in removals.left_out if path in steps),
        tuple(path for path in removals.without_archive if path in steps),
        in_doubt=removals.in_doubt,
        by_flag=removals.by_flag,
        unknown=tuple(path for path, step in steps.items() if step.base is None),
    )


def _removal(step: Step, base: RecordedComponent) -> Step:
    """The step that removes a component: files that are not as in the base go to the backup."""
    return replace(
        step, action="remove", merge=retire(base.files, step.target.files, step.target.mounts)
    )


def _without(draft: MergedDraft, absent: Collection[str]) -> MergedDraft:
    """The draft whose record and state forget the components that are not on disk.

    Components that only the state lists are looked up: a killed run removed them, or the record is
    from elsewhere.
    """
    names = draft.options.names
    record = draft.record.components
    state = draft.state.components
    unrecorded = state.keys() - record.keys() - {step.path for step in draft.plan.steps}
    if names is not None:
        unrecorded &= names
    targets = draft.reader.view_occupancies(sorted(unrecorded))
    lost = {path for path, target in targets.items() if target.occupancy == "absent"}
    return replace(
        draft,
        record=replace(draft.record, components=dissoc(record, *absent)),
        state=replace(draft.state, components=dissoc(state, *absent, *lost)),
    )


def update_stores(draft: JudgedDraft) -> JudgedDraft:
    """The draft whose record and state have the components that stay, as they were
    found on disk.
    """
    record = dict(draft.record.components)
    state = dict(draft.state.components)
    for step in draft.plan.steps:
        if step.component and step.action == "keep":
            record[step.path] = step.component
            state[step.path] = LastBuild(
                component=step.component,
                tree=step.target.tree,
                shown=step.edited_version,
                dropped=step.dropped,
            )
    after = replace(
        draft.plan,
        record=replace(draft.record, components=record),
        state=replace(draft.state, components=state),
    )
    return draft.with_plan(after)


def find_removals(
    record: Record, selection: Selection, names: frozenset[str] | None = None
) -> Removals:
    """Find the recorded components in scope that are no longer built.

    A component that a refused archive may hold, or that may be a copy of a built component, is
    not among them.
    """
    built = set[str]()
    out = list[Choice]()
    out_by_flag = list[Choice]()
    doubtful = set[str]()
    for choice in selection.choices:
        if names is not None and choice.archive.component and choice.path not in names:
            continue
        if choice.is_refused:
            file = choice.archive.file
            doubtful.add(archive_name(file).removesuffix(f"!{file.member}"))
        if choice.reason.rule == "refused":
            continue
        if choice.selected:
            built.update((choice.path, *choice.copies))
            continue
        out.append(choice)
        if choice.reason.location and choice.reason.location.is_flag:
            out_by_flag.append(choice)
    unbuilt = record.components.keys() - built
    if names is not None:
        unbuilt &= names
    archives = {path: record.components[path].archive for path in sorted(unbuilt)}
    left_out = _left_out(archives, out)
    others = archives.keys() - {*left_out}
    return Removals(
        left_out=left_out,
        without_archive=tuple(
            path for path in sorted(others) if not is_from(archives[path], doubtful)
        ),
        in_doubt=bool(doubtful) or not _has_archives(selection),
        by_flag=bool(_left_out(archives, out_by_flag)),
    )


def _has_archives(selection: Selection) -> bool:
    """Whether the drop has an archive."""
    return any(choice.archive.file.is_in_drop for choice in selection.choices)


def _left_out(archives: Mapping[str, str], choices: Collection[Choice]) -> tuple[str, ...]:
    """The paths of the recorded components that these choices leave out. `archives` has the
    recorded archive of each component by its path.
    """
    unselected = set[str]()
    unopened = set[str]()
    for choice in choices:
        unselected.add(choice.path)
        if choice.archive.component is None:
            unopened.add(archive_name(choice.archive.file))
    return tuple(
        path
        for path, archive in archives.items()
        if path in unselected or is_from(archive, unopened)
    )
