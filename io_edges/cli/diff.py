"""Diff: the command that shows what becomes of files, as `git apply` and `patch -p1` take it (`docs/building.md`)."""

import sys
from collections.abc import Iterator, Sequence
from typing import Annotated

from cyclopts import Group, Parameter
from toolz import concat, unique

from io_edges.cli.flags import Drop, Names, PlacesFlags, SettingFlags, Switch
from io_edges.cli.scope import Scope, read_only_scope
from io_edges.cli.session import RunConsole, request_of, resolve_and_report
from io_edges.report.console import Console, print_bytes, print_line
from io_edges.report.screens import is_terminal, screen_of
from io_edges.system.stop import Stop
from pipeline.building.draft import Found, PlanOptions
from pipeline.building.merging.lines import FileDiff, shown
from pipeline.building.patching.given import Given
from pipeline.building.patching.patching import content_as_built, contents_with_patches, is_as_built
from pipeline.building.showing.changes import Compared, differences, next_run, since_built
from pipeline.building.steps import Plan
from pipeline.emit import emit
from pipeline.report.diagnostics import Error
from pipeline.report.diagnostics.selection import ahead
from pipeline.report.diagnostics.settings import UsageError
from pipeline.report.events import ForcedEvent
from pipeline.report.outcome import errors_of, value_of
from pipeline.selection.choices import Choice

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
    resolved, is_mine = (
        resolve_and_report(request, console, at=(flags.output, drop)).settings,
        flags.mine or flags.theirs,
    )
    with read_only_scope((drop, *names), flags, request, resolved, console) as scope:
        planned = scope.viewed(PlanOptions(merge=flags.merge))
        compared, refused = _compared(flags, planned, scope)
        _print(differences(compared, scope.drop_view.found.texts, scope.selection.choices), console, is_stat=flags.stat)
    if not is_mine and scope.names is not None:
        _print_forced(planned, console)
    if not is_mine:
        console.warn(ahead(planned.conflicts, console.context))
    refused += tuple(each for each in planned.refused if each not in planned.conflicts)
    refused += () if flags.mine else scope.in_scope.errors
    if refused:
        raise Stop(*unique(refused))


def _compared(flags: DiffFlags, planned: Plan, scope: Scope) -> tuple[Iterator[Compared], tuple[Error, ...]]:
    """What is compared, and the archives that are refused."""
    if not (flags.mine or flags.theirs):
        added = [step.choice for step in planned.changes if step.action == "add" and step.choice]
        given, refused = _given(added, planned, scope.drop_view.found)
        return next_run(planned, {path: each.files for path, (_, each) in given.items()}), refused
    bases, choices = planned.before.components, [each for each in scope.in_scope.choices if each.is_built]
    known = {
        path: (each, content_as_built(each, bases[path], scope.drop_view.found, planned.patches))
        for each in choices
        if (path := each.path) in bases and is_as_built(each, bases[path], planned.patches)
    }
    others = [each for each in choices if each.path in bases and each.path not in known]
    given, refused = _given(others, planned, scope.drop_view.found)
    return since_built(planned, {**known, **given}, is_mine=flags.mine), () if flags.mine else refused


def _given(
    choices: Sequence[Choice], planned: Plan, found: Found
) -> tuple[dict[str, tuple[Choice, Given]], tuple[Error, ...]]:
    """What building components gives, by their paths, and why archives are refused."""
    outcomes = dict(zip(choices, contents_with_patches(choices, found, planned.patches), strict=True))
    given = {each.path: (each, gives) for each, one in outcomes.items() if (gives := value_of(one)) is not None}
    return given, tuple(concat(map(errors_of, outcomes.values())))


def _print_forced(planned: Plan, console: Console) -> None:
    """Print what `--force` would do to components with an unknown base."""
    for step in planned.passed_over:
        if forced := step.forced:
            event = ForcedEvent(step.path, forced.replaced, forced.left, forced.gone)
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
