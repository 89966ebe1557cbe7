"""Errors and warnings about the operating system, the lock, `.tool/` and the cache."""

from typing import Final, Literal, TypeAlias

from pipeline.report.diagnostic import Diagnostic, Sentence, WarningDiagnostic
from pipeline.report.location import Location, in_project
from pipeline.report.wording import agreeing, clause, listed, size_text

Cause: TypeAlias = Literal[
    "changed",
    "encoding",
    "file size",
    "folder closed",
    "killed",
    "memory",
    "missing",
    "not regular",
    "open files",
    "other",
    "owner",
    "permission",
    "privilege",
    "quota",
    "read-only",
    "space",
]
"""Why the operating system refuses something, as far as the advice depends on it."""
_ADVICE: Final[dict[Cause, str]] = {
    "changed": "let no script write below `.tool/staging/`, then run again",
    "encoding": "choose a locale with UTF-8, such as `LC_ALL=C.UTF-8`, then run again",
    "file size": "raise the limit of file sizes (`ulimit -f`), then run again",
    "folder closed": "run as its owner, or as root; or change the permissions",
    "killed": "the system may be out of memory: free some, then run again",
    "memory": "free some memory, or raise `ulimit -v`, then run again",
    "missing": "check that the path is still there, then run again",
    "not regular": "name a file",
    "open files": "raise the limit of open files (`ulimit -n`), then run again",
    "other": "fix the cause and retry",
    "owner": "run as that user, or as root",
    "permission": "run as its owner, or as root; or change the permissions",
    "privilege": "change the permissions, or use another folder",
    "quota": "free some space in your quota, then run again",
    "read-only": "make that file system writable, or use another folder",
    "space": "free some space on that disk, then run again",
}
"""What to do about each cause."""
_EFFECTS: Final = {
    ".tool/state.json": "the next run uses the record",
    ".tool/drop.json": "the next command line must name the drop",
    ".tool/log.jsonl": "`tool log` does not show this run",
    ".tool/archives": "later runs cannot compare files with the archives of this run",
    ".tool/previous": "`tool undo` cannot undo this run",
}
"""The consequence, by the path that was not written."""


class FileSystemProblem(Diagnostic, frozen=True):
    """The operating system refused a read, a write or memory. What the run had changed
    is put back.
    """

    path: str
    cause: str
    """The cause in words; a refusal in those of the operating system."""
    kind: Cause = "other"
    module: str = ""
    """The module that could not be updated, if a module is the cause."""
    at = "path"
    message = Sentence("`{path}`: {cause}")

    @property
    def advice(self) -> str:
        leave = clause("; or leave `{}` as it is, with `modules.exclude`", self.module)
        return f"{_ADVICE[self.kind]}{leave}"


def denied(path: str, module: str = "") -> FileSystemProblem:
    """The error that the permissions of a file or folder forbid an operation."""
    return FileSystemProblem(path, "permission denied", "permission", module)


class ProjectLocked(Diagnostic, frozen=True):
    """Another run is building the project. The lock ends with its process: there is no
    file to delete.
    """

    project: str
    at = "project"
    message = Sentence("another run is building this project, `{project}`")
    advice = "pass `--wait=SECONDS` to wait for it"


def not_locked(project: str, cause: str) -> WarningDiagnostic:
    """The file system of the project has no locks, so a second run at the same time would
    not be noticed.
    """
    message = f"the project `{project}` cannot be locked: {cause}"
    return WarningDiagnostic(
        "not-locked", message, "do not start a second run in it", Location(project)
    )


def damaged_file(
    file: str, kind: Literal["cache", "foreign", "state"], cause: str = ""
) -> WarningDiagnostic:
    """The cache, or the state of what the tool last wrote here, cannot be read. The result of the
    run is the same.

    `kind` says whether it is the cache, another file in its place, or the state.
    """
    advice = ""
    if kind == "foreign":
        message = f"`{file}` is not a cache; it is left unchanged, and no cache is used"
        advice = "set `cache.file` to another path"
    elif kind == "cache":
        message = f"the cache `{file}` is damaged; it is rebuilt"
    elif cause:
        message = f"`{file}` cannot be read: {cause}; the record is used"
    else:
        message = f"`{file}` is damaged; the record is used"
    return WarningDiagnostic("damaged-file", message, advice, Location(file))


def misplaced_cache(value: str, location: Location) -> WarningDiagnostic:
    """The path of the cache is that of an archive, or lies among files of components or the tool.
    No cache is used.
    """
    message = (
        f"`{value}` in cache.file is reserved for archives, components or the tool itself; "
        f"no cache is used"
    )
    return WarningDiagnostic(
        "misplaced-cache", message, "set `cache.file` to another path", location
    )


def unwritable_file(
    file: str, cause: str, *, is_cache: bool = True, is_unfit: bool = False
) -> WarningDiagnostic:
    """The cache, or a file in `.tool/` for later runs, cannot be written. The components are built.

    `is_unfit` is true if no permissions could help: there is a link or something else that
    is not a file.
    """
    if not is_cache:
        message = f"cannot write `{file}`: {cause}; {_EFFECTS[file]}"
        return WarningDiagnostic("unwritable-file", message, "make it writable", Location(file))
    message = f"cannot write the cache `{file}`: {cause}; the next run will be slower"
    advice = "make it writable, or set `cache.file`"
    if is_unfit:
        advice = "set `cache.file` to another path"
    return WarningDiagnostic("unwritable-file", message, advice, Location(file))


def archives_forgotten(components: tuple[str, ...], limit: int) -> WarningDiagnostic:
    """The oldest kept archives were removed, because all of them together exceed the
    limit `TOOL_KEEP`.
    """
    these = agreeing(components, "this name no longer works", "these names no longer work")
    message = f"there is no room in `.tool/archives` for {listed(components)}: {these}"
    archives = agreeing(components, "the archive", "the archives")
    advice = f"keep {archives} elsewhere; `TOOL_KEEP` sets the limit, which is {size_text(limit)}"
    return WarningDiagnostic("archives-forgotten", message, advice, Location(".tool/archives"))


def left_over(path: str, cause: str) -> WarningDiagnostic:
    """Temporary files could not be removed. They do no harm, and the next run tries again."""
    message = f"`{path}` could not be removed: {cause}"
    return WarningDiagnostic(
        "left-over", message, "run again; the next run removes it", in_project(path)
    )


DiskError: TypeAlias = FileSystemProblem | ProjectLocked
