"""Files: how a file of the project differs from what was built, and what the next run does with it."""

from collections.abc import Mapping
from typing import Final

from pipeline.building.changes import next_run
from pipeline.building.draft import Found
from pipeline.building.given import Given
from pipeline.building.patching import contents_with_patches
from pipeline.building.record import Files
from pipeline.building.status import file_differences
from pipeline.building.steps import Plan
from pipeline.explain.document import FileOnDisk, FilePart, NextRun
from pipeline.report.outcome import value_of

_ADVICE: Final[Mapping[FileOnDisk, str]] = {
    "built": "edit it: runs keep your edits",
    "edited": "delete the file, and the next run restores it from the archive; `tool diff --mine` shows your edits",
    "added": "edit or delete it: no run changes it",
    "deleted": "run `tool create` with its archive, which restores it",
    "mode": "change its executable bit; runs keep the bit that you set",
    "unrecorded": "pass `--mine` to keep it, or `--force` to replace it, if the archive has another version",
    "absent": "run `tool create` with its archive, which adds it",
}


def explain_file(file: str, owner: str, preview: Plan, planned: Plan, found: Found) -> tuple[FilePart, ...]:
    """Explain a file of a component, given the file on disk and the plan; empty if neither has it."""
    name, recorded = file.removeprefix(f"{owner}/"), preview.before.components.get(owner)
    state = _state(name, recorded.files if recorded else {}, preview.places[owner].files)
    step = next((each for each in planned.steps if each.path == owner), None)
    built = step.component if step else None
    next_run = "stops" if planned.refused else _next_run(name, planned, found)
    part = FilePart(
        path=file,
        component=owner,
        archive=recorded.archive if recorded else None,
        version=recorded.version if recorded else None,
        state=state,
        next_run=next_run,
        next_archive=built.archive if built else None,
        next_version=built.version if built else None,
        advice=_ADVICE[state],
    )
    return () if state == "absent" and next_run != "added" else (part,)


def _state(name: str, written: Files, on_disk: Files) -> FileOnDisk:
    differences = file_differences(*({name: files[name]} if name in files else {} for files in (written, on_disk)))
    if name not in {*written, *on_disk}:
        return "absent"
    if not written:
        return "unrecorded"
    kinds: tuple[FileOnDisk, ...] = ("edited", "added", "deleted", "mode")
    return next((each for each in kinds if getattr(differences, each)), "built")


def _next_run(name: str, planned: Plan, found: Found) -> NextRun:
    added = [step.choice for step in planned.changes if step.action == "add" and step.choice]
    gives = contents_with_patches(added, found, planned.patches)
    given = {each.path: value_of(one) or Given() for each, one in zip(added, gives, strict=True)}
    for each in next_run(planned, {path: one.files for path, one in given.items()}):
        old, new = each.old.get(name), each.new.get(name)
        if old != new:
            return "added" if old is None else "removed" if new is None else "changed"
    return "stays"
