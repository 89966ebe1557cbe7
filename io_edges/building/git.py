"""Git: what the repository of a project, if there is one, does to files. No program is run."""

import os
from pathlib import Path, PurePath
from typing import Final

from pipeline.archives.entry_names import folders_above
from pipeline.building.git import changes_line_ends
from pipeline.building.places import Places
from pipeline.report.problems.disk import GitChangesLineEnds

_LIMIT: Final = 256 * 1024
"""The largest file of git that is read, in bytes."""


def line_end_notes(project: PurePath, places: Places) -> tuple[GitChangesLineEnds, ...]:
    """A note if git, going by its configuration, changes line ends of what is built."""
    folders = (project, *project.parents)
    top = next((folder for folder in folders if os.path.lexists(folder / ".git")), None)
    if top is None:
        return ()
    inside = {above for each in (places.modules, places.themes) for above in (*folders_above(each), each)}
    looked_at = dict.fromkeys((top, project, *(project / each for each in sorted(inside))))
    attributes = (*(place / ".gitattributes" for place in looked_at), top / ".git/info/attributes")
    ignored = (*(place / ".gitignore" for place in looked_at), top / ".git/info/exclude")
    users = (Path(each).expanduser() for each in ("~/.config/git/config", "~/.gitconfig"))
    configs = (PurePath("/etc/gitconfig"), *users, _own_config(top / ".git"))
    changes = changes_line_ends(map(_text, configs), map(_text, attributes), map(_text, ignored), inside)
    return (GitChangesLineEnds(),) if changes else ()


def _own_config(git: PurePath) -> PurePath:
    """The configuration of a repository; that of a worktree or a submodule is elsewhere, as its file `.git` says."""
    place = _text(git).removeprefix("gitdir:").strip()
    if not place:
        return git / "config"
    folder = git.parent / place
    return folder / (_text(folder / "commondir").strip() or ".") / "config"


def _text(path: PurePath) -> str:
    """The text of a file; empty if it cannot be read or is too large to be git's."""
    try:
        with Path(path).open("rb") as file:
            content = file.read(_LIMIT + 1)
    except OSError:
        return ""
    return content.decode(errors="replace") if len(content) <= _LIMIT else ""
