"""Errors and warnings about the operating system, the lock, `.tool/` and the cache."""

from typing import Final, Literal, TypeAlias

from pipeline.report.diagnostic import Diagnostic, Sentence, WarningDiagnostic
from pipeline.report.location import Location, in_project
from pipeline.report.wording import listed, size_text

_CAUSES: Final = (
    ("belongs to", "run as that user, or as root"),
    ("no space", "free some space on that disk, then run again"),
    ("file too large", "raise the limit of file sizes (`ulimit -f`), then run again"),
    ("quota", "free some space in your quota, then run again"),
    ("sticky", "run as the owner of that file, or as root"),
    ("not writable", "run as its owner, or as root; or change the permissions"),
    ("permission", "run as its owner, or as root; or change the permissions"),
    ("not permitted", "change the permissions, or use another folder"),
    ("read-only", "make that file system writable, or use another folder"),
    ("too many open", "raise the limit of open files (`ulimit -n`), then run again"),
    ("memory", "free some memory, or raise `ulimit -v`, then run again"),
    ("no such file", "check that the path is still there, then run again"),
    ("folder", "name a file"),
    ("not a regular file", "name a file"),
    ("after it was verified", "let no script write below `.tool/staging/`, then run again"),
    ("encoding", "choose a locale with UTF-8, such as `LC_ALL=C.UTF-8`, then run again"),
)
"""What to do about a cause in the operating system's words, by a part of them."""
_EFFECTS: Final = {
    ".tool/state.json": "the next run uses the record",
    ".tool/drop.json": "the next run has to be told the drop",
    ".tool/log.jsonl": "`tool log` does not show this run",
    ".tool/archives": "later runs cannot compare with the archives of this one",
    ".tool/previous": "`tool undo` cannot undo this run",
}
"""What is missing later, by the path of what was not written."""


class FileSystemProblem(Diagnostic, frozen=True):
    """The operating system refused a read, a write or memory. What the run had changed is put back."""

    path: str
    cause: str
    module: str = ""
    """The module that could not be updated, if it is that."""
    at = "path"
    message = Sentence("`{path}`: {cause}")

    @property
    def advice(self) -> str:
        way = next((advice for part, advice in _CAUSES if part in self.cause), "fix the cause and retry")
        return f"{way}; or leave `{self.module}` as it is, with `modules.exclude`" if self.module else way


class ProjectLocked(Diagnostic, frozen=True):
    """Another run is building the project. The lock ends with its process: there is no file to delete."""

    project: str
    at = "project"
    message = Sentence("another run is building this project, `{project}`")
    advice = "pass `--wait=SECONDS` to wait for it"


def not_locked(project: str, cause: str) -> WarningDiagnostic:
    """The file system of the project has no locks, so a second run at the same time would not be noticed."""
    message = f"the project `{project}` cannot be locked: {cause}"
    return WarningDiagnostic("not-locked", message, "do not start a second run in it", Location(project))


def damaged_file(file: str, kind: Literal["cache", "foreign", "state"], cause: str = "") -> WarningDiagnostic:
    """The cache, or the state of what the tool last wrote here, cannot be read. The result of the run is the same.

    `kind` says whether it is the cache, a file in its place that is none, or the state.
    """
    advice = ""
    if kind == "foreign":
        message = f"`{file}` is not a cache; it is kept, and no cache is used"
        advice = "set `cache.file` to another path"
    elif kind == "cache":
        message = f"the cache `{file}` is damaged; it is rebuilt"
    else:
        message = f"`{file}` {f'cannot be read: {cause}' if cause else 'is damaged'}; the record is used"
    return WarningDiagnostic("damaged-file", message, advice, Location(file))


def unwritable_file(file: str, cause: str, *, is_cache: bool = True) -> WarningDiagnostic:
    """The cache, or what a run leaves in `.tool/` for later, cannot be written. The components are built."""
    effect = "the next run will be slower" if is_cache else _EFFECTS[file]
    message = f"cannot write {'the cache ' * is_cache}`{file}`: {cause}; {effect}"
    advice = "make it writable" + ", or set `cache.file`" * is_cache
    if is_cache and cause.startswith("it "):  # of the file's kind or position
        advice = "set `cache.file` to another path"
    return WarningDiagnostic("unwritable-file", message, advice, Location(file))


def archives_forgotten(components: tuple[str, ...], limit: int) -> WarningDiagnostic:
    """The oldest of the kept archives had to go, as all of them need more room than they may have."""
    message = f"there is no room in `.tool/archives` for {listed(components)}: no run can build them by these names"
    advice = f"keep their archives elsewhere; `TOOL_KEEP` is the room, {size_text(limit)}"
    return WarningDiagnostic("archives-forgotten", message, advice, Location(".tool/archives"))


def left_over(path: str, cause: str) -> WarningDiagnostic:
    """Temporary files could not be removed. They do no harm, and the next run tries again."""
    message = f"`{path}` could not be removed: {cause}"
    return WarningDiagnostic("left-over", message, "run again; the next run removes it", in_project(path))


DiskError: TypeAlias = FileSystemProblem | ProjectLocked
