"""Lines: compare and merge texts by lines, as `git diff` and `git merge-file` do.

Lines are bytes that end with a line feed; carriage returns and encodings are part of their content.
If changes touch, nothing is merged, and the result names the lines of the user's text. `git apply`
and `patch -p1` accept the diffs; a file that is binary or too large is named in a line that both
programs ignore.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

from msgspec import Struct
from toolz import concat, partition

from pipeline.report.diagnostics.conflicts import LineRange, Unmergeable
from pipeline.report.escape import escape
from pipeline.report.events import Becoming, DiffEvent, Incomparable
from pipeline.report.layout import Screen, Tone, toned
from pipeline.values import replace

MOST_BYTES: Final = 2 * 1024**2
"""The maximum size of a text that is compared by lines."""
FILE: Final = 0o100644
"""Git's mode of a file."""
EXECUTABLE: Final = 0o100755
"""Git's mode of an executable file."""
LINK: Final = 0o120000
"""Git's mode of a symbolic link."""
_CONTEXT: Final = 3
_MARKS: Final = rb"(?m)^(?:<+|=+|>+)"
_CONFLICT: Final = rb"^<{%d} mine\r?\n(?P<mine>(?:.*\n)*?)={%d}\r?\n(?:.*\n)*?>{%d} theirs\r?\n"
_HUNK: Final = rb"(?m)^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@"
_FILE: Final = rb"(?m)^diff --git [ab]/(\d+) [ab]/\d+\n"
_TONES: Final[dict[bytes, Tone]] = {
    b"+": "added",
    b"-": "removed",
    b"@@": "changed",
    b"diff ": "help",
    b"# ": "warning",
}
_PLAIN: Final = {*range(0x20, 0x7F)} - {*b'"\\'}


class Version(Struct, frozen=True):
    """A file or link: its content or target, and its mode."""

    content: bytes
    mode: int = FILE


FileVersions: TypeAlias = tuple[str, Version | None, Version | None]
"""A file's path, and its versions before and after; `None` for a missing file."""


class Git(Struct, frozen=True):
    """The functions that run git."""

    merge: Callable[[bytes, bytes, bytes, int], bytes]
    """Merge a base with two sides, `mine` and `theirs`. Conflicts stand between marks, which have
    this length.
    """
    merge_trees: Callable[[bytes, bytes, bytes], bytes | None]
    """Merge as `git rebase` does, with marks of any length; `None` if the installed git is too old
    for that.
    """
    diff: Callable[[Sequence[tuple[Version | None, Version | None]], int], bytes]
    """The unified diff of pairs of files, each named by its number from 0, with this many context
    lines. `None` stands for a missing file.
    """


class Unmerged(Struct, frozen=True):
    """Why texts were not merged, and the lines of `mine` at which changes touch."""

    why: Unmergeable
    lines: tuple[LineRange, ...] = ()


class FileDiff(Struct, frozen=True):
    """The diff of a file, and its event."""

    event: DiffEvent
    text: bytes


def is_text(content: bytes) -> bool:
    """Whether a content is text, which can be compared by lines."""
    return b"\0" not in content


def lines_of(content: bytes) -> list[bytes]:
    """The lines of a text, with their line ends."""
    *lines, last = content.split(b"\n")
    ended = [line + b"\n" for line in lines]
    if last:
        ended.append(last)
    return ended


def merge_lines(base: bytes, mine: bytes, theirs: bytes, git: Git) -> bytes | Unmerged:
    """Merge two versions of a base by lines, or return why that is impossible: a text is too large
    or not text, or changes touch.
    """
    if theirs in {base, mine}:
        return mine
    if mine == base:
        return theirs
    texts = (base, mine, theirs)
    if max(map(len, texts)) > MOST_BYTES:
        return Unmerged("large")
    if not all(map(is_text, texts)):
        return Unmerged("binary")
    marks = concat(re.findall(_MARKS, text) for text in texts)
    size = 7 + max(map(len, marks), default=0)
    merged = git.merge(base, mine, theirs, size)
    conflict = re.compile(_CONFLICT % (size, size, size), re.MULTILINE)
    if not conflict.search(merged):
        return merged
    with_mine = conflict.sub(lambda found: found["mine"], merged)
    outside = git.diff([(Version(mine), Version(with_mine))], 0)
    return Unmerged("touching", tuple(_touching(conflict, merged, outside)))


def _touching(conflict: re.Pattern[bytes], merged: bytes, outside: bytes) -> Iterator[LineRange]:
    """The lines of `mine` that the conflicts of a merge cover, from 1.

    `outside` is the diff from `mine` to the merge in which `mine` settles every conflict.
    """
    line = 1
    done = 0
    for found in conflict.finditer(merged):
        line += merged.count(b"\n", done, found.start())
        done = found.end()
        there = line - _grown_above(line, outside)
        count = found["mine"].count(b"\n")
        last = max(1, there + count - 1)
        yield min(there, last), last
        line += count


def _grown_above(line: int, outside: bytes) -> int:
    """By how many lines a diff lengthens a text above a line."""
    grown = 0
    for old, at, new in re.findall(_HUNK, outside):
        if int(at) < line:
            grown += int(new or b"1") - int(old or b"1")
    return grown


def file_diffs(
    changes: Sequence[FileVersions], git: Git, context: int = _CONTEXT
) -> list[FileDiff]:
    """Compare two versions of each file, with this many context lines; one line names a file that
    is too large or not text.

    Either version may be missing, not both. The result has the order of `changes`.
    """
    uncompared = list(map(_uncompared, changes))
    pairs = list[tuple[Version | None, Version | None]]()
    for (_, old, new), named in zip(changes, uncompared, strict=True):
        if named:
            pairs.append((None, None))
        else:
            pairs.append((old, new))
    _, *parts = re.split(_FILE, git.diff(pairs, context))
    texts = defaultdict[int, list[bytes]](list)
    for number, text in partition(2, parts):
        texts[int(number)].append(text)
    return [named or _compared(at, changes[at], texts[at]) for at, named in enumerate(uncompared)]


def _uncompared(change: FileVersions) -> FileDiff | None:
    """The line that names a file that is too large or not text; `None` for a file that is compared
    by lines.
    """
    path, old, new = change
    contents = [version.content for version in (old, new) if version]
    if max(map(len, contents)) > MOST_BYTES:
        return _named(path, becomes(old, new), "large", ", too large to be compared")
    if not all(map(is_text, contents)):
        sizes = " to ".join(f"{len(content):,}" for content in contents)
        return _named(path, becomes(old, new), "binary", f", not text, {sizes} bytes")
    return None


def _compared(number: int, change: FileVersions, diffs: Sequence[bytes]) -> FileDiff:
    """The diff of a file, made of git's diffs without their first lines: two if one
    side is a link.
    """
    path, old, new = change
    one, other = (_quoted(f"{side}/{path}") for side in "ab")
    added = 0
    removed = 0
    text = b""
    for diff in diffs:
        head, at, hunks = diff.partition(b"\n@@ ")
        head = head.replace(b"--- a/%d" % number, b"--- " + one).replace(
            b"+++ b/%d" % number, b"+++ " + other
        )
        text += b"diff --git %b %b\n" % (one, other) + head + at + hunks
        added += hunks.count(b"\n+")
        removed += hunks.count(b"\n-")
    return FileDiff(DiffEvent(path, becomes(old, new), added, removed, binary=False), text)


def becomes(old: object, new: object) -> Becoming:
    """How a path changes, given its old and its new state; `None` stands for a missing file."""
    if old is None:
        return "added"
    if new is None:
        return "removed"
    return "changed"


def unkept_diff(path: str, change: Becoming) -> FileDiff:
    """The line that names a file whose archive was not kept, so that it cannot be compared."""
    return _named(path, change, "unkept", ", the archive that it was built from is not kept")


def with_type_note(diff: FileDiff) -> FileDiff:
    """The diff of a file that replaces a folder or the reverse, with a line on the programs
    that accept it.
    """
    reason = "a folder becomes this file"
    if diff.event.change == "removed":
        reason = "it becomes a folder"
    line = f": {reason}, which `git apply` takes of text alone, and `patch` never\n"
    return replace(diff, text=b"# " + _quoted(diff.event.path) + line.encode() + diff.text)


def _named(path: str, change: Becoming, why: Incomparable, reason: str) -> FileDiff:
    """The line that names a file that is not compared by lines, with the reason."""
    event = DiffEvent(path, change, 0, 0, binary=why == "binary", incomparable=why)
    return FileDiff(event, b"# " + _quoted(path) + f": {change}{reason}\n".encode())


def _quoted(path: str) -> bytes:
    """A name as git writes it: with quotation marks around odd characters, and around spaces
    for `patch`.
    """
    name = path.encode(errors="surrogateescape")
    shown = b""
    for byte in name:
        if byte in _PLAIN:
            shown += bytes((byte,))
        else:
            shown += b"\\%03o" % byte
    if shown == name and b" " not in name:
        return name
    return b'"%b"' % shown


def lines_for_screen(diff: bytes, screen: Screen) -> Iterator[str]:
    """The lines of a diff for a screen, with control characters escaped and in colour if it
    has colours.
    """
    for line in lines_of(diff):
        tone: Tone = next((tone for begins, tone in _TONES.items() if line.startswith(begins)), "")
        text = line.rstrip(b"\r\n").decode(errors="backslashreplace")
        plain = "    ".join(map(escape, text.split("\t")))
        yield toned(plain, plain, tone, screen)
