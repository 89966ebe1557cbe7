"""Patches: what a patch makes of the files of an archive, and where it does not fit.

A hunk fits at its line, else where its lines stand exactly once: there is no fuzz. One that the archive has already is
passed over. Of a file in which a hunk does not fit, nothing is patched. The laws are in
`property_tests/test_patches.py`.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, pairwise
from typing import Final, TypeAlias

from msgspec import Struct

from pipeline.building.line_merge import MOST_BYTES, lines_of
from pipeline.building.patch_file import FilePatch, Hunk, Patch
from pipeline.report.diagnostics.patches import Misfit

_MOST_MISPLACED: Final = 10
"""Hunks of one file: after that many that do not fit, it is not looked any further."""
_Place: TypeAlias = tuple[int, int, Hunk]
"""Where a hunk goes: the first line that it replaces, from 0, and how many."""


class Misplaced(Struct, frozen=True, kw_only=True):
    """A hunk, or all that a patch does to a file, that does not fit the archive."""

    name: str
    line: int
    """Where it begins in the patch."""
    why: Misfit
    at: int = 0
    """The first line of the archive's file that is not as the patch has it; 0 if it is not about a line."""
    expected: bytes = b""
    found: bytes = b""


class Patched(Struct, frozen=True):
    """What a patch makes of an archive."""

    files: Mapping[str, bytes | None] = {}
    """The contents of the files that it changes; `None` where it removes one."""
    executable: frozenset[str] = frozenset()
    misplaced: tuple[Misplaced, ...] = ()
    had: tuple[tuple[str, int], ...] = ()
    """The hunks that the archive has already, each with its file and its line in the patch."""

    @property
    def unpatched(self) -> frozenset[str]:
        """The files that it does not fit."""
        return frozenset(each.name for each in self.misplaced)


def apply_patch(patch: Patch, texts: Mapping[str, bytes]) -> Patched:
    """Apply a patch to the files of an archive, given the contents of those that it names."""
    files, had, misplaced = dict[str, bytes | None](texts), list[tuple[str, int]](), list[Misplaced]()
    for each in patch.files:
        done = _patched(each, files.get(each.name), ignores_ends=patch.ignores_ends)
        misplaced += done.misplaced
        had += done.had
        files |= done.files
    left = {each.name for each in misplaced}
    changed = {name: files[name] for name in patch.names if name not in left and files.get(name) != texts.get(name)}
    executable = frozenset(each.name for each in patch.files if each.executable and each.name in changed)
    return Patched(changed, executable, tuple(misplaced), tuple(had))


def _patched(file: FilePatch, content: bytes | None, *, ignores_ends: bool) -> Patched:
    """What becomes of one file."""
    name, line = file.name, file.line
    added = b"".join(line for hunk in file.hunks for line in hunk.new)
    if content is None and file.removes:
        return Patched(had=((name, line),))
    if content is not None and file.adds:
        if _without_ends(content, ignores_ends) == _without_ends(added, ignores_ends):
            return Patched(had=((name, line),))
        return Patched(misplaced=(Misplaced(name=name, line=line, why="exists"),))
    if content is None and not (file.adds or (file.hunks and all(not hunk.old for hunk in file.hunks))):
        return Patched(misplaced=(Misplaced(name=name, line=line, why="absent"),))
    if content is not None and len(content) > MOST_BYTES:
        return Patched(misplaced=(Misplaced(name=name, line=line, why="large"),))
    return _with_hunks(file, content or b"", ignores_ends=ignores_ends)


def _with_hunks(file: FilePatch, content: bytes, *, ignores_ends: bool) -> Patched:
    text = _Text(content, ignores_ends=ignores_ends)
    places, had, misplaced = list[_Place](), list[tuple[str, int]](), list[Misplaced]()
    for hunk in file.hunks:
        found = _place(hunk, text)
        if found is None:
            had.append((file.name, hunk.line))
        elif isinstance(found, int):
            places.append((found, len(hunk.old), hunk))
        else:
            misplaced.append(_misplaced(file.name, hunk, text, found))
            if len(misplaced) == _MOST_MISPLACED:
                break
    places.sort(key=lambda place: place[:2])
    overlapping = [later for one, later in pairwise(places) if one[0] + one[1] > later[0]]
    misplaced += [_misplaced(file.name, hunk, text, "several") for _, _, hunk in overlapping]
    if misplaced:
        return Patched(misplaced=tuple(misplaced), had=tuple(had))
    result = b"".join(_replaced(places, text))
    if file.removes and result:
        left = Misplaced(name=file.name, line=file.line, why="left", found=lines_of(result)[0])
        return Patched(misplaced=(left,), had=tuple(had))
    return Patched({file.name: None if file.removes else result}, had=tuple(had))


def _place(hunk: Hunk, text: "_Text") -> int | Misfit | None:
    """The line, from 0, at which a hunk fits, `None` if its file has it already, or why it does not fit.

    A hunk with fewer common lines at its end than at its beginning was made at the end of a file; if it is not there,
    the lines that it adds may be.
    """
    old, new = text.keys(hunk.old), text.keys(hunk.new)
    at = hunk.start - bool(old)
    stands = [at] if text.has(old, at) else [*islice(text.find(old), 2)]
    if len(stands) == 1:
        signs = [sign for sign, _ in hunk.lines]
        if stands[0] + len(old) == len(text.lines):
            return stands[0]
        if _common(signs) > _common(signs[::-1]) and text.has(new, stands[0]):
            return None
        return stands[0] if b"".join(new[-1:]).endswith(b"\n") or not new else "none"
    has_new = new and (text.has(new, hunk.new_start - 1) or (not stands and len([*islice(text.find(new), 2)]) == 1))
    return None if has_new else "several" if stands else "none"


def _common(signs: Sequence[bytes]) -> int:
    """How many common lines a hunk begins with."""
    return next((number for number, sign in enumerate(signs) if sign != b" "), len(signs))


def _misplaced(name: str, hunk: Hunk, text: "_Text", why: Misfit) -> Misplaced:
    """Why a hunk does not fit, with the first line that differs where it should be; an empty one is the end."""
    old, at = text.keys(hunk.old), hunk.start - bool(hunk.old)
    there = text.lines[at : at + len(old) + 1]
    unlike = (number for number, each in enumerate(old) if text.keys(there[number : number + 1]) != [each])
    differs = next(unlike, len(old) if why == "none" else 0)  # behind all of them, it expects the end of the file
    expected, found = hunk.old[differs : differs + 1], there[differs : differs + 1]
    return Misplaced(
        name=name, line=hunk.line, why=why, at=at + differs + 1, expected=b"".join(expected), found=b"".join(found)
    )


def _replaced(places: Sequence[_Place], text: "_Text") -> Iterator[bytes]:
    """The lines of a file with hunks in their places."""
    done = 0
    for at, count, hunk in places:
        yield from text.lines[done:at]
        mine = iter(text.lines[at : at + count])
        for sign, line in hunk.lines:
            there = line if sign == b"+" else next(mine)
            if sign != b"-":
                yield text.as_ends(line) if sign == b"+" else there
        done = at + count
    yield from text.lines[done:]


def _without_ends(content: bytes, ignores_ends: bool) -> bytes:
    return content.replace(b"\r\n", b"\n") if ignores_ends else content


class _Text:
    """A file by lines, in which others are looked for."""

    def __init__(self, content: bytes, *, ignores_ends: bool) -> None:
        self.lines = lines_of(content)
        self._ignores_ends = ignores_ends
        self._plain = b"\n" + _without_ends(content, ignores_ends)
        self._has_crlf = ignores_ends and 2 * content.count(b"\r\n") > len(self.lines)

    def keys(self, lines: Sequence[bytes]) -> list[bytes]:
        """Lines as they are compared."""
        return [_without_ends(line, self._ignores_ends) for line in lines]

    def as_ends(self, line: bytes) -> bytes:
        """A line that is put in, with the end that lines of the file have."""
        return line.removesuffix(b"\n") + b"\r\n" if self._has_crlf and line.endswith(b"\n") else line

    def has(self, keys: Sequence[bytes], at: int) -> bool:
        """Whether lines stand at a line."""
        return 0 <= at <= len(self.lines) and self.keys(self.lines[at : at + len(keys)]) == keys

    def find(self, keys: Sequence[bytes]) -> Iterator[int]:
        """The lines, from 0, at which lines stand."""
        wanted, begin = b"\n" + b"".join(keys), -1
        if not wanted.endswith(b"\n"):  # its last line is that of the file
            yield from (at for at in (len(self.lines) - len(keys),) if self.has(keys, at))
            return
        while keys and (begin := self._plain.find(wanted, begin + 1)) >= 0:
            yield self._plain.count(b"\n", 0, begin)
