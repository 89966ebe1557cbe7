"""Patch making: the difference between the archive that was built and what is on disk, as a patch.

No line of a patch is removed but of a file that is named, or that the archive has by itself: a file that is missing, or
as in the archive, keeps its lines, and so does one that the patch does not fit. Making a patch twice gives the same
bytes.
"""

from collections.abc import Collection, Mapping

from msgspec import Struct

from pipeline.building.merging.lines import (
    EXECUTABLE,
    FILE,
    MOST_BYTES,
    Change,
    Git,
    Unmerged,
    Version,
    file_diffs,
    is_text,
    merge_lines,
)
from pipeline.building.patching.patch_file import FilePatch, Patch
from pipeline.building.patching.patch_names import wrong_name
from pipeline.building.patching.patches import Patched, apply_patch
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.patches import Unsaved, edits_left_out

Texts = Mapping[str, bytes]


class Edits(Struct, frozen=True, kw_only=True):
    """A component with edits, by the contents of files; what is not there is left out."""

    path: str
    bare: Texts = {}
    """What the archive has that was built."""
    built: Texts = {}
    """What was built: the same, with the patch as it was then."""
    is_known: bool = False
    """Whether the patch was written or built here, so that nothing in it has come from elsewhere since."""
    disk: Texts = {}
    edited: Collection[str] = ()
    """The files that differ from what was built, and whose edits are to be saved."""
    named: Collection[str] = ()
    """The files that are saved as they are on disk, whatever the patch does to them."""
    executable: Collection[str] = ()


class Made(Struct, frozen=True):
    """A patch that was made; `None` if nothing is in it."""

    text: bytes | None
    warnings: tuple[WarningDiagnostic, ...] = ()
    is_saved: bool = False
    """Whether an edit is saved in it, or was before."""


def make_patch(edits: Edits, patch: Patch | None, git: Git) -> Made:
    """Save edits in the patch of their component, beside what it has."""
    done = apply_patch(patch, edits.bare) if patch else Patched()
    left: dict[str, Unsaved] = {}
    contents = dict[str, bytes | None]()
    for name in sorted({*edits.edited, *edits.named}):
        disk, bare = edits.disk.get(name), edits.bare.get(name)
        if why := _unsaved(name, disk, bare):
            left[name] = why
        elif name in edits.named:
            contents[name] = disk
        elif disk not in (None, bare):
            saved = _saved(edits, name, done, git)
            if isinstance(saved, bytes):
                contents[name] = saved
            else:
                left[name] = saved
    as_ever = {name for name, content in contents.items() if content == done.files.get(name, edits.bare.get(name))}
    changed = contents.keys() - (as_ever - {*edits.named})
    reasons = dict.fromkeys(left.values())
    named = {why: tuple(f"{edits.path}/{name}" for name, reason in left.items() if reason == why) for why in reasons}
    warnings = tuple(edits_left_out(files, why) for why, files in named.items())
    text = patch.text if patch else None
    new = {name: contents[name] for name in sorted(changed)}
    made = rewritten(patch, edits, new, git) if new else text
    return Made(made, warnings, is_saved=bool(contents and (made or text)))


def _unsaved(name: str, *texts: bytes | None) -> Unsaved | None:
    """Why a file is not saved, given its contents; `None` if it can be."""
    if any(len(text) > MOST_BYTES or not is_text(text) for text in texts if text is not None):
        return "binary"
    return "name" if wrong_name(name) else None


def _saved(edits: Edits, name: str, done: Patched, git: Git) -> bytes | Unsaved:
    """What the patch is to make of a file that differs from what was built, or why that is left out.

    What has come into the patch from elsewhere, and is not built yet, is merged with what is on disk.
    """
    disk, bare = edits.disk[name], edits.bare.get(name)
    built, patched = edits.built.get(name, bare), done.files.get(name, bare)
    if any(each.name == name for each in done.misplaced):
        return "unfit"
    if edits.is_known or patched in (built, bare):
        return disk
    if built is None or patched is None:
        return "touching"
    merged = merge_lines(built, disk, patched, git)
    return "touching" if isinstance(merged, Unmerged) else merged


def rewritten(patch: Patch | None, edits: Edits, contents: Mapping[str, bytes | None], git: Git) -> bytes | None:
    """The text of a patch that gives files of an archive these contents; `None` if it changes none."""
    changes = [_change(edits, name, content) for name, content in contents.items()]
    differing = [change for change in changes if change[1] != change[2]]
    diffs = {each.event.path: each.text for each in file_diffs(differing, git)}
    return _with_parts(patch, {name: diffs.get(f"{edits.path}/{name}", b"") for name in contents})


def _change(edits: Edits, name: str, content: bytes | None) -> Change:
    bare = edits.bare.get(name)
    mode = EXECUTABLE if bare is None and name in edits.executable else FILE
    old, new = (None if text is None else Version(text, mode) for text in (bare, content))
    return f"{edits.path}/{name}", old, new


def _with_parts(patch: Patch | None, parts: Mapping[str, bytes]) -> bytes | None:
    """A patch with other parts for some files; `None` if no file is left. Text that it has besides stays."""
    left = dict(parts)
    pieces = list[bytes]()
    has_file = False
    for each in patch.parts if patch else ():
        if isinstance(each, FilePatch):
            piece = left.pop(each.name, b"") if each.name in parts else each.raw
            has_file = has_file or bool(piece)
            pieces.append(piece)
        else:
            pieces.append(each)
    new = b"".join(left[name] for name in sorted(left))
    if not (has_file or new):
        return None
    is_signed = patch and len(patch.parts) > 1 and isinstance(patch.parts[-1], bytes)
    tail = pieces.pop() if is_signed else b""  # as a mail ends
    return b"".join((*pieces, new, tail))
