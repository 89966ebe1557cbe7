"""Exit codes: the error name and the exit code of every problem, as promised in `docs/exit-codes.md`."""

from typing import Final, Literal, TypeAlias, assert_never

from pipeline.report.build_problems import (
    ArchiveRejected,
    ComponentAmbiguous,
    DropNotFound,
    FileSystemProblem,
    HookFailed,
    OutOfDate,
    OutputConflict,
    ProjectLocked,
    RecordUnreadable,
    ThemeAmbiguous,
    ThemeNotFound,
)
from pipeline.report.problems import (
    BadChoice,
    ConfigNotFound,
    ConfigUnreadable,
    DuplicateKey,
    EmptyPath,
    EvaluationFailed,
    LimitExceeded,
    MalformedJson,
    NotInPreset,
    PresetNotFound,
    Problem,
    ScriptRuntimeUnavailable,
    UnknownKey,
    UsageError,
    WrongType,
)

ErrorName: TypeAlias = Literal[
    "UsageError",
    "SchemaValidationError",
    "ConfigSyntaxError",
    "ConfigEvaluationError",
    "ConfigNotFound",
    "ConfigUnreadable",
    "PresetNotFound",
    "ThemeNotFound",
    "ThemeAmbiguous",
    "ComponentAmbiguous",
    "ScriptRuntimeUnavailable",
    "InternalError",
    "DropNotFound",
    "OutputConflict",
    "FileSystemProblem",
    "ArchiveRejected",
    "ProjectLocked",
    "HookFailed",
    "OutOfDate",
]

EXIT_CODES: Final[dict[ErrorName, int]] = {
    "UsageError": 64,
    "SchemaValidationError": 65,
    "ConfigSyntaxError": 65,
    "ConfigEvaluationError": 65,
    "ConfigNotFound": 66,
    "ConfigUnreadable": 66,
    "PresetNotFound": 67,
    "ThemeNotFound": 68,
    "ThemeAmbiguous": 68,
    "ComponentAmbiguous": 68,
    "ScriptRuntimeUnavailable": 69,
    "InternalError": 70,
    "DropNotFound": 72,
    "OutputConflict": 73,
    "FileSystemProblem": 74,
    "ProjectLocked": 75,
    "ArchiveRejected": 76,
    "HookFailed": 79,
    "OutOfDate": 80,
}
DONE: Final = 0
INTERRUPTED: Final = 130
TERMINATED: Final = 143


def error_name(problem: Problem) -> ErrorName:
    """The name of the error that a problem is reported as."""
    match problem:
        case UsageError():
            return "UsageError"
        case UnknownKey() | NotInPreset() | WrongType() | BadChoice() | EmptyPath():
            return "SchemaValidationError"
        case MalformedJson() | DuplicateKey() | LimitExceeded():
            return "ConfigSyntaxError"
        case EvaluationFailed():
            return "ConfigEvaluationError"
        case ConfigNotFound():
            return "ConfigNotFound"
        case ConfigUnreadable():
            return "ConfigUnreadable"
        case PresetNotFound():
            return "PresetNotFound"
        case ThemeNotFound():
            return "ThemeNotFound"
        case ThemeAmbiguous():
            return "ThemeAmbiguous"
        case ComponentAmbiguous():
            return "ComponentAmbiguous"
        case ScriptRuntimeUnavailable():
            return "ScriptRuntimeUnavailable"
        case DropNotFound():
            return "DropNotFound"
        case OutputConflict() | RecordUnreadable():
            return "OutputConflict"
        case OutOfDate():
            return "OutOfDate"
        case FileSystemProblem():
            return "FileSystemProblem"
        case ArchiveRejected():
            return "ArchiveRejected"
        case ProjectLocked():
            return "ProjectLocked"
        case HookFailed():
            return "HookFailed"
        case _:
            assert_never(problem)
