"""Exit codes: the name under which every error is reported, and its exit
code (`docs/reference/errors.md`).
"""

from typing import Final, assert_never

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

EXIT_CODES: Final = {
    "UsageError": 64,
    "SchemaValidationError": 65,
    "ConfigSyntaxError": 65,
    "ConfigEvaluationError": 65,
    "PatchInvalid": 65,
    "ConfigNotFound": 66,
    "ConfigUnreadable": 66,
    "PresetNotFound": 67,
    "ThemeNotFound": 68,
    "ThemeAmbiguous": 68,
    "ComponentNotFound": 68,
    "ComponentAmbiguous": 68,
    "ScriptRuntimeUnavailable": 69,
    "InternalError": 70,
    "DropNotFound": 72,
    "OutputConflict": 73,
    "UnknownBase": 73,
    "DropBehind": 73,
    "PatchConflict": 73,
    "PartialArchive": 73,
    "UnmetRequirement": 73,
    "BuiltElsewhere": 73,
    "FileSystemProblem": 74,
    "ProjectLocked": 75,
    "ArchiveRejected": 76,
    "HookFailed": 79,
    "OutOfDate": 80,
    "Interrupted": 130,
    "Terminated": 143,
}
DONE: Final = 0


def error_name(error: Error) -> str:
    """The name under which an error is reported: its own, unless several are one error."""
    match error:
        case building.BadFolder(by=by) if by.startswith("--"):
            return "UsageError"
        case building.BadFolder():
            return "SchemaValidationError"
        # As if a JSON file held it.
        case OfKey() | scripts.EvaluationFailed(fault="not an object" | "not data"):
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
