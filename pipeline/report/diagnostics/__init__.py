"""Diagnostics: every error and every warning, as facts with their words.

One module for each part of the tool: `configuration`, `settings`, `scripts`, `drop`, `selection`, `archives`,
`bases`, `conflicts`, `patches`, `building`, `disk`, `runs`, `updates`. A
`reason` or `cause` is a clause such as "it has two end records",
written beside the check that knows it: there are as many as checks, and no other code tells them apart.
`io_edges.report.exit_codes` gives each error its name and exit code; a new one fails the type check until it does. The
name of a warning is its code.
"""

from typing import TypeAlias

from pipeline.report.diagnostics import (
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

FileError: TypeAlias = configuration.ConfigurationError | scripts.ScriptError
"""Why a file gives no plain data."""
ConfigError: TypeAlias = FileError | settings.SchemaError | settings.PresetNotFound
"""What the configuration chain can fail with."""
BuildError: TypeAlias = (
    drop.DropError
    | selection.SelectionError
    | archives.ArchiveRejected
    | bases.BaseError
    | conflicts.ConflictError
    | building.BuildingError
    | patches.PatchError
    | disk.DiskError
    | runs.HookFailed
    | updates.UpdateError
)
"""What choosing and building components can fail with."""
Error: TypeAlias = ConfigError | BuildError | settings.UsageError
