"""Exit codes: the error name and the exit code of every problem, as promised in `docs/exit-codes.md`."""

from typing import Final, Literal, TypeAlias, assert_never

from pipeline.report import build_problems, problems, redundancies
from pipeline.report.problems import Problem

ErrorName: TypeAlias = Literal[
    "UsageError",
    "SchemaValidationError",
    "ConfigSyntaxError",
    "ConfigEvaluationError",
    "RedundantSetting",
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
    "Interrupted",
    "Terminated",
]

EXIT_CODES: Final[dict[ErrorName, int]] = {
    "UsageError": 64,
    "SchemaValidationError": 65,
    "ConfigSyntaxError": 65,
    "ConfigEvaluationError": 65,
    "RedundantSetting": 65,
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
    "Interrupted": 130,
    "Terminated": 143,
}
DONE: Final = 0


def error_name(problem: Problem) -> ErrorName:
    """The name of the error that a problem is reported as."""
    match problem:
        case problems.UsageError():
            return "UsageError"
        case (
            problems.UnknownKey()
            | problems.NotInPreset()
            | problems.WrongType()
            | problems.BadChoice()
            | problems.EmptyPath()
            | problems.RepeatedSplice()
        ):
            return "SchemaValidationError"
        case problems.EvaluationFailed(fault="not an object" | "not data"):  # as if a JSON file held it
            return "SchemaValidationError"
        case problems.MalformedJson() | problems.DuplicateKey() | problems.LimitExceeded():
            return "ConfigSyntaxError"
        case problems.EvaluationFailed():
            return "ConfigEvaluationError"
        case redundancies.EqualSetting() | redundancies.RedundantItem() | redundancies.IdlePreset():
            return "RedundantSetting"
        case problems.ConfigNotFound():
            return "ConfigNotFound"
        case problems.ConfigUnreadable():
            return "ConfigUnreadable"
        case problems.PresetNotFound():
            return "PresetNotFound"
        case build_problems.ThemeNotFound():
            return "ThemeNotFound"
        case build_problems.ThemeAmbiguous():
            return "ThemeAmbiguous"
        case build_problems.ComponentAmbiguous():
            return "ComponentAmbiguous"
        case problems.ScriptRuntimeUnavailable():
            return "ScriptRuntimeUnavailable"
        case build_problems.DropNotFound():
            return "DropNotFound"
        case build_problems.OutputConflict() | build_problems.RecordUnreadable():
            return "OutputConflict"
        case build_problems.OutOfDate() | build_problems.NotAsRecorded():
            return "OutOfDate"
        case build_problems.FileSystemProblem():
            return "FileSystemProblem"
        case build_problems.ArchiveRejected():
            return "ArchiveRejected"
        case build_problems.ProjectLocked():
            return "ProjectLocked"
        case build_problems.HookFailed():
            return "HookFailed"
        case _:
            assert_never(problem)
