"""Kept: the archives that components were built from, in `.tool/archives/`, each named after its digest.

They are the base of a merge by lines, and what a component is compared with. One counts only if its digest is right.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import PurePath
from typing import TypeAlias

from io_edges.archives.data import Damage
from io_edges.archives.examine import look_into
from io_edges.archives.members import Opener
from io_edges.system.folder import Folder
from pipeline.archives.archive import Archive, ArchiveFile, contents
from pipeline.building.layout import ARCHIVES
from pipeline.building.record import RecordedComponent

ReadFile: TypeAlias = Callable[[str], bytes | None]
"""Gives the bytes of a file of a component by its path there; `None` if the archive has no such file."""


@contextmanager
def kept_archive(project: Folder, recorded: RecordedComponent) -> Iterator[ReadFile | None]:
    """What reads the files of a component as the archive has them that it was built from; `None` if that is not kept.

    Raises `OSError` where the disk refuses to read it.
    """
    archive = _found(project, recorded)
    if archive is None or archive.component is None:
        yield None
        return
    with Opener() as opener:
        vetted = opener.open(archive.file)
        entries = dict(contents(vetted.index.below(archive.component.root), archive.component.root))

        def read(path: str) -> bytes | None:
            entry = entries.get(path)
            if entry is None or entry.kind != "file":
                return None
            try:
                return b"".join(vetted.opened.chunks(entry))
            except Damage:
                return None

        yield read


def _found(project: Folder, recorded: RecordedComponent) -> Archive | None:
    """The archive in its folder, or the member of a bundle, that has the files of a component."""
    if not is_digest(recorded.digest) or project.status(kept_path(recorded.digest)) is None:
        return None
    path = PurePath(project.path, kept_path(recorded.digest))
    found = look_into(ArchiveFile(path=path, display_path=path.name))
    return next((each for each in found if (each.digest, each.content) == (recorded.digest, recorded.content)), None)


def kept_path(digest: str) -> str:
    """The path of a kept archive in the project."""
    return f"{ARCHIVES}/{digest}.zip"


def is_digest(text: str) -> bool:
    """Whether a text is the digest of an archive, and thus safe as a name."""
    return bool(re.fullmatch(r"[0-9a-f]{64}", text))
