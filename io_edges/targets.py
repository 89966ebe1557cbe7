"""Targets: compare what stands in the project with what an archive would put there."""

import os
from collections.abc import Iterator
from pathlib import Path, PurePath

from io_edges.members import open_member
from io_edges.stop import Stop, filesystem
from io_edges.zips import Damage, OpenArchive
from pipeline.archives import Entry, is_junk
from pipeline.choices import Choice
from pipeline.plan import Target, path_of
from pipeline.problems import ArchiveRejected

_CHUNK = 256 * 1024


def compare(choice: Choice, project: PurePath) -> Target:
    """Say whether a component is absent, stands already byte for byte, or differs and where."""
    path = path_of(choice)
    with filesystem(project / path):
        if blocked := in_the_way(project, path):
            return blocked
        target = Path(project / path)
        if not target.exists():
            return Target("absent")
        differing = tuple(sorted(_differing(choice, target)))
    return Target("different", tuple(f"{path}/{name}" for name in differing)) if differing else Target("same")


def in_the_way(project: PurePath, path: str) -> Target | None:
    """A link on the way to a folder of the project, which could lead anywhere, or a file."""
    for part in (*reversed(PurePath(path).parents[:-1]), PurePath(path)):
        there = Path(project / part)
        if there.is_symlink():
            return Target("link", (part.as_posix(),))
        if there.exists() and not there.is_dir():
            return Target("file", (part.as_posix(),))
    return None


def _differing(choice: Choice, target: Path) -> Iterator[str]:
    root, file = choice.component.root, choice.archive.file
    present = set(_files(target))
    try:
        with open_member(file) as opened:
            entries = (entry for entry in opened.entries if not is_junk(entry.name) and entry.kind != "folder")
            wanted = {entry.name[len(root) :]: entry for entry in entries if entry.name.startswith(root)}
            yield from present ^ wanted.keys()
            for name in present & wanted.keys():
                if not _same(opened, wanted[name], target / name):
                    yield name
    except Damage as damage:
        raise Stop(ArchiveRejected(file.shown, damage.reason, damage.entry)) from damage


def _files(target: Path) -> Iterator[str]:
    """Every file and link below a folder, by its path in it."""
    for folder, folders, files in os.walk(target, onerror=_refused):
        links = [name for name in folders if (Path(folder) / name).is_symlink()]
        for name in (*files, *links):
            yield (Path(folder) / name).relative_to(target).as_posix()


def _refused(error: OSError) -> None:
    raise error


def _same(opened: OpenArchive, entry: Entry, path: Path) -> bool:
    if entry.kind == "link" or path.is_symlink():
        return path.is_symlink() and str(path.readlink()) == entry.target
    status = path.stat()
    executable = bool(mode_of(entry) & ~_umask() & 0o100)
    if not path.is_file() or status.st_size != entry.size or bool(status.st_mode & 0o100) != executable:
        return False
    with path.open("rb") as file:
        return all(file.read(len(chunk)) == chunk for chunk in opened.chunks(entry))


def mode_of(entry: Entry) -> int:
    """The mode that a file is written with, before the umask."""
    return 0o755 if entry.executable else 0o644


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
