"""Patches: apply a patch to the files of an archive, and find where it does not fit.

A hunk fits at its line, else where its old lines stand exactly once: there is no fuzz. Each hunk of
a file is looked for alone first. The hunks around it then say how far the lines have moved, if
several places are possible or the archive has the change already. A hunk without context, or with
as many context lines as a hunk may have, fits at its line only. A hunk that the tool wrote fits
only where `git rebase` would carry its change. Carriage returns at the ends of lines do not count,
and the file keeps its own. A change that the archive has already, and a file that it lacks, are
skipped. If a hunk does not fit, nothing in its file is patched.

The rules are in `docs/building.md`, "Patches"; the laws are in `property_tests/test_patches.py` and
`test_histories.py`.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice, pairwise, repeat
from typing import Final, TypeAlias

from msgspec import Struct

from pipeline.building.merging.lines import MOST_BYTES, lines_of
from pipeline.building.patching.patch import FilePatch, Patch
from pipeline.building.patching.patch_lines import Hunk
from pipeline.building.patching.placing import Effort, Text, plain, verdicts_of
from pipeline.report.diagnostics.patches import Misfit, PatchConflict, Unused

_MOST_MISPLACED: Final = 10
"""The most conflicts of one file; after that many, no further hunk is looked for."""
_TO_READ: Final = 10
"""How many comparisons it costs to read a line."""
Skipped: TypeAlias = tuple[Unused, str, int]
"""Why a part of a patch is not applied, its file, and its line in the patch."""
Moved: TypeAlias = tuple[str, int, int]
"""A file, the line of a hunk in the patch, and by how many lines the hunk is applied away from its
own line; 0 for a hunk without context.
"""


class PatchResult(Struct, frozen=True):
    """The files of an archive that a patch changes, and the parts of the patch that were not
    applied.
    """

    files: Mapping[str, bytes | None] = {}
    """The contents of the files that the patch changes; `None` for a file that it removes."""
    misplaced: tuple[PatchConflict, ...] = ()
    """The conflicts: hunks and sections that do not fit."""
    skipped: tuple[Skipped, ...] = ()
    """The parts that are not applied: changes that the archive has already, and files that it lacks
    although it has others of the patch.
    """
    moved: tuple[Moved, ...] = ()
    """The hunks that are applied away from their own lines, or have no context to confirm these."""


class _Place(Struct, frozen=True, order=True):
    """Where a hunk goes: the first line that it replaces, from 0, and how many lines it
    replaces.
    """

    at: int
    count: int
    hunk: Hunk


def apply_patch(patch: Patch, texts: Mapping[str, bytes]) -> PatchResult:
    """Apply a patch to the files of an archive, given the contents of those that it names.

    The patch has to have the names of the archive (`with_names`). A conflict is not an error: it is
    in the result.
    """
    files = dict[str, bytes | None](texts)
    effort = Effort()
    skipped = list[Skipped]()
    misplaced = list[PatchConflict]()
    moved = list[Moved]()
    has_some = any(section.name in texts for section in patch.files)
    for section in patch.files:
        content = files.get(section.name)
        is_there = section.name in files
        if section.is_elsewhere:
            skipped.append(("elsewhere", section.name, section.line))
        elif has_some and not (is_there or section.adds or section.removes):
            skipped.append(("absent", section.name, section.line))
        else:
            done = _patched(section, content, effort)
            misplaced += done.misplaced
            skipped += done.skipped
            moved += done.moved
            files |= done.files
    unfit = {conflict.name for conflict in misplaced}
    changed = dict[str, bytes | None]()
    for name in patch.names:
        if name not in unfit and files.get(name) != texts.get(name):
            changed[name] = files[name]
    return PatchResult(changed, tuple(misplaced), tuple(skipped), tuple(moved))


def _patched(section: FilePatch, content: bytes | None, effort: Effort) -> PatchResult:
    """Apply a section to the content of its file; `None` stands for a missing file."""
    name = section.name
    added = b"".join(line for hunk in section.hunks for line in hunk.new)
    is_present = section.adds and content is not None and plain(content) == plain(added)
    if is_present or (content is None and section.removes):
        return PatchResult(skipped=(("present", name, section.line),))
    if section.adds and content:
        return PatchResult(misplaced=(section.misfit("exists"),))
    if content is None and not section.adds:
        return PatchResult(misplaced=(section.misfit("absent"),))
    if content is not None and len(content) > MOST_BYTES:
        return PatchResult(misplaced=(section.misfit("large"),))
    if effort.remaining <= 0 or (
        content is not None and not effort.spend(_TO_READ * content.count(b"\n"))
    ):
        return PatchResult(misplaced=(section.misfit("long"),))
    done = _with_hunks(section, content or b"", effort)
    if section.switches:
        return PatchResult(
            done.files, done.misplaced, (*done.skipped, ("mode", name, section.line)), done.moved
        )
    return done


def _with_hunks(section: FilePatch, content: bytes, effort: Effort) -> PatchResult:
    """Apply the hunks of a section to the content of its file."""
    text = Text(content, effort)
    places = list[_Place]()
    skipped = list[Skipped]()
    misplaced = list[PatchConflict]()
    moved = list[Moved]()
    for hunk, verdict in zip(section.hunks, verdicts_of(section.hunks, text), strict=False):
        if verdict.at is None:
            misplaced.append(_misplaced(section, hunk, text, verdict.why))
            if len(misplaced) == _MOST_MISPLACED:
                break
        elif verdict.is_present:
            skipped.append(("present", section.name, hunk.line))
        else:
            places.append(_Place(verdict.at, len(hunk.old), hunk))
            is_bare = not (hunk.above or hunk.below or len(hunk.old) == len(text.lines))
            if is_bare or verdict.at != hunk.at:
                moved.append((section.name, hunk.line, verdict.at - hunk.at))
    if effort.remaining <= 0:
        return PatchResult(misplaced=(section.misfit("long"),))
    places.sort(key=lambda place: (place.at, place.count))
    overlapping = (later.hunk for one, later in pairwise(places) if one.at + one.count > later.at)
    misplaced += [
        _misplaced(section, hunk, text, "several") for hunk in islice(overlapping, _MOST_MISPLACED)
    ]
    result = b""
    if not misplaced:
        result = b"".join(_replaced(places, text))
    if section.removes and result:
        misplaced.append(section.misfit("left", found=_shown(lines_of(result)[0], b"")))
    if misplaced:
        return PatchResult(misplaced=tuple(misplaced), skipped=tuple(skipped))
    files: dict[str, bytes | None] = {section.name: result}
    if section.removes:
        files[section.name] = None
    return PatchResult(files, (), tuple(skipped), tuple(moved))


def _misplaced(section: FilePatch, hunk: Hunk, text: Text, why: Misfit) -> PatchConflict:
    """The conflict of a hunk that does not fit, with the first line that differs from the file at
    the hunk's own line; an empty line stands for the end of the file.
    """
    at = hunk.at
    there = text.lines[at : at + len(hunk.old) + 1]
    differs = 0
    # If none of its lines differs, the hunk expects the end of the file below them.
    if why == "none":
        differs = len(hunk.old)
    for number, (one, other) in enumerate(zip(hunk.old, chain(there, repeat(b"")), strict=False)):
        if plain(one) != plain(other):
            differs = number
            break
    expected = b"".join(hunk.old[differs : differs + 1])
    found = b"".join(there[differs : differs + 1])
    return section.misfit(
        why,
        hunk.line,
        at_line=at + differs + 1,
        expected=_shown(expected, found),
        found=_shown(found, expected),
    )


def _shown(line: bytes, other: bytes) -> str:
    """A line as a message shows it: with its blanks and its end if it is blank, or if it differs
    from the other line only in these.
    """
    text = line.strip()
    shown = text.decode(errors="backslashreplace")
    if text in {b"", other.strip()}:
        shown = repr(line)[2:-1]
    return shown[:200]


def _replaced(places: Sequence[_Place], text: Text) -> Iterator[bytes]:
    """The lines of a file after hunks are applied at their places.

    Added lines get the line end of the file, unless they keep that of the hunk.
    """
    done = 0
    for place in places:
        yield from text.lines[done : place.at]
        done = place.at + place.count
        is_exact = _keeps_ends(place, text)
        mine = iter(text.lines[place.at : done])
        for sign, line in place.hunk.lines:
            if sign == b"-":
                next(mine)
            elif sign == b" ":
                yield next(mine)
            elif is_exact:
                yield line
            else:
                yield text.with_end(line)
    yield from text.lines[done:]


def _keeps_ends(place: _Place, text: Text) -> bool:
    """Whether the added lines of a hunk keep their ends: its old lines have the same ends as the
    file's, or it has no old lines and the file has no line ends.
    """
    if place.count:
        return text.is_exact(place.hunk, place.at)
    return not text.has_ends
