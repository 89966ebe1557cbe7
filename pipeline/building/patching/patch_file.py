"""Patch file: a unified diff of files of one component, read as strictly as an archive.

It may come from git, GNU diff, a mail or another tool. A name can be read in several ways (`patch_names.py`). Text
between the files is kept, so that rewriting keeps it, too. A hunk ends by its counts.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from typing import Any, Final, NoReturn

from msgspec import Struct

from pipeline.building.merging.lines import lines_of
from pipeline.building.patching.patch_names import Reading, readings_of
from pipeline.building.stores.layout import PATCH_SUFFIX, PATCHES
from pipeline.report.diagnostics.disk import FileSystemProblem
from pipeline.report.diagnostics.patches import Misfit, PatchConflict, PatchInvalid

PATCH_LIMIT: Final = 4 * 1024**2
"""The maximum size of a patch file, in bytes."""
_HUNK: Final = rb"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@"
_TIME: Final = rb" +\d{4}-\d\d-\d\d[ T]\d\d:\d\d.*"
"""A time after a name, where an editor has put blanks in place of the tab."""
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
_OWN_LINE: Final = rb"(?m)^(?:@@ -|diff --git |--- |\+\+\+ )[^\n]*\n"
_HEADER: Final = rb"(old mode|new mode|new file mode|deleted file mode|index|similarity index|dissimilarity index) (.*)"
_OF_GIT: Final = {
    b"rename from ": "it renames a file, which a patch cannot do here",
    b"copy from ": "it copies a file, which a patch cannot do here",
}
_UNREADABLE: Final = {
    b"GIT binary patch": "it has a binary file",
    b"Binary files ": "it has a binary file",
    b"diff --cc ": "it is the diff of a merge",
    b"diff --combined ": "it is the diff of a merge",
    b"@@ -": "a hunk has no file above it",
}
_NO_FILES: Final = {b"120000": "it is about a link", b"160000": "it is about a repository in the component"}
"""The modes of what is no file."""
_NOTHING: Final = b"/dev/null"
_OCTAL_OR_ESCAPE: Final = rb"(?s)\\(?:([0-3][0-7]{2})|(.))"
_ESCAPES: Final = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}
_QUOTED: Final = rb'"((?:[^"\\]|\\.)*)"'


def patch_path(component: str) -> str:
    """The path of the patch of a component in the project."""
    return f"{PATCHES}/{component}{PATCH_SUFFIX}"


class Hunk(Struct, frozen=True):
    """Lines of a file, and the lines that take their place."""

    line: int
    """Where it begins in the patch."""
    start: int
    """The number of its first line in the old file; if it has no old line, of the line before."""
    new_start: int
    lines: tuple[tuple[bytes, bytes], ...]
    """Each with its sign: a blank, `-` or `+`."""

    @property
    def old(self) -> list[bytes]:
        """The lines before."""
        return [line for sign, line in self.lines if sign != b"+"]

    @property
    def new(self) -> list[bytes]:
        """The lines after."""
        return [line for sign, line in self.lines if sign != b"-"]


class FilePatch(Struct, frozen=True, kw_only=True):
    """What a patch does to one file."""

    component: str
    readings: tuple[Reading, ...]
    """How its name can be read, the likeliest first."""
    line: int
    raw: bytes
    hunks: tuple[Hunk, ...] = ()
    adds: bool = False
    removes: bool = False
    executable: bool = False
    """Whether it adds an executable file."""

    @property
    def name(self) -> str:
        """The path of the file in the component."""
        return self.readings[0].name

    def misfit(self, why: Misfit, line: int = 0, **more: Any) -> PatchConflict:
        """Why it, or a hunk from a line of the patch on, does not fit an archive."""
        path = self.component
        return PatchConflict(patch_path(path), line or self.line, path=path, name=self.name, why=why, **more)

    @property
    def makes_file(self) -> bool:
        """Whether it gives a file where there is none."""
        return self.adds or (bool(self.hunks) and not any(hunk.old for hunk in self.hunks))


class Patch(Struct, frozen=True, dict=True):
    """A patch: what it does to files, in order, and the text before, between and after that."""

    component: str
    """The path of its component in the project."""
    parts: tuple[bytes | FilePatch, ...] = ()
    digest: str = ""
    """SHA-256 of its text."""
    wrong: PatchInvalid | FileSystemProblem | None = None
    """Why it is none; then nothing of it is read."""

    @property
    def path(self) -> str:
        """Its path in the project."""
        return patch_path(self.component)

    def refused(self, line: int, reason: str) -> "Patch":
        """The same as none, and which line shows why."""
        return Patch(self.component, wrong=PatchInvalid(self.path, line, reason))

    @cached_property
    def files(self) -> tuple[FilePatch, ...]:
        """What it does to files."""
        return tuple(each for each in self.parts if isinstance(each, FilePatch))

    @property
    def text(self) -> bytes:
        """Its text, with LF ends if all of its own lines end in CRLF."""
        return b"".join(each if isinstance(each, bytes) else each.raw for each in self.parts)

    @property
    def names(self) -> tuple[str, ...]:
        """The files that it is about, by all the paths in the component that they may have."""
        return tuple(dict.fromkeys(reading.name for each in self.files for reading in each.readings))


class _UnreadableError(Exception):
    pass


def _refuse(line: int, reason: str) -> NoReturn:
    raise _UnreadableError(line + 1, reason)


def read_patch(data: bytes, component: str) -> Patch:
    """Read the patch of a component, which is at this path in the project, or say what is wrong with it."""
    none = Patch(component)
    if len(data) > PATCH_LIMIT:
        return none.refused(1, f"it is larger than {PATCH_LIMIT // 1024**2} MiB")
    if data.startswith(_UTF_16):
        return none.refused(1, "it is in UTF-16, as PowerShell writes files; save it as UTF-8")
    data = data.removeprefix(b"\xef\xbb\xbf")
    own = re.findall(_OWN_LINE, data)
    has_crlf = bool(own) and all(line.endswith(b"\r\n") for line in own)
    text = data.replace(b"\r\n", b"\n") if has_crlf else data
    try:
        patch = Patch(component, tuple(_parts(lines_of(text), component)), sha256(text).hexdigest())
    except _UnreadableError as error:
        return none.refused(*error.args)
    return patch if patch.files else none.refused(1, "it is no unified diff")


def _parts(lines: Sequence[bytes], component: str) -> Iterator[bytes | FilePatch]:
    at = start = 0
    while at < len(lines):
        if _begins_file(lines, at):
            if at > start:
                yield b"".join(lines[start:at])
            file, start = _file(lines, at, component)
            at = start
            yield file
        else:
            _refuse_if(_UNREADABLE, lines, at)
            at += 1
    if at > start:
        yield b"".join(lines[start:at])


def _begins_file(lines: Sequence[bytes], at: int) -> bool:
    return lines[at].startswith(b"diff --git ") or _has_names(lines, at)


def _has_names(lines: Sequence[bytes], at: int) -> bool:
    """Whether a line and the next one name a file before and after."""
    names = lines[at : at + 2]
    return len(names) > 1 and names[0].startswith(b"--- ") and names[1].startswith(b"+++ ")


def _refuse_if(unreadable: Mapping[bytes, str], lines: Sequence[bytes], at: int) -> None:
    for begins, reason in unreadable.items():
        if lines[at].startswith(begins):
            _refuse(at, reason)


def _file(lines: Sequence[bytes], begin: int, component: str) -> tuple[FilePatch, int]:
    """What a patch does to the file that is named from a line on, and the line after that."""
    at = begin
    modes = dict[bytes, bytes]()
    header = names = (b"", b"")
    if lines[at].startswith(b"diff --git "):
        header = names = _names_of_git(lines[at].removeprefix(b"diff --git ").rstrip(b"\r\n"))
        at += 1
        while at < len(lines) and (found := re.match(_HEADER, lines[at])):
            modes[found[1]] = mode = found[2].rpartition(b" ")[2]
            if mode in _NO_FILES:
                _refuse(at, _NO_FILES[mode])
            at += 1
        if at < len(lines):
            _refuse_if({**_OF_GIT, **_UNREADABLE}, lines, at)
    if _has_names(lines, at):
        names = (_name(lines[at]), _name(lines[at + 1]))
        at += 2
    adds = b"new file mode" in modes or names[0] == _NOTHING
    removes = b"deleted file mode" in modes or names[1] == _NOTHING
    if _NOTHING in names and {*names} <= {*header, _NOTHING}:
        names = header  # which says both
    readings = tuple(readings_of(names, component))
    if not readings:
        _refuse(begin, "it names two files, or none")
    hunks = list[Hunk]()
    while at < len(lines) and lines[at].startswith(b"@@"):
        hunk, at = _hunk(lines, at)
        hunks.append(hunk)
    if not (hunks or modes):
        _refuse(begin, "a file has no hunk")
    file = FilePatch(
        component=component,
        readings=readings,
        line=begin + 1,
        raw=b"".join(lines[begin:at]),
        hunks=tuple(hunks),
        adds=adds,
        removes=removes,
        executable=modes.get(b"new file mode") == b"100755",
    )
    return file, at


def _names_of_git(names: bytes) -> tuple[bytes, bytes]:
    """The two names in the first line that git writes; empty ones if they cannot be told apart."""
    if first := re.match(_QUOTED, names):
        second = names[first.end() + 1 :]
        other = re.fullmatch(_QUOTED, second)
        return _unquoted(first[1]), _unquoted(other[1]) if other else second
    middle = len(names) // 2
    return (names[:middle], names[middle + 1 :]) if names[middle : middle + 1] == b" " else (b"", b"")


def _name(line: bytes) -> bytes:
    """The name in a line that begins with `--- ` or `+++ `; a time may follow it."""
    name = line[4:].rstrip(b"\r\n")
    quoted = re.match(_QUOTED, name)
    return _unquoted(quoted[1]) if quoted else re.sub(_TIME, b"", name.partition(b"\t")[0])


def _unquoted(name: bytes) -> bytes:
    return re.sub(
        _OCTAL_OR_ESCAPE,
        lambda found: bytes((int(found[1], 8),)) if found[1] else _ESCAPES.get(found[2], found[2]),
        name,
    )


def _hunk(lines: Sequence[bytes], begin: int) -> tuple[Hunk, int]:
    """The hunk that begins in a line, and the line after it."""
    header = re.match(_HUNK, lines[begin])
    if header is None:
        _refuse(begin, "a hunk has no line numbers")
    start, old, new_start, new = (int(each or b"1") for each in header.groups())
    at = begin + 1
    read = list[tuple[bytes, bytes]]()
    while old > 0 or new > 0 or (at < len(lines) and lines[at].startswith(b"\\")):
        line = lines[at] if at < len(lines) else b""
        sign, line = (b" ", line) if line in {b"\n", b"\r\n"} else (line[:1], line[1:])
        if sign == b"\\" and read:
            read[-1] = (read[-1][0], read[-1][1].rstrip(b"\r\n"))
        elif sign in {b" ", b"-", b"+"}:
            read.append((sign, line))
            old = old - (sign != b"+")
            new = new - (sign != b"-")
        else:
            old = -1
        if min(old, new) < 0:
            _refuse(min(at, len(lines) - 1), "the line counts of a hunk are wrong")
        at += 1
    if all(sign == b" " for sign, _ in read):
        _refuse(begin, "a hunk changes nothing")
    return Hunk(begin + 1, start, new_start, tuple(read)), at
