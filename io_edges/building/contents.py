"""Contents: what is in files, where they are merged or compared by lines.

What reads archives is imported where it is used: it costs start-up time, and an unchanged project needs none of it.
"""

from collections.abc import Collection, Iterable, Sequence

from io_edges.building.cache import OpenCache
from io_edges.building.project import ProjectView
from io_edges.system.dir_chain import DirChain
from pipeline.building.draft import Contents
from pipeline.building.line_merge import MOST_BYTES
from pipeline.building.record import Files, RecordedComponent
from pipeline.report.outcome import BuildOutcome
from pipeline.selection.choices import Choice

_ENOUGH = MOST_BYTES + 1
"""Bytes that show that there are too many."""


def contents_in(view: ProjectView, cache: OpenCache) -> Contents:
    """What is asked of the files of a project, of the archives of the drop, and of those that are kept."""
    return Contents(
        there=lambda path, names: _there(view, path, names),
        given=lambda choice, names: _given(choice, names, cache),
        built=lambda recorded, names: _built(view, recorded, names),
    )


def files_given(choices: Sequence[Choice], cache: OpenCache) -> list[BuildOutcome[Files]]:
    """The files that building components gives, with digests, or why an archive is refused. Raises `OSError`."""
    if not choices:
        return []
    from io_edges.building.given import files_given as given

    return given(choices, cache.vetted)


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


def _given(choice: Choice, names: Collection[str], cache: OpenCache) -> dict[str, bytes]:
    """What an archive of the drop has. Raises `Damage` and `OSError`."""
    from io_edges.building.given import texts_given

    return texts_given(choice, names, _ENOUGH, cache.vetted)


def _built(view: ProjectView, recorded: RecordedComponent, names: Iterable[str]) -> dict[str, bytes]:
    """What the kept archive has. Raises `OSError`."""
    if view.folder is None:
        return {}
    from io_edges.building.kept import kept_archive

    with kept_archive(view.folder, recorded) as read:
        if read is None:
            return {}
        found = ((name, read(name)) for name in names)
        return {name: content[:_ENOUGH] for name, content in found if content is not None}
