"""Targets: what is already in the project where a component goes, and whose it is."""

import os
from collections.abc import Iterable
from hashlib import sha256

from io_edges.archives.members import Opener
from io_edges.archives.zips import Damage, OpenArchive
from io_edges.building.project import Project
from io_edges.system.stop import Stop
from io_edges.system.trees import survey
from pipeline.archives.archive import Entry, contents
from pipeline.building.plan import Target, path_of
from pipeline.building.record import FileState, RecordedComponent, is_untouched, users_contents, users_files
from pipeline.selection.choices import Choice


def targets_of(choices: Iterable[Choice], project: Project) -> tuple[Target, ...]:
    """Compare selected components with what is already where they go. Raises `Stop` and `OSError`.

    Each archive is opened once at most, however many components it has.
    """
    by_archive = sorted(enumerate(choices), key=lambda numbered: numbered[1].archive.file.zip_file)
    with Opener() as opener:
        targets = {number: _target_of(choice, project, opener) for number, choice in by_archive}
    return tuple(targets[number] for number in sorted(targets))


def _target_of(choice: Choice, project: Project, opener: Opener) -> Target:
    path, folder = path_of(choice), project.folder
    recorded = project.record.components.get(path)
    standing = standing_at(path, project)
    if standing.standing != "same" or folder is None:
        return standing
    seen = standing.seen
    fresh = recorded is not None and recorded.comes_from(choice.archive)
    if recorded and fresh and is_untouched(recorded.files, seen):
        return Target(standing="same", seen=seen, recorded=recorded)
    written = recorded.files if recorded else _files_of(choice, opener)
    read = survey(folder, path, read=True)
    users = users_files(written, read) if recorded else users_contents(written, read)
    whole = read.keys() == written.keys() and not users_files(written, read)
    if whole and (fresh or not recorded):
        return Target(standing="same", seen=seen, recorded=as_recorded(choice, read))
    return Target(standing="different" if users else "stale", users=users, seen=seen)


def removal_of(path: str, project: Project) -> Target:
    """Examine what is where a recorded component is to be removed. Raises `OSError`."""
    standing = standing_at(path, project)
    if standing.standing != "same" or project.folder is None:
        return standing
    users = users_files(project.record.components[path].files, survey(project.folder, path, read=True))
    return Target(standing="different" if users else "stale", users=users, seen=standing.seen)


def standing_at(path: str, project: Project) -> Target:
    """The files of the component at a path, or the obstacle that is there instead. Raises `OSError`."""
    if project.folder is None:
        return Target(standing="absent")
    if obstacle := project.folder.obstacle(path):
        return Target(standing=obstacle[1], obstacle=obstacle[0])
    there = project.folder.look(path)
    return Target(standing="same", seen=survey(project.folder, path)) if there else Target(standing="absent")


def as_recorded(choice: Choice, files: dict[str, FileState]) -> RecordedComponent:
    """What the record says about a component that is as its archive has it."""
    archive = choice.archive
    return RecordedComponent(
        archive=archive.file.display_path, digest=archive.digest, content=archive.content, files=files
    )


def _files_of(choice: Choice, opener: Opener) -> dict[str, FileState]:
    """The files that building the archive would give, read from it."""
    file, root = choice.archive.file, choice.component.root
    try:
        vetted = opener.open(file)
        built = contents(vetted.index.below(root), root)
        return {name: _state(entry, vetted.opened) for name, entry in built if entry.kind != "folder"}
    except Damage as damage:
        raise Stop(damage.rejection_of(file)) from damage


def _state(entry: Entry, opened: OpenArchive) -> FileState:
    if entry.kind == "link":
        return FileState(kind="link", target=entry.target)
    digest = sha256()
    for chunk in opened.chunks(entry):
        digest.update(chunk)
    return FileState(size=entry.size, executable=bool(mode_of(entry) & ~_umask() & 0o100), digest=digest.hexdigest())


def mode_of(entry: Entry) -> int:
    """The mode that a file is written with, before the umask."""
    return 0o755 if entry.executable else 0o644


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
