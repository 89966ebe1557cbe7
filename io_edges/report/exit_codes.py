"""Error names: what every error is reported as; `codes` has the exit code (`docs/reference/errors.md`)."""

from typing import assert_never

from pipeline.report.diagnostic import OfKey
from pipeline.report.diagnostics import (
    Error,
    archives,
    bases,
    building,
    configuration,
    conflicts,
    disk,
    drop,
    patches,
    runs,
    scripts,
    selection,
    settings,
    updates,
)


def error_name(error: Error) -> str:
    """The name under which an error is reported: its own, unless several are one error."""
    match error:
        case building.BadFolder(by=by):
            return "UsageError" if by.startswith("--") else "SchemaValidationError"
        case OfKey() | scripts.EvaluationFailed(fault="not an object" | "not data"):  # as if a JSON file held it
            return "SchemaValidationError"
        case scripts.EvaluationFailed():
            return "ConfigEvaluationError"
        case conflicts.OutputConflict() | building.RecordUnreadable() | building.NothingToUndo():
            return "OutputConflict"
        case (
            settings.UsageError()
            | settings.PresetNotFound()
            | configuration.ConfigNotFound()
            | configuration.ConfigUnreadable()
            | configuration.ConfigSyntaxError()
            | scripts.ScriptRuntimeUnavailable()
            | selection.ThemeNotFound()
            | selection.ThemeAmbiguous()
            | drop.DropNotFound()
            | drop.ComponentNotFound()
            | selection.ComponentAmbiguous()
            | archives.ArchiveRejected()
            | bases.UnknownBase()
            | bases.DropBehind()
            | building.OutOfDate()
            | patches.PatchInvalid()
            | patches.PatchConflict()
            | disk.ProjectLocked()
            | disk.FileSystemProblem()
            | runs.HookFailed()
            | updates.PartialArchive()
            | updates.UnmetRequirement()
            | updates.BuiltElsewhere()
        ):
            return type(error).__name__
        case _:
            assert_never(error)
