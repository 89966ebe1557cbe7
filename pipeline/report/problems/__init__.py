"""Problems and notes: what ends a run with an error, and what it only warns of, as facts with their words.

One module a subject: `configuration`, `settings`, `scripts`, `drop`, `selection`, `archives`, `conflicts`, `building`,
`disk`, `places`, `runs`. A `reason` or `cause` is a clause such as "it has two end records", written beside the check
that knows it: there are as many as checks, and no other code tells them apart. `io_edges.report.exit_codes` gives each
problem its error name and exit code; a new variant fails the type check until it does. The name of a note is its code.
"""

from typing import Final, TypeAlias

from toolz import concat

from pipeline.report.problems import (
    archives,
    building,
    configuration,
    conflicts,
    disk,
    drop,
    places,
    runs,
    scripts,
    selection,
    settings,
)
from pipeline.report.subject import Note

FileProblem: TypeAlias = configuration.ConfigurationProblem | scripts.ScriptProblem
"""Why a file gives no plain data."""
ConfigProblem: TypeAlias = FileProblem | settings.SchemaProblem | settings.PresetNotFound
"""What the configuration chain can fail with."""
BuildProblem: TypeAlias = (
    drop.DropProblem
    | selection.SelectionProblem
    | archives.ArchiveRejected
    | conflicts.ConflictProblem
    | building.BuildingProblem
    | disk.DiskProblem
    | places.PlacesProblem
    | runs.HookFailed
)
"""What choosing and building components can fail with."""
Problem: TypeAlias = ConfigProblem | BuildProblem | settings.UsageError

_SUBJECTS: Final = settings, configuration, scripts, drop, selection, archives, conflicts, building, disk, places, runs
EXAMPLES: Final[tuple[Problem | Note, ...]] = tuple(concat(each.EXAMPLES for each in _SUBJECTS))
"""One of each, as `tool explain` and the reference show them."""
