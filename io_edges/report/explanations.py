"""Explanations: what an error, a warning and an exit code mean, and an example (`docs/reference/errors.md`)."""

from typing import Final

from io_edges.report.codes import EXIT_CODES
from io_edges.report.console import error_event, warning_event
from io_edges.report.exit_codes import error_name
from pipeline.explain.document import ErrorPart, Meaning, WarningPart
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics import EXAMPLES, MODULES

CODES: Final = {
    0: "The run succeeded; if there was nothing to build, with a warning.",
    64: "The command line is wrong, or `tool init` has no answer to a question.",
    65: "A configuration, preset, variable, answer or patch is not valid.",
    66: "The file that `--config` names does not exist, or a configuration or preset cannot be read.",
    67: "A preset is not found.",
    68: "A theme or a named component is not found, or one of several themes or archives has to be chosen.",
    69: "A script has to be evaluated, and Deno is not installed; or the system is not POSIX, such as Windows.",
    70: "A bug in the tool. The project is whole: run again with `--verbose`, and report what it prints.",
    72: "The drop does not exist; or, with `--prune`, it has no archive.",
    73: "What is in the way was not written by the tool, a patch or archive does not fit, or the record is damaged.",
    74: "The operating system refused a read, a write or memory.",
    75: "Another run is building the project.",
    76: "An archive is damaged, hostile or contradictory; for `tool inspect`, an archive would be refused.",
    79: "A hook script failed, and `hooks.onFailure` is `fail`.",
    80: "The project is out of date, which only `--check` and `--frozen` find.",
    130: "Somebody pressed Ctrl-C. Staged files are removed, and `tool init` has written nothing.",
    143: "The run was terminated, or its terminal was closed. Staged files are removed.",
}
"""What happened, by exit code."""
_WARNINGS: Final = {each.code: each for each in EXAMPLES if isinstance(each, WarningDiagnostic)}
_MAKERS: Final = {name.replace("_", "-"): make for module in MODULES for name, make in vars(module).items()}
WARNINGS: Final = tuple(_WARNINGS)
"""The code of each warning."""


def error_part(name: str) -> ErrorPart:
    """What an error means, for each diagnostic that is reported by its name; of a bug and a signal, for its code."""
    every = (each for each in EXAMPLES if not isinstance(each, WarningDiagnostic))
    meanings = tuple(Meaning(_paragraph(each), error_event(each)) for each in every if error_name(each) == name)
    return ErrorPart(error=name, exit=EXIT_CODES[name], meanings=meanings or (Meaning(CODES[EXIT_CODES[name]]),))


def warning_part(code: str) -> WarningPart:
    """What a warning means."""
    warning = _WARNINGS[code]
    return WarningPart(code=code, meanings=(Meaning(_paragraph(_MAKERS[code]), warning_event(warning)),))


def _paragraph(diagnostic: object) -> str:
    """The first paragraph of the docstring of a diagnostic."""
    return " ".join((diagnostic.__doc__ or "").partition("\n\n")[0].split())
