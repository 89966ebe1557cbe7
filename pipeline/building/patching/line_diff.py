"""Line diff: the changes of files, as `git apply` and `patch -p1` take them.

A unified diff in the form of git, which makes its hunks: with modes, links, and names as git quotes them. What is no
text, or too long, is named in a line that both programs pass over.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha1
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pipeline.building.merging.line_merge import MOST_BYTES, Git, is_text, lines_of
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


class Version(Struct, frozen=True):
    """A file or link: its content or target, and its mode."""

    content: bytes
    mode: int = FILE


_Pair: TypeAlias = tuple[Version | None, Version | None]
Change: TypeAlias = tuple[str, Version | None, Version | None]
"""A file's path, and its version before and after; `None` where there is none."""


class FileDiff(Struct, frozen=True):
    """The event of a file, and its diff."""

    event: DiffEvent
    text: bytes


def shown(diff: bytes, screen: Screen) -> Iterator[str]:
    """The lines of a diff for a person: harmless to a terminal, and in colour where it has colours."""
    for line in lines_of(diff):
        tone: Tone = next((tone for begins, tone in _TONES.items() if line.startswith(begins)), "")
        text = line.rstrip(b"\r\n").decode(errors="backslashreplace")
        plain = "    ".join(map(escape, text.split("\t")))
        yield toned(plain, plain, tone, screen)


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


def file_diffs(changes: Sequence[Change], git: Git) -> list[FileDiff]:
    """Compare two versions of each file; either may be missing."""
    named = [_uncompared(each) for each in changes]
    parts = [_parts(each) if name is None else [] for each, name in zip(changes, named, strict=True)]
    texts = [(_text_of(old), _text_of(new)) for each in parts for old, new in each]
    hunks = iter(git.hunks(texts, _CONTEXT))
    return [
        name or _joined(change, [(old, new, next(hunks)) for old, new in pairs])
        for change, name, pairs in zip(changes, named, parts, strict=True)
    ]


def _uncompared(change: Change) -> FileDiff | None:
    """The line that names a file that is not compared by lines, if it is one."""
    path, old, new = change
    becoming = becomes(old, new)
    contents = [each.content for each in (old, new) if each]
    if max(map(len, contents)) > MOST_BYTES:
        return _named(path, becoming, "large", ", too large to be compared")
    if not all(map(is_text, contents)):
        sizes = " to ".join(f"{len(each):,}" for each in contents)
        return _named(path, becoming, "binary", f", not text, {sizes} bytes")
    return None


def _named(path: str, change: Becoming, why: Incomparable, said: str) -> FileDiff:
    event = DiffEvent(path, change, 0, 0, binary=why == "binary", incomparable=why)
    return FileDiff(event, b"# " + _quoted(_bytes_of(path)) + f": {change}{said}\n".encode())


def _parts(change: Change) -> list[_Pair]:
    """The versions to compare: where a link is on one side alone, one is removed, and the other added."""
    _, old, new = change
    if old and new and (old.mode == LINK) != (new.mode == LINK):
        return [(old, None), (None, new)]
    return [(old, new)]


def _text_of(version: Version | None) -> bytes:
    return version.content if version else b""


def _joined(change: Change, parts: Sequence[tuple[Version | None, Version | None, bytes]]) -> FileDiff:
    path, old, new = change
    lines = [line for _, _, hunks in parts for line in lines_of(hunks)]
    added = sum(line.startswith(b"+") for line in lines)
    removed = sum(line.startswith(b"-") for line in lines)
    text = b"".join(b"".join(_diff_of(_bytes_of(path), *part)) for part in parts)
    return FileDiff(DiffEvent(path, becomes(old, new), added, removed, binary=False), text)


def _diff_of(name: bytes, old: Version | None, new: Version | None, hunks: bytes) -> Iterator[bytes]:
    """The diff of one file, given its hunks."""
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
    if hunks:
        yield b"--- %b\n" % (one if old else b"/dev/null")
        yield b"+++ %b\n" % (other if new else b"/dev/null")
        yield hunks


def _name_of(version: Version | None) -> bytes:
    """Git's name of a content."""
    if version is None:
        return b"0" * 10
    return (
        sha1(b"blob %d\0%b" % (len(version.content), version.content), usedforsecurity=False).hexdigest()[:10].encode()
    )


def _bytes_of(path: str) -> bytes:
    return path.encode(errors="surrogateescape")


def _quoted(name: bytes) -> bytes:
    """A name as git writes it, in quotation marks if anything in it is odd; patch needs them for spaces, too."""
    shown = b"".join(bytes((byte,)) if byte in _PLAIN else b"\\%03o" % byte for byte in name)
    return name if shown == name and b" " not in name else b'"%b"' % shown
