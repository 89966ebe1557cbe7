"""Sure merge: accept a merge by lines only if independent evidence confirms it.

If a text has similar pieces, a merge may silently put an edit into the wrong one. Therefore git's
other merge (`merge-tree`, from git 2.38 on) has to give the same result; the edit as a patch has to
give it as well, if it fits; and the unchanged lines around each edit have to occur exactly once in
the base and in the archive.
"""

from collections.abc import Iterator
from typing import Final

from pipeline.building.merging.lines import (
    Git,
    Unmerged,
    Version,
    file_diffs,
    lines_of,
    merge_lines,
)
from pipeline.building.patching.naming import with_names
from pipeline.building.patching.patch_file import read_patch
from pipeline.building.patching.patch_lines import Hunk
from pipeline.building.patching.patches import apply_patch
from pipeline.building.patching.widening import widen

_MOST_AROUND: Final = 20
"""The most unchanged lines on each side of a change that are searched for."""
_NAME: Final = "f"
_COMPONENT: Final = "modules/m"


def merge_surely(base: bytes, mine: bytes, theirs: bytes, git: Git) -> bytes | Unmerged:
    """Merge two versions of a base by lines, or return why that is impossible or uncertain."""
    merged = merge_lines(base, mine, theirs, git)
    if isinstance(merged, Unmerged) or base in {mine, theirs} or mine == theirs:
        return merged
    by_tree = git.merge_trees(base, mine, theirs)
    if by_tree is None:
        return Unmerged("old git")
    edits = _changes(base, mine, git)
    runs = _around(edits, _changes(base, theirs, git), lines_of(base))
    is_sure = all(_stands_once(run, base, theirs) for run in runs) and by_tree == merged
    if is_sure and _as_patch(base, mine, theirs, git) in {None, merged}:
        return merged
    return Unmerged("alike")


def _changes(old: bytes, new: bytes, git: Git) -> tuple[Hunk, ...]:
    """The changes between two texts, without context."""
    (diff,) = file_diffs([(_NAME, Version(old), Version(new))], git, 0)
    return read_patch(diff.text, _COMPONENT).files[0].hunks


def _as_patch(base: bytes, mine: bytes, theirs: bytes, git: Git) -> bytes | None:
    """The new archive's text with the edit applied as a patch, given base and edited text; `None`
    if the patch does not fit.
    """
    (diff,) = file_diffs([(_NAME, Version(base), Version(mine))], git, 0)
    patch = with_names(read_patch(widen(diff.text, base), _COMPONENT), (_NAME,))
    done = apply_patch(patch, {_NAME: theirs})
    if done.misplaced:
        return None
    return done.files.get(_NAME, theirs)


def _around(
    edits: tuple[Hunk, ...], changes: tuple[Hunk, ...], base: list[bytes]
) -> Iterator[bytes]:
    """The old lines of each edit, with the unchanged lines next to it that the new archive still
    has.

    `changes` are those of the new archive; an edit that it has as well is left out.
    """
    for edit in edits:
        first = max(edit.at - _MOST_AROUND, 0)
        last = min(edit.end + _MOST_AROUND, len(base))
        is_taken_over = False
        for change in changes:
            if change.end <= edit.at:
                first = max(first, change.end)
            if change.at >= edit.end:
                last = min(last, change.at)
            if change.at < edit.end and edit.at < change.end:
                is_taken_over = True
            if change.at == edit.at and (change.old, change.new) == (edit.old, edit.new):
                is_taken_over = True
        if not is_taken_over:
            yield b"".join(base[first:last])


def _stands_once(run: bytes, *texts: bytes) -> bool:
    """Whether the lines occur exactly once in each of the texts."""
    sought = b"\n" + run
    for text in texts:
        lines = b"\n" + text
        at = lines.find(sought)
        if at < 0 or lines.find(sought, at + 1) >= 0:
            return False
    return True
