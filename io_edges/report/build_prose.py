"""Build prose: the problems of choosing and building components in words."""

import shlex
from pathlib import PurePath
from typing import Final, assert_never

from io_edges.report.wording import LISTED, Prose, adding, excluding, listed, meant
from pipeline.building.layout import STAGING
from pipeline.report import build_problems
from pipeline.report.build_problems import BuildProblem, Dispute, InTheWay
from pipeline.report.source import Source
from pipeline.schema import is_archive_name

_DISPUTES: Final[dict[Dispute, str]] = {
    "edited": "edited",
    "deleted": "edited, and not in the archive any more",
    "added": "added by both",
    "type": "of another type",
}

_IN_THE_WAY: Final[dict[InTheWay, tuple[str, str]]] = {
    "file": ("is a file where a folder is needed", "move it away"),
    "link": ("is a symbolic link, which is not followed", "move it away"),
    "foreign": ("is in the staging folder, but no run put it there", "move it away"),
    "other": ("is not a file", "move it away"),
    "page": ("is there, and is no page that `--html` wrote", "name another file"),
    "dangling": ("is a link that leads nowhere", "remove it, or create the file that it leads to"),
    "config": ("already exists", "`--force` keeps it as `{}.bak` and writes a new one"),
    "key": ("already has the key `tool`", "`--force` sets a new value, and keeps the file as `{}.bak`"),
}
"""What each thing in the way is, and what to do."""

_CAUSES: Final = (
    ("no space", "free some space on that disk, then run again"),
    ("quota", "free some of your space on that disk, then run again"),
    ("permission", "give yourself the permission, or use another folder"),
    ("not permitted", "give yourself the permission, or use another folder"),
    ("read-only", "make that file system writable, or use another folder"),
    ("too many open", "raise the limit of open files (`ulimit -n`), then run again"),
    ("memory", "free some memory, or raise `ulimit -v`, then run again"),
    ("no such file", "check that the path is still there, then run again"),
    ("folder", "name a file"),
    ("not a regular file", "name a file"),
    ("encoding", "choose a locale with UTF-8, such as `LC_ALL=C.UTF-8`, then run again"),
)
"""What to do about a cause in the operating system's words, by a part of them."""


def of_build(problem: BuildProblem, lists_below: frozenset[str] | None) -> Prose:
    """Put a problem of choosing or building components in words; `lists_below` is what `wording.adding` goes by."""
    match problem:
        case build_problems.DropNotFound(drop, cause, near):
            return Prose(message=f"no folder `{drop}`: {cause}", help=meant(near) or _of_drop(drop))
        case build_problems.ThemeNotFound(source=source):
            message, advice = _of_theme(problem)
            return Prose(message=message, help=advice, path="theme", source=source)
        case build_problems.ThemeAmbiguous(themes, source):
            message = f"the drop has several themes, and `--theme=NAME` chooses one: {listed(themes)}"
            flag = shlex.join((f"--theme={themes[0]}",))
            advice = f"for example `{flag}`, or `--theme=none` for no theme"
            return Prose(message=message, help=advice, path="theme", source=source)
        case build_problems.ComponentAmbiguous(kind, name, archives):
            message = f"several archives are the {kind} `{name}`, with different contents: {listed(archives)}"
            flags = excluding(archives[0], lists_below)
            advice = f"leave all but one out, for example with `{flags}`; or remove them from the drop"
            return Prose(message=message, help=advice)
        case build_problems.ArchiveRejected(archive, reason, entry, is_recent):
            which = f"`{archive}`, entry `{entry}`" if entry is not None else f"`{archive}`"
            what, _, advice = reason.partition("; ")
            advice = f"{advice or 'get the archive again'}; or leave it out with `{excluding(archive, lists_below)}`"
            advice = "it was changed a moment ago: run again when it has been copied" if is_recent else advice
            return Prose(message=f"{which}: {what}", help=advice, source=Source(archive))
        case build_problems.OutputConflict():
            return _of_conflict(problem, lists_below)
        case build_problems.NotAsRecorded(path, archive, recorded, digest):
            advice = "run without `--frozen`, and commit `.tool-manifest.json`; or restore what the record says"
            return Prose(message=_of_frozen(path, archive, recorded, digest), help=advice, source=Source(path))
        case build_problems.OutOfDate(path, action):
            advice = "run `tool create` without `--check`"
            return Prose(message=f"`{path}` is out of date: a run would {action} it", help=advice, source=Source(path))
        case build_problems.RecordUnreadable(file, is_merging=True):
            advice = f"take either side, as with `git checkout --ours {file}`, and run again: that brings it up to date"
            return Prose(message=f"`{file}` has both sides of a merge in it", help=advice, source=Source(file))
        case build_problems.RecordUnreadable(file):
            restored = "restore it; or delete it, and what differs from its archive counts as yours"
            searched = f"look for files of yours in `{STAGING}`, then delete it"
            advice = searched if file.startswith(STAGING) else restored
            message = f"`{file}` is damaged: your files cannot be told from built ones"
            return Prose(message=message, help=advice, source=Source(file))
        case build_problems.ProjectLocked(project):
            message = f"another run is building this project, `{project}`"
            return Prose(message=message, help="pass `--wait=SECONDS` to wait for it", source=Source(project))
        case build_problems.FileSystemProblem(path, cause):
            advice = next((words for part, words in _CAUSES if part in cause), "see to the cause, then run again")
            return Prose(message=f"`{path}`: {cause}", help=advice, source=Source(path))
        case build_problems.HookFailed(stage, script, status):
            advice = "fix the script, or pass `--on-failure=continue` to go on"
            return Prose(message=f"the {stage} script `{script}` failed: {status}", help=advice, source=Source(script))
        case _:
            assert_never(problem)


def _of_drop(drop: str) -> str:
    """What to name instead of something that is no folder."""
    if not is_archive_name(drop):
        return "name the folder that holds the archives"
    instead = shlex.join((str(PurePath(drop).parent), f"--only={PurePath(drop).name}"))
    return f"name the folder that it is in: `{instead}` is for this module alone; for a theme there is `--theme`"


def _of_theme(problem: build_problems.ThemeNotFound) -> tuple[str, str]:
    """Why there is no such theme, and what to do."""
    theme, themes, left_out = problem.theme, problem.themes, problem.left_out
    there = f"the drop has {listed(themes)}" if themes else "the drop has no theme"
    name_it = "name one of these" if len(themes) > 1 else "name this one"
    others = f"{name_it}, or write `none`" if themes else "put its archive in the drop, or write `none`"
    if problem.is_module:
        return f"`{theme}` holds a module, not a theme; {there}", others
    if left_out:
        return (
            f"no theme `{theme}`; {there}; excluded by file name: {listed(left_out)}",
            f"take {'the file' if len(left_out) == 1 else 'its file'} out of `modules.exclude`",
        )
    if is_archive_name(theme):
        path = "check the path; in a file, it is relative to that file"
        return f"no file `{theme}`; {there}", meant(problem.near) or path
    return f"no theme `{theme}`; {there}", meant(problem.near) or others


def _of_conflict(conflict: build_problems.OutputConflict, lists_below: frozenset[str] | None) -> Prose:
    path, reason = conflict.path, conflict.reason
    if reason == "disputed":
        return _of_disputes(path, conflict.disputed)
    if reason == "changed":
        which = f": {listed(conflict.files)}" if conflict.files else ""
        return Prose(message=f"`{path}` was changed during the run{which}", help="run again", source=Source(path))
    what, advice = _IN_THE_WAY[reason]
    without = _without(path, lists_below) if reason == "link" else ""
    return Prose(message=f"`{path}` {what}", help=advice.format(path) + without, source=Source(path))


def _without(path: str, lists_below: frozenset[str] | None) -> str:
    """How to do without a component, so that the link in its place may stay; empty for another path."""
    shelf, *names = PurePath(path).parts
    match shelf, names:
        case "modules", [name, *_]:
            return f"; or leave the module out with `{adding('--exclude', name, lists_below)}`"
        case "themes", [_, *_]:
            return "; or build no theme, with `--theme=none`"
        case _:
            return ""


def _of_disputes(path: str, disputed: tuple[build_problems.DisputedFile, ...]) -> Prose:
    """Name the files that are neither as built nor as in the archive; without a record, nobody can say who changed."""
    which = in_conflict(disputed)
    if _are_added(disputed):
        message = f"`{path}` has files that no recorded run wrote, and that differ from those of its archive: {which}"
    else:
        message = f"`{path}` was changed both by you and by its archive: {which}"
    return Prose(message=message, help=ways_out(disputed), source=Source(path))


def in_conflict(disputed: tuple[build_problems.DisputedFile, ...]) -> str:
    """List files in conflict, each with what was done to it, unless that is the same of all: added by both."""
    if _are_added(disputed):
        return listed([each.path for each in disputed])
    more = f" and {len(disputed) - LISTED:,} more" if len(disputed) > LISTED else ""
    return ", ".join(f"`{each.path}` ({_DISPUTES[each.dispute]})" for each in disputed[:LISTED]) + more


def ways_out(disputed: tuple[build_problems.DisputedFile, ...]) -> str:
    """What to do about files in conflict."""
    whose = "these" if _are_added(disputed) else "yours"
    return f"`--force` builds the archive's files and moves {whose} to `.tool-backup/`; `--mine` keeps {whose}"


def _are_added(disputed: tuple[build_problems.DisputedFile, ...]) -> bool:
    return all(each.dispute == "added" for each in disputed)


def _of_frozen(path: str, archive: str, recorded: str, digest: str) -> str:
    """How a component is not as the record says."""
    if not recorded:
        return f"`{path}` (`{archive}`) is selected, and not in the record"
    if not digest:
        return f"`{path}` is in the record; it is not selected, or `{archive}` is not in the drop"
    return f"`{archive}` is not what `{path}` was built from: SHA-256 is {digest}, recorded is {recorded}"
