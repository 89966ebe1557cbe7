"""Patching: which patches there are, where they do not fit, and what there is to say of them."""

import re
from collections.abc import Collection, Iterable, Iterator
from hashlib import sha256

from pipeline.archives.places import Places
from pipeline.building.draft import Draft
from pipeline.building.merging.files_merge import FileOutcome
from pipeline.building.merging.preference import Preference
from pipeline.building.patching.given import Given
from pipeline.building.patching.patch_file import Patch, patch_path, read_patch
from pipeline.building.steps import Step, Survey, decided
from pipeline.building.stores.layout import PATCH_SUFFIX, PATCHES
from pipeline.building.stores.record import Files, FileState, are_alike
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.disk import FileSystemProblem
from pipeline.report.diagnostics.patches import PatchConflict, patch_restored, unused_patch
from pipeline.values import replace


def find_patches(draft: Draft) -> Draft:
    """Read the patches of the components in scope, and warn of those that are used for nothing."""
    files = draft.found.patches
    names = draft.options.names
    known = {*draft.record.components, *(each.path for each in draft.choices)}
    there = {*files.names}
    asked = {path: f"{path}{PATCH_SUFFIX}" for path in known if names is None or path in names}
    contents = {path: files.read(name) for path, name in asked.items() if name in there or files.is_closed}
    read = {path: _read(path, data) for path, data in contents.items()}
    patches = {path: each for path, each in read.items() if each}
    as_read = {asked[path]: _as_file(data) for path, data in contents.items() if isinstance(data, bytes) and data}
    draft = replace(draft, plan=replace(draft.plan, patches=patches, as_read=as_read))
    return draft.with_warnings(*unused_patches(draft))


def _as_file(data: bytes) -> FileState:
    return FileState(digest=sha256(data).hexdigest())


def unused_patches(draft: Draft) -> tuple[WarningDiagnostic, ...]:
    """The patches that are used for nothing, and files that look as if they were patches of ours, unless some
    components alone are asked for; and those in which nothing is left.
    """
    known = {*draft.record.components, *draft.found.interrupted, *(each.path for each in draft.choices)}
    near = {path: path.rpartition("/")[2].casefold() for path in sorted(known)}
    unused = list[WarningDiagnostic]()
    if draft.options.names is None:
        unused += _passed_over(draft, known)
    for name in draft.found.patches.names if draft.options.names is None else ():
        path = patched_component(name, draft.record.places)
        if path in known or not name.endswith((PATCH_SUFFIX, ".diff")):
            continue
        *folders, last = name.casefold().split("/")
        stem = re.split(r"[+@]|\.(?:patch|diff)$", last)[0]
        suggested = next((each for each, called in near.items() if called == stem or called in folders), "")
        if suggested or path:
            unused.append(unused_patch(f"{PATCHES}/{name}", "near" if suggested else "component", suggested))
    unused += (unused_patch(patch.path, "nothing") for patch in draft.plan.patches.values() if patch.is_idle)
    return tuple(unused)


def _passed_over(draft: Draft, known: Collection[str]) -> Iterator[WarningDiagnostic]:
    """The patches of components in the current folder where the project has others, and links to folders of patches."""
    files = draft.found.patches
    places = draft.record.places
    for name in files.beside:
        if (path := patched_component(name, places)) in known:
            yield unused_patch(f"{PATCHES}/{name}", "beside", path)
    folders = (places.themes, places.modules)
    for link in files.links:
        if any(f"{folder}/".startswith(f"{link}/") or link.startswith(f"{folder}/") for folder in folders):
            yield unused_patch(f"{PATCHES}/{link}", "link")


def patched_component(name: str, places: Places) -> str:
    """The path of the component whose patch a file below `patches/` is, by its path there; empty if it is none."""
    path = name.removesuffix(PATCH_SUFFIX)
    is_inside = any(path.startswith(f"{folder}/") for folder in (places.themes, places.modules))
    return path if is_inside and path != name else ""


def _read(path: str, data: bytes | FileSystemProblem | None) -> Patch | None:
    """A patch, or why it is none; `None` if it is empty."""
    none = Patch(path)
    if isinstance(data, FileSystemProblem):
        return replace(none, wrong=data)
    if data is None:
        return none.refused(1, "it is not a file")
    return read_patch(data, path) if data.strip() else None


def with_departed(given: Given, survey: Survey) -> Given:
    """The same with the files in conflict that the patch changes, what was built had, and the archive does not have.

    Those that it did not have either, such as tests that releases leave out, are passed over with a warning; what an
    earlier run here did without is in conflict again, so that each run says so.
    """
    last = survey.last
    built = survey.recorded or (last.component if last else None)
    had = {*(built.files if built else ()), *(last.dropped if last else ())}
    departed = [conflict for conflict, _ in given.absent if conflict.name in had]
    said = [warning for conflict, warning in given.absent if warning and conflict.name not in had]
    return replace(given, conflicts=(*given.conflicts, *departed), skipped=(*given.skipped, *said))


def warnings_on_patches(steps: Iterable[Step]) -> Iterator[WarningDiagnostic]:
    """What there is to warn of in patches."""
    for step in steps:
        before = step.survey.recorded
        now = step.given
        if step.component is None:
            continue
        if before and before.patch and not (now.patch or now.invalid or now.rewritten):
            is_known = before.source == step.component.source and step.target.occupancy == "present"
            files = _without_patch(before.files, now.files, step.target.files) if is_known else frozenset()
            if files or not is_known:
                lost = len(files - {*step.merge.edited})
                yield unused_patch(patch_path(step.path), "missing", step.path, files=lost)
        found = step.target.files if before and before.patch == now.patch else {}
        originals = [each for each in now.originals if each in found and are_alike(found[each], now.originals[each])]
        if again := tuple(each for each in originals if not are_alike(found[each], now.files.get(each))):
            yield patch_restored(step.path, again)
        yield from now.skipped
        lines = {each.file: each.line for each in reversed(step.left_out)}
        for file, line in lines.items():
            yield unused_patch(patch_path(step.path), "unfit", file, line=line)


def _without_patch(before: Files, now: Files, disk: Files) -> frozenset[str]:
    """The files that lose what a patch made of them; those that are on disk as the archive has them lose nothing."""
    names = {*before, *(name for name, state in now.items() if state.kind != "folder")}
    return frozenset(
        name for name in names if not any(are_alike(now.get(name), files.get(name)) for files in (before, disk))
    )


def with_misfits(step: Step, prefer: Preference) -> Step:
    """The same with where the patch does not fit. An earlier run may have decided what is built instead."""
    there = step.target.files
    given = step.given
    conflicts = tuple(replace(each, is_there=each.name in there) for each in given.conflicts)
    if step.is_built_again and not given.invalid:
        return replace(step, left_out=conflicts)
    left_out = tuple(each for each in conflicts if _is_left_out(each, prefer))
    declined = (each.name for each in left_out if prefer.of(each.file) == "mine")
    outcomes = {name: FileOutcome("declined", there[name]) for name in declined if there[name] != given.files.get(name)}
    invalid = (given.invalid,) if given.invalid else ()
    return replace(
        decided(step, replace(step.merge, outcomes={**step.merge.outcomes, **outcomes})),
        left_out=left_out,
        unfit=(*invalid, *(each for each in conflicts if each not in left_out)),
    )


def _is_left_out(conflict: PatchConflict, prefer: Preference) -> bool:
    """Whether a preference decides to do without the patch; there has to be a file to keep it."""
    preferred = prefer.of(conflict.file)
    return preferred == "theirs" or (preferred == "mine" and conflict.is_there)
