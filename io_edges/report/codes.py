"""Codes: the exit code of each error, which the start of the command needs, too (`docs/reference/exit-codes.md`)."""

EXIT_CODES = {
    "UsageError": 64,
    "SchemaValidationError": 65,
    "ConfigSyntaxError": 65,
    "ConfigEvaluationError": 65,
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
    "ComponentReplaced": 73,
    "FileSystemProblem": 74,
    "ProjectLocked": 75,
    "ArchiveRejected": 76,
    "HookFailed": 79,
    "OutOfDate": 80,
    "Interrupted": 130,
    "Terminated": 143,
}
DONE = 0
