"""Contents: what is in files, where they are merged or compared by lines."""

from collections.abc import Collection, Iterable

from io_edges.archives.members import Opener
from io_edges.archives.zips import Vetted
from io_edges.building.kept import kept_archive
from io_edges.building.project import ProjectView
from io_edges.system.dir_chain import DirChain
from pipeline.archives.archive import contents
from pipeline.building.draft import Contents
from pipeline.building.line_merge import MOST_BYTES
from pipeline.building.record import RecordedComponent
from pipeline.selection.choices import Choice

_ENOUGH = MOST_BYTES + 1
"""Bytes that show that there are too many."""


def contents_in(view: ProjectView, vetted: Vetted) -> Contents:
    """What is asked of the files of a project, of the archives of the drop, and of those that are kept."""
    return Contents(
        there=lambda path, names: _there(view, path, names),
        given=lambda choice, names: _given(choice, names, vetted),
        built=lambda recorded, names: _built(view, recorded, names),
    )


def _there(view: ProjectView, path: str, names: Iterable[str]) -> dict[str, bytes]:
    """What is on the disk. Raises `OSError`."""
    read: dict[str, bytes] = {}
    if view.folder is None:
        return read
    with DirChain(view.folder) as chain:
        for name in names:
            above, _, last = f"{path}/{name}".rpartition("/")
            folder = chain.found(above)
            content = folder.read(last, _ENOUGH) if folder else None
            if content is not None:
                read[name] = content
    return read


def _given(choice: Choice, names: Collection[str], vetted: Vetted) -> dict[str, bytes]:
    """What an archive of the drop has. Raises `Damage` and `OSError`."""
    with Opener(vetted) as opener:
        opened = opener.open(choice.archive.file)
        root = choice.component.root
        entries = {name: entry for name, entry in contents(opened.index.below(root), root) if name in names}
        return {name: _first(opened.opened.chunks(entry)) for name, entry in entries.items()}


def _first(chunks: Iterable[bytes]) -> bytes:
    """The beginning of a content, as long as is needed to see that it is too long."""
    content = bytearray()
    for chunk in chunks:
        content += chunk
        if len(content) > MOST_BYTES:
            break
    return bytes(content[:_ENOUGH])


def _built(view: ProjectView, recorded: RecordedComponent, names: Iterable[str]) -> dict[str, bytes]:
    """What the kept archive has. Raises `OSError`."""
    if view.folder is None:
        return {}
    with kept_archive(view.folder, recorded) as read:
        if read is None:
            return {}
        found = ((name, read(name)) for name in names)
        return {name: content[:_ENOUGH] for name, content in found if content is not None}
