"""Rest: after a run that stopped before it changed anything, the command that builds what can be built.

It is a line for a shell; empty if nothing can be built.
"""

import shlex
import sys
from collections.abc import Sequence

from io_edges.cli.scope import Scope
from io_edges.system.stop import Stop
from pipeline.building.draft import PlanOptions
from pipeline.building.steps import Plan
from pipeline.plan import plan
from pipeline.report.diagnostics import Error
from pipeline.report.diagnostics.archives import ArchiveRejected
from pipeline.report.diagnostics.selection import ThemeAmbiguous
from pipeline.report.outcome import value_of
from pipeline.schema import NONE
from pipeline.values import replace


def rest_of(scope: Scope, options: PlanOptions, errors: Sequence[Error], word: str | None) -> str:
    """What can be built although these errors keep a plan from being made: without a theme, if none can be chosen.

    `word` is the first after `create`.
    """
    is_ambiguous = any(isinstance(each, ThemeAmbiguous) for each in errors)
    left = tuple(each for each in scope.selection.errors if not isinstance(each, ThemeAmbiguous))
    selection = replace(scope.selection, errors=left)
    options = replace(options, keep_going=True, names=scope.names, versions=scope.versions)
    try:
        planned = value_of(plan(selection, scope.view.record, scope.view.state, scope.drop_view.found, options))
    except (Stop, OSError):  # the disk refuses more; report why the run stopped
        return ""
    if planned is None or not planned.changes:
        return ""
    flags = ("--keep-going",) * bool(planned.refused) + (f"--theme={NONE}",) * is_ambiguous
    return with_drop(scope.drop, word, flags)


def rest_beside(scope: Scope, planned: Plan, errors: Sequence[Error], word: str | None) -> str:
    """What of a plan can be built although some of its archives turned out to be damaged."""
    refused = {each.archive for each in errors if isinstance(each, ArchiveRejected)}
    sources = [step.choice.archive.file.display_path for step in planned.changes if step.choice]
    can_go_on = all(isinstance(each, ArchiveRejected) for each in errors) and not refused.issuperset(sources)
    return with_drop(scope.drop, word, ("--keep-going",)) if can_go_on else ""


def with_drop(drop: str, word: str | None, flags: Sequence[str] = ()) -> str:
    """The command line of this run, with the drop if it had none, and with more flags; they stand before a `--`."""
    command, *rest = sys.argv[1:]
    end = rest.index("--") if "--" in rest else len(rest)
    more = [flag for flag in flags if flag not in rest[:end]]
    first = f"./{drop}" if drop.startswith("-") else drop
    return shlex.join(("tool", command, *([first] if word != drop else []), *rest[:end], *more, *rest[end:]))
