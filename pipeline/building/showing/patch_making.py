"""Patch making: the difference between the archive that was built and what is on disk, as a patch.

No line of a patch is removed but of a file that is named, or that the archive has by itself: a file that is missing, or
as in the archive, keeps its lines, and so does one that the patch does not fit, or of which no run has built them.
Making a patch twice gives the same bytes.
"""

from collections.abc import Collection, Iterable, Sequence
from hashlib import sha256

from msgspec import Struct
from returns.result import Failure, Success

from pipeline.archives.archive import Component
from pipeline.building.draft import Contents
from pipeline.building.merging.lines import MOST_BYTES, is_text
from pipeline.building.patching.naming import with_names
from pipeline.building.patching.patch_file import Patch, read_patch
from pipeline.building.patching.patch_names import wrong_name
from pipeline.building.patching.patches import apply_patch
from pipeline.building.planning.contents import original_texts, rewritten
from pipeline.building.showing.status import file_differences
from pipeline.building.stores.record import Files, RecordedComponent, implied_folders
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.patches import PatchConflict, Unsaved, edits_left_out
from pipeline.report.outcome import BuildOutcome
from pipeline.selection.choices import Choice
from pipeline.systems.table import is_rewritten


class Edits(Struct, frozen=True, kw_only=True):
    """A component whose edits are to be saved."""

    base: RecordedComponent
    """What was built."""
    disk: Files
    component: Component | None = None
    """What it is on disk."""
    patch: Patch
    """Its patch; one without parts if there is none."""
    is_kept: bool = False
    """Whether that was written or built here, so that nothing in it has come from elsewhere since."""
    named: Collection[str] = ()
    """The only files that are saved, as they are on disk, whatever the patch does to them; if none is named, all."""


class Made(Struct, frozen=True):
    """A patch that was made; empty if nothing is in it."""

    text: bytes = b""
    warnings: tuple[WarningDiagnostic, ...] = ()
    is_saved: bool = False
    """Whether an edit is saved in it, or was before."""


def make_patch(edits: Edits, choices: Sequence[Choice], contents: Contents) -> BuildOutcome[Made]:
    """Save edits in the patch of their component, beside what it has, given what is in the drop.

    Errors: the archive that was built is nowhere; or the patch is none, before or after that.
    """
    path = edits.patch.component
    base = edits.base
    left = {} if edits.named else _unnamed(edits)
    saved = {*edits.named} or {*file_differences(base.files, edits.disk).edited} - left.keys()
    originals = original_texts(base, {*saved, *edits.patch.names}, choices, contents) if saved else {}
    if originals is None:
        return Failure((PatchConflict(edits.patch.path, 1, path=path, name="", archive=base.archive, why="unkept"),))
    patch = with_names(edits.patch, originals, base.files)
    done = apply_patch(patch, originals)
    files = {name for name in saved if name in edits.disk and edits.disk[name].kind == "file"}
    others = saved & (edits.disk.keys() - files | implied_folders(edits.disk))
    disk = contents.there(path, files)
    unfit = {each.name for each in done.misplaced}
    new = dict[str, bytes | None]()
    for name in sorted(saved):
        old = originals.get(name)
        there = disk.get(name)
        is_named = name in edits.named
        if name in others:
            left[name] = "binary"
        elif not is_named and there in {None, old}:
            continue  # it keeps its lines
        elif why := _unsaved(name, there, old):
            left[name] = why
        elif name in unfit and not is_named:
            left[name] = "unfit"
        elif name in done.files and not (is_named or edits.is_kept or _is_built(name, done.files[name], base)):
            left[name] = "unbuilt"
        else:
            new[name] = there
    changed = {name: text for name, text in new.items() if name in edits.named or text != done.files.get(name)}
    executable = [name for name, state in edits.disk.items() if state.executable]
    text = rewritten(patch, originals, changed, contents.git, executable) if changed else patch.text
    wrong = patch.wrong or (read_patch(text, path).wrong if text else None)
    warnings = [
        edits_left_out(tuple(f"{path}/{name}" for name in left if left[name] == why), why)
        for why in dict.fromkeys(left.values())
    ]
    made = Made(text, tuple(warnings), is_saved=bool(new and (text or patch.parts)))
    return Failure((wrong,)) if wrong else Success(made)


def _is_built(name: str, text: bytes | None, base: RecordedComponent) -> bool:
    """Whether a file was built with a content, or without it not at all."""
    built = base.files[name].digest if name in base.files else None
    return built == (None if text is None else sha256(text).hexdigest())


def _unsaved(name: str, *texts: bytes | None) -> Unsaved | None:
    """Why a file is not saved, given its contents; `None` if it can be."""
    if any(len(text) > MOST_BYTES or not is_text(text) for text in texts if text is not None):
        return "binary"
    return "name" if wrong_name(name) else None


def _unnamed(edits: Edits) -> dict[str, Unsaved]:
    """The files that are saved only if they are named."""
    differences = file_differences(edits.base.files, edits.disk)
    component = edits.component
    reasons: dict[Unsaved, Iterable[str]] = {
        "rewritten": [name for name in differences.edited if component and is_rewritten(component, name)],
        "added": differences.added,
        "deleted": differences.deleted,
        "mode": differences.mode,
    }
    return {name: why for why, names in reasons.items() for name in names}
