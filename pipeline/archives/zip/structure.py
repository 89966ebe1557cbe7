"""Zip structure: read the records of a zip archive, and judge whether they fit together without
gap or overlap.

Takes the archive as a function from an offset and a number of bytes to those bytes, and its
length; gives the entries that its table of contents lists, and the reasons to refuse it. It
never fails. Every program reads an archive without refusals in the same way. The rules are
in `docs/archives.md`.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeAlias

from msgspec.structs import astuple

from pipeline.archives.archive import Entry
from pipeline.archives.zip.headers import (
    DESCRIPTOR_LENGTH,
    STRAY,
    descriptor_fault,
    header_fault,
    widen,
)
from pipeline.archives.zip.lookalikes import AS_TEXT, CUT_OFF, HEAD_LIMIT, lookalike, was_text
from pipeline.archives.zip.records import (
    CENTRAL_SIGNATURE,
    END_64_LENGTH,
    END_LENGTH,
    END_SIGNATURE,
    IN_ZIP64,
    IN_ZIP64_SHORT,
    LOCAL_LENGTH,
    LOCAL_SIGNATURE,
    LOCATOR_LENGTH,
    SIGNATURES,
    STREAMED,
    CentralRecord,
    End,
    entries_of,
    name_of,
    read_central_record,
    read_end,
    read_end_64,
    read_locator,
)
from pipeline.report.diagnostics.archives import (
    ANEW,
    DISTRUST,
    REPACK,
    UNPACK_WITH_7ZIP,
    Flaw,
    Mend,
)

Read: TypeAlias = Callable[[int, int], bytes]
"""Takes an offset and a number of bytes; gives that many bytes, fewer at the end of the archive."""

ENTRY_LIMIT: Final = 100_000
DIRECTORY_LIMIT: Final = 32 * 1024**2
"""The maximum size of a table of contents, in bytes."""
FAULT_LIMIT: Final = 20
"""How many refusals of one archive are reported. If there are more, only that is reported."""

_LOOKED_AT: Final = 64 * 1024
"""How many bytes of a damaged archive are looked at."""
_SEARCHED: Final = 1024**2
"""How many bytes are searched at once for an end record that is far from the end."""
_TAIL: Final = END_LENGTH + 0xFFFF
_BLOCK: Final = 10_240
"""If `bsdtar` writes to a pipe, it adds zeros up to a multiple of this many bytes."""
_USUAL_EXTRA: Final = 64
"""Bytes of an extra field that are read along with a header, which usually saves a second read."""
_SENTINELS: Final = (*[IN_ZIP64_SHORT] * 4, IN_ZIP64, IN_ZIP64)
"""The fields of an end record if the values are in the Zip64 end record instead."""
LESS: Final = Mend("pack only what you need of it")
TOO_MANY: Final = Flaw(f"it has more than {ENTRY_LIMIT:,} entries", LESS)
BEHIND: Final = Flaw("bytes follow its end record", REPACK)

_Found: TypeAlias = tuple[Flaw, int | None]
"""A flaw: for an entry, by its index in the table of contents, or for the whole."""


def read_structure(read: Read, size: int) -> tuple[tuple[Entry, ...], tuple[Flaw, ...]]:
    """Read an archive of `size` bytes: its entries, and at most `FAULT_LIMIT` + 1 reasons
    to refuse it.

    If there are more than `FAULT_LIMIT` reasons, it has no entries, as it is refused
    whatever they are.
    """
    directory = _find_directory(read, size)
    if isinstance(directory, Flaw):
        return (), (_unlisted(read, directory),)
    listed = _list(read, directory)
    if isinstance(listed, Flaw):
        return (), (_unlisted(read, listed),)
    judged = [widen(record) for record in listed]
    records = [record for record, _ in judged]
    invalid = [(fault, index) for index, (_, fault) in enumerate(judged) if fault][
        : FAULT_LIMIT + 1
    ]
    starts, faults = _walk(records, read, directory.start, FAULT_LIMIT + 1 - len(invalid))
    found = (*invalid, *faults)
    if len(found) > FAULT_LIMIT:
        return (), tuple(_flaws(found, lambda index: name_of(records[index])))
    entries = entries_of(records, starts)
    flaws = tuple(_flaws(found, lambda index: entries[index].name))
    return tuple(entry for entry in entries if not _is_the_root(entry)), flaws


def _unlisted(read: Read, flaw: Flaw) -> Flaw:
    """Why no entries are known: the flaw, or that the archive was changed as only a text may be."""
    if was_text(read(0, _LOOKED_AT)):
        return AS_TEXT
    return flaw


def without_repeats(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """The entries, with each folder once: two folders that were packed into one may repeat the
    folders in both.

    A folder with data stays, as it is refused.
    """
    folders: set[str] = set()
    once = []
    for entry in entries:
        if entry.kind == "folder" and not entry.size:
            if entry.name in folders:
                continue
            folders.add(entry.name)
        once.append(entry)
    return tuple(once)


def _is_the_root(entry: Entry) -> bool:
    """Whether an entry is the root of the archive, `./`, which says nothing."""
    return entry.name == "." and entry.kind == "folder" and not entry.packed and not entry.size


def _flaws(found: Iterable[_Found], name: Callable[[int], str]) -> Iterator[Flaw]:
    """The flaws, each with the name of its entry."""
    for flaw, index in found:
        if index is None:
            yield flaw
        else:
            yield flaw.at(name(index))


def _find_directory(read: Read, size: int) -> End | Flaw:
    """Find the end record, which must be the only one and end with the file, and the directory
    it leads to.
    """
    tail = read(max(0, size - _TAIL), _TAIL)
    found = (each.start() for each in re.finditer(END_SIGNATURE, tail))
    ends = [at for at in found if at + END_LENGTH <= len(tail)]
    last = [at for at in ends if at + END_LENGTH + read_end(tail, at)[1] == len(tail)]
    if not last and ends and _is_filled_up(tail, ends[-1], size):
        last = ends[-1:]
    if not last and ends:
        return BEHIND
    if not last:
        fault = lookalike(read(0, HEAD_LIMIT))
        if fault == CUT_OFF and _ends_earlier(read, size - len(tail)):
            return BEHIND
        return fault
    if len(last) > 1:
        return Flaw("it has two end records", DISTRUST)
    if any(signature in tail[last[0] + 4 :] for signature in SIGNATURES):
        return Flaw("its comment holds the signature of a record", DISTRUST)
    behind = size - len(tail) + last[0]
    end, _ = read_end(tail, last[0])
    locator = read_locator(read(max(0, behind - LOCATOR_LENGTH), min(behind, LOCATOR_LENGTH)))
    if locator:
        return _through(locator, end, read, behind)
    return _directory(end, read, behind)


def _ends_earlier(read: Read, size: int) -> bool:
    """Whether the first `size` bytes hold an end record, right behind the table of contents that
    it describes.
    """
    whole = re.compile(END_SIGNATURE + b".{%d}" % (END_LENGTH - len(END_SIGNATURE)), re.DOTALL)
    blocks = ((begin, read(begin, _SEARCHED + END_LENGTH)) for begin in range(0, size, _SEARCHED))
    places = (
        (begin, block, found.start()) for begin, block in blocks for found in whole.finditer(block)
    )
    ends = ((begin + at, read_end(block, at)[0]) for begin, block, at in places)
    return any(end.total and end.start + end.length == at for at, end in ends)


def _is_filled_up(tail: bytes, at: int, size: int) -> bool:
    """Whether only the zeros of a last block follow an end record without a comment; every program
    passes them over.
    """
    behind = tail[at + END_LENGTH :]
    return (
        size % _BLOCK == 0
        and len(behind) < _BLOCK
        and not read_end(tail, at)[1]
        and not any(behind)
    )


def _through(locator: tuple[int, int, int], end: End, read: Read, behind: int) -> End | Flaw:
    """Follow an end record to the Zip64 end record, which must be right before its locator."""
    place = behind - LOCATOR_LENGTH - END_64_LENGTH
    disk, offset, disks = locator
    wide = read_end_64(read(place, END_64_LENGTH)) if offset == place else None
    if wide is None or disk or disks > 1:
        return Flaw("its Zip64 end record is not where and what it should be", ANEW)
    fields = zip(astuple(end), astuple(wide), _SENTINELS, strict=True)
    if any(here not in (there, sentinel) for here, there, sentinel in fields):
        return Flaw("its end record and its Zip64 end record contradict each other", ANEW)
    return _directory(wide, read, place)


def _directory(end: End, read: Read, behind: int) -> End | Flaw:
    """Where the table of contents is, which must end at the offset `behind`."""
    if end.disk or end.first_disk or end.here != end.total:
        return Flaw("it is one part of several", UNPACK_WITH_7ZIP)
    if end.total > ENTRY_LIMIT:
        return TOO_MANY
    if end.length > DIRECTORY_LIMIT:
        return Flaw(f"its table of contents is larger than {DIRECTORY_LIMIT // 1024**2} MiB", LESS)
    if end.start + end.length != behind:
        return Flaw(
            "its table of contents is not where its end record says",
            _shift_mended(end, read, behind),
        )
    return end


def _shift_mended(end: End, read: Read, behind: int) -> Mend:
    """What to do if the table of contents does not begin where it should: bytes before the archive
    may be left out.
    """
    is_shifted = 0 < end.length <= behind and read(behind - end.length, 4) == CENTRAL_SIGNATURE
    if is_shifted and read(0, 4) != LOCAL_SIGNATURE:
        return REPACK
    return ANEW


def _before(read: Read) -> Flaw:
    """Why an archive with bytes before its first entry is refused; if they are entries, it is
    two archives.
    """
    mend = REPACK
    if read(0, 4) == LOCAL_SIGNATURE:
        mend = DISTRUST
    return Flaw("bytes lie before its first entry", mend)


def _list(read: Read, directory: End) -> list[CentralRecord] | Flaw:
    """The records in the table of contents, which must be as many as its end record says."""
    data = read(directory.start, directory.length)
    records: list[CentralRecord] = []
    at = 0
    while at < len(data) and len(records) <= directory.total:
        record, at = read_central_record(data, at)
        if record is None:
            return Flaw("its table of contents is damaged", ANEW)
        records.append(record)
    if len(records) != directory.total or at != directory.length:
        return Flaw("its end record counts other entries than it lists", ANEW)
    return records


def _walk(
    records: list[CentralRecord], read: Read, end: int, most: int
) -> tuple[dict[int, tuple[int, bool]], list[_Found]]:
    """Visit the local headers in the order of their offsets, until there are `most` faults.

    Return where the data of each begins and whether it is streamed, by its index, and the faults.
    """
    order = sorted(range(len(records)), key=lambda index: records[index].offset)
    offsets = [*(records[index].offset for index in order), end]
    starts: dict[int, tuple[int, bool]] = {}
    faults: list[_Found] = [(_before(read), None)] if offsets[0] else []
    for index, behind in zip(order, offsets[1:], strict=True):
        if len(faults) >= most:
            break
        start, fault = _visit(records[index], read, behind)
        if start:
            starts[index] = start
        if fault:
            faults.append((fault, index))
    return starts, faults[:most]


def _visit(
    record: CentralRecord, read: Read, behind: int
) -> tuple[tuple[int, bool] | None, Flaw | None]:
    """Where the data of an entry begins, and the first reason not to trust the bytes up to the
    next record.
    """
    block = read(record.offset, LOCAL_LENGTH + len(record.name) + _USUAL_EXTRA)
    if len(block) < LOCAL_LENGTH or not block.startswith(LOCAL_SIGNATURE):
        return None, Flaw("there is no header where the table of contents says", ANEW)
    name_end = LOCAL_LENGTH + int.from_bytes(block[26:28], "little")
    length = name_end + int.from_bytes(block[28:30], "little")
    if length > len(block):
        block = read(record.offset, length)
    start = record.offset + length
    streamed = bool(block[6] & STREAMED)
    data_end = start + record.packed
    if data_end > behind:
        return (start, streamed), Flaw("it overlaps what lies behind it", DISTRUST)
    followed = data_end < behind
    fault = header_fault(
        record, block, block[LOCAL_LENGTH:name_end], block[name_end:length], is_followed=followed
    )
    if fault is None and followed:
        fault = STRAY
        if streamed:
            fault = descriptor_fault(
                record, read(data_end, min(behind - data_end, DESCRIPTOR_LENGTH + 1))
            )
    return (start, streamed), fault
