"""Run: one run of `tool create`, and how far it has got."""

from pathlib import PurePath

from msgspec import Struct

from io_edges.flags import CreateFlags
from io_edges.report.console import Console
from io_edges.system.stop import Stop
from pipeline.building.ownership import Winner
from pipeline.building.plan import Plan, Step
from pipeline.config.variables import NO_EXEC
from pipeline.report.events import RunOutcome
from pipeline.report.problems import Problem, UsageError
from pipeline.resolve import Request

EPOCH = "SOURCE_DATE_EPOCH"
"""The variable for the time of written files (https://reproducible-builds.org/specs/source-date-epoch/)."""

_DIGITS = 11
"""How many a time may have that every file system can hold."""


class RunState(Struct):
    """How far a run has got, for its last line."""

    project: PurePath
    outcome: RunOutcome = "unchanged"
    steps: tuple[Step, ...] = ()
    refused: tuple[Problem, ...] = ()
    """With `--keep-going`, what was passed over."""


class CreateRun(Struct, frozen=True):
    """One run of the command. `drop` is the folder as the user wrote it."""

    request: Request
    drop: str
    flags: CreateFlags
    console: Console
    state: RunState

    def when_in_place(self, plan: Plan) -> None:
        """Note that what was planned is in place, and that only post hooks are left."""
        self.state.outcome, self.state.steps = "stopped", plan.steps

    @property
    def start(self) -> PurePath:
        """The current folder."""
        return self.request.start

    @property
    def wins(self) -> Winner:
        """Whose version of a conflict is built."""
        return "archive" if self.flags.force else "disk" if self.flags.mine else "nobody"

    @property
    def forbids_hooks(self) -> str:
        """The flag or variable that keeps hook scripts from running, if any."""
        if self.flags.no_hooks:
            return "--no-hooks"
        if not self.request.no_exec:
            return ""
        return "--no-exec" if self.flags.no_exec else NO_EXEC

    @property
    def mtime(self) -> int | None:
        """The time of written files, in seconds since 1970; `None` for the time of writing. Raises `Stop`."""
        text = self.request.environ.get(EPOCH, "")
        if text and not (text.isascii() and text.isdecimal() and len(text) <= _DIGITS):
            raise Stop(UsageError(f"Expected {EPOCH} to be seconds since 1970, found {text!r}", "tool create"))
        return int(text) if text else None
