"""Line diff: the changes of a file, as `git apply` and `patch -p1` take them.

A unified diff in the form of git: with modes, links, and names as git quotes them. What is no text, or too long, is
named in a line that both programs pass over.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha1
from itertools import pairwise
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pipeline.building.alignment import aligned_lines
from pipeline.building.line_merge import MOST_BYTES, is_text, lines_of
from pipeline.report.escape import escape
from pipeline.report.events import Becoming, DiffEvent, Incomparable
from pipeline.report.layout import Screen, Tone, toned

FILE: Final = 0o100644
EXECUTABLE: Final = 0o100755
LINK: Final = 0o120000
"""The modes that git knows."""
_CONTEXT: Final = 3
_TONES: Final[dict[bytes, Tone]] = {
    b"+": "added",
    b"-": "removed",
    b"@@": "changed",
    b"diff ": "help",
    b"# ": "warning",
}
_PLAIN: Final = {*range(0x20, 0x7F)} - {*b'"\\'}

_Change: TypeAlias = tuple[int, int, int, int]
"""Lines of the old text and those of the new one in their place: of each, the first and the one after the last."""


class Version(Struct, frozen=True):
    """A file or link: its content or target, and its mode."""

    content: bytes
    mode: int = FILE


class FileDiff(Struct, frozen=True):
    """The event of a file, and its diff."""

    event: DiffEvent
    text: bytes


def shown(diff: bytes, screen: Screen) -> Iterator[str]:
    """The lines of a diff for a person: harmless to a terminal, and in colour where it has colours."""
    for line in lines_of(diff):
        tone: Tone = next((tone for begins, tone in _TONES.items() if line.startswith(begins)), "")
        text = line.rstrip(b"\r\n").decode(errors="backslashreplace")
        yield toned("    ".join(map(escape, text.split("\t"))), tone, screen)


def becomes(old: object, new: object) -> Becoming:
    """The outcome of a path, given its old and new state; `None` if there is none."""
    return "added" if old is None else "removed" if new is None else "changed"


def unkept_diff(path: str, change: Becoming) -> FileDiff:
    """The diff of a file that was built from an archive that is not kept: its name alone."""
    return _named(path, change, "unkept", ", the archive that it was built from is not kept")


def turned(diff: FileDiff) -> FileDiff:
    """The diff of a file that becomes a folder, or that a folder becomes, with a line that says what takes it."""
    said = "it becomes a folder" if diff.event.change == "removed" else "a folder becomes this file"
    line = f": {said}, which `git apply` takes of text alone, and `patch` never\n"
    return replace(diff, text=b"# " + _quoted(_bytes_of(diff.event.path)) + line.encode() + diff.text)


def file_diff(path: str, old: Version | None, new: Version | None) -> FileDiff:
    """Compare two versions of a file; either may be missing."""
    change = becomes(old, new)
    contents = [each.content for each in (old, new) if each]
    if max(map(len, contents)) > MOST_BYTES:
        return _named(path, change, "large", ", too large to be compared")
    if not all(map(is_text, contents)):
        sizes = " to ".join(f"{len(each):,}" for each in contents)
        said = "not text" if any(b"\0" in each for each in contents) else "its lines are too long to be compared"
        return _named(path, change, "binary", f", {said}, {sizes} bytes")
    if old and new and (old.mode == LINK) != (new.mode == LINK):
        one, other = _compared(path, change, old, None), _compared(path, change, None, new)
        return FileDiff(replace(other.event, removed=one.event.removed), one.text + other.text)
    return _compared(path, change, old, new)


def _named(path: str, change: Becoming, why: Incomparable, said: str) -> FileDiff:
    event = DiffEvent(path, change, 0, 0, binary=why == "binary", incomparable=why)
    return FileDiff(event, b"# " + _quoted(_bytes_of(path)) + f": {change}{said}\n".encode())


def _compared(path: str, change: Becoming, old: Version | None, new: Version | None) -> FileDiff:
    """Compare two files, or two links."""
    before, after = (lines_of(each.content) if each else [] for each in (old, new))
    changes = [*_changes(before, after)]
    added = sum(end - start for _, _, start, end in changes)
    removed = sum(end - start for start, end, _, _ in changes)
    head = b"".join(_head(_bytes_of(path), old, new, has_hunks=bool(changes)))
    hunks = b"".join(line for hunk in _hunks(changes) for line in _hunk(hunk, before, after))
    return FileDiff(DiffEvent(path, change, added, removed, binary=False), head + hunks)


def _head(name: bytes, old: Version | None, new: Version | None, *, has_hunks: bool) -> Iterator[bytes]:
    one, other = _quoted(b"a/" + name), _quoted(b"b/" + name)
    yield b"diff --git %b %b\n" % (one, other)
    mode = b" %o" % old.mode if old and new and old.mode == new.mode else b""
    if old and new and not mode:
        yield b"old mode %o\nnew mode %o\n" % (old.mode, new.mode)
    if new and not old:
        yield b"new file mode %o\n" % new.mode
    if old and not new:
        yield b"deleted file mode %o\n" % old.mode
    if _name_of(old) != _name_of(new):
        yield b"index %b..%b%b\n" % (_name_of(old), _name_of(new), mode)
    if has_hunks:
        yield b"--- %b\n" % (one if old else b"/dev/null")
        yield b"+++ %b\n" % (other if new else b"/dev/null")


def _name_of(version: Version | None) -> bytes:
    """Git's name of a content."""
    if version is None:
        return b"0" * 10
    return (
        sha1(b"blob %d\0%b" % (len(version.content), version.content), usedforsecurity=False).hexdigest()[:10].encode()
    )


def _changes(before: Sequence[bytes], after: Sequence[bytes]) -> Iterator[_Change]:
    """The lines between those that are the same."""
    pairs = [(-1, -1), *aligned_lines(before, after), (len(before), len(after))]
    for (x, y), (next_x, next_y) in pairwise(pairs):
        if next_x - x > 1 or next_y - y > 1:
            yield x + 1, next_x, y + 1, next_y


def _hunks(changes: Sequence[_Change]) -> Iterator[list[_Change]]:
    """Changes, of which those in one list have common lines around them."""
    hunk: list[_Change] = []
    for change in changes:
        if hunk and change[0] - hunk[-1][1] > 2 * _CONTEXT:
            yield hunk
            hunk = []
        hunk.append(change)
    if hunk:
        yield hunk


def _hunk(changes: Sequence[_Change], before: Sequence[bytes], after: Sequence[bytes]) -> Iterator[bytes]:
    lead, tail = min(_CONTEXT, changes[0][0]), min(_CONTEXT, len(before) - changes[-1][1])
    at, end = changes[0][0] - lead, changes[-1][1] + tail
    yield b"@@ -%b +%b @@\n" % (_range(at, end), _range(changes[0][2] - lead, changes[-1][3] + tail))
    for x, x_end, y, y_end in changes:
        yield from (_line(b" ", line) for line in before[at:x])
        yield from (_line(b"-", line) for line in before[x:x_end])
        yield from (_line(b"+", line) for line in after[y:y_end])
        at = x_end
    yield from (_line(b" ", line) for line in before[at:end])


def _range(start: int, end: int) -> bytes:
    count = end - start
    return b"%d" % end if count == 1 else b"%d,%d" % (start + bool(count), count)


def _line(sign: bytes, line: bytes) -> bytes:
    return sign + line + (b"" if line.endswith(b"\n") else b"\n\\ No newline at end of file\n")


def _bytes_of(path: str) -> bytes:
    return path.encode(errors="surrogateescape")


def _quoted(name: bytes) -> bytes:
    """A name as git writes it, in quotation marks if anything in it is odd; patch needs them for spaces, too."""
    shown = b"".join(bytes((byte,)) if byte in _PLAIN else b"\\%03o" % byte for byte in name)
    return name if shown == name and b" " not in name else b'"%b"' % shown
