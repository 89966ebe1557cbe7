"""Report: turn the evaluator's report, in Deno's and V8's words, into a fault with a place in the user's code.

Nothing about flags or permissions reaches the user: `docs/scripts.md` says what a script may do.
"""

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal
from urllib.parse import unquote

import msgspec
from msgspec import Struct

from io_edges.scripts.access import ScriptPaths
from io_edges.scripts.crash import LEFT_WAITING
from pipeline.config.tree import format_path
from pipeline.report.diagnostics.scripts import EvaluationFailed, ScriptFault
from pipeline.report.location import Location
from pipeline.report.paths import display_path

_TEXT_LIMIT: Final = 8192
"""Characters of a message or a stack that are looked at; the evaluator sends no more."""
_COLOUR: Final = re.compile(r"\x1b\[[0-9;]*m")
_FLAG_HINT: Final = re.compile(r", run again with the --allow-[a-z-]+ flag")
_FILE: Final = re.compile(r"file://[^\s\"'),]+")
_FRAME: Final = re.compile(r"(?:^ *at (?:(?!file://).)*+| at )(file://.*):([0-9]{1,9}):([0-9]{1,9})\)?$", re.MULTILINE)
"""A place at the end of a line of a stack, or of a message. A script can make both up: this takes no time on any."""
_IMPORTER: Final = re.compile(r"imported from '(file://.+?)'")
_LOOSENED: Final = re.compile(r"\.loosened-(?:(\d)|x)\.mjs$")
_IMPORTED, _REQUIRED = "ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"  # Deno uses the first for many loading failures

_REQUIRED_ACCESS: Final = re.compile(r'Requires (\w+) access(?: to "(.*?)")?')
_ACTS: Final = {
    "read": "reading",
    "write": "writing",
    "net": "network access to",
    "run": "running",
    "ffi": "loading native code",
    "sys": "asking the system for",
    "import": "downloading",
}
_DENIED: Final = (
    (r"JSR package manifest for '(.*?)' failed", "downloading jsr:{}"),
    (r'A remote specifier was requested: "(.*?)"', "downloading {}"),
    (r"^Unable to load (.+?) imported from", "reading {}"),  # it exists but cannot be read
    (r"^(?:getaddrinfo|connect) EPERM (\S+)", "network access to {}"),
    (r"(?:Permission denied|PermissionDenied).*?'(.+)'", "reading {}"),
    (r"(?:Permission denied|PermissionDenied)", "reading a file"),
)
_MISSING: Final = (
    (r"""(?:not found|Import|resolve|package for|find|module) (?:"(.*?)"|'(.*?)')""", "{}"),
    (r"module: (\S+)", "{}"),
)
_UNMAPPED: Final = re.compile(r"[():].*ts$")
"""Paths of TypeScript files for which Deno's frames have the line in the transpiled code, as with any JSON."""
_CODE: Final = re.compile(r"^\[ERR_\w+\]:? *")
_UNSUPPORTED: Final = re.compile(r"\[ERR_UNSUPPORTED_|identified an? \w+ module")
_NO_EXPORT: Final = re.compile(r"The requested module '(.*?)' does not provide an export named '(.*?)'")
_LOOSENINGS: Final = (
    ("commonjs", r"^(?:module|exports|require|__filename|__dirname) is not defined"),
    ("module", r"'import', and 'export' cannot be used outside of module code|^Unexpected token 'export'"),
    ("module", r"^Cannot use import statement outside a module"),
    ("json", r'^Attempted to load JSON module without specifying "type": "json"'),
    ("tool", r"^Cannot find module 'tool'|\bCould not find package 'tool' from referrer"),
    ("installed", r"^\[ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING\]"),
)


class Report(Struct, frozen=True):
    """The evaluator's report of why there is no data."""

    kind: Literal["threw", "ended early", "no default export", "not an object", "not data"]
    detail: str = ""
    path: tuple[str | int, ...] = ()
    name: str = ""
    message: str = ""
    code: str = ""
    stack: str = ""


def loosening(report: Report) -> str | None:
    """The way of `evaluator/loosen.mjs` that another attempt needs; `None` if none would help."""
    message = _COLOUR.sub("", report.message).removeprefix("SyntaxError: ")
    return next((way for way, pattern in _LOOSENINGS if re.search(pattern, message)), None)


def explain(report: Report, paths: ScriptPaths) -> EvaluationFailed:
    """Turn a report into a fault, at the first place in the user's own code that it names."""
    if report.kind != "threw":
        return EvaluationFailed(Location(paths.name), report.kind, report.detail, format_path(report.path))
    plain = msgspec.structs.replace(
        report, message=_COLOUR.sub("", report.message), stack=_COLOUR.sub("", report.stack)
    )
    fault, detail = _fault(plain, paths)
    return EvaluationFailed(_place(f"{plain.message}\n{plain.stack}", paths), fault, detail)


def without_hints(text: str) -> str:
    """Leave out Deno's hints about its flags."""
    return _FLAG_HINT.sub("", text)


def is_unparsed(report: Report) -> bool:
    """Whether a script did not even start because of its syntax."""
    return report.name == "SyntaxError" and bool(_FRAME.search(_COLOUR.sub("", report.message)))


def decode_report(content: bytes) -> Report | None:
    """Decode a report; `None` if it is not one."""
    try:
        return msgspec.json.decode(content, type=Report)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def pending(words: str, paths: ScriptPaths) -> EvaluationFailed | None:
    """Recognise, in the runtime's last words, the end of a script that awaits a promise that never settles."""
    first, _, stack = words.partition("\n")
    if not first.endswith(LEFT_WAITING):
        return None
    place = _place(_COLOUR.sub("", stack[:_TEXT_LIMIT]), paths)
    return EvaluationFailed(place, "ended early", "it waits for a promise that never settles")


def _fault(report: Report, paths: ScriptPaths) -> tuple[ScriptFault, str]:
    message = report.message
    from_loader = report.code == _REQUIRED or (report.code == _IMPORTED and report.name == "TypeError")
    is_refusal = from_loader or report.name in {"NotCapable", "PermissionDenied"} or report.code == "EPERM"
    if is_refusal and (act := _denied(message)):
        return "denied", _files_shown(act, paths)
    if "checkExecSyncError (ext:" in report.stack:  # Node's way of saying so: no program can have been run
        return "denied", f"running {message.removeprefix('Command failed: ')}"
    if from_loader and message.startswith("SyntaxError: "):
        return "syntax", message.removeprefix("SyntaxError: ").partition("\n")[0]
    if report.name == "SyntaxError" and (found := _NO_EXPORT.search(message)):
        return "missing import", f"{found[2]} from {found[1]}"
    if report.name == "SyntaxError" and (_FRAME.search(message) or "wrapSafe (node:" in report.stack):
        text = _FRAME.sub("", message.partition("\n")[0])
        return "syntax", text.replace("Identifier '.default' has", "a default export has")
    if report.code == "ERR_REQUIRE_ASYNC_MODULE" or (from_loader and _UNSUPPORTED.search(message)):
        return "unsupported import", _files_shown(_first_sentence(_CODE.sub("", message)), paths)
    if from_loader:
        return "missing import", _files_shown(_first(_MISSING, message) or _first_sentence(message), paths)
    if report.name == "RangeError" and re.search("allocation failed|could not allocate", message):
        return "out of memory", ""
    return "threw", ": ".join(part for part in (report.name, without_hints(message)) if part)


def _denied(message: str) -> str | None:
    """What a refused act was, in words of its own."""
    access = _REQUIRED_ACCESS.search(message)
    if access is None:
        return _first(_DENIED, message)
    kind, target = access.groups()
    act = _ACTS.get(kind, f"{kind} access to")
    return f"{act} {target}" if target else f"{act} a program" if kind == "run" else act.removesuffix(" to")


def _first(table: Iterable[tuple[str, str]], message: str) -> str | None:
    for pattern, words in table:
        if found := re.search(pattern, message):
            return words.format(*filter(None, found.groups()))
    return None


def _first_sentence(message: str) -> str:
    """The first line, without the advice after it."""
    return without_hints(message).partition("\n")[0].partition(". ")[0]


def _files_shown(text: str, paths: ScriptPaths) -> str:
    """Replace the URLs of files by their names as the user knows them."""
    return _FILE.sub(lambda found: _shown(_file(found[0]), paths), text)


def _place(text: str, paths: ScriptPaths) -> Location:
    """The first frame in the project, preferably outside `node_modules`; else the importer, else the script."""
    frames = [(_file(url), url, int(line), int(column)) for url, line, column in _FRAME.findall(text)]
    ours = [frame for frame in frames if frame[0].is_relative_to(paths.project)]
    if not ours:
        importer = _IMPORTER.search(text)
        return Location(_shown(_file(importer[1]), paths) if importer else paths.name)
    file, url, line, column = min(ours, key=lambda frame: "node_modules" in frame[0].parts)
    if loosened := _LOOSENED.search(url):
        line -= int(loosened[1] or line)
    is_certain = line > 0 and file.suffix != ".json" and not _UNMAPPED.search(str(file))
    return Location(_shown(file, paths), line, column) if is_certain else Location(_shown(file, paths))


def _file(url: str) -> Path:
    """The file that a URL stands for; the runtime percent-encodes only some of them."""
    text = os.path.normpath(_LOOSENED.sub("", url).removeprefix("file://"))
    with suppress(OSError, ValueError):  # what a script makes up may be no path at all
        if Path(text).exists():
            return Path(text)
    return Path(unquote(text))


def _shown(file: Path, paths: ScriptPaths) -> str:
    if file == paths.script:
        return paths.name
    return display_path(file, paths.start) if file.is_relative_to(paths.project) else str(file)
