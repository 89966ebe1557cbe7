"""Git: what the repository of a project, if there is one, changes or leaves out. No program is run."""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path, PurePath
from typing import Final

from toolz import concat

from pipeline.archives.entry_names import folders_above
from pipeline.building.git import changes_line_ends, hidden_files, tracked_files
from pipeline.building.record import Record
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.disk import GitAddsCache, GitChangesLineEnds, GitLeavesOut

_IGNORE: Final = "/.gitignore"
_TEXT_LIMIT: Final = 256 * 1024
"""The largest text of git that is read, in bytes."""
_IGNORE_LIMIT: Final = 16 * 1024
"""The largest `.gitignore`: it comes from anywhere."""
_INDEX_LIMIT: Final = 64 * 1024 * 1024
"""The largest index."""


def git_notes(project: PurePath, record: Record, cache: PurePath | None = None) -> Iterator[WarningDiagnostic]:
    """What git, going by its files, would change of what is built, or leave out, and that it would add the cache."""
    top = next((folder for folder in (project, *project.parents) if os.path.lexists(folder / ".git")), None)
    if top and record.components:
        below = "" if project == top else f"{project.relative_to(top).as_posix()}/"
        yield from _line_end_notes(top, below, record)
        yield from _ignore_notes(top, below, record)
        yield from _cache_note(PurePath(os.path.realpath(top)), cache) if cache else ()


def _line_end_notes(top: PurePath, below: str, record: Record) -> Iterator[GitChangesLineEnds]:
    """A note if git changes line ends, unless it leaves every component out."""
    modules, themes = record.places.modules, record.places.themes
    users = map(os.path.expanduser, ("~/.config/git/config", "~/.gitconfig"))  # as they are if there is no home
    configs = (PurePath("/etc/gitconfig"), *map(PurePath, users), _shared(top) / "config")
    attributes = {top / each / ".gitattributes" for each in ("", below, f"{below}{modules}", f"{below}{themes}")}
    if changes_line_ends(map(_text, configs), map(_text, attributes)):
        built = [f"{below}{path}/any" for path in record.components]
        if len(hidden_files(built, _ignores(top, {"", below.rstrip("/")}))) < len(built):
            yield GitChangesLineEnds(modules, themes)


def _ignore_notes(top: PurePath, below: str, record: Record) -> Iterator[GitLeavesOut]:
    """A note for each component that came with a `.gitignore` by which files of it are not added to git."""
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
    hidden = {path: by for path, by in hidden_files(paths, _ignores(top, folders)).items() if by.folder in own}
    tracked = tracked_files(_bytes(_git_folder(top) / "index", _INDEX_LIMIT), hidden) if hidden else ()
    for path, names in named.items():
        if left := [name for name in names if name in hidden and name not in tracked]:
            files = tuple(name.removeprefix(f"{below}{path}/") for name in left)
            by = hidden[left[0]]
            yield GitLeavesOut(path, files, by.line, by.folder.removeprefix(below))


def _cache_note(top: PurePath, cache: PurePath) -> Iterator[GitAddsCache]:
    """A note if git would add the cache."""
    if cache.is_relative_to(top) and Path(_git_folder(top), "HEAD").exists():
        path = cache.relative_to(top).as_posix()
        if not hidden_files([path], _ignores(top, {"", *folders_above(path)})):
            yield GitAddsCache(path)


def _ignores(top: PurePath, folders: Iterable[str]) -> dict[str, str]:
    """What folders of a repository, of which the top is one, leave out of git."""
    ignores = {folder: _text(top / folder / ".gitignore", _IGNORE_LIMIT) for folder in folders}
    users = map(os.path.expanduser, ("~/.config/git/ignore",))  # as it is if there is no home
    others = (*map(PurePath, users), _shared(top) / "info/exclude")
    return ignores | {"": "\n".join((*map(_text, others), ignores[""]))}


def _git_folder(top: PurePath) -> PurePath:
    """Where a repository has its files; that of a worktree or a submodule is elsewhere, as its file `.git` says."""
    return top / (_text(top / ".git").removeprefix("gitdir:").strip() or ".git")


def _shared(top: PurePath) -> PurePath:
    """Where a repository has what every worktree of it uses."""
    git = _git_folder(top)
    return git / (_text(git / "commondir").strip() or ".")


def _text(path: PurePath, limit: int = _TEXT_LIMIT) -> str:
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
