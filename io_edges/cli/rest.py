"""Rest: after a run that stopped, the command line that builds what can be built.

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
    """The command line for a run that had no plan because of these errors. It builds no theme if
    none can be chosen.

    `word` is the first word after `create`.
    """
    others = tuple(
        error for error in scope.selection.errors if not isinstance(error, ThemeAmbiguous)
    )
    selection = replace(scope.selection, errors=others)
    options = replace(options, keep_going=True, names=scope.names, kept_patches=scope.kept_patches)
    try:
        planned = value_of(
            plan(selection, scope.view.record, scope.view.state, scope.drop_view.reader, options)
        )
    except (Stop, OSError):  # the disk refuses more; report why the run stopped
        return ""
    if planned is None or not planned.changes:
        return ""
    flags = list[str]()
    if planned.refused:
        flags.append("--keep-going")
    if any(isinstance(error, ThemeAmbiguous) for error in errors):
        flags.append(f"--theme={NONE}")
    return with_drop(scope.drop, word, flags)


def rest_beside(scope: Scope, planned: Plan, errors: Sequence[Error], word: str | None) -> str:
    """The command line for a run whose plan failed because some of its archives are damaged."""
    refused = set[str]()
    for error in errors:
        if not isinstance(error, ArchiveRejected):
            return ""
        refused.add(error.archive)
    for step in planned.changes:
        if step.choice and step.choice.archive.file.display_path not in refused:
            return with_drop(scope.drop, word, ("--keep-going",))
    return ""


def with_drop(drop: str, word: str | None, flags: Sequence[str] = ()) -> str:
    """The command line of this run, with the drop if it names none, and with more flags,
    before any `--`.
    """
    command, *rest = sys.argv[1:]
    end = len(rest)
    if "--" in rest:
        end = rest.index("--")
    words = ["tool", command]
    if word != drop and drop.startswith("-"):
        words.append(f"./{drop}")
    elif word != drop:
        words.append(drop)
    words += rest[:end]
    words += [flag for flag in flags if flag not in rest[:end]]
    words += rest[end:]
    return shlex.join(words)
