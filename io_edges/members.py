"""Members: open what an archive file stands for, be it the file itself or an archive in it."""

import io
from collections.abc import Iterator
from contextlib import contextmanager

from msgspec.structs import replace

from io_edges.zips import Damage, OpenArchive, open_archive, read_archive
from pipeline.archives import ArchiveFile, Entry
from pipeline.bundles import INNER_LIMIT


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
