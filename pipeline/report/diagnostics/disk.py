"""Errors and warnings about the operating system, the lock, `.tool/` and the cache."""

from typing import Final, Literal, TypeAlias

from pipeline.report.diagnostic import Diagnostic, OfFile, OfProject, Sentence, WarningDiagnostic, code
from pipeline.report.location import Location
from pipeline.report.wording import listed

_CAUSES: Final = (
    ("belongs to", 'run as that user, or change the owner: `sudo chown -R "$USER" PATH`'),
    ("no space", "free some space on that disk, then run again"),
    ("file too large", "raise the limit of file sizes (`ulimit -f`), then run again"),
    ("quota", "free some space in your quota, then run again"),
    ("sticky", "run as the owner of that file, or change its owner"),
    ("not writable", "change the permissions, or use another folder"),
    ("permission", "change the permissions, or use another folder"),
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
    ".tool/log.jsonl": "`tool log` does not show this run",
    ".tool/archives": "later runs cannot compare with the archives of this one",
    ".tool/previous": "`tool undo` cannot undo this run",
}
"""What is missing later, by the path of what was not written."""


class FileSystemProblem(Diagnostic, frozen=True):
    """The operating system refused a read, a write or memory. Each component is whole, old or new."""

    path: str
    cause: str
    at = "path"
    message = Sentence("`{path}`: {cause}")

    @property
    def advice(self) -> str:
        return next((advice for part, advice in _CAUSES if part in self.cause), "fix the cause and retry")


class ProjectLocked(Diagnostic, frozen=True):
    """Another run is building the project. The lock ends with its process: there is no file to delete."""

    project: str
    at = "project"
    message = Sentence("another run is building this project, `{project}`")
    advice = "pass `--wait=SECONDS` to wait for it"


class NotLocked(WarningDiagnostic, frozen=True):
    """The file system of the project has no locks, so a second run at the same time would not be noticed."""

    project: str
    cause: str
    at = "project"
    message = Sentence("the project `{project}` cannot be locked: {cause}")
    advice = "do not start a second run in it"


class GitLeavesOut(WarningDiagnostic, frozen=True):
    """A component came with a `.gitignore` that keeps files of it out of git: in a clone they are missing."""

    component: str
    files: tuple[str, ...]
    line: int
    """The line of `file` that hides the first."""
    file: str
    inside = "project"
    advice = Sentence("add them after each update: `git add --force {component}`")

    @property
    def location(self) -> Location:
        return Location(self.file, self.line, 1)

    @property
    def message(self) -> str:
        return (
            f"`git add` leaves out {listed(self.files, 1)} of `{self.component}`, which has a `.gitignore` of its own"
        )


class DamagedFile(OfFile, frozen=True):
    """The cache, or the state of what the tool last wrote here, cannot be read. The result of the run is the same."""

    kind: Literal["cache", "foreign", "state"]
    """Whether it is the cache, a file in its place that is none, or the state."""
    cause: str = ""

    @property
    def message(self) -> str:
        if self.kind == "foreign":
            return f"`{self.file}` is not a cache; it is kept, and no cache is used"
        if self.kind == "cache":
            return f"the cache `{self.file}` is damaged; it is rebuilt"
        return f"`{self.file}` {f'cannot be read: {self.cause}' if self.cause else 'is damaged'}; the record is used"

    @property
    def advice(self) -> str:
        return "set `cache.file` to another path" if self.kind == "foreign" else ""


class UnwritableFile(OfFile, frozen=True):
    """The cache, or what a run leaves in `.tool/` for later, cannot be written. The components are built."""

    cause: str
    is_cache: bool = True

    @property
    def message(self) -> str:
        effect = "the next run will be slower" if self.is_cache else _EFFECTS[self.file]
        return f"cannot write {'the cache ' * self.is_cache}`{self.file}`: {self.cause}; {effect}"

    @property
    def advice(self) -> str:
        if self.is_cache and self.cause.startswith("it "):  # of the file's kind or position
            return "set `cache.file` to another path"
        return "make it writable" + ", or set `cache.file`" * self.is_cache


class LeftOver(OfProject, WarningDiagnostic, frozen=True, tag=code):
    """Temporary files could not be removed. They do no harm, and the next run tries again."""

    cause: str
    """Empty if the next run needs them."""

    @property
    def message(self) -> str:
        return f"`{self.path}` could not be removed: {self.cause or 'the next run settles what is in it'}"

    @property
    def advice(self) -> str:
        return "remove it" if self.cause else "leave it, and run again"


DiskError: TypeAlias = FileSystemProblem | ProjectLocked

EXAMPLES: Final = (
    FileSystemProblem("modules/m", "no space left on device"),
    ProjectLocked("site"),
    NotLocked("site", "no locks available"),
    GitLeavesOut("modules/m", ("vendor/a.php", "vendor/b.php"), 2, "modules/m/.gitignore"),
    DamagedFile(".tool-cache.json", "cache"),
    UnwritableFile(".tool-cache.json", "permission denied"),
    LeftOver(".tool/staging", "permission denied"),
)
