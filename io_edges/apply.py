"""Apply: do to the project what the plan says, all or nothing.

Everything is extracted and verified before the first hook runs, and only renames are left after it.
"""

import os
import time
from pathlib import Path

import msgspec
from msgspec import Struct

from io_edges.console import Console
from io_edges.extract import stage
from io_edges.folder import Folder
from io_edges.hooks import run_hooks
from io_edges.progress import progress
from io_edges.project import Project, staging_in
from io_edges.stop import Stop
from io_edges.swap import commit, new_backup, save_record
from io_edges.system import sync
from pipeline.archives import ArchiveFile
from pipeline.escape import to_json
from pipeline.journal import BACKUPS, STAGING, Journal, Swap
from pipeline.notes import BackedUp, ChangedDrop
from pipeline.plan import Plan, component_events, told_apart_by_case
from pipeline.problems import ArchiveRejected, Problem
from pipeline.schema import OnFailure

PLAN_FILE = "plan.json"


class Order(Struct, frozen=True):
    """A plan to apply, and what it needs to know of the run."""

    plan: Plan
    project: Project
    files: tuple[ArchiveFile, ...]
    """The archives of the drop, which is `drop` as the user wrote it."""
    drop: str
    on_failure: OnFailure
    keep_going: bool


def apply(order: Order, console: Console) -> tuple[Problem, ...]:
    """Build; with `keep_going` give what is wrong with archives that were passed over. Raises `Stop` and `OSError`."""
    plan, project = order.plan, order.project
    if project.folder is None:
        raise AssertionError(project)  # only a dry run has none
    if not plan.changes and not plan.init and not plan.post:
        if plan.record != project.record:
            save_record(project.folder, plan.record)
        return ()
    with staging_in(project.folder, console) as staging:
        swaps, refused = _stage(order, staging, console)
        sync(staging.fd)
        variables = _variables(plan, staging)
        before = _stamps(order.files)
        run_hooks(plan.init, plan.project, variables, order.on_failure, console)
        if _stamps(order.files) != before:
            console.warn((ChangedDrop(order.drop),))
        _commit(order, project.folder, staging, swaps, console)
        run_hooks(plan.post, plan.project, variables, order.on_failure, console)
    return refused


def _stage(order: Order, staging: Folder, console: Console) -> tuple[tuple[Swap, ...], tuple[Problem, ...]]:
    """Extract every component that changes; all archives that are refused are told at once."""
    swaps: tuple[Swap, ...] = ()
    refused: tuple[Problem, ...] = ()
    total = sum(step.choice.archive.size for step in order.plan.changes if step.choice)
    ignores_case = order.project.ignores_case
    if alike := tuple(told_apart_by_case(order.plan.steps)) if ignores_case else ():
        raise Stop(*alike)
    with progress(console, "extracting", total) as bar:
        for step in order.plan.changes:
            try:
                swaps += (stage(step, staging, bar, ignores_case=ignores_case),)
            except Stop as stop:
                if not all(isinstance(problem, ArchiveRejected) for problem in stop.problems):
                    raise
                refused += stop.problems
    if refused and not order.keep_going:
        raise Stop(*refused)
    return swaps, refused


def _commit(order: Order, project: Folder, staging: Folder, swaps: tuple[Swap, ...], console: Console) -> None:
    if swaps:
        backup = new_backup(project, time.strftime("%Y%m%d-%H%M%S"))
        shelves = {swap.path.partition("/")[0] for swap in swaps} | {BACKUPS for swap in swaps if swap.users}
        made = tuple(sorted(shelf for shelf in shelves if project.look(shelf) is None))
        commit(project, staging, Journal(swaps=swaps, backup=backup, made=made), order.plan.record)
        console.warn(BackedUp(swap.path, swap.users, f"{backup}/{swap.path}") for swap in swaps if swap.users)
    elif order.plan.record != order.project.record:
        save_record(project, order.plan.record)


def _variables(plan: Plan, staging: Folder) -> dict[str, str]:
    """What hook scripts are told: the project, the theme and, in a JSON file, the plan."""
    content = {"project": str(plan.project), "components": msgspec.to_builtins(component_events(plan))}
    with os.fdopen(staging.create(PLAN_FILE), "wb") as file:
        file.write(to_json(content).encode())
    themes = [step.name for step in plan.steps if step.kind == "theme" and step.action != "remove"]
    return {
        "TOOL_HOOK_PROJECT": str(plan.project),
        "TOOL_HOOK_THEME": "".join(themes[:1]),  # those that it builds on come after it
        "TOOL_HOOK_PLAN": str(plan.project / STAGING / PLAN_FILE),
    }


def _stamps(files: tuple[ArchiveFile, ...]) -> object:
    """What tells whether the archives of a drop were changed: their names, sizes and times."""
    folders = {file.path.parent for file in files}
    try:
        names = {path.name for folder in folders for path in Path(folder).iterdir() if path.suffix.lower() == ".zip"}
        statuses = [Path(file.path).stat() for file in files]
    except OSError as error:
        return str(error)
    return names, [(status.st_size, status.st_mtime_ns) for status in statuses]
