"""Patch making: the edits of a component as a patch, and a patch for another archive.

A file that is as it was built, as the archive has it or as the patch makes it keeps its part of the patch. So making a
patch twice gives the same bytes.
"""

import re
from collections.abc import Collection, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from pipeline.building.line_diff import EXECUTABLE, FILE, Version, file_diffs
from pipeline.building.line_merge import MOST_BYTES, Git, Unmerged, is_text, merge_lines
from pipeline.building.patch_file import FilePatch, Patch, PatchFault, read_patch
from pipeline.building.patches import Patched, apply_patch
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.patches import edit_left_out, touching_lines

_FIRST: Final = re.compile(rb"# (?:.* made for )?(.*) \(SHA-256 ([0-9a-f]{64})\)\n")
"""The first line of a patch that the tool made: which archive it is for."""
_MOST_SHOWN: Final = 200
"""Characters of lines that are left out."""
Texts = Mapping[str, bytes]


class Edits(Struct, frozen=True, kw_only=True):
    """A component with edits, by the contents of files; what is not there is left out."""

    path: str
    source: str
    """The archive that was built, for a person."""
    digest: str
    """And its digest."""
    bare: Texts
    """What the archive has."""
    built: Texts
    """What was built."""
    disk: Texts
    edited: Collection[str]
    """The files to save. One that is not on the disk is removed by the patch."""
    dropped: Collection[str] = ()
    """The files of which the part of the patch is removed."""
    executable: Collection[str] = ()


class Made(Struct, frozen=True):
    """A patch that was made; `None` if nothing is in it."""

    text: bytes | None
    warnings: tuple[WarningDiagnostic, ...] = ()


def source_of(patch: Patch) -> tuple[str, str]:
    """The archive that a patch was made for, as its first line says, and its digest; both empty if it does not."""
    first = patch.parts[0]
    found = _FIRST.match(first) if isinstance(first, bytes) else None
    return (found[1].decode(errors="backslashreplace"), found[2].decode()) if found else ("", "")


def save_edits(edits: Edits, patch: Patch | None, git: Git) -> Made:
    """Save edits in the patch of their component, beside what it has."""
    done = apply_patch(patch, edits.bare) if patch else Patched()
    parts, warnings = dict[str, bytes](dict.fromkeys(edits.dropped, b"")), list[WarningDiagnostic]()
    edits = replace(edits, executable={*edits.executable, *done.executable})
    had = {name for name, _ in done.had}
    names = {*edits.edited, *had}
    if patch and patch.ignores_ends and (names or parts):  # what is written has LF
        names |= {*patch.names}
    for name in sorted(names - {*edits.dropped}):
        if name in done.unpatched:
            warnings.append(edit_left_out(f"{edits.path}/{name}", "unfit"))
            continue
        patched = done.files.get(name, edits.bare.get(name))
        result = _saved(edits, name, patched, git)
        if patch and name in patch.names and result == patched and name not in had and not patch.ignores_ends:
            continue
        if isinstance(result, WarningDiagnostic):
            warnings.append(result)
        else:
            part = _part(edits, name, edits.bare.get(name), result, git)
            if part and isinstance(read_patch(part, edits.path), PatchFault):
                warnings.append(edit_left_out(f"{edits.path}/{name}", "name"))
            else:
                parts[name] = part
    if not parts:
        return Made(patch.text if patch else None, tuple(warnings))
    first = None if done.misplaced else _first(edits.path, edits.source, edits.digest)
    return Made(_with_parts(patch, parts, first), tuple(warnings))


def _saved(edits: Edits, name: str, patched: bytes | None, git: Git) -> bytes | WarningDiagnostic | None:
    """What the patch is to make of a file, given what it makes of it."""
    bare, built, disk = edits.bare.get(name), edits.built.get(name), edits.disk.get(name)
    texts = [text for text in (bare, disk) if text is not None]
    if name not in edits.edited or disk == patched:
        return patched
    if any(len(text) > MOST_BYTES or not is_text(text) for text in texts):
        return edit_left_out(f"{edits.path}/{name}", "binary")
    if disk is not None and disk in (built, bare):
        return patched
    if patched == built or disk is None:
        return disk
    merged = _merged(built, disk, patched, git)
    return merged if isinstance(merged, bytes) else _left_out(f"{edits.path}/{name}", merged)


def _part(edits: Edits, name: str, bare: bytes | None, result: bytes | None, git: Git) -> bytes:
    if bare == result:
        return b""
    mode = EXECUTABLE if bare is None and name in edits.executable else FILE
    old, new = (None if text is None else Version(text, mode) for text in (bare, result))
    return file_diffs([(f"{edits.path}/{name}", old, new)], git)[0].text


def _first(path: str, source: str, digest: str) -> bytes:
    return f"# {path}, made for {source} (SHA-256 {digest})\n".encode(errors="backslashreplace")


def _with_parts(patch: Patch | None, parts: Mapping[str, bytes], first: bytes | None) -> bytes | None:
    """A patch with other parts for some files; `None` if no file is left. Text that it has besides stays."""
    pieces, left = list[bytes](), dict(parts)
    kept = b""
    for each in patch.parts if patch else ():
        if isinstance(each, FilePatch):
            piece = left.pop(each.name, b"") if each.name in parts else each.raw
            pieces.append(piece)
            kept += piece
        elif pieces or first is None:
            pieces.append(each)
        else:
            pieces.append(_FIRST.sub(b"", each, count=1))
    new = b"".join(left[name] for name in sorted(left))
    if not (kept or new):
        return None
    tail = pieces.pop() if pieces and patch and isinstance(patch.parts[-1], bytes) and len(patch.parts) > 1 else b""
    return b"".join(((first or b""), *pieces, new, tail))


def move_patch(edits: Edits, patch: Patch, old: Texts, git: Git) -> Made:
    """Make a patch for another archive: that of `edits`, given the contents of the one that it was made for.

    Lines that do not merge are left out.
    """
    theirs, parts, warnings = edits.bare, dict[str, bytes](), list[WarningDiagnostic]()
    done, mine = apply_patch(patch, theirs), apply_patch(patch, old)
    edits = replace(edits, executable=done.executable)
    for name in patch.names:
        result = done.files.get(name, theirs.get(name))
        if name in done.unpatched:
            merged = _merged(old.get(name), mine.files.get(name), theirs.get(name), git)
            result = merged if isinstance(merged, bytes) else merged.rest or result
            if isinstance(merged, Unmerged):
                warnings.append(_left_out(f"{edits.path}/{name}", merged, is_part=result != theirs.get(name)))
        parts[name] = _part(edits, name, theirs.get(name), result, git)
    return Made(_with_parts(patch, parts, _first(edits.path, edits.source, edits.digest)), tuple(warnings))


def _merged(base: bytes | None, mine: bytes | None, theirs: bytes | None, git: Git) -> bytes | Unmerged:
    if base is None or mine is None or theirs is None:
        return Unmerged("unkept")
    return merge_lines(base, mine, theirs, git)


def _left_out(file: str, merged: Unmerged, *, is_part: bool = False) -> WarningDiagnostic:
    """What there is to say of lines that do not merge: the first of both sides."""
    mine, theirs = (_shown(text) for text in (merged.both or ((b"", b""),))[0])
    return edit_left_out(file, "touching", touching_lines(mine, theirs, len(merged.both)), is_part=is_part)


def _shown(lines: bytes) -> str:
    return lines.decode(errors="backslashreplace").strip()[:_MOST_SHOWN]
