"""Members: open the archive that an `ArchiveFile` stands for: the file itself, or an archive in it."""

import io
from contextlib import ExitStack
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from io_edges.archives.data import Damage
from io_edges.archives.zips import OpenArchive, Vetted, open_archive, read_archive
from pipeline.archives.archive import ArchiveFile, Entry, EntryIndex
from pipeline.archives.bundles import INNER_LIMIT
from pipeline.archives.vet import vet
from pipeline.report.problems.archives import ArchiveRejected


def open_inner(outer: OpenArchive, entry: Entry | None, name: str) -> OpenArchive:
    """Read an archive in another one into memory, given its entry, if it is there. Raises `Damage`, `OSError`."""
    if entry is None:
        raise Damage("it changed while it was read", name)
    if entry.size > INNER_LIMIT:
        raise Damage(f"it has more than {INNER_LIMIT // 1024**2} MiB; put it in the drop by itself")
    content = io.BytesIO()
    for chunk in outer.chunks(entry):
        content.write(chunk)
    return replace(read_archive(content), stamp=outer.stamp)


class VettedArchive(Struct, frozen=True):
    """An open archive, its entries by folder, and the reasons to refuse it as a whole."""

    opened: OpenArchive
    index: EntryIndex
    refusals: tuple[ArchiveRejected, ...]


class Opener:
    """Opens archives one at a time, and a bundle only once for all of its members that follow one another."""

    def __init__(self, vetted: Vetted | None = None) -> None:
        self._vetted = vetted
        self._files = ExitStack()
        self._outer: tuple[str, OpenArchive, EntryIndex] | None = None
        self._inner: tuple[str, VettedArchive] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._files.close()

    def open(self, file: ArchiveFile) -> VettedArchive:
        """Open the archive that a file or a member of a bundle is in. Raises `Damage` and `OSError`."""
        path, inner = file.zip_file
        if self._outer is None or self._outer[0] != path:
            self._outer = self._inner = None
            self._files.close()
            opened = self._files.enter_context(open_archive(file.path, self._vetted))
            self._outer = path, opened, EntryIndex(opened.entries)
        if self._inner is None or self._inner[0] != inner:
            self._inner = None  # so that only one archive of a bundle is in memory
            _, opened, index = self._outer
            if inner:
                opened = open_inner(opened, index.entry(inner), inner)
                index = EntryIndex(opened.entries)
            refusals = () if opened.vetted else vet(file.display_path, opened.entries, opened.refusals)
            self._inner = inner, VettedArchive(opened, index, refusals)
        return self._inner[1]
