"""Transaction: the journal of a plan: which files a run moves, and what the record and the state
say afterwards.

    plan ─ planned_changes ─ (stage) ─ with_written ─ (init hooks) ─ journal_of ─ (commit)

A plan does not know the digests of the files in a new archive; staging adds them. The steps in
brackets touch the disk and are in `io_edges/building`. The rules are in `docs/reliability.md`.
"""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from pipeline.archives.entry_names import folders_above
from pipeline.building.steps import Plan, Step
from pipeline.building.stores.changes import Change, Run, StoreEntry
from pipeline.building.stores.journal import Journal
from pipeline.building.stores.layout import BACKUPS, PATCH_SUFFIX
from pipeline.building.stores.record import Record, as_recorded, changed_paths, is_denied
from pipeline.building.stores.state import LastBuild, State
from pipeline.building.stores.tree import Tree
from pipeline.building.stores.undoable import Undoable, entries_before
from pipeline.systems.table import system_called
from pipeline.values import replace


class Snapshot(Struct, frozen=True, kw_only=True):
    """A project as a run finds it: its stores, and the folders that it lacks."""

    record: Record
    state: State
    was_recorded: bool
    """Whether the record file exists, even without components."""
    missing: frozenset[str]
    """The folders that the changes need and the project does not have."""
    undoes: Undoable | None = None
    """The changes that this run undoes; `None` if it builds."""
    rest: Undoable | None = None
    """The earlier changes that can still be undone after this run; `None` if there are none."""


def slot_after(rest: Undoable | None, number: int = 0) -> int:
    """The number of a new slot: the first free one after the slots in `rest`, plus `number`."""
    if rest is None:
        return number
    return max((0, *(int(change.slot) + 1 for change in rest.file_changes))) + number


def planned_changes(
    plan: Plan, undoes: Undoable | None, rest: Undoable | None = None
) -> tuple[Change, ...]:
    """The change of each step, with the members of one archive next to one another.

    The change of a new component has no files yet.
    """
    undone = dict[str, Change]()
    if undoes:
        undone = {change.path: change for change in undoes.moves}
    numbered = sorted(enumerate(plan.changes, slot_after(rest)), key=_by_archive)
    return tuple(_change(str(number), step, undone.get(step.path)) for number, step in numbered)


def _by_archive(numbered: tuple[int, Step]) -> tuple[tuple[str, ...], int]:
    number, step = numbered
    if step.choice is None:
        return ("",), number
    return step.choice.archive.file.zip_file, number


def _change(slot: str, step: Step, undone: Change | None) -> Change:
    """The change of a step. Its new files come from an archive, or from what the undone
    run put aside.
    """
    change = Change(
        path=step.path,
        slot=slot,
        before=dict(step.target.files),
        entry_after=StoreEntry(step.component),
    )
    if step.target.occupancy == "absent":
        has_source = bool(step.choice or undone)
        return replace(change, adds=has_source, removes=not has_source)
    change = replace(change, after=step.merge.files, backed_up=step.backed_up)
    if step.survey.is_foreign:
        change = replace(change, previous=step.previous or "")
    if step.action != "remove" and undone:
        aside = ""
        if any(map(is_denied, undone.before.values())):
            aside = undone.backup
        return replace(
            change,
            merged=step.merge.of("merged"),
            marker=undone.marker,
            holds_back=undone.holds_back,
            aside=aside,
        )
    if step.action == "remove" or step.choice is None:
        return replace(change, removes=True)
    component = step.choice.component
    holds_back = system_called(component.system).holds_back
    return replace(
        change, merged=step.merge.of("merged"), marker=component.marker, holds_back=holds_back
    )


def with_written(change: Change, step: Step, written: Tree) -> Change:
    """The change after staging, which knows the files of a new component that has no patch."""
    if change.adds:
        component = step.component
        if step.choice and not (component and component.patch):
            component = as_recorded(step.choice.archive, written.files)
        change = replace(change, after=written.files, entry_after=StoreEntry(component))
    if step.target.has_modes:
        return change
    return change.without_bits()


def rewritten_patches(plan: Plan) -> dict[str, bytes]:
    """The texts of the patches that a plan rewrites, by their paths below `patches/`; empty
    to remove one.
    """
    texts = dict[str, bytes]()
    for step in plan.steps:
        if step.payload.rewritten:
            texts[f"{step.path}{PATCH_SUFFIX}"] = step.payload.rewritten.text
    return texts


def folders_for(changes: Iterable[Change]) -> frozenset[str]:
    """The folders of the project that the changes need, including that of the backup."""
    folders = set[str]()
    for change in changes:
        folders.update(folders_above(change.path))
        if change.backed_up:
            folders.add(BACKUPS)
    return frozenset(folders)


def journal_of(
    plan: Plan, changes: tuple[Change, ...], run: Run, backup: str, snapshot: Snapshot
) -> Journal:
    """The journal of a run, given the changes of its steps, the folder for its backup and the
    project as the run finds it.
    """
    undoes = snapshot.undoes
    restored: Mapping[str, StoreEntry] = {}
    unmade = tuple[str, ...]()
    is_recorded = True
    if undoes:
        needed = folders_for(changes)
        restored = entries_before(undoes)
        unmade = tuple(folder for folder in undoes.made if folder in needed)
        is_recorded = undoes.was_recorded
    steps = {step.path: step for step in plan.steps}
    every = (*changes, *_recorded_only(plan, changes, snapshot, restored))
    return Journal(
        run=run,
        changes=tuple(_complete(change, steps, snapshot, restored) for change in every),
        backup=backup,
        places=plan.record.places,
        made=tuple(sorted(snapshot.missing)),
        unmade=unmade,
        was_recorded=snapshot.was_recorded,
        is_recorded=is_recorded,
        rest=snapshot.rest,
    )


def _recorded_only(
    plan: Plan, changes: Iterable[Change], snapshot: Snapshot, restored: Mapping[str, StoreEntry]
) -> Iterator[Change]:
    """The changes of components whose record entry changes, but none of whose files."""
    moved = {change.path for change in changes}
    for path in sorted({*changed_paths(snapshot.record, plan.record), *restored} - moved):
        yield Change(path=path, entry_after=StoreEntry(plan.record.components.get(path)))


def _complete(
    change: Change,
    steps: Mapping[str, Step],
    snapshot: Snapshot,
    restored: Mapping[str, StoreEntry],
) -> Change:
    """The change with the entries of its component in record and state, before and after the run.

    `steps` and `restored` are by path; a `restored` entry is what the stores said before
    the undone run.
    """
    path = change.path
    after = change.entry_after
    if path in restored:
        after = restored[path]
    elif after.recorded:
        step = steps[path]
        tree = step.target.tree
        if change.has_files:
            tree = Tree(change.after)
        after = StoreEntry(
            after.recorded,
            LastBuild(
                component=after.recorded, tree=tree, shown=step.edited_version, dropped=step.dropped
            ),
        )
    entry_before = StoreEntry(
        snapshot.record.components.get(path), snapshot.state.components.get(path)
    )
    return replace(change, entry_before=entry_before, entry_after=after)
