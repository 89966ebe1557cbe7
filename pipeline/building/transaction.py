"""Transaction: the journal of a plan, as a value: which files a run moves, and what record and state say afterwards.

    plan ─ planned_changes ─ (stage) ─ with_written ─ (init hooks) ─ journal_of ─ (commit)

Staging tells the one thing that a plan cannot know: the digests of what a new archive holds. What is in brackets
touches the disk, and is in `io_edges/building`. The rules are in `docs/reliability.md`.
"""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from pipeline.archives.entry_names import folders_above
from pipeline.building.steps import Plan, Step
from pipeline.building.stores.changes import Change, Entry, Run
from pipeline.building.stores.journal import Journal
from pipeline.building.stores.layout import BACKUPS, PATCH_SUFFIX
from pipeline.building.stores.record import Record, as_recorded, changed_paths, is_unread
from pipeline.building.stores.state import LastBuild, State
from pipeline.building.stores.tree import Tree
from pipeline.building.stores.undoable import Undoable, entries_before
from pipeline.systems.table import system_called
from pipeline.values import replace


class Before(Struct, frozen=True, kw_only=True):
    """A project before a run."""

    record: Record
    state: State
    was_recorded: bool
    """Whether there is a record, perhaps an empty one."""
    missing: frozenset[str]
    """Those of `folders_for` the changes that are not there."""
    undoes: Undoable | None = None
    """What is undone, if this run undoes another, or a part of it."""
    rest: Undoable | None = None
    """What can be undone after it besides its own changes."""


def slot_after(rest: Undoable | None, number: int = 0) -> int:
    """The number of a slot, in an order that begins after the slots of what can still be undone."""
    if rest is None:
        return number
    return max((0, *(int(change.slot) + 1 for change in rest.file_changes))) + number


def planned_changes(plan: Plan, undoes: Undoable | None, rest: Undoable | None = None) -> tuple[Change, ...]:
    """What each step changes, the members of one archive next to one another; of a new component without its files."""
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
    """What a step changes; an archive gives the new files, or what the run that is undone has put aside."""
    change = Change(path=step.path, slot=slot, before=dict(step.target.files), entry_after=Entry(step.component))
    if step.target.occupancy == "absent":
        has_source = bool(step.choice or undone)
        return replace(change, adds=has_source, removes=not has_source)
    change = replace(change, after=step.merge.files, backed_up=step.backed_up)
    if step.survey.is_foreign:
        change = replace(change, previous=step.previous or "")
    if step.action != "remove" and undone:
        aside = ""
        if any(map(is_unread, undone.before.values())):
            aside = undone.backup
        return replace(
            change, merged=step.merge.of("merged"), marker=undone.marker, holds_back=undone.holds_back, aside=aside
        )
    if step.action == "remove" or step.choice is None:
        return replace(change, removes=True)
    component = step.choice.component
    holds_back = system_called(component.system).holds_back
    return replace(change, merged=step.merge.of("merged"), marker=component.marker, holds_back=holds_back)


def with_written(change: Change, step: Step, written: Tree) -> Change:
    """A change once it is staged. What the archive of a new component holds is known only now, without a patch."""
    if change.adds:
        component = step.component
        if step.choice and not (component and component.patch):
            component = as_recorded(step.choice.archive, written.files)
        change = replace(change, after=written.files, entry_after=Entry(component))
    if step.target.has_modes:
        return change
    return change.without_bits()


def rewritten_patches(plan: Plan) -> dict[str, bytes]:
    """The texts of the patches that a plan writes anew, by their paths below `patches/`; removed ones have none."""
    texts = dict[str, bytes]()
    for step in plan.steps:
        if step.given.rewritten:
            texts[f"{step.path}{PATCH_SUFFIX}"] = step.given.rewritten.text
    return texts


def folders_for(changes: Iterable[Change]) -> frozenset[str]:
    """The folders of the project that changes need."""
    folders = set[str]()
    for change in changes:
        folders.update(folders_above(change.path))
        if change.backed_up:
            folders.add(BACKUPS)
    return frozenset(folders)


def journal_of(plan: Plan, changes: tuple[Change, ...], run: Run, backup: str, before: Before) -> Journal:
    """Everything that a run changes, given what its steps change, and the folder for its backup."""
    undoes = before.undoes
    restored: Mapping[str, Entry] = {}
    unmade = tuple[str, ...]()
    is_recorded = True
    if undoes:
        needed = folders_for(changes)
        restored = entries_before(undoes)
        unmade = tuple(folder for folder in undoes.made if folder in needed)
        is_recorded = undoes.was_recorded
    steps = {step.path: step for step in plan.steps}
    every = (*changes, *_recorded_only(plan, changes, before, restored))
    return Journal(
        run=run,
        changes=tuple(_complete(change, steps, before, restored) for change in every),
        backup=backup,
        places=plan.record.places,
        made=tuple(sorted(before.missing)),
        unmade=unmade,
        was_recorded=before.was_recorded,
        is_recorded=is_recorded,
        rest=before.rest,
    )


def _recorded_only(
    plan: Plan, changes: Iterable[Change], before: Before, restored: Mapping[str, Entry]
) -> Iterator[Change]:
    """The components of which no file changes, but what the record says."""
    moved = {change.path for change in changes}
    for path in sorted({*changed_paths(before.record, plan.record), *restored} - moved):
        yield Change(path=path, entry_after=Entry(plan.record.components.get(path)))


def _complete(change: Change, steps: Mapping[str, Step], before: Before, restored: Mapping[str, Entry]) -> Change:
    """A change with what record and state say of its component before it and after it, which may be `restored`.

    The steps are those of the plan, by path.
    """
    path = change.path
    after = change.entry_after
    if path in restored:
        after = restored[path]
    elif after.recorded:
        step = steps[path]
        tree = step.target.tree
        if change.slot:
            tree = Tree(change.after)
        after = Entry(
            after.recorded,
            LastBuild(component=after.recorded, tree=tree, shown=step.edited_version, dropped=step.dropped),
        )
    entry_before = Entry(before.record.components.get(path), before.state.components.get(path))
    return replace(change, entry_before=entry_before, entry_after=after)
