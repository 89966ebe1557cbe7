"""Diff: the command that prints the changes of the next run as a diff (`docs/building.md`)."""

import sys
from collections.abc import Iterable, Iterator
from typing import Annotated

from cyclopts import Group, Parameter
from toolz import unique

from io_edges.cli.flags import Drop, Names, PlacesFlags, SettingFlags, Switch
from io_edges.cli.scope import Scope, read_only_scope
from io_edges.cli.session import RunConsole, begin, read_request
from io_edges.report.console import Console, print_bytes, print_line
from io_edges.report.screens import is_terminal, screen_of
from io_edges.system.stop import Stop
from pipeline.building.draft import PlanOptions
from pipeline.building.merging.lines import FileDiff, lines_for_screen
from pipeline.building.patching.payload import Payload
from pipeline.building.planning.contents import payloads_of
from pipeline.building.showing.changes import (
    Comparison,
    differences,
    next_run,
    since_built,
    unknown_bases,
)
from pipeline.building.steps import Plan, Step
from pipeline.emit import emit
from pipeline.report.diagnostic import with_advice
from pipeline.report.diagnostics import Error
from pipeline.report.diagnostics.bases import unknown_base
from pipeline.report.diagnostics.selection import ahead
from pipeline.report.diagnostics.settings import UsageError
from pipeline.report.events import ForcedEvent
from pipeline.report.outcome import errors_of, value_of
from pipeline.selection.choices import Choice

_VIEWS = Group("What is compared", sort_key=1)


class DiffFlags(PlacesFlags):
    """The flags of `tool diff` besides the settings."""

    mine: Annotated[Switch, Parameter(group=_VIEWS)] = False
    """Show what was changed here since the last build."""
    theirs: Annotated[Switch, Parameter(group=_VIEWS)] = False
    """Show what the archives in the drop change against those that were built."""
    merge: Annotated[Switch, Parameter(group=_VIEWS)] = False
    """Show what a run with --merge would do."""
    stat: Switch = False
    """List the files, with the number of added and removed lines."""


def diff(
    drop: Drop = None,
    /,
    *names: Names,
    flags: DiffFlags = DiffFlags(),
    settings: SettingFlags = SettingFlags(),
    console: RunConsole,
) -> None:
    """Print the changes of the next run as a diff for git apply and patch -p1.

    Examples:
      Read what an update changes, before it is built:
        tool diff drop
      Keep what was changed in one module of the project shop/ as a patch:
        tool diff drop shop_banner --mine --output shop > banner.patch

    Documentation: docs/building.md
    """
    if flags.mine + flags.theirs + flags.merge > 1:
        raise Stop(
            UsageError(
                "--mine, --theirs and --merge contradict each other: pass one of them", "tool diff"
            )
        )
    run = begin(read_request(flags, settings, console), flags, (drop, *names), console)
    is_next_run = not (flags.mine or flags.theirs)
    with read_only_scope(run) as scope:
        planned = scope.viewed(PlanOptions(merge=flags.merge))
        compared, refused = _compared(flags, planned, scope)
        _print(
            differences(compared, scope.drop_view.reader.texts, scope.selection.choices),
            console,
            is_stat=flags.stat,
        )
    if is_next_run:
        _print_forced(planned.skipped, console)
        console.warn(ahead(planned.component_errors, console.context, console.log_format))
    else:
        errors = unknown_bases(planned)
        advised = with_advice(errors, console.context)
        console.warn(unknown_base(error, advice) for error, advice in advised)
    refused += [error for error in planned.refused if error not in planned.component_errors]
    if not flags.mine:
        refused += scope.in_scope.errors
    if refused:
        raise Stop(*unique(refused))


def _compared(
    flags: DiffFlags, planned: Plan, scope: Scope
) -> tuple[Iterator[Comparison], list[Error]]:
    """The pairs of files to compare, and the errors of refused archives."""
    choices = {choice.path: choice for choice in _archives_compared(flags, planned, scope)}
    built = {path: build.component for path, build in scope.view.settled.state.components.items()}
    archives = dict[str, tuple[Choice, Payload]]()
    refused = list[Error]()
    for path, outcome in payloads_of(
        choices.values(), scope.drop_view.reader, planned.patches, built
    ).items():
        refused += errors_of(outcome)
        payload = value_of(outcome)
        if payload is not None:
            archives[path] = (choices[path], payload)
    if flags.mine:
        return since_built(planned, archives, is_mine=True), []
    if flags.theirs:
        return since_built(planned, archives, is_mine=False), refused
    return next_run(planned, {path: payload for path, (_, payload) in archives.items()}), refused


def _archives_compared(flags: DiffFlags, planned: Plan, scope: Scope) -> Iterator[Choice]:
    """The archives of the drop that are compared, or built."""
    if flags.mine or flags.theirs:
        bases = {path for path, step in planned.surveyed.items() if step.base}
        for choice in scope.in_scope.choices:
            if choice.is_built and choice.path in bases:
                yield choice
        return
    for step in planned.changes:
        if step.action == "add" and step.choice:
            yield step.choice
    for step in planned.skipped:
        if step.forced and step.survey.choice:
            yield step.survey.choice


def _print_forced(steps: Iterable[Step], console: Console) -> None:
    """Print the changes that `--force` would make to components with an unknown base."""
    for step in steps:
        if forced := step.forced:
            event = ForcedEvent(step.path, forced.replaced, forced.untouched, forced.gone)
            for line in emit((event,), console.log_format):
                print_line(line)


def _print(diffs: Iterator[FileDiff], console: Console, *, is_stat: bool) -> None:
    if console.log_format == "json":
        for change in diffs:
            print_line(*emit((change.event,), "json"))
    elif is_stat:
        for line in emit((change.event for change in diffs), "text", screen_of(sys.stdout)):
            print_line(line)
    else:
        for change in diffs:
            print_diff(change.text)


def print_diff(diff: bytes) -> None:
    """Print a diff: exact bytes for a program, which can apply them, escaped text
    for a terminal.
    """
    if is_terminal(sys.stdout):
        diff = "".join(
            f"{line}\n" for line in lines_for_screen(diff, screen_of(sys.stdout))
        ).encode(errors="replace")
    print_bytes(diff)
