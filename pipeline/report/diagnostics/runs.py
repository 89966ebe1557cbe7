"""Errors and warnings about hook scripts and other runs (`docs/scripts.md`)."""

from typing import Final

from pipeline.report.diagnostic import Diagnostic, Sentence, WarningDiagnostic, code
from pipeline.report.location import Location
from pipeline.report.wording import did_you_mean, listed
from pipeline.schema import SCRIPT_SUFFIXES


class OfHook(Diagnostic, frozen=True):
    """What there is to say about a hook script."""

    stage: str
    script: str
    at = "script"


class HookFailed(OfHook, frozen=True):
    """A hook script failed, and `hooks.onFailure` is `fail`. No later script runs; its output is above."""

    status: str
    message = Sentence("the {stage} script `{script}` failed: {status}")
    advice = "fix the script, or pass `--on-failure=continue` to go on"


class FailedHook(OfHook, WarningDiagnostic, frozen=True, tag=code):
    """A hook script failed, and the run goes on, as `hooks.onFailure` is `continue`."""

    status: str
    message = Sentence("the {stage} script `{script}` failed: {status}; the run goes on")
    advice = "`--on-failure=fail` ends a run there"


class SkippedHook(OfHook, WarningDiagnostic, frozen=True, tag=code):
    """A file among the hook scripts cannot be run. The other scripts run."""

    suffix: str
    message = Sentence("the {stage} script `{script}` is skipped: it is not executable, and not `.sh` or `.py`")

    @property
    def advice(self) -> str:
        if self.suffix in SCRIPT_SUFFIXES:
            return "add a first line such as `#!/usr/bin/env node` and make it executable"
        return "make it executable, or give it one of these suffixes"


class MissingHookFolder(WarningDiagnostic, frozen=True):
    """A setting names a folder of hook scripts that does not exist."""

    path: str
    folder: str
    location: Location
    message = Sentence("{path} names `{folder}`, which is not a folder; none of its scripts runs")
    advice = "create the folder, or correct the path"


class ChangedDrop(WarningDiagnostic, frozen=True):
    """An init script changed the drop after it was read. The archives from before are built."""

    drop: str
    at = "drop"
    message = Sentence("the init scripts changed the drop `{drop}` after it was read")
    advice = "run again to build its archives"


class InterruptedRun(WarningDiagnostic, frozen=True):
    """An earlier run was killed while it put components in place. Each is whole; nothing needs to be done."""

    dry: bool = False

    @property
    def message(self) -> str:
        return f"an earlier run was interrupted; {'the next one finishes it' if self.dry else 'cleaned up'}"


class LiveRun(WarningDiagnostic, frozen=True):
    """Another run is building the project at this moment."""

    message = "another run is building this project; results may be out of date"
    advice = "run this command again when it has ended"


class NotLogged(WarningDiagnostic, frozen=True):
    """`tool log` was asked for a component that no run in the log changed."""

    name: str
    logged: tuple[str, ...]
    """The components that runs of the log changed."""
    suggestions: tuple[str, ...] = ()
    """Those of them with a similar name."""
    message = Sentence("no run in the log changed `{name}`")

    @property
    def advice(self) -> str:
        return did_you_mean(self.suggestions) or f"the log has {listed(self.logged)}"


EXAMPLES: Final = (
    HookFailed("init", "init-scripts/a.sh", "exit code 3"),
    FailedHook("init", "init-scripts/a.sh", "exit code 3"),
    SkippedHook("init", "init-scripts/a.js", ".js"),
    MissingHookFolder("hooks.initScriptsDir", "./hooks", Location("tool.config.json", 3, 5)),
    ChangedDrop("drop"),
    InterruptedRun(),
    LiveRun(),
    NotLogged("shop_baner", ("modules/shop_banner",), ("shop_banner",)),
)
