"""Errors in a configuration or a preset that is a script (`docs/scripts.md`)."""

from typing import Final, Literal, TypeAlias

from pipeline.report.diagnostic import Diagnostic, Sentence
from pipeline.report.location import Location

_WhileLoading: TypeAlias = Literal[
    "syntax", "missing import", "missing export", "unsupported import", "assertion"
]
_WhileRunning: TypeAlias = Literal["threw", "denied"]
_Exported: TypeAlias = Literal["no default export", "not an object", "not data", "forbidden"]
_Ended: TypeAlias = Literal[
    "ended early", "killed", "timed out", "out of memory", "too much output"
]
ScriptFault: TypeAlias = Literal[_WhileLoading, _WhileRunning, _Exported, _Ended]
"""What went wrong with a script."""

_FAULTS: Final[dict[ScriptFault, tuple[str, str]]] = {
    "syntax": ("the script cannot be parsed: {}", "fix the script at this place"),
    "threw": ("the script threw: {}", "fix the error, or catch it in the script"),
    "missing import": (
        "the script imports something that does not exist: {}",
        (
            "check the name, or install the package; import by a relative path: `paths` of "
            "`tsconfig.json` are not read"
        ),
    ),
    "missing export": (
        "the script imports a name that the file does not export: {}",
        "check the name; re-export a type with `export { type … }`",
    ),
    "assertion": (
        "the script imports with `assert`, which Deno does not accept",
        "write `with` in place of `assert`",
    ),
    "unsupported import": (
        "the script imports something that cannot be loaded: {}",
        "import only scripts, JSON files and packages",
    ),
    "denied": (
        "the script is not allowed to do this: {}",
        "a configuration script can read only the environment and its project",
    ),
    "no default export": (
        "the script has no default export",
        "write `export default { … }`, or `module.exports = { … }`",
    ),
    "not an object": (
        "expected its default export to be an object, found {}",
        "export an object, a promise of one, or a function that returns one",
    ),
    "not data": (
        "expected plain data, found {}",
        "export strings, numbers, booleans, lists and plain objects only",
    ),
    "ended early": (
        "the script exited before it exported a configuration: {}",
        "do not exit from the script",
    ),
    "killed": (
        "the process that evaluates the script was killed by signal {}",
        "retry; if this happens again, the system may be short of memory",
    ),
    "timed out": (
        "the script timed out: all scripts of a run share a limit of {}",
        "a configuration should not wait for anything",
    ),
    "out of memory": (
        "the script exceeded the memory limit",
        "check the script for an endless loop",
    ),
    "too much output": (
        "the script printed more than {}",
        "remove the output: only the export is the configuration",
    ),
    "forbidden": (
        "a script has to be evaluated, and `--no-exec` or `TOOL_NO_EXEC` forbids it",
        "use a JSON file of your own with `--config=FILE`, or let scripts run",
    ),
}
"""Each fault in words, and what to do about it."""


class EvaluationFailed(Diagnostic, frozen=True):
    """A script exported no valid configuration. A script can read only its project and
    the environment.
    """

    location: Location
    fault: ScriptFault
    detail: str = ""
    """The thrown message, the import specifier or the type that was found."""
    path: str = ""
    """The path in the exported value; empty for the whole value."""
    scope: str = ""
    """If a read was denied, the folder that the script can read, and why that folder."""
    setting = Sentence("{path}")

    @property
    def message(self) -> str:
        return _FAULTS[self.fault][0].format(self.detail)

    @property
    def advice(self) -> str:
        advice = _FAULTS[self.fault][1]
        if not self.scope:
            return advice
        return f"{advice}: {self.scope}"


class ScriptRuntimeUnavailable(Diagnostic, frozen=True):
    """Deno is missing, and a script has to be evaluated; or git is missing, and texts have to be
    merged or compared.
    """

    file: str = ""
    """The script; empty if git is missing."""
    command: str = "pip install deno"
    """The shell command that installs Deno on this system."""
    output: str = ""
    """The message of git, if git is installed but does not work."""

    @property
    def message(self) -> str:
        if self.file:
            return f"evaluating `{self.file}` needs Deno, which is not installed"
        if self.output:
            return f"merging and comparing texts needs git, which does not work: {self.output}"
        return "merging and comparing texts needs git, which is not installed"

    @property
    def advice(self) -> str:
        if self.file:
            return f"install it with `{self.command}`; or write the configuration as JSON"
        return "install git; a build without `--merge` does not need it"


ScriptError: TypeAlias = EvaluationFailed | ScriptRuntimeUnavailable
