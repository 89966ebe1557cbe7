"""Members: open the archive that an `ArchiveFile` stands for: the file itself, or an archive in it."""

import io
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Self

from msgspec.structs import replace

from io_edges.archives.zips import Damage, OpenArchive, open_archive, read_archive
from pipeline.archives.archive import ArchiveFile, Entry
from pipeline.archives.bundles import INNER_LIMIT
from pipeline.archives.vet import vet
from pipeline.report.problems import ArchiveRejected


@contextmanager
def open_member(file: ArchiveFile) -> Iterator[OpenArchive]:
    """Open an archive, which may be a member of a bundle. Raises `Damage` and `OSError`."""
    with open_archive(file.path) as outer, _member(outer, file.inner) as opened:
        yield opened


@contextmanager
def _member(outer: OpenArchive, inner: str) -> Iterator[OpenArchive]:
    """The archive itself, or the one in it that is the entry `inner`."""
    if not inner:
        yield outer
        return
    entry = next((entry for entry in outer.entries if entry.name == inner), None)
    if entry is None:
        raise Damage("it changed while it was read", inner)
    with open_inner(outer, entry) as opened:
        yield opened


@contextmanager
def open_inner(outer: OpenArchive, entry: Entry) -> Iterator[OpenArchive]:
    """Read an archive in another one into memory, and open it. Raises `Damage` and `OSError`."""
    if entry.size > INNER_LIMIT:
        raise Damage(f"it has more than {INNER_LIMIT // 1024**2} MiB; put it in the drop by itself")
    content = io.BytesIO()
    for chunk in outer.chunks(entry):
        content.write(chunk)
    yield replace(read_archive(content), stamp=outer.stamp)


class Opener:
    """Opens archives one at a time, and a bundle only once for all of its members that follow one another."""

    def __init__(self) -> None:
        self._files, self._members = ExitStack(), ExitStack()
        self._file: tuple[object, OpenArchive] | None = None
        self._member: tuple[str, OpenArchive, tuple[ArchiveRejected, ...]] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._members.close()
        self._files.close()

    def open(self, file: ArchiveFile) -> tuple[OpenArchive, tuple[ArchiveRejected, ...]]:
        """Open an archive; return it and the reasons to refuse it as a whole. Raises `Damage` and `OSError`."""
        if self._file is None or self._file[0] != file.path:
            self.__exit__()
            self._file = self._member = None
            self._file = file.path, self._files.enter_context(open_archive(file.path))
        if self._member is None or self._member[0] != file.inner:
            self._members.close()
            self._member = None
            opened = self._members.enter_context(_member(self._file[1], file.inner))
            self._member = file.inner, opened, vet(file.display_path, opened.entries, found=opened.refusals)
        return self._member[1:]
