"""Transaction: put staged components in place, all or none. `settle` completes what a killed run has begun.

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

from msgspec import Struct, field
from msgspec.structs import replace

from io_edges.building.backups import place_backup, salvage, take_back_backup
from io_edges.building.carry import Side, carry_writes, leave
from io_edges.building.exchange import check_old, position_of, put, put_back, take_back
from io_edges.building.in_place import install, undo
from io_edges.building.keep import keep
from io_edges.building.staging import Staging
from io_edges.building.store import Store, save_record, update_state
from io_edges.system.dir_chain import prune_at
from io_edges.system.folder import Folder
from io_edges.system.signals import held_signals
from io_edges.system.stop import Stop, cause_of
from io_edges.system.syscalls import sync
from io_edges.system.trees import NOTHING, survey
from io_edges.system.whole_file import write_whole
from pipeline.building.files_merge import changed_since, fits
from pipeline.building.journal import Change, Journal, leading_to, record_with
from pipeline.building.layout import RUN_FILE
from pipeline.building.record import Record
from pipeline.building.sealed import seal
from pipeline.building.state import State, left_in, state_with
from pipeline.building.tree import Tree
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.building import in_place
from pipeline.report.diagnostics.conflicts import OutputConflict

_IMMOVABLE = frozenset({errno.EXDEV, errno.EBUSY, errno.ENOTSUP})
"""What an exchange is refused with on another disk, of a mounted folder or a lower layer of an overlay, and where the
system has none."""


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
    warnings: list[WarningDiagnostic] = field(default_factory=list)


def commit(this: Transaction, before: Store, kept: State) -> Store:
    """Make every change and write record and state, or leave everything as it was; return these.

    `kept` is what the state will say of what does not change. What the system refuses once all is in place is tried
    again, as that may be temporary; what is left then, the next run does. Raises `Stop` and `OSError`.
    """
    with held_signals():
        this.journal = replace(this.journal, changes=tuple(_up_to_date(each, this) for each in this.journal.changes))
        after = record_with(before.record, this.journal)
        save(this, leading_to(after, this.journal))
        try:
            for change in this.journal.moves:
                make(change, this, is_first=True)
            write_down(this, after)
        except BaseException:
            this.warnings.clear()
            take_back_backup(this.journal.backup, this.project, this.staging.folder)
            if is_put_back(this, this.journal.moves):
                this.staging.folder.discard(RUN_FILE)
            raise
        store = replace(before, record=after)
        with suppress(OSError):
            return close(this, store, kept)
        this.carried.clear()
        with suppress(OSError):
            return close(this, store, kept)
        return replace(store, state=_state_after(this, kept))


def make(change: Change, this: Transaction, *, is_first: bool = False) -> None:
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
            save(this, replace(this.journal, changes=tuple(_each_with(change, this.journal.changes))))
    if cause:
        this.warnings.append(in_place(change.path, cause))
        if staging.lstat(change.undo) is None:
            this.staging.make(change.undo).close()
        is_left = change.new is None or staging.lstat(change.slot)  # else all of it was put in place
        changed = install(change, this.project, staging) if is_left else ()
        _refuse(change, changed if is_first else ())
    elif is_first and change.old is not None:
        this.carried[change.path] = _carried_over(change, this)


def _each_with(change: Change, changes: Iterable[Change]) -> Iterable[Change]:
    return (change if each.path == change.path else each for each in changes)


def write_down(this: Transaction, after: Record) -> None:
    """Put files in the backup, and write the record. Raises `Stop` and `OSError`."""
    if any(change.users for change in this.journal.moves):
        place_backup(this.journal.backup, this.project, this.staging.folder)
    sync(this.project.fd)
    save_record(this.project, after if this.journal.record else None)


def close(this: Transaction, before: Store, kept: State) -> Store:
    """Leave what is not in place any more, write the state, and keep what later runs need. Raises `OSError`.

    Of `before`, the record is written already.
    """
    for change in this.journal.moves:
        warning = leave(change, this.journal, (this.project, this.staging.folder), tree=this.carried.get(change.path))
        this.warnings += (warning,) if warning else ()
    after = replace(before, state=_state_after(this, kept))
    this.warnings += update_state(this.project, before.state, after.state)
    this.warnings += keep(this.journal, after.record, after.state, this.project, this.staging)
    return after


def _state_after(this: Transaction, before: State) -> State:
    """What the state says of the components that were changed."""
    left = {change.path: change.says.last for change in this.journal.changes}
    for change in this.journal.moves:
        if last := change.says.last:
            with suppress(OSError):  # else the next run reads them
                left[change.path] = left_in(last, _tree_of(change, this))
    return state_with(before, left)


def _tree_of(change: Change, this: Transaction) -> Tree:
    """The files of a component, with the stat signatures that they have now; it is looked at unless these are known."""
    written, carried = this.new.get(change.path, NOTHING), this.carried.get(change.path)
    if change.old is None and written.files:
        return written
    if carried and this.journal.run.keeps:  # what is linked is in the old folder, too
        linked = {name: carried.signatures[name] for name in carried.signatures if name in change.after}
        return Tree(change.after, {**linked, **written.signatures})
    return survey(this.project, change.path, this.old.get(change.path, NOTHING).with_written(written))


def save(this: Transaction, journal: Journal) -> None:
    """Write the journal, unless it is there as it is. Raises `OSError`."""
    if journal != this.journal or this.staging.folder.lstat(RUN_FILE) is None:
        this.journal = journal
        write_whole(this.staging.folder, RUN_FILE, seal(journal), like="folder")


def _up_to_date(change: Change, this: Transaction) -> Change:
    """Bring the new folder up to date with what was written into the component since the plan was made.

    Raises `Stop` if that is disputed.
    """
    if change.old is None or change.new is None:
        return change
    project, known = this.project, this.old.get(change.path, NOTHING)
    check_old(change, project)
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


def is_put_back(this: Transaction, changes: Sequence[Change]) -> bool:
    """Put everything back as it was; `False` if something is in doubt. That stays, as what is refused does.

    Raises `OSError`.
    """
    project, staging, is_certain = this.project, this.staging.folder, True
    for change in reversed(changes):
        if change.in_place:
            changed = undo(change, project, staging)
            users = (f for f in change.users if f in changed and staging.status(f"{change.undo}/{f}"))
            warning = salvage(change, tuple(users), this.journal.backup, project, staging)
            this.warnings += (warning,) if warning else ()
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
