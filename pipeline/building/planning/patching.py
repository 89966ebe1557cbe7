"""Patching: find the patches of a project, and warn of those that do not fit or have no effect."""

import re
from collections.abc import Collection, Iterable, Iterator
from hashlib import sha256

from pipeline.archives.entry_names import is_within, last_part
from pipeline.archives.places import Places
from pipeline.building.draft import Draft, PickedDraft, SourcedDraft
from pipeline.building.merging.outcomes import FileOutcome
from pipeline.building.merging.preference import Preference
from pipeline.building.patching.patch import Patch, patch_path
from pipeline.building.patching.patch_file import read_patch
from pipeline.building.patching.payload import Payload
from pipeline.building.steps import Step, with_merge
from pipeline.building.stores.layout import PATCH_SUFFIX, PATCHES
from pipeline.building.stores.record import (
    Files,
    FileState,
    RecordedComponent,
    are_alike,
    without_folders,
)
from pipeline.building.survey import Survey
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.disk import FileSystemProblem
from pipeline.report.diagnostics.patches import (
    PatchConflict,
    PatchError,
    patch_restored,
    unused_patch,
)
from pipeline.values import replace


def find_patches(draft: PickedDraft) -> SourcedDraft:
    """Read the patches of the components in scope, and warn of files in `patches/` that are not
    used.
    """
    files = draft.reader.patches
    listed = {*files.names}
    patches = dict[str, Patch]()
    patch_states = dict[str, FileState]()
    for path in _in_scope(draft):
        name = f"{path}{PATCH_SUFFIX}"
        if name not in listed and not files.is_closed:
            continue
        data = files.read(name)
        patch = _read(path, data)
        if patch:
            patches[path] = patch
        if isinstance(data, bytes) and data:
            patch_states[name] = FileState(digest=sha256(data).hexdigest())
    draft = draft.with_plan(replace(draft.plan, patches=patches, patch_states=patch_states))
    return draft.with_warnings(*unused_patches(draft)).become(SourcedDraft)


def _in_scope(draft: PickedDraft) -> list[str]:
    """The paths of the selected or recorded components in scope."""
    paths = _known(draft)
    if draft.options.names is not None:
        paths &= draft.options.names
    return sorted(paths)


def _known(draft: PickedDraft) -> set[str]:
    """The paths of the selected or recorded components."""
    return {*draft.record.components, *(choice.path for choice in draft.choices)}


def _read(path: str, data: bytes | FileSystemProblem | None) -> Patch | None:
    """Read a patch; one that cannot be read has an error, and an empty file gives `None`."""
    none = Patch(path)
    if isinstance(data, FileSystemProblem):
        return replace(none, error=data)
    if data is None:
        return none.refused(1, "it is not a file")
    if not data.strip():
        return None
    return read_patch(data, path)


def unused_patches(draft: PickedDraft) -> tuple[WarningDiagnostic, ...]:
    """Warn of unused patches, of files that look like patches, and of patches that change nothing.

    If components are named, only patches that change nothing are reported.
    """
    unused = list[WarningDiagnostic]()
    if draft.options.names is None:
        known = _known(draft).union(draft.reader.interrupted)
        unused += _ignored_patches(draft, known)
        unused += _misnamed(draft, known)
    for patch in draft.plan.patches.values():
        if patch.is_idle:
            unused.append(unused_patch(patch.path, "nothing"))
    return tuple(unused)


def _ignored_patches(draft: Draft, known: Collection[str]) -> Iterator[WarningDiagnostic]:
    """Warn of patches in the current folder while the project has its own, and of links to
    folders of patches.
    """
    files = draft.reader.patches
    places = draft.record.places
    for name in files.beside:
        path = patched_component(name, places)
        if path in known:
            yield unused_patch(f"{PATCHES}/{name}", "beside", path)
    for link in files.links:
        if _leads_to_patches(link, places.themes) or _leads_to_patches(link, places.modules):
            yield unused_patch(f"{PATCHES}/{link}", "link")


def _leads_to_patches(link: str, folder: str) -> bool:
    """Whether a link below `patches/` is the folder of a kind's patches, or above or in
    that folder.
    """
    return is_within(folder, link) or is_within(link, folder)


def _misnamed(draft: Draft, known: Collection[str]) -> Iterator[WarningDiagnostic]:
    """Warn of files that look like patches but belong to no component, with the component
    they may be for.
    """
    for name in draft.reader.patches.names:
        path = patched_component(name, draft.record.places)
        if path in known or not name.endswith((PATCH_SUFFIX, ".diff")):
            continue
        suggested = _suggested(name, known)
        if suggested:
            yield unused_patch(f"{PATCHES}/{name}", "near", suggested)
        elif path:
            yield unused_patch(f"{PATCHES}/{name}", "component")


def _suggested(name: str, known: Collection[str]) -> str:
    """The component that a file's name, or the name of one of its folders, suggests;
    empty if none.
    """
    *folders, last = name.casefold().split("/")
    stem = re.split(r"[+@]|\.(?:patch|diff)$", last)[0]
    for path in sorted(known):
        called = last_part(path).casefold()
        if called == stem or called in folders:
            return path
    return ""


def patched_component(name: str, places: Places) -> str:
    """The path of the component whose patch is at this path below `patches/`; empty if it
    is no patch.
    """
    path = name.removesuffix(PATCH_SUFFIX)
    if path != name and path.startswith((f"{places.themes}/", f"{places.modules}/")):
        return path
    return ""


def with_lost_files(payload: Payload, survey: Survey) -> Payload:
    """Add the conflicts of files that the patch changes and the archive lacks, if the last
    build had them.

    A file that the last build lacked as well, such as a test that releases leave out, only gets
    a warning. A file that an earlier run accepted as missing is a conflict again, so that every
    run reports it.
    """
    had = set[str]()
    built = survey.recorded or survey.last_built
    if built:
        had.update(built.files)
    if survey.last:
        had.update(survey.last.dropped)
    conflicts = [*payload.conflicts]
    skipped = [*payload.skipped]
    for conflict, warning in payload.absent:
        if conflict.name in had:
            conflicts.append(conflict)
        elif warning:
            skipped.append(warning)
    return replace(payload, conflicts=tuple(conflicts), skipped=tuple(skipped))


def warnings_on_patches(steps: Iterable[Step]) -> Iterator[WarningDiagnostic]:
    """Warn of missing, restored and unused patches, and of conflicts that a flag waives."""
    for step in steps:
        if step.component is None:
            continue
        yield from _patch_missing(step, step.component)
        yield from _restored(step)
        yield from step.payload.skipped
        lines = {conflict.file: conflict.line for conflict in reversed(step.waived_conflicts)}
        for file, line in lines.items():
            yield unused_patch(patch_path(step.path), "unfit", file, line=line)


def _patch_missing(step: Step, component: RecordedComponent) -> Iterator[WarningDiagnostic]:
    """Warn of a component that was built with a patch and is built without it, if edits
    may be lost.
    """
    before = step.survey.recorded
    now = step.payload
    if before is None or not before.patch or now.patch or now.invalid or now.rewritten:
        return
    patch = patch_path(step.path)
    if before.source != component.source or not step.survey.is_there:
        yield unused_patch(patch, "missing", step.path)
        return
    files = _files_losing_edits(before.files, now.files, step.target.files)
    if files:
        yield unused_patch(
            patch, "missing", step.path, files=len(files.difference(step.merge.edited))
        )


def _files_losing_edits(before: Files, now: Files, disk: Files) -> set[str]:
    """The files that lose the edits of a patch, given those that were built, those that will be,
    and those on disk. A file that is on disk as it will be loses nothing.
    """
    files = set[str]()
    for name in {*before, *without_folders(now)}:
        state = now.get(name)
        if not are_alike(state, before.get(name)) and not are_alike(state, disk.get(name)):
            files.add(name)
    return files


def _restored(step: Step) -> Iterator[WarningDiagnostic]:
    """Warn of files that were on disk without the patch and are patched again, because the patch
    has not changed.
    """
    before = step.survey.recorded
    now = step.payload
    if before is None or before.patch != now.patch:
        return
    files = list[str]()
    for name, original in now.originals.items():
        there = step.target.files.get(name)
        if are_alike(there, original) and not are_alike(there, now.files.get(name)):
            files.append(name)
    if files:
        yield patch_restored(step.path, tuple(files))


def with_misfits(step: Step, prefer: Preference) -> Step:
    """The step with the conflicts of its patch: waived by a flag or an earlier run, or errors."""
    disk = step.target.files
    payload = step.payload
    conflicts = tuple(
        replace(conflict, is_there=conflict.name in disk) for conflict in payload.conflicts
    )
    if step.is_built_again and not payload.invalid:
        return replace(step, waived_conflicts=conflicts)
    outcomes = {**step.merge.outcomes}
    waived = list[PatchConflict]()
    unfit = list[PatchError | FileSystemProblem]()
    if payload.invalid:
        unfit.append(payload.invalid)
    for conflict in conflicts:
        name = conflict.name
        preferred = prefer.of(conflict.file)
        if preferred == "nobody" or (preferred == "mine" and name not in disk):
            unfit.append(conflict)
            continue
        waived.append(conflict)
        if preferred == "mine" and disk[name] != payload.files.get(name):
            outcomes[name] = FileOutcome("declined", disk[name])
    built = with_merge(step, replace(step.merge, outcomes=outcomes))
    return replace(built, waived_conflicts=tuple(waived), patch_errors=tuple(unfit))
