"""Changes: what commands that change a project share: flags, progress and the last line."""

import time
from collections.abc import Sequence
from pathlib import PurePath
from typing import Annotated, Final, Generic, TypeVar

from cyclopts import Group, Parameter
from msgspec import UNSET, Struct, UnsetType, field
from msgspec.structs import asdict

from io_edges.building.project import Effect
from io_edges.cli.flags import ProjectFlags, Switch, not_empty, seconds
from io_edges.cli.session import CommandRun, begin, file_times, read_request
from io_edges.report.console import Console
from io_edges.system.stop import Stop, require
from pipeline.building.merging.preference import Preference, Preferred
from pipeline.building.showing.next_steps import alterations_of, finished_alterations, next_events
from pipeline.building.showing.plan_events import (
    actions_of,
    hook_events,
    patches_written,
    planned_backups,
    summary,
)
from pipeline.building.steps import Plan, Step
from pipeline.building.stores.changes import RunKind
from pipeline.building.stores.last_drop import LastDrop
from pipeline.building.stores.state import State
from pipeline.config.variables import NO_EXEC, Keeping, read_keeping
from pipeline.report.diagnostics import Error
from pipeline.report.diagnostics.settings import UsageError
from pipeline.report.events import RunOutcome, ScriptsEvent, SummaryEvent
from pipeline.resolve import Request
from pipeline.systems.residences import Host
from pipeline.values import replace

CHANGES: Final = Group("What is kept, replaced and removed", sort_key=2)
Patterns = Annotated[
    tuple[str, ...],
    Parameter(
        validator=not_empty, negative=(), show_default=False, metavar="PATTERN", group=CHANGES
    ),
]
"""Globs on the paths of files in the project."""


class ChangeFlags(ProjectFlags):
    """The flags of every command that changes a project."""

    no_hooks: Switch = False
    """Do not run hook scripts."""
    wait: Annotated[float, Parameter(converter=seconds, show_default=False, metavar="SECONDS")] = (
        0.0
    )
    """Wait this long for another run in the same project to end."""
    force: Annotated[Switch, Parameter(group=CHANGES)] = False
    """If you and an archive changed a file, build the archive's; back up yours."""
    mine: Annotated[Switch, Parameter(group=CHANGES)] = False
    """If you and an archive changed a file, keep yours; back up the archive's."""
    take_theirs: Patterns = ()
    """Like --force, for files that match this pattern; repeatable."""
    keep_mine: Patterns = ()
    """Like --mine, for files that match this pattern; repeatable."""

    def hooks_forbidden_by(self, request: Request) -> str:
        """The flag or variable that forbids hook scripts; empty if none does."""
        if self.no_hooks:
            return "--no-hooks"
        if self.no_exec:
            return "--no-exec"
        if request.no_exec:
            return NO_EXEC
        return ""


class Progress(Struct):
    """How far a run has got. Its last line is made from this."""

    project: PurePath
    outcome: RunOutcome = "unchanged"
    kind: RunKind = "build"
    host: Host | None = None
    """The system in the project. It is found before anything changes, since the disk
    may fail later.
    """
    last_drop: LastDrop | None = None
    """The drop to remember in the end."""
    drop: str | UnsetType = UNSET
    """The drop, if the command line does not name it."""
    effect: Effect = field(default_factory=Effect)
    planned: tuple[Step, ...] = ()
    """The steps of a plan that is not carried out."""
    would_change_record: bool = False
    """Whether a plan that is not carried out would change the record."""
    refused: tuple[Error, ...] = ()
    """The errors that `--keep-going` skipped, or that would stop a run of which only the
    plan is shown.
    """
    rest: str = ""
    """The command line that builds what can be built, if the run stopped."""
    started: float = field(default_factory=time.monotonic)

    def ending(self) -> SummaryEvent:
        """The summary event for the last line."""
        outcome = self.outcome
        if self.effect.is_changed and outcome == "unchanged":
            outcome = "stopped"
        finished = self.effect.finished
        actions = actions_of((*self.planned, *self.effect.steps), finished)
        seconds = time.monotonic() - self.started
        event = summary(self.project, outcome, actions.values(), self.refused, seconds)
        is_recorded = finished is not None and finished.is_other_record
        is_other_record = self.would_change_record or self.effect.is_other_record or is_recorded
        event = replace(event, record=is_other_record, drop=self.drop)
        return replace(event, rest=self.rest or UNSET)

    def note_planned(self, planned: Plan, console: Console) -> None:
        """Report the rest of a plan that is not carried out."""
        console.report(*hook_events(planned))
        console.warn(planned_backups(planned, console.context.project))
        console.warn(patches_written(planned, dry=True))
        self.outcome = "planned"
        self.planned = planned.steps
        changes = alterations_of(planned.changes, self.kind)
        console.report(*next_events(changes, self.host, is_before=True))

    def report_next_steps(self, console: Console) -> None:
        """Report what the user has to do in the system after the changes."""
        changes = list(alterations_of(self.effect.steps, self.kind))
        if self.effect.finished:
            changes += finished_alterations(self.effect.finished)
        console.report(*next_events(changes, self.host))


_COMMANDS: Final[dict[RunKind, str]] = {
    "build": "tool create",
    "undo": "tool undo",
    "redo": "tool redo",
}
_Flags = TypeVar("_Flags", bound=ChangeFlags)
_Flags_co = TypeVar("_Flags_co", bound=ChangeFlags, covariant=True)


class ChangeRun(CommandRun[_Flags_co], Generic[_Flags_co], frozen=True, kw_only=True):
    """One run of a command that changes a project."""

    prefer: Preference
    progress: Progress
    times: tuple[int, int] | None
    """The access and modification times of new files, in nanoseconds; `None` for the
    time of writing.
    """
    keeping: Keeping


def begin_change(
    kind: RunKind,
    flags: _Flags,
    settings: object,
    words: Sequence[str | None],
    console: Console,
) -> ChangeRun[_Flags]:
    """Begin a run that changes a project. A wrong variable is an error even if it writes nothing.

    `words` are as for `begin`.
    """
    prefer = _preferred(_COMMANDS[kind], flags)
    request = read_request(flags, settings, console)
    keeping = require(read_keeping(request.environ))
    times = file_times(request.environ)
    progress = Progress(request.start / flags.output, kind=kind)
    console.closing = progress.ending
    run = begin(request, flags, words, console)
    progress.project = run.project
    return ChangeRun(**asdict(run), prefer=prefer, progress=progress, times=times, keeping=keeping)


def report_new_scripts(planned: Plan, state: State, console: Console) -> None:
    """Report the hook scripts that are new or have changed since the last run here,
    and will run.
    """
    if new := planned.hooks.new_since(state.hooks):
        console.report(ScriptsEvent(new))


def _preferred(command: str, flags: ChangeFlags) -> Preference:
    """Whose version of a file is built if both the user and the archive have changed it,
    by the flags.
    """
    if flags.force and flags.mine:
        raise Stop(
            UsageError("--force and --mine contradict each other: pass one of them", command)
        )
    whole: Preferred = "nobody"
    if flags.force:
        whole = "theirs"
    if flags.mine:
        whole = "mine"
    return Preference(whole, flags.keep_mine, flags.take_theirs)
