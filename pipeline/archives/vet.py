"""Vet: refuse an archive whose table of contents could do harm, before anything is extracted.

Takes entries, and what is wrong with the records they come from; gives the refusals. The rules are in
`docs/archives.md`.
"""

from collections.abc import Iterable, Iterator
from itertools import chain, islice, takewhile
from typing import Final

from toolz import unique

from pipeline.archives.archive import Entry, EntryKind
from pipeline.archives.entry_names import (
    alike,
    all_plain,
    folders_above,
    is_absolute,
    is_unsafe_text,
    leads_into_repository,
    name_refusal,
)
from pipeline.archives.zip.structure import ENTRY_LIMIT, FAULT_LIMIT, LESS, TOO_MANY, Refusal
from pipeline.report.diagnostics.archives import ANEW, DECRYPT, DISTRUST, REPACK, UNPACK_WITH_7ZIP, ArchiveRejected

SIZE_LIMIT: Final = 2 * 1024**3
"""The maximum size of an archive when extracted, in bytes."""
RATIO_FROM: Final = 64 * 1024**2
"""The size of an archive when extracted, in bytes, above which the ratio counts."""
RATIO_LIMIT: Final = 100

_STORED_OR_DEFLATED: Final = frozenset({0, 8})
_FOREIGN: Final = "it is compressed by a method other than deflate"
_UNPACKED_BY: Final = {
    **dict.fromkeys((1, 9, 93), UNPACK_WITH_7ZIP),  # Shrink, Deflate64, Zstandard
    **dict.fromkeys((12, 14, 95, 98), REPACK),  # bzip2, LZMA, xz, PPMd
}
"""What to do about a method of compression, by its number; the others are as good as unused."""
_UNUSABLE: Final[dict[EntryKind, str]] = {
    "folder without slash": f"it is a folder without the slash at the end of its name; {REPACK}",
    "other": "it is neither file, folder nor symbolic link; leave it out, and pack the archive again",
}
_CALLED: Final[dict[EntryKind, str]] = {"file": "a file", "link": "a link", "other": "no folder"}
"""The kinds of entries that nothing can be in."""


_MEND_LINK: Final = "make it relative or leave it out, and pack the archive again"
_ONE_OF_TWO: Final = "leave one of the two out, and pack the archive again"
_TWICE: Final = f"another entry has its name; {_ONE_OF_TWO}"
_MORE: Final = "more is wrong with it than these"


def vet(
    archive: str, entries: tuple[Entry, ...], record_refusals: tuple[Refusal, ...] = ()
) -> tuple[ArchiveRejected, ...]:
    """The reasons to refuse an archive; empty if it is harmless.

    Only the first reason for an entry is given, and only `FAULT_LIMIT` reasons, with a last one that says that there
    are more. `record_refusals` is what is wrong with the archive's records.
    """
    if len(record_refusals) > FAULT_LIMIT:  # nothing else would be reported
        return (*_rejections(archive, record_refusals[:FAULT_LIMIT]), ArchiveRejected(archive, _MORE))
    names = [entry.name for entry in entries]
    faults: dict[str, str] = {}
    if not all_plain(names):
        faults = {name: fault for name in names if (fault := name_refusal(name))}
    sound = [entry for entry in entries if entry.name not in faults]
    reasons = chain(record_refusals, _whole(entries), _each(entries, faults), _links(entries, ""), _among(sound))
    return _rejections(archive, reasons)


def unreadable(entry: Entry) -> str | None:
    """Why the data of an entry cannot be read, as a clause; `None` if it can."""
    if entry.encrypted:
        return f"it is encrypted; {DECRYPT}"
    if entry.method not in _STORED_OR_DEFLATED:
        return f"{_FOREIGN}; {_UNPACKED_BY.get(entry.method, ANEW)}"
    return None


def excess(entries: int, size: int, packed: int) -> str | None:
    """Why an archive, with those in it, is too large to extract; `None` if it is not. Sizes are in bytes."""
    if entries > ENTRY_LIMIT:
        return TOO_MANY
    if size > SIZE_LIMIT:
        return f"more than 2 GiB would come out of it; {LESS}"
    if size > RATIO_FROM and size > RATIO_LIMIT * packed:
        return f"it would grow more than {RATIO_LIMIT} times; {DISTRUST}"
    return None


def vet_links(archive: str, entries: tuple[Entry, ...], root: str) -> tuple[ArchiveRejected, ...]:
    """The reasons to refuse the component in the folder `root` of a vetted archive because of its links."""
    return _rejections(archive, _links(entries, root))


def _rejections(archive: str, reasons: Iterable[Refusal]) -> tuple[ArchiveRejected, ...]:
    """The first reason for each entry, up to the limit."""
    refusals = islice(unique(reasons, key=lambda refusal: refusal.entry or refusal), FAULT_LIMIT + 1)
    refused = tuple(ArchiveRejected(archive, refusal.reason, refusal.entry) for refusal in refusals)
    if len(refused) <= FAULT_LIMIT:
        return refused
    return (*refused[:FAULT_LIMIT], ArchiveRejected(archive, _MORE))


def _whole(entries: tuple[Entry, ...]) -> Iterator[Refusal]:
    size = sum(entry.size for entry in entries)
    packed = sum(entry.packed for entry in entries)
    if reason := excess(len(entries), size, packed):
        yield Refusal(reason)


def _each(entries: tuple[Entry, ...], faults: dict[str, str]) -> Iterator[Refusal]:
    """Reasons that concern an entry by itself, the one about its name first."""
    for entry in entries:
        reason = faults.get(entry.name) or unreadable(entry) or _UNUSABLE.get(entry.kind)
        if entry.kind == "folder" and entry.size and not reason:
            reason = f"it is a folder with data; {ANEW}"
        if reason:
            yield Refusal(reason, entry.name)


def _links(entries: tuple[Entry, ...], root: str) -> Iterator[Refusal]:
    for entry in entries:
        if entry.kind == "link" and _leaves(entry.name.removeprefix(root), entry.target or ""):
            yield Refusal(f"it is a link that may leave the component; {_MEND_LINK}", entry.name)


def _leaves(name: str, target: str) -> bool:
    """Whether a link's target is unsafe or absolute, climbs above the component, or climbs after it went down.

    What it goes down into may itself be a link, so a `..` after it could lead anywhere. No entry is below a link, so
    what it climbs through first are folders.
    """
    if not target or is_absolute(target) or "\\" in target or is_unsafe_text(target) or leads_into_repository(target):
        return True
    parts = [part for part in target.split("/") if part not in {"", "."}]
    climbs = len(list(takewhile(lambda part: part == "..", parts)))
    return climbs > name.count("/") or ".." in parts[climbs:]


def _among(entries: list[Entry]) -> Iterator[Refusal]:
    """Reasons that concern several entries, whose names are valid by themselves."""
    kinds: dict[str, EntryKind] = {}
    for entry in entries:
        if entry.name in kinds:
            yield Refusal(_TWICE, entry.name)
        kinds.setdefault(entry.name, entry.kind)
    used = {name.rpartition("/")[0] for name in kinds}
    barriers = {
        folder for path in used for folder in (*folders_above(path), path) if kinds.get(folder, "folder") in _CALLED
    }
    if barriers:
        yield from _below(kinds, barriers)
    if not all(map(str.isascii, kinds)):
        yield from (Refusal(_TWICE, other) for _, other in alike(kinds))


def _below(kinds: dict[str, EntryKind], barriers: set[str]) -> Iterator[Refusal]:
    """Reasons for entries that lie below others that are no folders."""
    for name in kinds:
        if barrier := next((folder for folder in folders_above(name) if folder in barriers), None):
            yield Refusal(f"it lies below `{barrier}`, which is {_CALLED[kinds[barrier]]}; {_ONE_OF_TWO}", name)
