"""Undo: read what the last run put aside, so that its components can be staged from there, each file verified."""

import shlex
from collections.abc import Mapping
from contextlib import nullcontext
from functools import partial

from io_edges.building.keep import load_previous
from io_edges.building.project import ProjectView
from io_edges.building.stage import Offer
from io_edges.system.folder import Folder
from io_edges.system.link_or_copy import Times, copy_at, folders_like, give_times, link_or_copy_at
from io_edges.system.stop import Stop
from io_edges.system.syscalls import stat_signature
from io_edges.system.trees import state_of
from pipeline.building.steps import Plan
from pipeline.building.stores.journal import Change, Journal, RunKind
from pipeline.building.stores.layout import PREVIOUS, RECORD_FILE, RUN_FILE
from pipeline.building.stores.record import Files, FileState, are_alike, digest_of, is_unread
from pipeline.building.stores.tree import Tree
from pipeline.building.undo import belongs_to
from pipeline.report.diagnostics.building import NothingToUndo


def undoable(view: ProjectView, kind: RunKind) -> tuple[Folder, Journal]:
    """The project, and what the last run did that changed it. Raises `Stop` and `OSError`.

    A run that undoes takes back any but an undo; one that redoes takes back an undo alone.
    """
    previous = load_previous(view.folder) if view.folder else None
    if view.folder is None or previous is None or not previous.run.keeps:
        raise Stop(NothingToUndo("nothing"))
    run = f"{previous.run.time}, `{shlex.join(previous.run.command)}`"
    if (previous.run.kind == "undo") is not (kind == "redo"):
        raise Stop(NothingToUndo("undone" if kind == "undo" else "not undone", run=run))
    is_there = view.folder.lstat(RECORD_FILE) is not None or bool(view.record.components)
    if (digest_of(view.record) if is_there else "") != previous.record:
        raise Stop(NothingToUndo("record", run=run))
    if not belongs_to(previous, view.record):
        raise Stop(NothingToUndo("damaged", f"{PREVIOUS}/{RUN_FILE}"))
    return view.folder, previous


def offers_of(previous: Journal, project: Folder, times: Times) -> Mapping[str, Offer]:
    """What undoing a run can write of each component, by its path in the project, with these times."""
    return {
        change.path: Offer(
            change.before,
            partial(_write, (change, times), project),
            change.marker,
            f"{previous.backup}/{change.path}" if any(map(is_unread, change.before.values())) else "",
        )
        for change in previous.moves
    }


def _write(
    source: tuple[Change, Times], project: Folder, files: Files | None, folder: Folder, old: Folder | None
) -> Tree:
    """Copy files, those given or all, from what was put aside; without an `old` folder folders are like theirs.

    Raises `Stop` if one is not as it was.
    """
    change, times = source
    wanted, written = change.before if files is None else files, Tree({}, {})
    with (
        project.inner(f"{PREVIOUS}/{change.undo}") as kept,
        folders_like(wanted, kept, folder) if old is None else nullcontext(),
    ):
        for name, state in wanted.items():
            if state.kind == "folder":
                folder.inner(name, make=True).close()
            else:
                _bring((kept, name), state, folder, change, times)
                if status := folder.status(name):
                    written.signatures[name] = stat_signature(status)
            written.files[name] = state
    return written


def check_kept(plan: Plan, previous: Journal, project: Folder) -> None:
    """Raise `Stop` unless each file that undoing a run would bring back is as it was. Raises `OSError`."""
    wanted = {step.path: step.merge.written for step in plan.changes}
    for change in previous.moves:
        names = [name for name in wanted.get(change.path, ()) if change.before[name].kind != "folder"]
        with project.inner(f"{PREVIOUS}/{change.undo}") if names else nullcontext(project) as kept:
            for name in names:
                moved = state_of(project, f"{previous.backup}/{change.path}/{name}")
                if not (is_unread(change.before[name]) and moved):
                    _checked(kept, name, change)


def _checked(kept: Folder, name: str, change: Change) -> FileState:
    """A file that was put aside. Raises `Stop` if it is not as it was."""
    there, before = state_of(kept, name), change.before.get(name)
    if there is None or before is None or not (is_unread(before) or are_alike(there, before)):
        raise Stop(NothingToUndo("damaged", f"{PREVIOUS}/{change.undo}/{name}"))
    return there


def _bring(place: tuple[Folder, str], wanted: FileState, folder: Folder, change: Change, times: Times) -> None:
    """Bring one file in the state that it is to have; what is put aside keeps its time, as the backup may have it, too.

    What cannot be read is linked; if it was moved to the backup, it comes from there in its turn.
    """
    kept, name = place
    if is_unread(wanted) and state_of(kept, name) is None:
        return
    there = _checked(kept, name, change)
    if there.kind == "other" or is_unread(there):
        link_or_copy_at(kept, name, folder)
        return
    is_other = there.executable != wanted.executable
    copy_at(kept, name, folder, executable=wanted.executable if is_other else None)
    give_times(folder, name, times)
