"""Targets: what is already in the project where a component goes, and what its archive gives."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from typing import Final

from msgspec import Struct

from io_edges.archives.data import Damage
from io_edges.archives.members import Opener
from io_edges.archives.zips import OpenArchive
from io_edges.building.project import ProjectView
from io_edges.report.progress import Bar
from io_edges.system.helpers import share
from io_edges.system.stop import Stop
from io_edges.system.trees import NOTHING, holds, survey
from pipeline.archives.archive import Entry, contents
from pipeline.building.cache import KnownFiles
from pipeline.building.plan import Target
from pipeline.building.record import Files, FileState
from pipeline.selection.choices import Choice

_FILE: Final = 2048
"""What looking at a file counts, in bytes of work: from 4,000 files on a helper saves more than it costs."""


class _Checked(Struct, frozen=True):
    is_as_recorded: bool


def place_at(path: str, project: ProjectView) -> Target:
    """Look at what is in a component's place, but not at its files. Raises `OSError`."""
    if project.folder is None:
        return Target()
    if obstacle := project.folder.obstacle(path):
        return Target(standing=obstacle[1], obstacle=obstacle[0])
    return Target(standing="present" if project.folder.status(path) else "absent")


def target_at(path: str, project: ProjectView, known: Mapping[str, KnownFiles]) -> Target:
    """Look at what is in a component's place, and at its files. Raises `OSError`."""
    place = place_at(path, project)
    if project.folder is None or place.standing != "present":
        return place
    snapshot = survey(project.folder, path, known.get(path, NOTHING))
    return Target(standing="present", files=snapshot.files, known=snapshot.known)


def targets_at(paths: Sequence[str], project: ProjectView, known: Mapping[str, KnownFiles]) -> dict[str, Target]:
    """As `target_at`, of many, with helpers if they hold many files. Raises `OSError`.

    Helpers find out which components are as recorded. All others are looked at by this process.
    """
    bar, recorded = Bar("", 0, visible=False), project.record.components
    likely = [path for path in paths if project.folder and path in recorded and path in known]

    def check(path: str) -> _Checked:
        with suppress(OSError):  # which this process will report, when it looks itself
            if project.folder and not project.folder.obstacle(path):
                files = recorded[path].files
                return _Checked(holds(project.folder, path, files, known[path], partial(bar.advance, 1)))
        return _Checked(False)

    checked = share(likely, [_FILE * len(known[path]) for path in likely], check, _Checked, bar)
    unchanged = {path for path, each in zip(likely, checked, strict=True) if each.is_as_recorded}
    return {
        path: Target(standing="present", files=recorded[path].files, known=known[path])
        if path in unchanged
        else target_at(path, project, known)
        for path in paths
    }


def archive_files(choice: Choice, target: Target, project: ProjectView, opener: Opener) -> Files:
    """The files that building a component gives, to be compared with what is there. Raises `OSError`.

    Nothing is read where nothing is there, nor if the record comes from the same archive. Raises `Stop` if the archive
    is refused.
    """
    recorded = project.record.components.get(choice.component.path)
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
