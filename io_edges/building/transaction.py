"""Transaction: put staged components in place, all or none, and complete what a killed run has begun.

What the disk shows decides, so that a run that fails can go back, and the next run can find out how far a killed one
got. A folder is known by its inode or, if the project was copied, by its files.

    position    in place    in staging        a run that fails          the next run, after a kill
    before      old         new or nothing    removes the new one       puts the new one in place, if others are
    before      nothing     old               puts the old one back     puts the old one back
    after       new         old or nothing    takes the new one back    records it
    doubt       anything else                 touches nothing           touches nothing, and says so

`old` is nothing for a component that is added, `new` for one that is removed. What was written meanwhile into the
folder that is not in place is carried over to the one that is; what cannot be is moved to the backup. In doubt the
journal and the staging folder stay.

Where folders cannot be exchanged in one step, files are replaced one by one (`in_place`).

A run writes its journal, makes its changes, and writes record and state; then the staging folder becomes what is kept
of it. Each step can be done again, so the next run after a kill does all of them, if a change was made. If none was, or
of what undoes another run not all can be, it puts everything back. A change that cannot be completed, because somebody
has changed the same file, say, is left out.
"""

import errno
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Literal, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from io_edges.building.backups import place_backup, take_back_backup
from io_edges.building.carry import Side, carry_writes, leave
from io_edges.building.exchange import demand_old, known_anew, occupants, position_of, put, put_back, take_back
from io_edges.building.in_place import install, sweep, undo
from io_edges.building.keep import keep
from io_edges.building.memories import read_own, save_record, update_state
from io_edges.building.staging import Staging, foreign_names, inodes_in
from io_edges.system.dir_chain import prune_at
from io_edges.system.folder import Folder
from io_edges.system.signals import held_signals
from io_edges.system.stop import Stop, cause_of
from io_edges.system.syscalls import sync
from io_edges.system.trees import NOTHING, survey
from io_edges.system.whole_file import write_whole
from pipeline.building.files_merge import changed_since, fits
from pipeline.building.journal import (
    Change,
    Journal,
    Staged,
    is_written,
    position,
    read_journal,
    record_with,
    without_changes,
)
from pipeline.building.layout import RUN_FILE
from pipeline.building.record import FileState, Record, are_alike, digest_of
from pipeline.building.sealed import seal
from pipeline.building.state import State, left_in, state_with
from pipeline.building.tree import Tree
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.building import InPlace, RecordUnreadable
from pipeline.report.diagnostics.conflicts import OutputConflict

_IMMOVABLE = frozenset({errno.EXDEV, errno.EBUSY, errno.ENOTSUP})
"""What an exchange is refused with on another disk, of a mounted folder or a lower layer of an overlay, and where the
system has none."""
_Fate: TypeAlias = Literal["begun", "to do", "left out"]


class Memories(Struct, frozen=True):
    """The record and the state that are on the disk, or will be."""

    record: Record
    state: State


class Transaction(Struct):
    """What changes a project: the journal as it was last written, and what is worth telling."""

    project: Folder
    staging: Staging
    journal: Journal
    old: Mapping[str, Tree] = {}
    """What is known of the files that were there when the plan was made, by the paths of components."""
    new: Mapping[str, Tree] = {}
    """The same of the files that were staged."""
    carried: dict[str, Tree] = field(default_factory=dict)
    """What is in the old folders that were carried over."""
    notes: list[WarningDiagnostic] = field(default_factory=list)


def commit(this: Transaction, before: Memories, kept: State) -> Memories:
    """Make every change and write record and state, or leave everything as it was; return these.

    `kept` is what the state will say of what does not change. What the system refuses once all is in place is tried
    again, as that may be temporary; what is left then, the next run does. Raises `Stop` and `OSError`.
    """
    with held_signals():
        this.journal = replace(this.journal, changes=tuple(_up_to_date(each, this) for each in this.journal.changes))
        after = record_with(before.record, this.journal)
        _save(this, replace(this.journal, record=digest_of(after) if _is_recorded(this.journal, after) else ""))
        try:
            for change in this.journal.moves:
                _make(change, this, is_first=True)
            _record(this, after)
        except BaseException:
            this.notes.clear()
            if _is_put_back(this, this.journal.moves):
                this.staging.folder.discard(RUN_FILE)
            raise
        memories = replace(before, record=after)
        with suppress(OSError):
            return _close(this, memories, kept)
        this.carried.clear()
        with suppress(OSError):
            return _close(this, memories, kept)
        return replace(memories, state=_state_after(this, kept))


def _make(change: Change, this: Transaction, *, is_first: bool = False) -> None:
    """Make a change as far as it is not made yet. Raises `Stop` and `OSError`."""
    staging = this.staging.folder
    cause = change.in_place
    if not cause and (is_first or position_of(change, this.project, staging) == "before"):
        if not is_first and None not in {change.old, change.new}:
            old, new = Side(this.project, change.path, change.before), Side(staging, change.slot, change.after)
            carry_writes(old, new, NOTHING, _built(change))
        try:
            put(change, this.project, staging)
        except OSError as error:
            if error.errno not in _IMMOVABLE:
                raise
            cause = cause_of(error)
            change = replace(change, in_place=cause)
            _save(this, replace(this.journal, changes=tuple(_each_with(change, this.journal.changes))))
    if cause:
        this.notes.append(InPlace(change.path, cause))
        if staging.look(change.undo) is None:
            this.staging.make(change.undo).close()
        is_left = change.new is None or staging.look(change.slot)  # else all of it was put in place
        changed = install(change, this.project, staging) if is_left else ()
        _refuse(change, changed if is_first else ())
    elif is_first and change.old is not None:
        this.carried[change.path] = _carried_over(change, this)


def _each_with(change: Change, changes: Iterable[Change]) -> Iterable[Change]:
    return (change if each.path == change.path else each for each in changes)


def _record(this: Transaction, after: Record) -> None:
    """Put files in the backup, and write the record. Raises `Stop` and `OSError`."""
    for change in this.journal.moves:
        place_backup(change, this.journal.backup, this.project, this.staging.folder)
    sync(this.project.fd)
    save_record(this.project, after if _is_recorded(this.journal, after) else None)


def _is_recorded(journal: Journal, after: Record) -> bool:
    return journal.is_recorded or bool(after.components)


def _close(this: Transaction, before: Memories, kept: State) -> Memories:
    """Leave what is not in place any more, write the state, and keep what later runs need. Raises `OSError`.

    Of `before`, the record is written already.
    """
    for change in this.journal.moves:
        note = leave(change, this.journal, (this.project, this.staging.folder), tree=this.carried.get(change.path))
        this.notes += (note,) if note else ()
    after = replace(before, state=_state_after(this, kept))
    this.notes += update_state(this.project, before.state, after.state)
    this.notes += keep(this.journal, after.record, after.state, this.project, this.staging)
    return after


def _state_after(this: Transaction, before: State) -> State:
    """What the state says of the components that were changed; their files are looked at again."""
    left = {change.path: change.says.last for change in this.journal.changes}
    for change in this.journal.moves:
        if last := change.says.last:
            written = this.new.get(change.path, NOTHING)
            with suppress(OSError):  # else the next run reads them
                known = this.old.get(change.path, NOTHING).with_written(written)
                is_alone = change.old is None and written.files
                tree = written if is_alone else survey(this.project, change.path, known)
                left[change.path] = left_in(last, tree)
    return state_with(before, left)


def _save(this: Transaction, journal: Journal) -> None:
    if journal != this.journal or this.staging.folder.look(RUN_FILE) is None:
        this.journal = journal
        write_whole(this.staging.folder, RUN_FILE, seal(journal), like="folder")


def _up_to_date(change: Change, this: Transaction) -> Change:
    """Bring the new folder up to date with what was written into the component since the plan was made.

    Raises `Stop` if that is disputed.
    """
    if change.old is None or change.new is None:
        return change
    project, known = this.project, this.old.get(change.path, NOTHING)
    demand_old(change, project)
    if change.in_place:
        changed = changed_since(change.before, survey(project, change.path, known).files)
        _refuse(change, tuple(name for name in changed if not fits(name, change.before, change.after)))
        return change
    old = Side(project, change.path, change.before)
    new = Side(this.staging.folder, change.slot, change.after, is_staged=True)
    carried = carry_writes(old, new, known, _built(change))
    _refuse(change, carried.disputed)
    return replace(change, before=carried.applied_to(change.before), after=carried.applied_to(change.after))


def _carried_over(change: Change, this: Transaction) -> Tree:
    """Carry over what was written into the old folder until it was exchanged; return what is in it.

    Raises `Stop` if something is disputed.
    """
    staging, known = this.staging.folder, this.old.get(change.path, NOTHING)
    if change.new is None:
        return survey(staging, change.slot, known)
    old, new = Side(staging, change.slot, change.before), Side(this.project, change.path, change.after)
    carried = carry_writes(old, new, known, _built(change))
    _refuse(change, carried.disputed)
    return carried.tree


def _built(change: Change) -> Collection[str]:
    return change.says.recorded.files if change.says.recorded else ()


def _refuse(change: Change, changed: tuple[str, ...]) -> None:
    if changed:
        raise Stop(OutputConflict(change.path, tuple(f"{change.path}/{name}" for name in changed), reason="changed"))


def _is_put_back(this: Transaction, changes: Sequence[Change]) -> bool:
    """Put everything back as it was; `False` if something is in doubt. That stays, as what is refused does.

    Raises `OSError`.
    """
    project, staging, is_certain = this.project, this.staging.folder, True
    for change in reversed(changes):
        take_back_backup(change, this.journal.backup, project)
        if change.in_place:
            undo(change, project, staging)
        elif (at := put_back(change, project, staging)) != "before":
            is_certain &= at == "after" and _is_taken_back(change, project, staging)
    for made in reversed(this.journal.made):
        prune_at(project, made)
    return is_certain


def _is_taken_back(change: Change, project: Folder, staging: Folder) -> bool:
    """Put the old folder in place again; `False` if the new one has what cannot be carried back."""
    if change.new is None or change.old is None:
        take_back(change, project, staging)
        return change.new is None or not changed_since(change.after, survey(staging, change.slot).files)
    found = survey(staging, change.slot).files
    take_back(change, project, staging)
    new, old = Side(staging, change.slot, change.after), Side(project, change.path, change.before)
    return not carry_writes(new, old, NOTHING, _built(change), found).disputed


class Settled(Struct, frozen=True):
    """What there is once what a killed run left is settled."""

    memories: Memories
    notes: tuple[WarningDiagnostic, ...] = ()
    """What was moved to the backup, and what could not be kept."""
    is_undone: bool = False
    """Whether that completed the undoing of another run."""


class Begun(Struct, frozen=True):
    """What a killed run has begun, and can be completed."""

    journal: Journal
    """With the changes that are made, or can be; none if everything is put back."""
    left_out: tuple[Change, ...] = ()


def begun_in(project: Folder, staging: Folder, record: Record, where: str) -> Begun | None:
    """What a killed run has begun, going by its journal; `None` if it has none.

    Raises `OSError`, and `Stop` if that cannot be determined.
    """
    if names := foreign_names(staging):  # they may be the user's
        raise Stop(*(OutputConflict(f"{where}/{name}", reason="foreign") for name in names))
    data = read_own(staging, f"{where}/{RUN_FILE}")
    if data is None:
        return None
    journal = read_journal(data)
    if journal is None:
        raise Stop(RecordUnreadable(f"{where}/{RUN_FILE}"))
    fates = {change.path: _fate(change, project, staging, where) for change in journal.moves}
    changes = tuple(fates[change.path][0] if change.slot else change for change in journal.changes)
    is_begun = any(fate == "begun" for _, fate in fates.values()) or (not fates and is_written(journal, record))
    out = tuple(change for change, fate in fates.values() if fate == "left out")
    if not is_begun or (journal.run.undoes and out):
        return Begun(replace(journal, changes=()), tuple(change for change in changes if change.slot))
    return Begun(replace(journal, changes=tuple(each for each in changes if each not in out)), out)


def _fate(change: Change, project: Folder, staging: Folder, where: str) -> tuple[Change, _Fate]:
    """Whether a change is made, at least in part, or can be; with the inodes that its folders have now."""
    if not change.in_place:
        there = occupants(change, project, staging)
        change, at = known_anew(change, there, project, staging), position(change, *there)
        if at == "doubt":
            raise Stop(RecordUnreadable(f"{where}/{RUN_FILE}"))
        if at == "after":
            return change, "begun"
        if there != ("old" if change.old is not None else None, "new" if change.new is not None else None):
            return change, "left out"
    elif project.obstacle(change.path) or (change.old is not None and project.status(change.path) is None):
        return change, "left out"
    files = survey(project, change.path).files if project.status(change.path) else {}
    if change.in_place and any(_is_replaced(name, change, files.get(name), staging) for name in change.differing):
        return change, "begun"
    return change, "left out" if change.disputes(files) else "to do"


def _is_replaced(name: str, change: Change, there: FileState | None, staging: Folder) -> bool:
    """Whether a file was replaced in place, or removed, whatever somebody has made of it since."""
    if there is not None and there == change.after.get(name):
        return True
    return staging.status(f"{change.undo}/{name}") is not None and not are_alike(there, change.before.get(name))


def settle(project: Folder, before: Memories, where: str) -> Settled:
    """Complete what a killed run has begun, or put everything back. Raises `Stop` and `OSError`."""
    with project.inner(where) as folder, held_signals():
        begun = begun_in(project, folder, before.record, where)
        if begun is None:
            return Settled(before)
        this = Transaction(project, Staging(folder, inodes_in(folder)), begun.journal)
        for change in (*begun.journal.moves, *begun.left_out):
            sweep(change, project)
        _is_put_back(this, begun.left_out)
        for change in begun.left_out:
            note = leave(change, this.journal, (project, folder), is_done=False)
            this.notes += (note,) if note else ()
        record, kept = without_changes(before.record, before.state, begun.left_out)
        if not begun.journal.changes:
            if record != before.record:
                save_record(project, record if begun.journal.was_recorded or record.components else None)
            this.notes += update_state(project, before.state, kept)
            folder.discard(RUN_FILE)
            return Settled(Memories(record, kept), tuple(this.notes))
        for change in begun.journal.moves:
            _make(change, this)
        after = record_with(record, this.journal)
        _save(this, replace(this.journal, record=digest_of(after) if _is_recorded(this.journal, after) else ""))
        _record(this, after)
        memories = _close(this, replace(before, record=after), kept)
        return Settled(memories, tuple(this.notes), this.journal.run.undoes)


class Foreseen(Struct, frozen=True):
    """What settling would leave."""

    memories: Memories
    journal: Journal | None = None
    """What the run did that was killed, if it is completed."""
    staged: Mapping[str, Staged] = {}


def foresee(project: Folder, before: Memories, where: str) -> Foreseen:
    """What settling would leave; nothing is touched. Raises `Stop` and `OSError`."""
    with project.inner(where) as staging:
        begun = begun_in(project, staging, before.record, where)
        if begun is None:
            return Foreseen(before)
        journal, staged = begun.journal, {}
        record, kept = without_changes(before.record, before.state, begun.left_out)
        for change in journal.moves:
            if change.in_place or position_of(change, project, staging) == "before":
                tree = survey(project, change.path) if project.status(change.path) else NOTHING
                staged[change.path] = change.completed(tree, where)
        for change in begun.left_out:
            if not change.in_place and occupants(change, project, staging) == (None, "old"):
                tree = survey(staging, change.slot)
                staged[change.path] = Staged(f"{where}/{change.slot}", tree, frozenset(tree.files))
        if not journal.changes:
            return Foreseen(Memories(record, kept), staged=staged)
        after = record_with(record, journal)
        state = state_with(kept, {change.path: change.says.last for change in journal.changes})
        digest = digest_of(after) if _is_recorded(journal, after) else ""
        return Foreseen(Memories(after, state), replace(journal, record=digest), staged)
