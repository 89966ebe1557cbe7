"""The real `Disk`: the functions by which the configuration chain reads files and
evaluates scripts.
"""

import errno
import os
import stat
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct
from returns.result import Failure, Result, Success

from io_edges.report.console import Console
from io_edges.system.stop import Stop, cause_of, is_shortage, problem_of
from io_edges.system.syscalls import open_regular
from pipeline.config.disk import Disk, Exported, Presence
from pipeline.config.tree import kind_of
from pipeline.report.diagnostics import ConfigError
from pipeline.report.events import OutputEvent
from pipeline.report.outcome import Outcome
from pipeline.report.paths import display_path, without_detours
from pipeline.values import replace

if TYPE_CHECKING:
    from io_edges.scripts.evaluate import TimeBudget


Outcomes: TypeAlias = dict[str, Outcome[Exported]]
"""The results of evaluated scripts, by their paths."""


def real_disk(
    start: PurePath, console: Console, *, no_exec: bool = False, outcomes: Outcomes | None = None
) -> Disk:
    """Make the disk of a run that starts in the folder `start`. The output of scripts goes to
    the console.

    With `no_exec`, no script is run. Disks that share `outcomes` evaluate a script once together,
    each with its own time budget.
    """
    if outcomes is None:
        outcomes = {}
    run = _Run(start, console, outcomes)
    disk = Disk(
        presence=_presence,
        load=run.load,
        names=_names,
        evaluate=run.evaluate,
        refuses=run.refuses,
        plain=plain_path,
    )
    if no_exec:
        return replace(disk, evaluate=None)
    return disk


class _Run(Struct):
    """The state that the functions of one disk share."""

    start: PurePath
    console: Console
    outcomes: Outcomes
    project: Path | None = None
    """The project of the first file, which the user has named, or which is in a folder above."""
    time_budget: "TimeBudget | None" = None

    def load(self, path: PurePath, limit: int) -> Result[bytes, str]:
        """Read a file. Raises `Stop` if the system has run out of something."""
        try:
            with open_regular(path) as file:
                content = file.read(limit)
        except OSError as error:
            if is_shortage(error):
                raise Stop(problem_of(path, error)) from error
            return Failure(cause_of(error))
        if self._may_be_quoted(Path(path), content):
            self.console.excerpts.add(display_path(path, self.start), content)
        return Success(content)

    def _may_be_quoted(self, file: Path, content: bytes) -> bool:
        """Whether messages may show lines of a file: it is in the project, and is a script or
        begins like an object.
        """
        from io_edges.scripts.project import project_of

        self.project = self.project or project_of(file.parent.resolve() / file.name)[0]
        is_ours = kind_of(file) == "script" or content.removeprefix(
            b"\xef\xbb\xbf"
        ).lstrip().startswith(b"{")
        return is_ours and file.resolve().is_relative_to(self.project)

    def refuses(self, path: PurePath) -> ConfigError | None:
        """Why a script may not be read; `None` if it may."""
        from io_edges.scripts.access import refusal

        return refusal(path, self.start)

    def evaluate(self, path: PurePath) -> Outcome[Exported]:
        """Evaluate a script, at most once in a run."""
        # Costs start-up time, and only a script needs it.
        from io_edges.scripts.evaluate import (
            TimeBudget,
            evaluate,
        )

        self.time_budget = self.time_budget or TimeBudget()
        name = display_path(path, self.start)
        key = os.path.normpath(path)
        if key not in self.outcomes:
            self.outcomes[key] = evaluate(
                path,
                self.start,
                lambda stream, line: self.console.report(OutputEvent(name, stream, line)),
                self.time_budget,
            )
        return self.outcomes[key]


def plain_path(path: PurePath) -> PurePath:
    """A path without `..`: by its text, unless that leads elsewhere because the path has a link."""
    if ".." not in path.parts:
        return path
    plain = without_detours(path)
    if path.name == "..":
        real = PurePath(os.path.realpath(path))
        same = PurePath(os.path.realpath(plain))
    else:
        real = PurePath(os.path.realpath(path.parent), path.name)
        same = PurePath(os.path.realpath(plain.parent), path.name)
    if real == same:
        return plain
    return real


def _presence(path: PurePath) -> Presence:
    try:
        mode = Path(path).stat().st_mode
    except PermissionError:
        return "denied"
    except OSError as error:  # it may also be too long
        if error.errno in {errno.ENOENT, errno.ELOOP} and Path(path).is_symlink():
            return "dangling"
        return "missing"
    except ValueError:  # a NUL in the name
        return "missing"
    if stat.S_ISREG(mode):
        return "file"
    if stat.S_ISDIR(mode):
        return "folder"
    return "other"


def _names(folder: PurePath) -> tuple[str, ...] | None:
    try:
        return tuple(sorted(os.listdir(folder)))  # noqa: PTH208 - a `Path` for each is slow
    except PermissionError:
        return None
    except (OSError, ValueError):
        return ()
