"""Errors and warnings about hook scripts and other runs (`docs/scripts.md`)."""

from typing import Final, Literal

from pipeline.report.diagnostic import Diagnostic, Sentence, WarningDiagnostic
from pipeline.report.location import Location
from pipeline.report.wording import clause, did_you_mean, listed
from pipeline.schema import SCRIPT_SUFFIXES


class OfHook(Diagnostic, frozen=True):
    """An error of a hook script."""

    stage: str
    script: str
    at = "script"


class HookFailed(OfHook, frozen=True):
    """A hook script failed, and `hooks.onFailure` is `fail`. No later script runs; its
    output is above.
    """

    status: str
    message = Sentence("the {stage} script `{script}` failed: {status}")
    advice = "fix the script, or pass `--on-failure=continue` to go on"


def failed_hook(stage: str, script: str, status: str) -> WarningDiagnostic:
    """A hook script failed, and the run goes on, because `hooks.onFailure` is `continue`."""
    message = f"the {stage} script `{script}` failed: {status}; the run goes on"
    return WarningDiagnostic(
        "failed-hook", message, "`--on-failure=fail` ends a run there", Location(script)
    )


def skipped_hook(stage: str, script: str, suffix: str) -> WarningDiagnostic:
    """A file among the hook scripts cannot be run. The other scripts run."""
    message = f"the {stage} script `{script}` is skipped: nothing says which program runs it"
    advice = "make it executable, or begin it with a line such as `#!/bin/sh`"
    if suffix in SCRIPT_SUFFIXES:
        advice = "begin it with a line such as `#!/usr/bin/env node`"
    return WarningDiagnostic("skipped-hook", message, advice, Location(script))


def skipped_backups(stage: str, scripts: tuple[str, ...]) -> WarningDiagnostic:
    """Backup copies of hook scripts, which editors and other programs leave, are not run."""
    message = f"the {stage} script {listed(scripts)} is skipped: it is named like a backup"
    if len(scripts) > 1:
        message = f"the {stage} scripts {listed(scripts)} are skipped: they are named like backups"
    return WarningDiagnostic(
        "skipped-backups", message, "rename a file to run it", Location(scripts[0])
    )


def missing_hook_folder(path: str, folder: str, location: Location) -> WarningDiagnostic:
    """A setting names a folder of hook scripts that does not exist."""
    message = f"{path} names `{folder}`, which is not a folder, so no script is run from it"
    return WarningDiagnostic(
        "missing-hook-folder", message, "create the folder, or correct the path", location
    )


def changed_drop(drop: str) -> WarningDiagnostic:
    """An init script changed the drop after it was read. The archives from before are built."""
    message = f"the init scripts changed the drop `{drop}` after it was read"
    return WarningDiagnostic(
        "changed-drop", message, "run again to build its archives", Location(drop)
    )


def changed_record() -> WarningDiagnostic:
    """An init script replaced the record after it was read. What the new record says of other
    components stays.
    """
    message = (
        "the init scripts changed `.tool-manifest.json` after it was read: this run only "
        "adds what it built to it"
    )
    return WarningDiagnostic("changed-record", message, "run again to build the rest of it")


_INTERRUPTED: Final = {
    "begun": (
        "an earlier run was interrupted in {parts}{run}; the next `tool create` or `tool "
        "undo` finishes it"
    ),
    "idle": (
        "an earlier run was interrupted before it changed a file; the next one removes its "
        "temporary files"
    ),
    "finished": "an earlier run was interrupted{run}; this run finished it first",
    "forgotten": (
        "an earlier run was interrupted before it changed a file{run}; its temporary "
        "files are removed"
    ),
}


def interrupted_run(
    outcome: Literal["begun", "idle", "finished", "forgotten"],
    run: str = "",
    components: tuple[str, ...] = (),
) -> WarningDiagnostic:
    """An earlier run was killed while it replaced files. The next run that builds or undoes
    finishes it first.

    `outcome` is what became of the killed run; `run` is its command and time, if it changed files;
    `components` are the components that it was changing.
    """
    message = _INTERRUPTED[outcome].format(parts=listed(components), run=clause(": {}", run))
    return WarningDiagnostic("interrupted-run", message)


def live_run() -> WarningDiagnostic:
    """Another run is building the project at this moment."""
    message = "another run is building this project; results may be out of date"
    return WarningDiagnostic("live-run", message, "repeat this command when that run has ended")


def not_logged(
    name: str, logged: tuple[str, ...], suggestions: tuple[str, ...] = ()
) -> WarningDiagnostic:
    """`tool log` was asked for a component that no run in the log changed.

    `logged` are the components that runs changed.
    """
    advice = did_you_mean(suggestions) or f"the log has {listed(logged)}"
    return WarningDiagnostic("not-logged", f"no run in the log changed `{name}`", advice)
