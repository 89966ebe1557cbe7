"""Script report: turn the evaluator's report, in Deno's and V8's words, into a fault with a place in the user's code.

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

from io_edges.scripts.crash import is_left_waiting
from pipeline.config.tree import spell
from pipeline.report.paths import display_path
from pipeline.report.problems import EvaluationFailed, ScriptFault
from pipeline.report.source import Source

_TEXT_LIMIT: Final = 8192
"""Characters of a message or a stack that are looked at; the evaluator sends no more."""
_COLOUR: Final = re.compile(r"\x1b\[[0-9;]*m")
_FLAG_HINT: Final = re.compile(r", run again with the --allow-[a-z-]+ flag")
_FILE: Final = re.compile(r"file://[^\s\"'),]+")
_URL: Final = "file://"
_DIGITS: Final = 9
_IMPORTER: Final = re.compile(r"imported from '(file://.+?)'")
_LOOSENED: Final = re.compile(r"\.loosened-(?:(\d)|x)\.mjs$")
_IMPORTED, _REQUIRED = "ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"  # Deno uses the first for many loading failures

_DENIED: Final = (
    (r'Requires read access to "(.*?)"', "reading {}"),
    (r'Requires write access to "(.*?)"', "writing {}"),
    (r'Requires net access to "(.*?)"', "network access to {}"),
    (r'Requires run access to "(.*?)"', "running {}"),
    (r"Requires run access", "running a program"),
    (r'Requires ffi access to "(.*?)"', "loading the native code {}"),
    (r"Requires ffi access", "loading native code"),
    (r'Requires sys access to "(.*?)"', "asking the system for: {}"),
    (r'Requires import access to "(.*?)"', "downloading {}"),
    (r"Requires (\w+) access", "{} access"),
    (r"JSR package manifest for '(.*?)' failed", "downloading jsr:{}"),
    (r'A remote specifier was requested: "(.*?)"', "downloading {}"),
    (r"^Unable to load (.+?) imported from", "reading {}"),  # it exists but cannot be read
    (r"Permission denied \(os error 13\): readfile '(.*)'", "reading {}"),
    (r"^(?:getaddrinfo|connect) EPERM (\S+)", "network access to {}"),
    (r"(?:Permission denied|PermissionDenied).*?'(.+)'", "reading {}"),
    (r"(?:Permission denied|PermissionDenied)", "reading a file"),
)
_MISSING: Final = (
    r'Module not found "(.*?)"',
    r'Import "(.*?)" not a dependency',
    r'Could not resolve "(.*?)"',
    r"Could not find a matching package for '(.*?)'",
    r"Could not find '(.*?)'",
    r"Cannot find module '(.*?)'",
    r'Unsupported scheme ".*?" for module "(.*?)"',
    r'Unknown built-in "node:" module: (\S+)',
    r"No such built-in module: (\S+)",
)
_UNMAPPED: Final = re.compile(r"[():].*ts$")
"""Paths of TypeScript files for which Deno's frames have the line in the transpiled code."""
_CODE: Final = re.compile(r"^\[ERR_\w+\]:? *")
_UNSUPPORTED: Final = re.compile(r"\[ERR_UNSUPPORTED_|identified an? \w+ module")
_AWAITS: Final = re.compile(
    r"^require\(\) cannot be used on an ESM graph with top-level await.*?Requiring (file://\S+?)\. "
)
_NO_EXPORT: Final = re.compile(r"The requested module '(.*?)' does not provide an export named '(.*?)'")
_LOOSENINGS: Final = (
    ("commonjs", r"^(?:module|exports|require|__filename|__dirname) is not defined"),
    ("module", r"'import', and 'export' cannot be used outside of module code|^Unexpected token 'export'"),
    ("module", r"^Cannot use import statement outside a module"),
    ("json", r'^Attempted to load JSON module without specifying "type": "json"'),
    ("tool", r"^Cannot find module 'tool'"),
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


class Where(Struct, frozen=True):
    """The script's name as shown, and the real paths of the script, the project and the current folder."""

    name: str
    script: Path
    project: Path
    start: Path


class _Frame(Struct, frozen=True):
    url: str
    line: int
    column: int


def loosening(report: Report) -> str | None:
    """The way of `evaluator/loosen.mjs` that another attempt needs; `None` if none would help."""
    message = _COLOUR.sub("", report.message).removeprefix("SyntaxError: ")
    return next((way for way, pattern in _LOOSENINGS if re.search(pattern, message)), None)


def explain(report: Report, where: Where) -> EvaluationFailed:
    """Turn a report into a fault, at the first place in the user's own code that it names."""
    if report.kind != "threw":
        return EvaluationFailed(Source(where.name), report.kind, report.detail, spell(report.path))
    plain = msgspec.structs.replace(
        report, message=_COLOUR.sub("", report.message), stack=_COLOUR.sub("", report.stack)
    )
    fault, detail = _fault(plain, where)
    return EvaluationFailed(_place(plain, where), fault, detail)


def without_hints(text: str) -> str:
    """Leave out Deno's hints about its flags."""
    return _FLAG_HINT.sub("", text)


def is_unparsed(report: Report) -> bool:
    """Whether a script did not even start because of its syntax."""
    return report.name == "SyntaxError" and bool(_stated(_COLOUR.sub("", report.message)))


def decode(content: bytes) -> Report | None:
    """Decode a report; `None` if it is not one."""
    try:
        return msgspec.json.decode(content, type=Report)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def pending(words: str, where: Where) -> EvaluationFailed | None:
    """Recognise, in the runtime's last words, the end of a script that awaits a promise that never settles."""
    first, _, stack = words.partition("\n")
    if not is_left_waiting(first.encode()):
        return None
    place = _place(Report("ended early", stack=_COLOUR.sub("", stack[:_TEXT_LIMIT])), where)
    return EvaluationFailed(place, "ended early", "it waits for a promise that never settles")


def _fault(report: Report, where: Where) -> tuple[ScriptFault, str]:
    message = report.message
    from_loader = report.code == _REQUIRED or (report.code == _IMPORTED and report.name == "TypeError")
    is_refusal = from_loader or report.name in {"NotCapable", "PermissionDenied"} or report.code == "EPERM"
    if is_refusal and (act := _first(_DENIED, message)):
        return "denied", _files_shown(act, where)
    if "checkExecSyncError (ext:" in report.stack:  # Node's way of saying so: no program can have been run
        return "denied", f"running {message.removeprefix('Command failed: ')}"
    if report.code == "ERR_REQUIRE_ASYNC_MODULE" and (found := _AWAITS.search(message)):
        if _file(found[1]) == where.script:  # the runtime takes a file without import and export for CommonJS
            return "no default export", ""
        return "unsupported import", f"{_shown(_file(found[1]), where)}, by `require`, since it awaits at its top level"
    if from_loader and message.startswith("SyntaxError: "):
        return "syntax", message.removeprefix("SyntaxError: ").partition("\n")[0]
    if report.name == "SyntaxError" and (found := _NO_EXPORT.search(message)):
        return "missing import", f"{found[2]} from {found[1]}"
    if report.name == "SyntaxError" and (_stated(message) or "wrapSafe (node:" in report.stack):
        said = _without_place(message.partition("\n")[0])
        return "syntax", said.replace("Identifier '.default' has", "a default export has")
    if from_loader and _UNSUPPORTED.search(message):
        return "unsupported import", _files_shown(_brief(_CODE.sub("", message)), where)
    if from_loader:
        missing = _first([(pattern, "{}") for pattern in _MISSING], message)
        return "missing import", _files_shown(missing or _brief(message), where)
    if report.name == "RangeError" and re.search("allocation failed|could not allocate", message):
        return "out of memory", ""
    return "threw", ": ".join(part for part in (report.name, without_hints(message)) if part)


def _first(table: Iterable[tuple[str, str]], message: str) -> str | None:
    for pattern, words in table:
        if found := re.search(pattern, message):
            return words.format(*found.groups())
    return None


def _brief(message: str) -> str:
    """The first line, without the advice after it."""
    return without_hints(message).partition("\n")[0].partition(". ")[0]


def _files_shown(text: str, where: Where) -> str:
    """Replace the URLs of files by their names as the user knows them."""
    return _FILE.sub(lambda found: _shown(_file(found[0]), where), text)


def _place(report: Report, where: Where) -> Source:
    """The first frame in the project, preferably outside `node_modules`; else the importer, else the script."""
    stated = _stated(report.message) if report.name == "SyntaxError" else []
    frames = [(_file(frame.url), frame) for frame in (*stated, *_frames(report.stack))]
    ours = [(file, frame) for file, frame in frames if file.is_relative_to(where.project)]
    if not ours:
        importer = _IMPORTER.search(report.message)
        return Source(_shown(_file(importer[1]), where) if importer else where.name)
    file, frame = min(ours, key=lambda each: "node_modules" in each[0].parts)
    name, loosened = _shown(file, where), _LOOSENED.search(frame.url)
    if file.suffix == ".json" or _UNMAPPED.search(str(file)):  # the place is in the code generated from it
        return Source(name)
    if not loosened:
        return Source(name, frame.line, frame.column)
    before = int(loosened[1]) if loosened[1] else frame.line
    return Source(name, frame.line - before, frame.column) if frame.line > before else Source(name)


def _frames(stack: str) -> list[_Frame]:
    """The places that a stack names, each in a line `at name (URL:line:column)` or `at URL:line:column`."""
    lines = (line.strip() for line in stack.split("\n"))
    found = (_frame(line[line.find(_URL) :].removesuffix(")")) for line in lines if line.startswith("at "))
    return [frame for frame in found if frame]


def _stated(message: str) -> list[_Frame]:
    """The places that a message states, each at the end of a line."""
    found = (_frame(line[line.rfind(f" at {_URL}") + 4 :]) for line in message.split("\n"))
    return [frame for frame in found if frame]


def _without_place(line: str) -> str:
    return line[: line.rfind(f" at {_URL}")] if _stated(line) else line


def _frame(text: str) -> _Frame | None:
    """The place that `URL:line:column` stands for; `None` if it is not one of a file."""
    url, *place = text.rsplit(":", 2)
    is_place = url.startswith(_URL) and len(place) == len(("line", "column"))
    if not is_place or not all(number.isascii() and number.isdigit() and len(number) <= _DIGITS for number in place):
        return None
    return _Frame(url, *map(int, place))


def _file(url: str) -> Path:
    """The file that a URL stands for; the runtime percent-encodes only some of them."""
    text = os.path.normpath(_LOOSENED.sub("", url).removeprefix(_URL))
    with suppress(OSError, ValueError):  # what a script makes up may be no path at all
        if Path(text).exists():
            return Path(text)
    return Path(unquote(text))


def _shown(file: Path, where: Where) -> str:
    if file == where.script:
        return where.name
    return display_path(file, where.start) if file.is_relative_to(where.project) else str(file)
