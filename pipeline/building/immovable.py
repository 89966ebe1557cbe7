"""Immovable: what in a component can be neither moved nor replaced, and what of a plan cannot be done therefore.

Such a component is changed file by file in its place, so that this stays. `docs/building.md` has the rule.
"""

from collections.abc import Collection, Iterable, Iterator

from msgspec.structs import replace
from returns.result import Failure, Success
from toolz import concat, unique

from pipeline.archives.entry_names import folders_above
from pipeline.building.draft import Draft
from pipeline.building.record import implied_folders
from pipeline.building.steps import Step
from pipeline.report.diagnostics.disk import FileSystemProblem
from pipeline.report.outcome import BuildOutcome


def inside(path: str, places: Iterable[str]) -> tuple[str, ...]:
    """Those of some paths that are at another or below it, as seen from there."""
    return tuple(place[len(path) + 1 :] for place in places if f"{place}/".startswith(f"{path}/"))


def why_in_place(step: Step) -> str:
    """Why the files of a component are replaced one by one; empty if all of it can be moved."""
    if step.choice is None and step.target.mounts:
        stays = (f"{step.path}/{each}".rstrip("/") for each in step.target.mounts)
        return f"mounted, and stays: {', '.join(f'`{each}`' for each in stays)}"
    return next((f"`{path}` in it is {why}" if path else f"it is {why}" for path, why in step.immovable.items()), "")


def check_movable(draft: Draft) -> BuildOutcome[Draft]:
    """Refuse steps that would have to change what is immovable, unless these components are passed over."""
    plan, options = draft.plan, draft.options
    if options.preview or not plan.changes:
        return Success(draft)
    found = draft.found.immovable([step.path for step in plan.changes])
    steps = tuple(replace(step, immovable=found.get(step.path, {})) for step in plan.steps)
    wrong = tuple(concat(map(blocked, steps)))
    if wrong and not options.keep_going:
        return Failure((*wrong, *plan.refused))
    movable = tuple(step for step in steps if not blocked(step))
    return Success(replace(draft, plan=replace(plan, steps=movable, refused=(*plan.refused, *wrong))))


def blocked(step: Step) -> tuple[FileSystemProblem, ...]:
    """What keeps a step from being done: each immovable part that would have to change."""
    files, merge = step.target.files, step.merge
    folders = {*implied_folders(files), *(name for name, state in files.items() if state.kind == "folder")}
    changed = sorted({*merge.touched, *merge.backed_up}) if step.immovable else ()
    parts = unique(part for name in changed for part in _parts(name, step, folders))
    return tuple(
        FileSystemProblem(f"{step.path}/{part}".rstrip("/"), f"it is {step.immovable[part]}") for part in parts
    )


def _parts(name: str, step: Step, folders: Collection[str]) -> Iterator[str]:
    """The immovable parts that a change of a path touches: itself, what is below it, and the folder that it is in."""
    fixed = step.immovable
    is_pruned = name in folders and name not in step.merge.written
    yield from (part for part in fixed if f"{part}/".startswith(f"{name}/") and not (is_pruned and part == name))
    nearest = next((part for part in reversed([*folders_above(name)]) if part in folders), "")
    if fixed.get(nearest, "mounted") != "mounted":
        yield nearest
    # where the system told no mounts when the plan was made
    above = ("", *folders_above(name)) if step.choice is None else ()
    mounts = (part for part in above if fixed.get(part) == "mounted")
    yield from (part for part in mounts if part not in step.target.mounts)
