"""Diagnostics: every error and every warning, as facts with their words.

One module for each part of the tool:

    configuration   which file is the configuration, and whether it can be read
    settings        keys, values, presets and the command line
    scripts         a configuration or a preset that is a script
    drop            the drop, and the names that are given
    archives        what is wrong with an archive, or what it is
    selection       which theme and modules are built
    bases           what components on disk were made from
    conflicts       changed files, obstacles and other versions
    updates         what an update would break
    patches         patches, which change the files of archives
    building        what stops a build, and components that are out of date
    disk            the operating system, the lock, `.tool/` and the cache
    runs            hook scripts and other runs

A `Flaw` of an archive, a `reason` or a `cause` is a clause such as "it has two end records",
written beside the check that knows it: there are as many as checks, and no other code tells them
apart. `io_edges.report.exit_codes` gives each error its name and exit code; a new one fails the
type check until it does. The name of a warning is its code.
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
Passable: TypeAlias = (
    archives.ArchiveRejected | selection.ComponentAmbiguous | disk.FileSystemProblem
)
"""Errors of single archives or components in a drop, which `--keep-going` passes over."""
ComponentError: TypeAlias = (
    bases.BaseError | updates.UpdateError | conflicts.OutputConflict | patches.PatchConflict
)
"""Errors of one component, with its path: those that stop a run until the user chooses, and those
(`stops` is false) for which the component stays as it is and the others are built.
"""
