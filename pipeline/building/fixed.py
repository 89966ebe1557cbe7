"""Fixed: what in a component can be neither moved nor replaced, and what of a plan cannot be done therefore.

Such a component is changed file by file in its place, so that what is fixed stays. `docs/building.md` has the rule.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Literal, TypeAlias

from toolz import unique

from pipeline.archives.entry_names import folders_above
from pipeline.building.record import implied_folders
from pipeline.building.steps import Step
from pipeline.report.diagnostics.disk import FileSystemProblem

Why: TypeAlias = Literal["mounted", "immutable", "append-only", "on a read-only disk"]
Fixed: TypeAlias = Mapping[str, Why]
"""What is fixed, by its path in the component; an empty path is the component itself."""


def inside(path: str, places: Iterable[str]) -> tuple[str, ...]:
    """Those of some paths that are at another or below it, as seen from there."""
    return tuple(place[len(path) + 1 :] for place in places if f"{place}/".startswith(f"{path}/"))


def cause_of_fixed(step: Step, fixed: Fixed) -> str:
    """Why the files of a component are replaced one by one; empty if nothing is fixed."""
    if step.choice is None and step.target.mounts:
        stays = (f"{step.path}/{each}".rstrip("/") for each in step.target.mounts)
        return f"mounted, and stays: {', '.join(f'`{each}`' for each in stays)}"
    return next((f"`{path}` in it is {why}" if path else f"it is {why}" for path, why in fixed.items()), "")


def blocked(step: Step, fixed: Fixed) -> tuple[FileSystemProblem, ...]:
    """What keeps a step from being done: each fixed part that would have to change."""
    files, merge = step.target.files, step.merge
    folders = {*implied_folders(files), *(name for name, state in files.items() if state.kind == "folder")}
    changed = sorted({*merge.touched, *merge.backed_up}) if fixed else ()
    parts = unique(part for name in changed for part in _parts(name, step, fixed, folders))
    return tuple(FileSystemProblem(f"{step.path}/{part}".rstrip("/"), f"it is {fixed[part]}") for part in parts)


def _parts(name: str, step: Step, fixed: Fixed, folders: Collection[str]) -> Iterator[str]:
    """The fixed parts that a change of a path touches: itself, what is below it, and the folder that it is in."""
    is_pruned = name in folders and name not in step.merge.written
    yield from (part for part in fixed if f"{part}/".startswith(f"{name}/") and not (is_pruned and part == name))
    nearest = next((part for part in reversed([*folders_above(name)]) if part in folders), "")
    if fixed.get(nearest, "mounted") != "mounted":
        yield nearest
    # where the system told no mounts when the plan was made
    above = ("", *folders_above(name)) if step.choice is None else ()
    mounts = (part for part in above if fixed.get(part) == "mounted")
    yield from (part for part in mounts if part not in step.target.mounts)
