"""Vet: refuse an archive whose table of contents could harm, before anything is extracted.

Takes entries and gives every refusal. The rules are in `docs/archives.md`.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from itertools import takewhile
from typing import Final

from toolz import groupby

from pipeline.archives import Entry
from pipeline.problems import ArchiveRejected

ENTRY_LIMIT: Final = 100_000
SIZE_LIMIT: Final = 2 * 1024**3
"""Bytes that may come out of one archive."""
RATIO_FROM: Final = 64 * 1024**2
"""Bytes out of one archive beyond which the ratio counts."""
RATIO_LIMIT: Final = 100
PART_LIMIT: Final = 255
"""Bytes of one part of a name."""
NAME_LIMIT: Final = 1024
"""Bytes of a whole name."""
PARTS_LIMIT: Final = 32

_STORED_OR_DEFLATED: Final = frozenset({0, 8})
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_FORBIDDEN: Final = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_DRIVE: Final = re.compile(r"[A-Za-z]:")

_NAME_RULES: Final[tuple[tuple[str, Callable[[str], object]], ...]] = (
    ("its name is not UTF-8", _SURROGATE.search),
    ("its name has a control or bidirectional character", _FORBIDDEN.search),
    ("its name has a backslash where others have a slash", lambda name: "\\" in name),
    ("its name is absolute", lambda name: name.startswith("/") or _DRIVE.match(name)),
    ("its name climbs by `..`", lambda name: ".." in name.split("/")),
    ("its name has an empty part or a `.`", lambda name: not {"", "."}.isdisjoint(name.split("/"))),
    ("its name leads into `.git`", lambda name: ".git" in name.lower().split("/")),
    (f"a part of its name is longer than {PART_LIMIT} bytes", lambda name: max(_part_lengths(name)) > PART_LIMIT),
    (
        f"its name is longer than {NAME_LIMIT:,} bytes",
        lambda name: _length(name) > NAME_LIMIT,
    ),
    (f"its name has more than {PARTS_LIMIT} parts", lambda name: name.count("/") >= PARTS_LIMIT),
)
_ENTRY_RULES: Final[tuple[tuple[str, Callable[[Entry], object]], ...]] = (
    ("it is encrypted; pack it again without a password", lambda entry: entry.encrypted),
    (
        "it is compressed by a method other than deflate; pack it again with `zip`",
        lambda entry: entry.method not in _STORED_OR_DEFLATED,
    ),
    ("it is neither file, folder nor symbolic link", lambda entry: entry.kind == "other"),
    ("it is a folder with data", lambda entry: entry.kind == "folder" and entry.size > 0),
)


def vet(archive: str, entries: tuple[Entry, ...], root: str = "") -> tuple[ArchiveRejected, ...]:
    """Give every reason to refuse an archive whose component is the folder `root`; none if it is harmless."""
    reasons: list[tuple[str | None, str]] = [*_whole(entries), *_each(entries), *_links(entries, root)]
    return tuple(ArchiveRejected(archive, reason, entry) for entry, reason in reasons or _among(entries))


def with_slashes(names: tuple[str, ...]) -> tuple[str, ...]:
    r"""Take `\` for a separator, as some Windows programs write it, if no name has a `/`."""
    return names if any("/" in name for name in names) else tuple(name.replace("\\", "/") for name in names)


def _whole(entries: tuple[Entry, ...]) -> Iterator[tuple[None, str]]:
    size, packed = sum(entry.size for entry in entries), sum(entry.packed for entry in entries)
    if len(entries) > ENTRY_LIMIT:
        yield None, f"it has more than {ENTRY_LIMIT:,} entries"
    if size > SIZE_LIMIT:
        yield None, "more than 2 GiB would come out of it"
    elif size > RATIO_FROM and size > RATIO_LIMIT * packed:
        yield None, f"it would grow more than {RATIO_LIMIT} times"


def _each(entries: tuple[Entry, ...]) -> Iterator[tuple[str, str]]:
    """The first reason of each entry."""
    for entry in entries:
        reasons = [reason for reason, breaks in _NAME_RULES if breaks(entry.name)]
        reasons += [reason for reason, breaks in _ENTRY_RULES if breaks(entry)]
        yield from ((entry.name, reason) for reason in reasons[:1])


def _links(entries: tuple[Entry, ...], root: str) -> Iterator[tuple[str, str]]:
    for entry in entries:
        if entry.kind == "link" and _leaves(entry.name.removeprefix(root), entry.target or ""):
            yield entry.name, "it is a link that may leave the component"


def _leaves(name: str, target: str) -> bool:
    """Whether a link's target is absolute, climbs above the component, or climbs after it went down.

    What it goes down into may itself be a link, so that `..` behind it could lead anywhere.
    """
    if not target or target.startswith("/") or "\\" in target or _DRIVE.match(target):
        return True
    if _FORBIDDEN.search(target) or _SURROGATE.search(target):
        return True
    parts = [part for part in target.split("/") if part not in {"", "."}]
    climbs = len(list(takewhile(lambda part: part == "..", parts)))
    return climbs > name.count("/") or ".." in parts[climbs:]


def _among(entries: tuple[Entry, ...]) -> Iterator[tuple[str, str]]:
    """Reasons that lie between entries whose names are in order by themselves."""
    by_name = groupby(lambda entry: unicodedata.normalize("NFC", entry.name), entries)
    for name, same in by_name.items():
        if len(same) > 1:
            yield same[1].name, "another entry has its name"
        for folder in _folders_of(name):
            if folder in by_name and by_name[folder][0].kind != "folder":
                yield same[0].name, f"it lies below `{folder}`, which is a {by_name[folder][0].kind}"
                break


def _folders_of(name: str) -> Iterator[str]:
    parts = name.split("/")
    return ("/".join(parts[:depth]) for depth in range(1, len(parts)))


def _part_lengths(name: str) -> Iterator[int]:
    return map(_length, name.split("/"))


def _length(text: str) -> int:
    return len(text.encode(errors="surrogatepass"))
