"""Diff: the command that shows what becomes of files, as `git apply` and `patch -p1` take it (`docs/building.md`)."""

import sys
from collections.abc import Iterable, Iterator
from typing import Annotated

from cyclopts import Group, Parameter
from toolz import concat, unique

from io_edges.cli.flags import Drop, Names, PlacesFlags, SettingFlags, Switch
from io_edges.cli.scope import Scope, read_only_scope
from io_edges.cli.session import RunConsole, request_of, resolve_and_report
from io_edges.report.console import Console, print_bytes, print_line
from io_edges.report.screens import is_terminal, screen_of
from io_edges.system.stop import Stop
from pipeline.building.draft import PlanOptions
from pipeline.building.merging.lines import FileDiff, shown
from pipeline.building.planning.contents import contents_of
from pipeline.building.showing.changes import Compared, differences, next_run, since_built, unknown_bases
from pipeline.building.steps import Plan, Step
from pipeline.emit import emit
from pipeline.report.diagnostic import with_advice
from pipeline.report.diagnostics import Error
from pipeline.report.diagnostics.bases import unknown_base
from pipeline.report.diagnostics.selection import ahead
from pipeline.report.diagnostics.settings import UsageError
from pipeline.report.events import ForcedEvent
from pipeline.report.outcome import errors_of, value_of

_VIEWS = Group("What is compared", sort_key=1)


class DiffFlags(PlacesFlags):
    """What `tool diff` takes besides the settings."""

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
        raise Stop(UsageError("--mine, --theirs and --merge contradict each other: pass one of them", "tool diff"))
    request = request_of(flags, settings, console)
    resolved = resolve_and_report(request, console, at=(flags.output, drop)).settings
    is_next_run = not (flags.mine or flags.theirs)
    with read_only_scope((drop, *names), flags, request, resolved, console) as scope:
        planned = scope.viewed(PlanOptions(merge=flags.merge))
        compared, refused = _compared(flags, planned, scope)
        _print(differences(compared, scope.drop_view.found.texts, scope.selection.choices), console, is_stat=flags.stat)
    if is_next_run:
        _print_forced(planned.passed_over, console)
        console.warn(ahead(planned.conflicts, console.context, console.log_format))
    else:
        errors = unknown_bases(planned, scope.drop_view.found.command)
        advised = with_advice(errors, console.context)
        console.warn(unknown_base(error, advice) for error, advice in advised)
    refused += tuple(each for each in planned.refused if each not in planned.conflicts)
    refused += () if flags.mine else scope.in_scope.errors
    if refused:
        raise Stop(*unique(refused))


def _compared(flags: DiffFlags, planned: Plan, scope: Scope) -> tuple[Iterator[Compared], tuple[Error, ...]]:
    """What is compared, and the archives that are refused."""
    is_next_run = not (flags.mine or flags.theirs)
    bases = {path for path, step in planned.surveyed.items() if step.base}
    added = [step.choice for step in planned.changes if step.action == "add"]
    forced = [step.survey.choice for step in planned.passed_over if step.forced]
    known = [each for each in scope.in_scope.choices if each.is_built and each.path in bases]
    choices = {each.path: each for each in ((*added, *forced) if is_next_run else known) if each}
    built = {path: each.component for path, each in scope.view.settled.state.components.items()}
    outcomes = contents_of(choices.values(), scope.drop_view.found, planned.patches, built)
    given = {path: gives for path, outcome in outcomes.items() if (gives := value_of(outcome)) is not None}
    refused = tuple(concat(map(errors_of, outcomes.values())))
    if is_next_run:
        return next_run(planned, given), refused
    archives = {path: (choices[path], each) for path, each in given.items()}
    return since_built(planned, archives, is_mine=flags.mine), () if flags.mine else refused


def _print_forced(steps: Iterable[Step], console: Console) -> None:
    """Print what `--force` would do to components with an unknown base."""
    for step in steps:
        if forced := step.forced:
            event = ForcedEvent(step.path, forced.replaced, forced.untouched, forced.gone)
            for line in emit((event,), console.log_format):
                print_line(line)


def _print(diffs: Iterator[FileDiff], console: Console, *, is_stat: bool) -> None:
    if console.log_format == "json":
        for each in diffs:
            print_line(*emit((each.event,), "json"))
    elif is_stat:
        for line in emit((each.event for each in diffs), "text", screen_of(sys.stdout)):
            print_line(line)
    else:
        for each in diffs:
            print_diff(each.text)


def print_diff(diff: bytes) -> None:
    """Print a diff: as bytes to a program, so that it can be applied, and harmless to a terminal."""
    if is_terminal(sys.stdout):
        diff = "".join(f"{line}\n" for line in shown(diff, screen_of(sys.stdout))).encode(errors="replace")
    print_bytes(diff)
