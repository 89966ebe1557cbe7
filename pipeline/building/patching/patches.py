"""Patches: what a patch makes of the files of an archive, and where it does not fit.

A hunk fits at its line, else where its lines stand exactly once: there is no fuzz. A carriage return at the end of a
line does not count, and the file keeps its own. A hunk that the archive has already, and a file that it does not have,
is passed over. Of a file in which a hunk does not fit, nothing is patched. The laws are in
`property_tests/test_patches.py`.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from typing import Final, TypeAlias

from msgspec import Struct

from pipeline.archives.entry_names import alike, clashes, folders_above
from pipeline.building.merging.lines import MOST_BYTES, lines_of
from pipeline.building.patching.patch_file import FilePatch, Hunk, Patch
from pipeline.building.patching.patch_names import Reading, wrong_name
from pipeline.report.diagnostics.patches import Misfit, PatchConflict, Unused
from pipeline.values import replace

_MOST_MISPLACED: Final = 10
"""Hunks of one file: after that many that do not fit, it is not looked any further."""
_MOST_STEPS: Final = 20_000_000
"""Lines that are compared for one patch. Only a patch that was made for it needs as many."""
_TO_READ: Final = 10
"""How many of them reading a line costs."""
Skipped: TypeAlias = tuple[Unused, str, int]
"""Why a part of a patch is not applied, its file, and its line in the patch."""


class Patched(Struct, frozen=True):
    """What a patch makes of an archive."""

    files: Mapping[str, bytes | None] = {}
    """The contents of the files that it changes; `None` where it removes one."""
    misplaced: tuple[PatchConflict, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    """What is not applied: hunks that the archive has already, and files that it does not have, although it has others
    of the patch."""


class _Place(Struct, frozen=True, order=True):
    """Where a hunk goes: the first line that it replaces, from 0, and how many."""

    at: int
    count: int
    hunk: Hunk


class _Effort:
    """How many lines may still be compared."""

    def __init__(self) -> None:
        self.remaining = _MOST_STEPS

    def allows(self, steps: int) -> bool:
        self.remaining -= steps
        return self.remaining > 0


def with_names(patch: Patch, archive: Collection[str], *, ignores_case: bool = False) -> Patch:
    """A patch with the names that its files have in an archive, or what is wrong with them.

    A name is read so that the archive has the file; else from the component's path on, or as most other names are.
    """
    there = set(archive)
    known = [_first_in(there, each) for each in patch.files]
    ways = Counter(reading.way for reading in known if reading)
    parts = list[bytes | FilePatch]()
    for each in patch.parts:
        if isinstance(each, FilePatch):
            reading = _first_in(there, each) or max(each.readings, key=lambda one: (one.is_from_project, ways[one.way]))
            if fault := wrong_name(reading.name):
                return patch.refused(each.line, fault)
            there.add(reading.name)
            parts.append(replace(each, readings=(reading,)))
        else:
            parts.append(each)
    named = replace(patch, parts=tuple(parts))
    return _clash(named, clashes if ignores_case else alike) or named


def _first_in(there: Collection[str], file: FilePatch) -> Reading | None:
    return next((reading for reading in file.readings if reading.name in there), None)


def _clash(patch: Patch, clashing: Callable[[Collection[str]], Sequence[tuple[str, str]]]) -> Patch | None:
    """What is wrong with the names of the files that a patch adds, if some cannot be side by side."""
    lines = {each.name: each.line for each in patch.files if not each.removes}
    for name, line in lines.items():
        if above := next((folder for folder in folders_above(name) if folder in lines), ""):
            return patch.refused(max(line, lines[above]), f"`{above}` is a file and a folder in it")
    for one, other in clashing(lines):
        where = max(line for name, line in lines.items() if f"{name}/".startswith((f"{one}/", f"{other}/")))
        return patch.refused(where, f"`{one}` and `{other}` are one name")
    return None


def apply_patch(patch: Patch, texts: Mapping[str, bytes]) -> Patched:
    """Apply a patch to the files of an archive, given the contents of those that it names."""
    files = dict[str, bytes | None](texts)
    effort = _Effort()
    skipped = list[Skipped]()
    misplaced = list[PatchConflict]()
    has_some = any(each.name in texts for each in patch.files)
    for each in patch.files:
        content = files.get(each.name)
        if has_some and each.name not in files and not (each.makes_file or each.removes):
            skipped.append(("absent", each.name, each.line))
            continue
        done = _patched(each, content, effort)
        misplaced += done.misplaced
        skipped += done.skipped
        files |= done.files
    unfit = {each.name for each in misplaced}
    changed = {name: files[name] for name in patch.names if name not in unfit and files.get(name) != texts.get(name)}
    return Patched(changed, tuple(misplaced), tuple(skipped))


def _patched(file: FilePatch, content: bytes | None, effort: _Effort) -> Patched:
    """What becomes of one file."""
    added = b"".join(line for hunk in file.hunks for line in hunk.new)
    is_present = file.adds and content is not None and _plain(content) == _plain(added)
    if is_present or (content is None and file.removes):
        return Patched(skipped=(("present", file.name, file.line),))
    if content is not None and file.adds:
        return Patched(misplaced=(file.misfit("exists"),))
    if content is None and not file.makes_file:
        return Patched(misplaced=(file.misfit("absent"),))
    if content is not None and len(content) > MOST_BYTES:
        return Patched(misplaced=(file.misfit("large"),))
    if effort.remaining <= 0 or (content is not None and not effort.allows(_TO_READ * content.count(b"\n"))):
        return Patched(misplaced=(file.misfit("long"),))
    return _with_hunks(file, content or b"", effort)


def _with_hunks(file: FilePatch, content: bytes, effort: _Effort) -> Patched:
    text = _Text(content, effort)
    places = list[_Place]()
    skipped = list[Skipped]()
    misplaced = list[PatchConflict]()
    for hunk in file.hunks:
        found = _place(hunk, text)
        if found is None:
            skipped.append(("present", file.name, hunk.line))
        elif isinstance(found, int):
            places.append(_Place(found, len(hunk.old), hunk))
        else:
            misplaced.append(_misplaced(file, hunk, text, found))
            if len(misplaced) == _MOST_MISPLACED:
                break
    if effort.remaining <= 0:
        return Patched(misplaced=(file.misfit("long"),))
    places.sort(key=lambda place: (place.at, place.count))
    overlapping = (later.hunk for one, later in pairwise(places) if one.at + one.count > later.at)
    misplaced += [_misplaced(file, hunk, text, "several") for hunk in islice(overlapping, _MOST_MISPLACED)]
    result = b"" if misplaced else b"".join(_replaced(places, text))
    if file.removes and result:
        misplaced.append(file.misfit("left", found=_shown(lines_of(result)[0], b"")))
    changed = {} if misplaced else {file.name: None if file.removes else result}
    return Patched(changed, tuple(misplaced), tuple(skipped))


def _place(hunk: Hunk, text: "_Text") -> int | Misfit | None:
    """The line, from 0, at which a hunk fits, `None` if its file has it already, or why it does not fit.

    A hunk with fewer common lines at its end than at its beginning was made at the end of a file; if it is not there,
    the lines that it adds may be.
    """
    old = [_plain(line) for line in hunk.old]
    new = [_plain(line) for line in hunk.new]
    at = hunk.start - bool(old)
    stands = [at] if text.has(old, at) else [*islice(text.find(old), 2)]
    if len(stands) == 1:
        signs = [sign for sign, _ in hunk.lines]
        if stands[0] + len(old) == len(text.lines):
            return stands[0]
        if _common(signs) > _common(signs[::-1]) and text.has_hunk(hunk, stands[0]):
            return None
        return stands[0] if not new or new[-1].endswith(b"\n") else "none"
    has_new = new and (text.has(new, hunk.new_start - 1) or (not stands and len([*islice(text.find(new), 2)]) == 1))
    return None if has_new else "several" if stands else "none"


def _common(signs: Sequence[bytes]) -> int:
    """How many common lines a hunk begins with."""
    return next((number for number, sign in enumerate(signs) if sign != b" "), len(signs))


def _misplaced(file: FilePatch, hunk: Hunk, text: "_Text", why: Misfit) -> PatchConflict:
    """Why a hunk does not fit, with the first line that differs where it should be; an empty one is the end."""
    at = hunk.start - bool(hunk.old)
    there = text.lines[at : at + len(hunk.old) + 1]
    pairs = zip(hunk.old, [*there, *[b""] * len(hunk.old)], strict=False)
    unlike = (number for number, (one, other) in enumerate(pairs) if _plain(one) != _plain(other))
    differs = next(unlike, len(hunk.old) if why == "none" else 0)  # behind all of them, it expects the end of the file
    expected, found = (b"".join(lines[differs : differs + 1]) for lines in (hunk.old, there))
    shown = {"expected": _shown(expected, found), "found": _shown(found, expected)}
    return file.misfit(why, hunk.line, at_line=at + differs + 1, **shown)


def _shown(line: bytes, other: bytes) -> str:
    """A line as a message has it: with blanks and its end if it is blank, or differs from the other in these alone."""
    text = line.strip()
    return (repr(line)[2:-1] if text in {b"", other.strip()} else text.decode(errors="backslashreplace"))[:200]


def _replaced(places: Sequence[_Place], text: "_Text") -> Iterator[bytes]:
    """The lines of a file with hunks in their places.

    What is put in has the ends of the file, unless the hunk has, or the file has none.
    """
    done = 0
    for place in places:
        yield from text.lines[done : place.at]
        done = place.at + place.count
        is_exact = text.is_exact(place.hunk, place.at) if place.count else not text.has_ends
        mine = iter(text.lines[place.at : done])
        for sign, line in place.hunk.lines:
            if sign == b"+":
                yield line if is_exact else text.with_end(line)
            elif sign == b"-":
                next(mine)
            else:
                yield next(mine)
    yield from text.lines[done:]


def _plain(content: bytes) -> bytes:
    """Lines without the carriage returns at their ends."""
    return content.replace(b"\r\n", b"\n")


class _Text:
    """A file by lines, in which others are looked for."""

    def __init__(self, content: bytes, effort: _Effort) -> None:
        self.lines = lines_of(content)
        self._plain = lines_of(_plain(content))
        ends = content.count(b"\n")
        self.has_ends = ends > 0
        self._has_crlf = 2 * content.count(b"\r\n") > ends
        self._effort = effort
        self._numbers: dict[bytes, list[int]] = {}

    def with_end(self, line: bytes) -> bytes:
        """A line that is put in, with the end that lines of the file have."""
        plain = _plain(line)
        return plain.removesuffix(b"\n") + b"\r\n" if self._has_crlf and plain.endswith(b"\n") else plain

    def has(self, lines: Sequence[bytes], at: int) -> bool:
        """Whether lines, without carriage returns, stand at a line."""
        return 0 <= at <= len(self.lines) and self._plain[at : at + len(lines)] == lines

    def has_hunk(self, hunk: Hunk, at: int) -> bool:
        """Whether the new lines of a hunk stand where its old ones do."""
        if self.is_exact(hunk, at):
            return self.lines[at : at + len(hunk.new)] == hunk.new
        return self.has([_plain(line) for line in hunk.new], at)

    def is_exact(self, hunk: Hunk, at: int) -> bool:
        """Whether the old lines of a hunk stand at a line with their carriage returns."""
        return self.lines[at : at + len(hunk.old)] == hunk.old

    def find(self, lines: Sequence[bytes]) -> Iterator[int]:
        """The lines, from 0, at which lines stand. It is looked around the one of them that stands in fewest places."""
        for number, line in enumerate(self._plain) if not self._numbers else ():
            self._numbers.setdefault(line, []).append(number)
        places = [self._numbers.get(line, []) for line in lines]
        rarest = min(range(len(lines)), key=lambda number: len(places[number]), default=0)
        for number in places[rarest] if lines else ():
            if not self._effort.allows(len(lines)):
                return
            if self.has(lines, number - rarest):
                yield number - rarest
