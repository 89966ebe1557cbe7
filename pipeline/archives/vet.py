"""Vet: refuse an archive whose table of contents could do harm, before anything is extracted.

Takes entries, and the flaws of the records that they come from; gives the refusals. The rules are
in `docs/archives.md`.
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
    name_flaw,
)
from pipeline.archives.zip.structure import ENTRY_LIMIT, FAULT_LIMIT, LESS, TOO_MANY
from pipeline.report.diagnostics.archives import (
    ANEW,
    DECRYPT,
    DISTRUST,
    REPACK,
    UNPACK_WITH_7ZIP,
    ArchiveRejected,
    Flaw,
    Mend,
)

SIZE_LIMIT: Final = 2 * 1024**3
"""The largest total size of an archive's extracted files, in bytes."""
RATIO_FROM: Final = 64 * 1024**2
"""The extracted size, in bytes, above which the compression ratio is checked."""
RATIO_LIMIT: Final = 100

_STORED_OR_DEFLATED: Final = frozenset({0, 8})
_FOREIGN: Final = "it is compressed by a method other than deflate"
_UNPACKED_BY: Final = {
    **dict.fromkeys((1, 9, 93), UNPACK_WITH_7ZIP),  # Shrink, Deflate64, Zstandard
    **dict.fromkeys((12, 14, 95, 98), REPACK),  # bzip2, LZMA, xz, PPMd
}
"""The remedy for a compression method, by its number; the other methods are practically unused."""
_LEAVE_OUT: Final = Mend("leave it out, and pack the archive again")
_UNUSABLE: Final[dict[EntryKind, Flaw]] = {
    "folder without slash": Flaw("it is a folder without the slash at the end of its name", REPACK),
    "other": Flaw("it is neither file, folder nor symbolic link", _LEAVE_OUT),
}
_CALLED: Final[dict[EntryKind, str]] = {"file": "a file", "link": "a link", "other": "no folder"}
"""The kinds of entries that cannot contain others."""


_MEND_LINK: Final = Mend("make it relative or leave it out, and pack the archive again")
_LEAVES: Final = Flaw("it is a link that may leave the component", _MEND_LINK)
_ONE_OF_TWO: Final = Mend("leave one of the two out, and pack the archive again")
_TWICE: Final = Flaw("another entry has its name", _ONE_OF_TWO)
_MORE: Final = Flaw("more is wrong with it than these")


def vet(
    archive: str, entries: tuple[Entry, ...], record_flaws: tuple[Flaw, ...] = ()
) -> tuple[ArchiveRejected, ...]:
    """The reasons to refuse an archive; empty if it is harmless. `record_flaws` are the flaws of
    its records.

    Each entry has at most one reason, its first. After `FAULT_LIMIT` reasons, a last one says that
    there are more.
    """
    if len(record_flaws) > FAULT_LIMIT:  # nothing else would be reported
        return (*_rejections(archive, record_flaws[:FAULT_LIMIT]), ArchiveRejected(archive, _MORE))
    names = [entry.name for entry in entries]
    faults: dict[str, Flaw] = {}
    if not all_plain(names):
        faults = {name: fault for name in names if (fault := name_flaw(name))}
    sound = [entry for entry in entries if entry.name not in faults]
    flaws = chain(
        record_flaws, _whole(entries), _each(entries, faults), _links(entries, ""), _among(sound)
    )
    return _rejections(archive, flaws)


def unreadable(entry: Entry) -> Flaw | None:
    """Why the data of an entry cannot be read; `None` if it can."""
    if entry.encrypted:
        return Flaw("it is encrypted", DECRYPT)
    if entry.method not in _STORED_OR_DEFLATED:
        return Flaw(_FOREIGN, _UNPACKED_BY.get(entry.method, ANEW))
    return None


def excess(entries: int, size: int, packed: int) -> Flaw | None:
    """Why an archive, with those inside it, is too large to extract; `None` if it is not. Sizes are
    in bytes.
    """
    if entries > ENTRY_LIMIT:
        return TOO_MANY
    if size > SIZE_LIMIT:
        return Flaw("more than 2 GiB would come out of it", LESS)
    if size > RATIO_FROM and size > RATIO_LIMIT * packed:
        return Flaw(f"it would grow more than {RATIO_LIMIT} times", DISTRUST)
    return None


def vet_links(archive: str, entries: tuple[Entry, ...], root: str) -> tuple[ArchiveRejected, ...]:
    """The reasons to refuse the component in the folder `root` of a vetted archive because
    of its links.
    """
    return _rejections(archive, _links(entries, root))


def _rejections(archive: str, flaws: Iterable[Flaw]) -> tuple[ArchiveRejected, ...]:
    """The first flaw of each entry, up to the limit."""
    firsts = islice(unique(flaws, key=lambda flaw: flaw.entry or flaw), FAULT_LIMIT + 1)
    refused = tuple(ArchiveRejected(archive, flaw) for flaw in firsts)
    if len(refused) <= FAULT_LIMIT:
        return refused
    return (*refused[:FAULT_LIMIT], ArchiveRejected(archive, _MORE))


def _whole(entries: tuple[Entry, ...]) -> Iterator[Flaw]:
    size = sum(entry.size for entry in entries)
    packed = sum(entry.packed for entry in entries)
    if flaw := excess(len(entries), size, packed):
        yield flaw


def _each(entries: tuple[Entry, ...], faults: dict[str, Flaw]) -> Iterator[Flaw]:
    """Reasons that concern an entry alone; the one about its name comes first."""
    for entry in entries:
        flaw = faults.get(entry.name) or unreadable(entry) or _UNUSABLE.get(entry.kind)
        if entry.kind == "folder" and entry.size and not flaw:
            flaw = Flaw("it is a folder with data", ANEW)
        if flaw:
            yield flaw.at(entry.name)


def _links(entries: tuple[Entry, ...], root: str) -> Iterator[Flaw]:
    for entry in entries:
        if entry.kind == "link" and _leaves(entry.name.removeprefix(root), entry.target or ""):
            yield _LEAVES.at(entry.name)


def _leaves(name: str, target: str) -> bool:
    """Whether a link's target is unsafe or absolute, climbs above the component, or climbs after it
    went down.

    The folder that it goes down into may itself be a link, so that a `..` after it could lead
    anywhere. No entry is below a link, so the folders through which the target climbs first
    are real.
    """
    if (
        not target
        or is_absolute(target)
        or "\\" in target
        or is_unsafe_text(target)
        or leads_into_repository(target)
    ):
        return True
    parts = [part for part in target.split("/") if part not in {"", "."}]
    climbs = len(list(takewhile(lambda part: part == "..", parts)))
    return climbs > name.count("/") or ".." in parts[climbs:]


def _among(entries: list[Entry]) -> Iterator[Flaw]:
    """Reasons that concern several entries, each with a valid name."""
    kinds: dict[str, EntryKind] = {}
    for entry in entries:
        if entry.name in kinds:
            yield _TWICE.at(entry.name)
        kinds.setdefault(entry.name, entry.kind)
    used = {name.rpartition("/")[0] for name in kinds}
    barriers = {
        folder
        for path in used
        for folder in (*folders_above(path), path)
        if kinds.get(folder, "folder") in _CALLED
    }
    if barriers:
        yield from _below(kinds, barriers)
    if not all(map(str.isascii, kinds)):
        yield from (_TWICE.at(other) for _, other in alike(kinds))


def _below(kinds: dict[str, EntryKind], barriers: set[str]) -> Iterator[Flaw]:
    """Reasons for entries below others that are no folders."""
    for name in kinds:
        if barrier := next((folder for folder in folders_above(name) if folder in barriers), None):
            yield Flaw(
                f"it lies below `{barrier}`, which is {_CALLED[kinds[barrier]]}", _ONE_OF_TWO, name
            )
