"""Problems: everything that can go wrong, as facts. Prose and exit codes are made at the edge.

`io_edges.report.exit_codes` gives each variant its error name and exit code, `io_edges.report.prose` its words; a new
variant fails the type check until both handle it. `docs/exit-codes.md` lists them for users.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

from pipeline.report.source import Source


class ConfigNotFound(Struct, frozen=True, tag=True):
    """The file that `--config` names is not there, or is a `package.json` without the key `tool`."""

    file: str
    lacks_key: bool = False


class ConfigUnreadable(Struct, frozen=True, tag=True):
    """A configuration or preset is there but cannot be read."""

    file: str
    cause: str


class MalformedJson(Struct, frozen=True, tag=True):
    """The bytes are not JSON in UTF-8."""

    source: Source
    reason: str


class DuplicateKey(Struct, frozen=True, tag=True):
    """An object has a key more than once."""

    path: str
    source: Source
    first: Source


class LimitExceeded(Struct, frozen=True, tag=True):
    """A file is larger, or nested more deeply, than is accepted, or would be once written."""

    source: Source
    unit: Literal["bytes", "levels", "bytes to write"]
    limit: int


class UnknownKey(Struct, frozen=True, tag=True):
    """A key that the schema does not have; `near` are keys that may have been meant."""

    path: str
    source: Source
    near: tuple[str, ...] = ()
    renamed: str | None = None
    """The name in version 1 of a key of the 0.x file."""


class NotInPreset(Struct, frozen=True, tag=True):
    """A key that a configuration may have and a preset may not."""

    path: str
    source: Source


class WrongType(Struct, frozen=True, tag=True):
    """A value of a type other than the schema's."""

    path: str
    source: Source
    expected: str
    actual: str
    renamed: str | None = None
    """The key in version 1 for what such a value meant in the 0.x file."""


class BadChoice(Struct, frozen=True, tag=True):
    """A value of the right type that is not one of those accepted."""

    path: str
    source: Source
    value: str
    choices: tuple[str, ...]
    near: tuple[str, ...] = ()


class EmptyPath(Struct, frozen=True, tag=True):
    """An empty string where a path is required."""

    path: str
    source: Source


class ScriptRuntimeUnavailable(Struct, frozen=True, tag=True):
    """There is a script to evaluate, and nothing to evaluate it with."""

    file: str


ScriptFault: TypeAlias = Literal[
    "syntax",
    "threw",
    "missing import",
    "unsupported import",
    "denied",
    "no default export",
    "not an object",
    "not data",
    "ended early",
    "timed out",
    "out of memory",
    "too much output",
]
"""What went wrong with a script."""


class EvaluationFailed(Struct, frozen=True, tag=True):
    """A script gave no configuration. `detail` says more: the thrown message, the specifier, the type found."""

    source: Source
    fault: ScriptFault
    detail: str = ""
    path: str = ""
    """Where in the exported value; empty if nowhere in particular."""


class PresetNotFound(Struct, frozen=True, tag=True):
    """A preset that is neither bundled nor found."""

    preset: str
    source: Source
    searched: tuple[str, ...]
    near: tuple[str, ...] = ()
    path: str = "presets"
    """With the index, if the item has a place of its own."""


class DropNotFound(Struct, frozen=True, tag=True):
    """The folder of archives does not exist, or is not a folder."""

    drop: str
    cause: str


class ThemeNotFound(Struct, frozen=True, tag=True):
    """The theme setting names a theme or an archive that the drop does not have."""

    theme: str
    source: Source
    themes: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    is_module: bool = False
    """Whether the named archive exists but holds a module."""
    left_out: tuple[str, ...] = ()
    """Archives that a pattern leaves out by file and that hold it, or that are not opened and are named like it."""


class ThemeAmbiguous(Struct, frozen=True, tag=True):
    """The theme setting is `auto` and the drop has several."""

    themes: tuple[str, ...]
    source: Source


class ComponentAmbiguous(Struct, frozen=True, tag=True):
    """Several archives hold different contents for one component."""

    kind: str
    name: str
    archives: tuple[str, ...]


class ArchiveRejected(Struct, frozen=True, tag=True):
    """An archive that is damaged, hostile or contradictory."""

    archive: str
    reason: str
    entry: str | None = None


InTheWay: TypeAlias = Literal["file", "link", "foreign", "config", "key", "dangling", "other"]
"""What is where something would be written."""


class OutputConflict(Struct, frozen=True, tag=True):
    """Something would be overwritten that the tool did not write, or was not told to overwrite."""

    path: str
    files: tuple[str, ...] = ()
    """The files that differ, if it is a component."""
    reason: Literal["component", "changed"] | InTheWay = "component"


class OutOfDate(Struct, frozen=True, tag=True):
    """A component, or the record, that a run would change although the project was said to be up to date."""

    path: str
    """Relative to the project."""
    action: Literal["add", "update", "keep", "remove"]


class RecordUnreadable(Struct, frozen=True, tag=True):
    """The record of what the tool wrote, or the journal of a killed run, is damaged."""

    file: str


class ProjectLocked(Struct, frozen=True, tag=True):
    """Another run is building the project."""

    project: str


class FileSystemProblem(Struct, frozen=True, tag=True):
    """The operating system refused a read, a write or memory."""

    path: str
    cause: str


class HookFailed(Struct, frozen=True, tag=True):
    """A hook script failed and `hooks.onFailure` is `fail`."""

    stage: str
    script: str
    status: str


class UsageError(Struct, frozen=True, tag=True):
    """The command line itself is wrong; for a setting's flag, with the leaf and the flag."""

    message: str
    command: str
    path: str | None = None
    source: Source | None = None


SchemaProblem: TypeAlias = UnknownKey | NotInPreset | WrongType | BadChoice | EmptyPath
"""What is wrong with a key or value; each has a path and a source."""

ConfigProblem: TypeAlias = (
    ConfigNotFound
    | ConfigUnreadable
    | MalformedJson
    | DuplicateKey
    | LimitExceeded
    | UnknownKey
    | NotInPreset
    | WrongType
    | BadChoice
    | EmptyPath
    | ScriptRuntimeUnavailable
    | EvaluationFailed
    | PresetNotFound
)
"""What the configuration chain can fail with."""

BuildProblem: TypeAlias = (
    DropNotFound
    | ThemeNotFound
    | ThemeAmbiguous
    | ComponentAmbiguous
    | ArchiveRejected
    | OutputConflict
    | OutOfDate
    | RecordUnreadable
    | ProjectLocked
    | FileSystemProblem
    | HookFailed
)
"""What choosing and building components can fail with."""

Problem: TypeAlias = ConfigProblem | BuildProblem | UsageError
