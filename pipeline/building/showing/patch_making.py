"""Patch making: save the difference between the archive that was built and the disk as a patch.

The patch keeps the lines of every file that is not named if the file is missing, is as in
the archive, does not fit, or was never built with these lines. Making a patch twice gives
the same bytes.
"""

from collections.abc import Collection, Mapping, Sequence
from hashlib import sha256

from msgspec import Struct
from returns.result import Failure, Success

from pipeline.archives.archive import Component
from pipeline.building.draft import Contents
from pipeline.building.merging.lines import MOST_BYTES, is_text
from pipeline.building.patching.naming import with_names
from pipeline.building.patching.patch import Patch
from pipeline.building.patching.patch_file import PATCH_LIMIT, read_patch
from pipeline.building.patching.patch_names import wrong_name
from pipeline.building.patching.patches import PatchResult, apply_patch
from pipeline.building.planning.contents import original_texts, rewrite_patch
from pipeline.building.showing.status import file_differences
from pipeline.building.stores.record import Files, RecordedComponent, implied_folders
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.disk import FileSystemProblem
from pipeline.report.diagnostics.patches import (
    PatchConflict,
    PatchInvalid,
    Unsaved,
    edits_left_out,
)
from pipeline.report.outcome import BuildOutcome
from pipeline.selection.choices import Choice
from pipeline.systems.table import is_rewritten


class Edits(Struct, frozen=True, kw_only=True):
    """A component whose edits are saved as a patch."""

    base: RecordedComponent
    """The component as it was built."""
    disk: Files
    component: Component | None = None
    """The component that the marker on disk describes."""
    patch: Patch
    """The patch of the component; without parts if it has none."""
    is_kept: bool = False
    """Whether the patch was saved or built on this machine, so that all its lines
    come from here.
    """
    named: Collection[str] = ()
    """The only files to save, whatever the patch does to them; if empty, all edited
    files are saved.
    """

    def is_file(self, name: str) -> bool:
        """Whether a path is a file on disk."""
        return name in self.disk and self.disk[name].kind == "file"


class NewPatch(Struct, frozen=True):
    """A patch that was made; its text is empty if nothing is left in it."""

    text: bytes = b""
    warnings: tuple[WarningDiagnostic, ...] = ()
    is_saved: bool = False
    """Whether the patch holds edits that were saved, in this run or before."""


def make_patch(
    edits: Edits, choices: Sequence[Choice], contents: Contents
) -> BuildOutcome[NewPatch]:
    """Save edits in the patch of their component, beside the lines that it has. `choices` are those
    of the drop.

    Errors: the archive that was built is not available; or the patch cannot be read, before or
    after the change.
    """
    path = edits.patch.component
    base = edits.base
    unsaved = dict[str, Unsaved]()
    names = {*edits.named}
    if not names:
        unsaved = _saved_if_named(edits)
        names = {*file_differences(base.files, edits.disk).edited} - unsaved.keys()
    originals: Mapping[str, bytes] | None = {}
    if names:
        originals = original_texts(base, {*names, *edits.patch.names}, choices, contents)
    if originals is None:
        return Failure(
            (
                PatchConflict(
                    edits.patch.path, 1, path=path, name="", archive=base.archive, why="unkept"
                ),
            )
        )
    patch = with_names(edits.patch, originals, base.files)
    applied = apply_patch(patch, originals)
    files = set(filter(edits.is_file, names))
    others = names & (edits.disk.keys() - files | implied_folders(edits.disk))
    disk = contents.read_disk(path, files)
    saved = dict[str, bytes | None]()
    for name in sorted(names):
        text = disk.get(name)
        original = originals.get(name)
        why = _why_unsaved(name, text, original)
        if name in others:
            why = "binary"
        elif name not in edits.named:
            if text in (None, original):
                continue  # it keeps its lines
            why = why or _why_unfit(name, applied, edits)
        if why:
            unsaved[name] = why
        else:
            saved[name] = text
    changed = {
        name: text
        for name, text in saved.items()
        if name in edits.named or text != applied.files.get(name)
    }
    made = patch.text
    if changed:
        executable = [name for name, state in edits.disk.items() if state.executable]
        made = rewrite_patch(patch, originals, changed, contents.git, executable)
    wrong = patch.error
    if made and not wrong:
        wrong = _why_unreadable(made, path)
    if wrong:
        return Failure((wrong,))
    return Success(
        NewPatch(made, _left_out(path, unsaved), is_saved=bool(saved and (made or patch.parts)))
    )


def _why_unreadable(made: bytes, path: str) -> PatchInvalid | FileSystemProblem | None:
    """Why no run could read the patch of a component; `None` if it can be read."""
    patch = read_patch(made, path)
    if len(made) > PATCH_LIMIT:
        reason = f"it would be larger than {PATCH_LIMIT // 1024**2} MiB"
        return PatchInvalid(patch.path, 0, reason, is_written=False)
    return patch.error


def _left_out(path: str, unsaved: Mapping[str, Unsaved]) -> tuple[WarningDiagnostic, ...]:
    """A warning for each reason for which files are not saved."""
    files = dict[Unsaved, list[str]]()
    for name, why in unsaved.items():
        files.setdefault(why, []).append(f"{path}/{name}")
    return tuple(edits_left_out(tuple(paths), why) for why, paths in files.items())


def _why_unsaved(name: str, *texts: bytes | None) -> Unsaved | None:
    """Why a file cannot be saved, given its contents; `None` if it can."""
    if any(len(text) > MOST_BYTES or not is_text(text) for text in texts if text is not None):
        return "binary"
    if wrong_name(name):
        return "name"
    return None


def _why_unfit(name: str, applied: PatchResult, edits: Edits) -> Unsaved | None:
    """Why a file that is not named keeps its lines in the patch; `None` if they are replaced."""
    if any(conflict.name == name for conflict in applied.misplaced):
        return "unfit"
    if name in applied.files and not (
        edits.is_kept or _is_built(name, applied.files[name], edits.base)
    ):
        return "unbuilt"
    return None


def _is_built(name: str, text: bytes | None, base: RecordedComponent) -> bool:
    """Whether a file was built with this content."""
    return text is not None and base.files[name].digest == sha256(text).hexdigest()


def _saved_if_named(edits: Edits) -> dict[str, Unsaved]:
    """The edited files that are only saved if they are named, each with the reason."""
    differences = file_differences(edits.base.files, edits.disk)
    unsaved = dict[str, Unsaved]()
    for name in differences.edited:
        if edits.component and is_rewritten(edits.component, name):
            unsaved[name] = "rewritten"
    unsaved |= dict.fromkeys(differences.added, "added")
    unsaved |= dict.fromkeys(differences.deleted, "deleted")
    unsaved |= dict.fromkeys(differences.mode, "mode")
    return unsaved
