"""Targets: what is already in the project where a component goes, and what its archive gives."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from itertools import compress
from typing import Final

from returns.result import Failure, Success

from io_edges.archives.data import Damage
from io_edges.archives.zips import OpenArchive, Opener, Vetted
from io_edges.building.project import ProjectView
from io_edges.report.progress import Bar
from io_edges.system.helpers import share
from io_edges.system.mounts import mounts_below
from io_edges.system.trees import NOTHING, holds, survey
from pipeline.archives.archive import Component, Entry, contents
from pipeline.archives.installed import installed
from pipeline.building.fixed import inside
from pipeline.building.record import Files, FileState
from pipeline.building.stamps import KnownFiles
from pipeline.building.steps import Target
from pipeline.report.outcome import BuildOutcome
from pipeline.selection.choices import Choice

_FILE: Final = 2048
"""What looking at a file counts, in bytes of work: from 4,000 files on a helper saves more than it costs."""


def place_at(path: str, project: ProjectView) -> Target:
    """Look at what is in a component's place, but not at its files. Raises `OSError`."""
    if project.folder is None:
        return Target()
    if obstacle := project.folder.obstacle(path):
        return Target(standing=obstacle[1], obstacle=obstacle[0])
    return Target(standing="present" if project.folder.status(path) else "absent")


def target_at(path: str, project: ProjectView, known: KnownFiles, mounts: tuple[str, ...] = ()) -> Target:
    """Look at what is in a component's place, and at its files. Raises `OSError`."""
    place = place_at(path, project)
    if project.folder is None or place.standing != "present":
        return place
    snapshot = survey(project.folder, path, known)
    return Target(standing="present", files=snapshot.files, known=snapshot.known, mounts=mounts)


def targets_at(paths: Sequence[str], project: ProjectView) -> dict[str, Target]:
    """As `target_at`, of many, with helpers if they hold many files. Raises `OSError`.

    Helpers find out which components are as the last run left them. All others are looked at by this process.
    """
    bar, last = Bar("", 0, visible=False), project.state.components
    likely = [path for path in paths if project.folder and path in last]

    def is_as_left(path: str) -> bool:
        with suppress(OSError):  # which this process will report, when it looks itself
            if project.folder and not project.folder.obstacle(path):
                each = last[path]
                tick = partial(bar.advance, 1)
                return holds(project.folder, path, each.component.files, each.known, tick)
        return False

    mounts = mounts_below(project.folder) if project.folder else ()
    are_as_left = share(likely, [_FILE * len(last[path].known) for path in likely], is_as_left, bar)
    unchanged = set(compress(likely, are_as_left))
    return {
        path: Target(
            standing="present",
            files=last[path].component.files,
            known=last[path].known,
            mounts=inside(path, mounts),
        )
        if path in unchanged
        else target_at(path, project, last[path].known if path in last else NOTHING, inside(path, mounts))
        for path in paths
    }


def installed_at(found: Mapping[str, Files], project: ProjectView) -> dict[str, Component | None]:
    """What components say that they are, given their files. Raises `OSError`."""
    places = project.record.places
    return {
        path: installed(places.kind_of(path), path.rpartition("/")[2], files, partial(_peek, project, path))
        for path, files in found.items()
    }


def _peek(project: ProjectView, path: str, name: str, limit: int) -> bytes | None:
    """The first bytes of a file of a component; `None` if there is no such file, or it cannot be read."""
    above, _, last = f"{path}/{name}".rpartition("/")
    with suppress(OSError):
        if project.folder:
            with project.folder.inner(above) as folder:
                return folder.read(last, limit)
    return None


def contents_of(choices: Iterable[Choice], vetted: Vetted) -> list[BuildOutcome[Files]]:
    """The files that building components gives, with digests, or why an archive is refused. Raises `OSError`."""
    with Opener(vetted) as opener:
        return [_files_of(choice, opener) for choice in choices]


def _files_of(choice: Choice, opener: Opener) -> BuildOutcome[Files]:
    archive, root = choice.archive, choice.component.root
    try:
        opened = opener.open(archive.file)
        if opened.rejections:
            return Failure(opened.rejections)
        entries = without_parents(contents(opened.index.below(root), root))
        return Success({name: _state(entry, opened) for name, entry in entries})
    except Damage as damage:
        return Failure((damage.rejection_of(archive.file),))


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
