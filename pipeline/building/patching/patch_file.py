"""Patch file: read a unified diff of files of one component, as strictly as an archive
(`docs/building.md`, "Patches").

The diff may come from git, GNU diff, Subversion, a mail or another tool. A section concerns one
file: it begins with the line `diff --git` or with two names, and ends with its last hunk, whose
line counts say where that ends. Everything outside of sections is text, and stays when the patch is
rewritten. Which file of the archive a name means is decided later (`naming.py`).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Final, Literal

from pipeline.building.merging.lines import lines_of
from pipeline.building.patching.patch import FilePatch, Patch
from pipeline.building.patching.patch_lines import (
    HUNK,
    NOTHING,
    Hunk,
    UnreadableError,
    have_names,
    is_not_there,
    name_in,
    names_of_git,
    read_hunk,
    refuse,
)

PATCH_LIMIT: Final = 4 * 1024**2
"""The maximum size of a patch file, in bytes."""
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
_OWN_LINE: Final = rb"(?m)^(?:@@ -|diff --git |--- |\+\+\+ )[^\n]*\n"
"""Lines of the diff itself. If all of them end in CRLF, the line ends of the whole patch are
converted.
"""
_HEADER: Final = (
    rb"(old mode|new mode|new file mode|deleted file mode|index|similarity "
    rb"index|dissimilarity index) (.*)"
)
"""The lines with modes and digests that git writes below `diff --git`."""
_WITHOUT_RENAMES: Final = "make it with `git diff --no-renames`"
_WITHOUT_THE_FILE: Final = "make it without that file"
_OF_UNIFIED: Final = "make it with `diff -u`"
_RENAMES: Final = {
    b"rename from ": "it renames a file, which a patch cannot do here",
    b"copy from ": "it copies a file, which a patch cannot do here",
}
_BINARY: Final = "it has a binary file"
_BINARIES: Final[dict[bytes, str]] = {
    rb"GIT binary patch$": _BINARY,
    rb"Binary files .+ and .+ differ$": _BINARY,
    rb"Binary file .+ has changed$": _BINARY,
    rb"Cannot display: file marked as a binary type\.$": _BINARY,
    rb"Files .+ and .+ differ$": "it says that files differ, and not in which lines",
}
"""Lines that programs write for a file that is not text: git, GNU diff, Mercurial,
Subversion, busybox.
"""
_BY_PROGRAM: Final = rb"(?:diff |Index: |=+$|=== |%b)" % b"|".join(_BINARIES)
"""Lines of programs that may precede another line about a file; in a mail, such a line is text."""
_NO_SECTION: Final[dict[bytes, tuple[str, str]]] = {
    rb"=== renamed (?:file|directory) '": (
        "it renames a file, which a patch cannot do here",
        "delete the file, and add it under its new name",
    ),
    rb"diff --(?:cc|combined) [^\n]+\nindex ": (
        "it is the diff of a merge",
        "make it against one parent of the merge",
    ),
}
"""Lines about files that are not sections, each with the reason of the error and the advice."""
_OTHERS: Final[dict[bytes, tuple[str, str]]] = {
    rb"\x1b\[": ("it has colours", "make it with `git diff --no-color`"),
    rb"\*\*\* [^\n]*\n--- ": ("it is a context diff", _OF_UNIFIED),
    rb"\d+(?:,\d+)?[acd]\d+(?:,\d+)?\r?$": ("it is a diff in the normal form", _OF_UNIFIED),
    rb"\d+(?:,\d+)?[acd]\r?$": ("it is a script for `ed`", _OF_UNIFIED),
    HUNK: ("a hunk has no file above it", ""),
}
"""Lines by which other formats than a unified diff are known, each with the reason of the error and
the advice.
"""
_NO_FILES: Final = {
    b"120000": "it is about a link",
    b"160000": "it is about a repository in the component",
}
"""Git's modes of entries that are not files."""


def read_patch(data: bytes, component: str) -> Patch:
    """Read the patch of the component at a project path. Never fails: a patch that cannot be read
    has no parts and an error.
    """
    none = Patch(component)
    if len(data) > PATCH_LIMIT:
        return none.refused(1, f"it is larger than {PATCH_LIMIT // 1024**2} MiB")
    if data.startswith(_UTF_16):
        return none.refused(1, "it is in UTF-16, as PowerShell writes files; save it as UTF-8")
    data = data.removeprefix(b"\xef\xbb\xbf")
    own = re.findall(_OWN_LINE, data)
    if own and all(line.endswith(b"\r\n") for line in own):
        data = data.replace(b"\r\n", b"\n")
    lines = lines_of(data)
    try:
        patch = Patch(component, tuple(_parts(lines, component)), sha256(data).hexdigest())
    except UnreadableError as error:
        return none.refused(*error.args)
    if any(isinstance(part, FilePatch) for part in patch.parts):
        return patch
    return none.refused(*_why_no_diff(data))


def _why_no_diff(text: bytes) -> tuple[int, str, str]:
    """Why a text without sections is no unified diff: the line that shows it, from 1, the reason
    and the advice.
    """
    found = list[tuple[int, str, str]]()
    for pattern, said in _OTHERS.items():
        match = re.search(rb"(?m)^(?:%b)" % pattern, text)
        if match:
            found.append((match.start(), *said))
    at, reason, mends = min(found, default=(0, "it is no unified diff", ""))
    return text.count(b"\n", 0, at) + 1, reason, mends


def _parts(lines: Sequence[bytes], component: str) -> Iterator[bytes | FilePatch]:
    """The sections of a patch and the texts between them. Raises `UnreadableError`."""
    at = start = 0
    is_below = False
    while at < len(lines):
        if lines[at].startswith(b"diff --git ") or have_names(lines, at):
            if at > start:
                yield b"".join(lines[start:at])
            section, start = _section(lines, at, component)
            at = start
            is_below = True
            yield section
        else:
            if is_below and re.match(HUNK, lines[at]):
                refuse(start, "a line stands before a hunk that belongs to none")
            is_next = (is_below and at == start) or at == 0 or re.match(_BY_PROGRAM, lines[at - 1])
            _refuse_others(lines, at, is_next=bool(is_next))
            at += 1
    if at > start:
        yield b"".join(lines[start:at])


def _refuse_others(lines: Sequence[bytes], at: int, *, is_next: bool) -> None:
    """Raise `UnreadableError` for a line that a program wrote about a file and that is not a
    section.

    `is_next` says that the line begins the patch, or follows a section or another line of a
    program.
    """
    for pattern, said in _NO_SECTION.items():
        if re.match(pattern, b"".join(lines[at : at + 2])):
            refuse(at, *said)
    if is_next:
        _refuse_if(_BINARIES, lines, at, _WITHOUT_THE_FILE)


def _refuse_if(
    unreadable: Mapping[bytes, str], lines: Sequence[bytes], at: int, mends: str
) -> None:
    """Raise `UnreadableError` if a line matches one of the patterns, with the reason of that
    pattern and this advice.
    """
    for pattern, reason in unreadable.items():
        if re.match(pattern, lines[at].rstrip()):
            refuse(at, reason, mends)


def _section(lines: Sequence[bytes], begin: int, component: str) -> tuple[FilePatch, int]:
    """Read the section that begins at a line; return it with the line below it."""
    at = begin
    modes = dict[bytes, bytes]()
    header = names = (b"", b"")
    is_gone = False
    if lines[at].startswith(b"diff --git "):
        header = names = names_of_git(lines[at].removeprefix(b"diff --git ").rstrip(b"\r\n"))
        at += 1
        while at < len(lines) and (found := re.match(_HEADER, lines[at])):
            modes[found[1]] = mode = found[2].rpartition(b" ")[2]
            if mode in _NO_FILES:
                refuse(at, _NO_FILES[mode], _WITHOUT_THE_FILE)
            at += 1
        if at < len(lines):
            _refuse_if(_RENAMES, lines, at, _WITHOUT_RENAMES)
            _refuse_others(lines, at, is_next=True)
    if have_names(lines, at) and _are_of(header, lines, at):
        names = (name_in(lines[at]), name_in(lines[at + 1]))
        is_gone = is_not_there(lines[at + 1])
        at += 2
    adds = b"new file mode" in modes or names[0] == NOTHING
    removes = b"deleted file mode" in modes or names[1] == NOTHING
    if NOTHING in names and {*names} <= {*header, NOTHING}:
        # The header names the file on both sides.
        names = header
    sides = (_side(names[0]), _side(names[1]))
    if sides == ("", ""):
        refuse(begin, "it names two files, or none")
    hunks = list[Hunk]()
    while at < len(lines) and lines[at].startswith(b"@@"):
        hunk, at = read_hunk(lines, at)
        hunks.append(hunk)
    section = FilePatch(
        component=component,
        sides=sides,
        line=begin + 1,
        raw=b"".join(lines[begin:at]),
        hunks=tuple(hunks),
        adds=adds or (not modes and _is_all(hunks, "old")),
        removes=removes or (is_gone and _is_all(hunks, "new")),
        executable=modes.get(b"new file mode") == b"100755",
        switches=modes.get(b"old mode") != modes.get(b"new mode"),
    )
    return section, at


def _are_of(header: tuple[bytes, bytes], lines: Sequence[bytes], at: int) -> bool:
    """Whether two lines name the same file as git's header; if not, they begin another section."""
    files = set(map(_last_part, header)) - {b""}
    named = (_last_part(name_in(line)) for line in lines[at : at + 2])
    return not files or not files.isdisjoint(named)


def _last_part(name: bytes) -> bytes:
    """The last part of a path."""
    return name.rpartition(b"/")[2]


def _side(name: bytes) -> str:
    """A name in a patch as text, without `./` before it; empty if it stands for no file."""
    if name == NOTHING:
        return ""
    while name.startswith(b"./"):
        name = name[2:]
    return name.decode(errors="surrogateescape")


def _is_all(hunks: Sequence[Hunk], side: Literal["old", "new"]) -> bool:
    """Whether a section has one hunk that covers the whole file, and the file has no lines on one
    side, judging by the line numbers.
    """
    if len(hunks) != 1:
        return False
    if side == "old":
        return hunks[0].start == 0 and not hunks[0].old
    return hunks[0].new_start == 0 and not hunks[0].new
