"""Targets: what is already in the project where a component goes, and what its archive gives."""

from collections.abc import Mapping
from hashlib import sha256

from io_edges.archives.data import Damage
from io_edges.archives.members import Opener
from io_edges.archives.zips import OpenArchive
from io_edges.building.project import ProjectView
from io_edges.system.stop import Stop
from io_edges.system.trees import NOTHING, survey
from pipeline.archives.archive import Entry, contents
from pipeline.building.cache import KnownFiles
from pipeline.building.plan import Target, path_of
from pipeline.building.record import Files, FileState
from pipeline.selection.choices import Choice


def target_at(path: str, project: ProjectView, known: Mapping[str, KnownFiles]) -> Target:
    """Look at what is in a component's place. Raises `OSError`."""
    if project.folder is None:
        return Target()
    if obstacle := project.folder.obstacle(path):
        return Target(standing=obstacle[1], obstacle=obstacle[0])
    if not project.folder.status(path):
        return Target()
    snapshot = survey(project.folder, path, known.get(path, NOTHING))
    return Target(standing="present", files=snapshot.files, stamps=snapshot.stamps)


def archive_files(choice: Choice, target: Target, project: ProjectView, opener: Opener) -> Files:
    """The files that building a component gives, to be compared with what is there. Raises `OSError`.

    Nothing is read where nothing is there, nor if the record comes from the same archive. Raises `Stop` if the archive
    is refused.
    """
    recorded = project.record.components.get(path_of(choice))
    if target.standing != "present":
        return {}
    if recorded and recorded.comes_from(choice.archive):
        return recorded.files
    return read_files(choice, opener)


def read_files(choice: Choice, opener: Opener) -> Files:
    """The files that building a component gives, with digests. Raises `Stop` if the archive is refused."""
    archive, root = choice.archive, choice.component.root
    try:
        vetted = opener.open(archive.file)
        if vetted.refusals:
            raise Stop(*vetted.refusals)
        entries = without_parents(contents(vetted.index.below(root), root))
        return {name: _state(entry, vetted.opened) for name, entry in entries}
    except Damage as damage:
        raise Stop(damage.rejection_of(archive.file)) from damage


def without_parents(entries: tuple[tuple[str, Entry], ...]) -> tuple[tuple[str, Entry], ...]:
    """Entries without the folders that others imply."""
    implied: set[str] = set()
    for name, _ in entries:
        above = name.rpartition("/")[0]
        while above and above not in implied:
            implied.add(above)
            above = above.rpartition("/")[0]
    return tuple((name, entry) for name, entry in entries if entry.kind != "folder" or (name and name not in implied))


def _state(entry: Entry, opened: OpenArchive) -> FileState:
    if entry.kind == "folder":
        return FileState(kind="folder")
    if entry.kind == "link":
        return FileState(kind="link", target=entry.target)
    digest = sha256()
    for chunk in opened.chunks(entry):
        digest.update(chunk)
    return FileState(executable=entry.executable, digest=digest.hexdigest())
