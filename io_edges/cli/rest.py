"""Rest: after a run that stopped before it changed anything, the command that builds what can be built."""

import shlex
import sys
from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from io_edges.cli.scope import Scope
from io_edges.system.stop import Stop
from pipeline.building.draft import PlanOptions
from pipeline.building.steps import Plan
from pipeline.plan import plan
from pipeline.report.diagnostics import Error
from pipeline.report.diagnostics.archives import ArchiveRejected
from pipeline.report.diagnostics.selection import ThemeAmbiguous
from pipeline.report.outcome import value_of


class Rest(Struct, frozen=True):
    """A command, for a shell, and the themes of the drop: the command names the first, and could name any."""

    command: str = ""
    themes: tuple[str, ...] = ()


def rest_of(scope: Scope, options: PlanOptions, errors: Sequence[Error], word: str | None) -> Rest:
    """What can be built although these errors keep a plan from being made. `word` is the first after `create`."""
    themes = tuple(_themes(scope, errors))
    left = tuple(each for each in scope.selection.errors if not (themes and isinstance(each, ThemeAmbiguous)))
    selection, options = replace(scope.selection, errors=left), replace(options, keep_going=True, names=scope.names)
    try:
        planned = value_of(plan(selection, scope.view.record, scope.view.state, scope.drop_view.found, options))
    except (Stop, OSError):  # the disk refuses more; report why the run stopped
        return Rest()
    if planned is None or not (themes or planned.changes):
        return Rest()
    flags = ("--keep-going",) * bool(planned.refused) + tuple(f"--theme={name}" for name in themes[:1])
    return Rest(_again(sys.argv[1:], "" if word == scope.drop else scope.drop, flags), themes)


def rest_beside(scope: Scope, planned: Plan, errors: Sequence[Error], word: str | None) -> Rest:
    """What of a plan can be built although some of its archives turned out to be damaged."""
    refused = {each.archive for each in errors if isinstance(each, ArchiveRejected)}
    sources = [step.choice.archive.file.display_path for step in planned.changes if step.choice]
    can_go_on = all(isinstance(each, ArchiveRejected) for each in errors) and not refused.issuperset(sources)
    drop = "" if word == scope.drop else scope.drop
    return Rest(_again(sys.argv[1:], drop, ("--keep-going",))) if can_go_on else Rest()


def _themes(scope: Scope, errors: Iterable[Error]) -> Iterable[str]:
    """The themes that could be chosen, if that is what is not decided."""
    sound = {each.component.name for each in scope.selection.choices if not each.archive.refusals}
    return (name for each in errors if isinstance(each, ThemeAmbiguous) for name in each.themes if name in sound)


def _again(words: Sequence[str], drop: str, flags: Sequence[str]) -> str:
    """The command line of this run, with a drop if it had none, and with more flags; they stand before a `--`."""
    command, *rest = words
    end = rest.index("--") if "--" in rest else len(rest)
    more = [flag for flag in flags if flag not in rest[:end]]
    named = [f"./{drop}" if drop.startswith("-") else drop] if drop else []
    return shlex.join(("tool", command, *named, *rest[:end], *more, *rest[end:]))
