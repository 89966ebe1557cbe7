"""Patches: what a patch makes of the files of an archive, and where it does not fit.

A hunk fits at its line, else where its lines stand exactly once: there is no fuzz. It is first
looked where each hunk of a file is, then what that means: where several places are possible, and
for what the archive has already, the hunks around it say how far the lines have moved. A hunk that
has no lines around its change, or as many as a hunk may have, fits at its line alone. A hunk that
the tool wrote fits only where `git rebase` would carry its change. A carriage return at the end of
a line does not count, and the file keeps its own. A hunk that the archive has already, and a file
that it does not have, is passed over. Of a file in which a hunk does not fit, nothing is patched.
The laws are in `property_tests/test_patches.py` and `test_histories.py`.
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
"""Hunks of one file: after that many that do not fit, it is not looked any further."""
_TO_READ: Final = 10
"""How many of them reading a line costs."""
Skipped: TypeAlias = tuple[Unused, str, int]
"""Why a part of a patch is not applied, its file, and its line in the patch."""
Moved: TypeAlias = tuple[str, int, int]
"""A file, a line in the patch, and by how many lines the hunk there is applied further; none if it
has no context.
"""


class Patched(Struct, frozen=True):
    """What a patch makes of an archive."""

    files: Mapping[str, bytes | None] = {}
    """The contents of the files that it changes; `None` where it removes one."""
    misplaced: tuple[PatchConflict, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    """What is not applied: hunks that the archive has already, and files that it does not have,
    although it has others of the patch."""
    moved: tuple[Moved, ...] = ()
    """The hunks that are applied elsewhere than at their lines, or have nothing but their
    lines to go by.
    """


class _Place(Struct, frozen=True, order=True):
    """Where a hunk goes: the first line that it replaces, from 0, and how many."""

    at: int
    count: int
    hunk: Hunk


def apply_patch(patch: Patch, texts: Mapping[str, bytes]) -> Patched:
    """Apply a patch to the files of an archive, given the contents of those that it names."""
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
    return Patched(changed, tuple(misplaced), tuple(skipped), tuple(moved))


def _patched(section: FilePatch, content: bytes | None, effort: Effort) -> Patched:
    """What becomes of one file."""
    name = section.name
    added = b"".join(line for hunk in section.hunks for line in hunk.new)
    is_present = section.adds and content is not None and plain(content) == plain(added)
    if is_present or (content is None and section.removes):
        return Patched(skipped=(("present", name, section.line),))
    if section.adds and content:
        return Patched(misplaced=(section.misfit("exists"),))
    if content is None and not section.adds:
        return Patched(misplaced=(section.misfit("absent"),))
    if content is not None and len(content) > MOST_BYTES:
        return Patched(misplaced=(section.misfit("large"),))
    if effort.remaining <= 0 or (
        content is not None and not effort.allows(_TO_READ * content.count(b"\n"))
    ):
        return Patched(misplaced=(section.misfit("long"),))
    done = _with_hunks(section, content or b"", effort)
    if section.switches:
        return Patched(
            done.files, done.misplaced, (*done.skipped, ("mode", name, section.line)), done.moved
        )
    return done


def _with_hunks(section: FilePatch, content: bytes, effort: Effort) -> Patched:
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
        return Patched(misplaced=(section.misfit("long"),))
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
        return Patched(misplaced=tuple(misplaced), skipped=tuple(skipped))
    files: dict[str, bytes | None] = {section.name: result}
    if section.removes:
        files[section.name] = None
    return Patched(files, (), tuple(skipped), tuple(moved))


def _misplaced(section: FilePatch, hunk: Hunk, text: Text, why: Misfit) -> PatchConflict:
    """Why a hunk does not fit, with the first line that differs where it should be; an empty
    one is the end.
    """
    at = hunk.at
    there = text.lines[at : at + len(hunk.old) + 1]
    differs = 0
    if why == "none":
        differs = len(hunk.old)  # after all of them, it expects the end of the file
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
    """A line as a message has it: with blanks and its end if it is blank, or differs from the other
    in these alone.
    """
    text = line.strip()
    shown = text.decode(errors="backslashreplace")
    if text in {b"", other.strip()}:
        shown = repr(line)[2:-1]
    return shown[:200]


def _replaced(places: Sequence[_Place], text: Text) -> Iterator[bytes]:
    """The lines of a file with hunks in their places.

    What is put in has the ends of the file, unless the hunk has, or the file has none.
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
    """Whether the lines that a hunk puts in keep their ends: its old lines have those of the file,
    or none has any.
    """
    if place.count:
        return text.is_exact(place.hunk, place.at)
    return not text.has_ends
