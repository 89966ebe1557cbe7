"""Members: open what an archive file stands for, be it the file itself or an archive in it."""

import io
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Self

from msgspec.structs import replace

from io_edges.zips import Damage, OpenArchive, open_archive, read_archive
from pipeline.archives import ArchiveFile, Entry
from pipeline.bundles import INNER_LIMIT
from pipeline.problems import ArchiveRejected
from pipeline.vet import vet


@contextmanager
def open_member(file: ArchiveFile) -> Iterator[OpenArchive]:
    """Open an archive, or the archive in a bundle that a member is. Raises `Damage` and `OSError`."""
    with open_archive(file.path) as outer:
        if not file.inner:
            yield outer
            return
        entry = next((entry for entry in outer.entries if entry.name == file.inner), None)
        if entry is None:
            raise Damage("it changed while it was read", file.inner)
        with open_inner(outer, entry) as inner:
            yield inner


@contextmanager
def open_inner(outer: OpenArchive, entry: Entry) -> Iterator[OpenArchive]:
    """Open an archive that lies in another, from memory. Raises `Damage`."""
    if entry.size > INNER_LIMIT:
        raise Damage(f"it has more than {INNER_LIMIT // 1024**2} MiB; put it in the drop by itself")
    content = io.BytesIO()
    for chunk in outer.chunks(entry):
        content.write(chunk)
    yield replace(read_archive(content), stamp=outer.stamp)


class Opener:
    """Opens what archive files stand for, one at a time: a bundle is not opened anew for each of its members."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._key: object = None
        self._opened: OpenArchive | None = None
        self._refusals: tuple[ArchiveRejected, ...] = ()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def open(self, file: ArchiveFile) -> tuple[OpenArchive, tuple[ArchiveRejected, ...]]:
        """Give the archive, and every reason to refuse it as a whole. Raises `Damage` and `OSError`."""
        key = file.path, file.inner
        if self._opened is None or self._key != key:
            self._stack.close()
            self._opened = None
            self._opened, self._key = self._stack.enter_context(open_member(file)), key
            self._refusals = vet(file.shown, self._opened.entries, found=self._opened.refusals)
        return self._opened, self._refusals
