"""Git: what the repository of a project, if there is one, does to files. No program is run."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import PurePath
from typing import Final

from toolz import concat

from pipeline.archives.entry_names import folders_above
from pipeline.building.git import changed_line_ends, hidden_files, tracked_files
from pipeline.building.places import Places
from pipeline.building.record import Record
from pipeline.report.problems.disk import GitChangesLineEnds, GitLeavesOut
from pipeline.report.subject import Note

_LIMIT: Final = 256 * 1024
"""The largest file of git that is read, in bytes."""
_IGNORE: Final = "/.gitignore"
_IGNORE_LIMIT: Final = 16 * 1024
"""The largest `.gitignore` that matters for what it hides: it comes from anywhere."""
_INDEX_LIMIT: Final = 64 * 1024 * 1024
"""The largest index."""


def git_notes(project: PurePath, record: Record) -> Iterator[Note]:
    """What git, going by its files, would change of what is built, or leave out."""
    folders = (project, *project.parents)
    top = next((folder for folder in folders if os.path.lexists(folder / ".git")), None)
    if top and record.components:
        yield from _line_end_notes(top, project, record.places)
        yield from _ignore_notes(top, project, record)


def _line_end_notes(top: PurePath, project: PurePath, places: Places) -> Iterator[GitChangesLineEnds]:
    shelves = (places.modules, places.themes)
    inside = {above for each in shelves for above in (*folders_above(each), each)}
    looked_at = dict.fromkeys((top, project, *(project / each for each in sorted(inside))))
    shared = _shared(top)
    attributes = (*(place / ".gitattributes" for place in looked_at), shared / "info/attributes")
    ignored = (*(place / ".gitignore" for place in looked_at), shared / "info/exclude")
    users = map(os.path.expanduser, ("~/.config/git/config", "~/.gitconfig"))  # as they are if there is no home
    configs = (PurePath("/etc/gitconfig"), *map(PurePath, users), shared / "config")
    value = changed_line_ends(map(_text, configs), map(_text, attributes), map(_text, ignored), inside)
    if value:
        yield GitChangesLineEnds(shelves, only_crlf=value == "input")


def _ignore_notes(top: PurePath, project: PurePath, record: Record) -> Iterator[GitLeavesOut]:
    """A note for each component that came with a `.gitignore` by which files of it are not added to git."""
    below = "" if project == top else f"{project.relative_to(top).as_posix()}/"
    named = {
        path: [f"{below}{path}/{name}" for name in each.files]
        for path, each in record.components.items()
        if any(f"/{name}".endswith(_IGNORE) for name in each.files)
    }
    if not named:
        return
    paths = tuple(concat(named.values()))
    own = {name.removesuffix(_IGNORE) for name in paths if name.endswith(_IGNORE)}
    folders = {above for each in own for above in ("", *folders_above(f"{each}/"))}
    ignores = {folder: _text(top / folder / ".gitignore", _IGNORE_LIMIT) for folder in folders}
    ignores[""] = "\n".join((_text(_shared(top) / "info/exclude"), ignores[""]))
    hidden = {path: by for path, by in hidden_files(paths, ignores).items() if by.folder in own}
    tracked = tracked_files(_bytes(_git_folder(top) / "index", _INDEX_LIMIT), hidden) if hidden else ()
    for path, names in named.items():
        if left := [name for name in names if name in hidden and name not in tracked]:
            files = tuple(name.removeprefix(f"{below}{path}/") for name in left)
            by = hidden[left[0]]
            yield GitLeavesOut(path, files, by.line, by.folder.removeprefix(below))


def _git_folder(top: PurePath) -> PurePath:
    """Where a repository has its files; that of a worktree or a submodule is elsewhere, as its file `.git` says."""
    return top / (_text(top / ".git").removeprefix("gitdir:").strip() or ".git")


def _shared(top: PurePath) -> PurePath:
    """Where a repository has what every worktree of it uses."""
    git = _git_folder(top)
    return git / (_text(git / "commondir").strip() or ".")


def _text(path: PurePath, limit: int = _LIMIT) -> str:
    """The text of a file; empty if it cannot be read or is too large to be git's."""
    return _bytes(path, limit).decode(errors="replace")


def _bytes(path: PurePath, limit: int) -> bytes:
    with (
        suppress(OSError, ValueError),
        open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as file,
    ):
        size = os.fstat(file.fileno()).st_size  # of a FIFO, which would block, it is 0
        return file.read(size) if size <= limit else b""
    return b""
