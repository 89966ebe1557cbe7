"""Atomic: replace a file so that a kill at any moment leaves the old content or the new, and never a part."""

import os
import stat
from pathlib import Path, PurePath

from io_edges.disk import why
from io_edges.folder import Folder
from io_edges.stop import Stop, filesystem
from pipeline.problems import FileSystemProblem


def replace_file(path: PurePath, content: bytes, *, follow: bool = False, like: PurePath | str | None = None) -> None:
    """Write a file beside where it belongs, sync it, and rename it over what is there.

    With `follow` a link stays a link, and the file that it leads to is replaced. The mode is that of the file `like`,
    or of the one that is replaced; of a new file 0644 less the umask. Raises `Stop` with a `FileSystemProblem`.
    """
    try:
        target = Path(os.path.realpath(path)) if follow else Path(path)
        with Folder.at(str(target.parent)) as folder:
            folder.replace(target.name, content, mode=_mode_of(Path(like) if like else target))
    except OSError as error:
        raise Stop(FileSystemProblem(str(path), why(error))) from error
    except ValueError as error:  # a NUL in a path
        raise Stop(FileSystemProblem(str(path), str(error))) from error


def back_up(path: PurePath, content: bytes, stem: str) -> PurePath:
    """Keep the content of a file beside it, as `<stem>.bak` or `<stem>-2.bak`…; never over another. Raises `Stop`."""
    names = (f"{stem}.bak", *(f"{stem}-{number}.bak" for number in range(2, 1000)))
    with filesystem(path):
        for backup in map(Path(path).with_name, names):
            if not os.path.lexists(backup):
                replace_file(backup, content, like=os.path.realpath(path))
                return backup
            if backup.is_file() and not backup.is_symlink() and backup.read_bytes() == content:
                return backup
    raise Stop(FileSystemProblem(str(path), "there are too many backups beside it"))


def _mode_of(path: Path) -> int | None:
    """The permissions of a file, if it is there."""
    try:
        status = path.lstat()
    except FileNotFoundError:
        return None
    return stat.S_IMODE(status.st_mode) & 0o777 if stat.S_ISREG(status.st_mode) else None
