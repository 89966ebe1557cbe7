"""Problems: everything that can go wrong, as facts. Sentences and exit codes are made at the edge.

A `reason` or `cause` is a clause such as "it has two end records", written beside the check that knows it: there are
as many as checks, and no other code tells them apart.
`io_edges.report.exit_codes` gives each variant its error name and exit code, `io_edges.report.prose` and
`build_prose` its words; a new variant fails the type check until both handle it. `docs/exit-codes.md` lists them.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

from pipeline.report.build_problems import BuildProblem
from pipeline.report.redundancies import Redundancy
from pipeline.report.source import Source


class ConfigNotFound(Struct, frozen=True, tag=True):
    """The file that `--config` names is not there, or is a `package.json` without the key `tool`."""

    file: str
    lacks_key: bool = False
    is_dangling: bool = False
    """Whether it is a link to nothing."""
    near: tuple[str, ...] = ()
    """Files beside it that may have been meant, spelled in the same way."""


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
    belongs: str = ""
    """The path of the setting that is meant, if it is the key of another object, or called as its flag."""


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


class RepeatedSplice(Struct, frozen=True, tag=True):
    """A list that has the element `"..."` again; the source is that of the second."""

    path: str
    source: Source


class ScriptRuntimeUnavailable(Struct, frozen=True, tag=True):
    """There is a script to evaluate, and nothing to evaluate it with."""

    file: str
    command: str = "pip install deno"
    """What installs Deno on this system, to be typed in a shell."""


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
    "not a literal",
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
    is_path: bool = False
    """Whether it is the path of a file, which is not searched for."""
    is_folder: bool = False
    """Whether that path is a folder."""


class UsageError(Struct, frozen=True, tag=True):
    """The command line itself is wrong; for a setting's flag, with the leaf and the flag."""

    message: str
    command: str
    path: str | None = None
    source: Source | None = None
    advice: str = ""
    """What to type instead, if it is known; else the help of the command is named."""


SchemaProblem: TypeAlias = UnknownKey | NotInPreset | WrongType | BadChoice | EmptyPath | RepeatedSplice
"""What is wrong with a key or value; each has a path and a source."""

FileProblem: TypeAlias = (
    ConfigNotFound
    | ConfigUnreadable
    | MalformedJson
    | DuplicateKey
    | LimitExceeded
    | ScriptRuntimeUnavailable
    | EvaluationFailed
)
"""Why a file gives no plain data."""

ConfigProblem: TypeAlias = FileProblem | SchemaProblem | PresetNotFound
"""What the configuration chain can fail with."""

Problem: TypeAlias = ConfigProblem | BuildProblem | Redundancy | UsageError
