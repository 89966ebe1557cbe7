"""Report: turn the evaluator's answer, or the runtime's last output, into an error at a location in
the user's code.

Messages name no flags or permissions of Deno; `docs/scripts.md` says what a script may do.
"""

import errno
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal
from urllib.parse import unquote

import msgspec
from msgspec import Struct

from io_edges.scripts.access import ScriptPaths
from pipeline.config.tree import format_path
from pipeline.report.diagnostics.scripts import EvaluationFailed, ScriptFault
from pipeline.report.location import Location
from pipeline.report.paths import display_path


class Answer(Struct, frozen=True):
    """The answer of the evaluator: the data that a script exports, or an error."""

    kind: Literal["data", "threw", "ended early", "no default export", "not an object", "not data"]
    data: msgspec.Raw = msgspec.Raw(b"null")
    preset: bool = False
    """Whether the data was returned by `definePreset`."""
    detail: str = ""
    path: tuple[str | int, ...] = ()
    name: str = ""
    message: str = ""
    code: str = ""
    stack: str = ""
    reasons: tuple[str, ...] = ()
    """The causes of the error, and the errors that it gathers."""


SIZE_LIMIT: Final = 1024 * 1024
"""The maximum number of characters of the data, as `evaluator/evaluate.mjs` counts them."""
LEVEL_LIMIT: Final = 64
_AROUND: Final = 1  # the level of the answer itself
_STRING: Final = rb'"(?:[^"\\]|\\.)*+"'
_NO_BRACKETS: Final = bytes(set(range(256)) - set(b"[]{}"))

_HINT: Final = r", run again with the --allow-[a-z-]+ flag"
_FILE: Final = r"file://[^\s\"'),]+"
_FRAME: Final = r"(?m)(?:^ *at (?:(?!file://).)*+| at )(file://.*):([0-9]{1,9}):([0-9]{1,9})\)?$"
"""A location at the end of a line of a stack or a message. It is fast on any text, since a script
can forge both.
"""
_IMPORTER: Final = r"imported from '(file://.+?)'"
_UNMAPPED: Final = r"[():].*ts$"
"""Paths of TypeScript files for which Deno's frames have the line in the transpiled code."""
_RENAMED: Final = re.compile(r"\.hooked\.mjs(?:\?.*)?$")
"""The ending that `evaluator/hooks.mjs` adds to the address of a file."""

_ACCESS: Final = r'Requires (\w+) access(?: to "(.*?)")?'
_ACTS: Final = {
    "read": "reading",
    "write": "writing",
    "net": "network access to",
    "run": "running",
    "ffi": "loading native code",
    "sys": "asking the system for",
}
"""The forbidden actions in words, by Deno's names for them."""
_Rows = tuple[tuple[str, ScriptFault, str], ...]
_OF_REFUSAL: Final[_Rows] = (
    (r'A remote specifier was requested: "(.*?)"', "denied", "downloading {}"),
    (r"^\w+ EPERM (\S+)", "denied", "network access to {}"),
    (r"^Could not load '.*?' \((\S+\.node)\)", "denied", "loading native code {}"),
    (r"Operation not permitted", "denied", "changing the metadata of a file"),
)
"""Patterns of the runtime's refusals, each with our wording; the first match counts."""
_OF_LOADING: Final[_Rows] = (
    (r"^SyntaxError: (.*)", "syntax", "{}"),
    (r"^(Permission denied: .*)", "unsupported import", "{}"),
    (r"^Cannot load a file that is no script: (.*)", "unsupported import", "{}"),
    (r"^Import assertions are deprecated", "assertion", ""),
    (r"^(Attempted to load JSON)", "unsupported import", "{}"),
    (r"(.*identified an? \w+ module)", "unsupported import", "{}"),
    (r"\[ERR_PACKAGE_\w+\] (.*?)(?: imported from .*)?$", "unsupported import", "{}"),
    (r"ERR_UNSUPPORTED_\w+\]:? *([^.\n]*)", "unsupported import", "{}"),
    (r"""(?:not found|Import|resolve|for|package|module) ["'](.*?)["']""", "missing import", "{}"),
    (r"^Unable to load (.+?) imported from", "missing import", "{}"),
    (r"module: ([^\s,]+)", "missing import", "{}"),
    (r"(.*)", "missing import", "{}"),
)
"""Patterns of errors in loading a module, each with our wording; the first match counts."""
_OF_SCRIPT: Final[_Rows] = (
    (
        r"^SyntaxError: The requested module '(.*?)' does not provide an export named '(.*?)'",
        "missing export",
        "{1} from {0}",
    ),
    (r'^NotFound: Module not found "(.*?)"', "missing import", "{}"),
    (r"^SyntaxError: Unexpected identifier 'assert'", "assertion", ""),
    (
        r"^SyntaxError: Identifier '\.default' has (.*) at file://",
        "syntax",
        "a default export has {}",
    ),
    (r"(?s)^SyntaxError: (.*) at file://.*:[0-9]+:[0-9]+$", "syntax", "{}"),
    (r"ERR_REQUIRE_ASYNC_MODULE\]: ([^.]*)", "unsupported import", "{}"),
    (r"^RangeError: (?:Array buffer allocation failed|.*could not allocate)", "out of memory", ""),
)
"""Patterns of errors that a script may have thrown, after their names, each with our wording."""

_LAST_WORDS: Final = (
    rb"(?m)^(?:#\n# Fatal |={60}\nDeno |<--- Last few GCs --->|error: (Top-level "
    rb"await promise never resolved)$)"
)
"""The beginnings of the runtime's last output. A script gains nothing by printing the same."""
_SHORTAGES: Final = {
    b"unable to create worker threads": errno.EAGAIN,
    b"Resource temporarily unavailable": errno.EAGAIN,
    b"Too many open files": errno.EMFILE,
    b"Cannot allocate memory": errno.ENOMEM,
    b"CagedHeap reservation": errno.ENOMEM,
}


def excess(answer: bytes) -> str:
    """Which limit an answer exceeds, in words; empty if none. Takes linear time."""
    outside = re.sub(_STRING, b"", answer)
    brackets = outside.translate(None, _NO_BRACKETS)
    if 3 * outside.count(b",") + len(brackets) > SIZE_LIMIT:
        return f"more than {SIZE_LIMIT // 1024**2} MiB"
    if _deepest(brackets) > LEVEL_LIMIT + _AROUND:
        return f"more than {LEVEL_LIMIT} levels"
    return ""


def _deepest(brackets: bytes) -> int:
    """The maximum number of these brackets that are open at once."""
    deepest = 0
    level = 0
    for bracket in brackets:
        if bracket in b"[{":
            level += 1
            deepest = max(deepest, level)
        else:
            level -= 1
    return deepest


def decode(answer: bytes) -> Answer | None:
    """Decode an answer; `None` if it is invalid."""
    try:
        return msgspec.json.decode(answer, type=Answer)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def explain(answer: Answer, paths: ScriptPaths) -> EvaluationFailed:
    """Turn an answer without data into an error, at the first location in the user's code
    that it names.
    """
    if answer.kind == "data":  # pragma: no cover - callers check that first
        raise AssertionError(answer)
    if answer.kind != "threw":
        return EvaluationFailed(
            Location(paths.name), answer.kind, answer.detail, format_path(answer.path)
        )
    fault, detail = _fault(answer)
    place = _place(f"{answer.message}\n{answer.stack}", paths)
    if fault == "threw":
        detail = "; because of ".join((detail, *map(without_hints, answer.reasons)))
    if fault == "threw" and place.name != paths.name:
        detail += f" (`{paths.name}` imports this file)"
    detail = re.sub(_FILE, lambda url: _shown(_file(url[0], paths.project), paths), detail)
    if fault == "denied":
        return EvaluationFailed(place, fault, detail, scope=paths.scope)
    return EvaluationFailed(place, fault, detail)


def without_hints(text: str) -> str:
    """Remove Deno's hints about its flags from a text."""
    return re.sub(_HINT, "", text)


def own_output(printed: bytes) -> tuple[bytes, bytes]:
    """Divide output into that of the script, and the last output of the runtime, if
    there is any.
    """
    found = re.search(_LAST_WORDS, printed)
    if found is None:
        return printed, b""
    return printed[: found.start()], printed[found.start() :]


def shortage_in(words: bytes) -> OSError | None:
    """The error of the system that kept the runtime from starting, by the runtime's output."""
    for text, code in _SHORTAGES.items():
        if text in words:
            return OSError(code, os.strerror(code))
    return None


def without_answer(status: int, words: bytes, paths: ScriptPaths) -> EvaluationFailed:
    """The error of a process that ended without an answer, by its status and the runtime's
    last output.
    """
    found = re.match(_LAST_WORDS, words)
    if found and found[1]:
        place = _place(words.decode(errors="replace"), paths)
        return EvaluationFailed(place, "ended early", "it waits for a promise that never settles")
    if status >= 0:
        return EvaluationFailed(Location(paths.name), "ended early", f"exit code {status}")
    if b"out of memory" in words:
        return EvaluationFailed(Location(paths.name), "out of memory")
    return EvaluationFailed(Location(paths.name), "killed", f"{-status}")


def _fault(answer: Answer) -> tuple[ScriptFault, str]:
    """The kind of a failure, and its description."""
    message = answer.message
    is_import = answer.code == "ERR_MODULE_NOT_FOUND" and answer.name == "TypeError"
    is_loading = (
        is_import or answer.code == "MODULE_NOT_FOUND" or answer.code.startswith("ERR_PACKAGE_")
    )
    is_refusal = answer.name in {"NotCapable", "PermissionDenied"} or answer.code == "EPERM"
    access = re.search(_ACCESS, message)
    if access and (is_loading or is_refusal):
        kind, target = access.groups()
        act = _ACTS.get(kind, f"{kind} access to")
        return "denied", f"{act} {target or 'a program'}"
    text = without_hints(": ".join(part for part in (answer.name, message) if part))
    rows = _OF_SCRIPT
    if is_loading:
        rows = (*_OF_REFUSAL, *_OF_LOADING)
    elif is_refusal:
        rows = (*_OF_REFUSAL, *_OF_SCRIPT)
    for pattern, fault, words in rows:
        searched = text
        if fault == "denied" or is_loading:
            searched = message
        found = re.search(pattern, searched)
        if found:
            return fault, words.format(*found.groups())
    # Node's way of saying so: no program can have been run.
    if "checkExecSyncError (ext:" in answer.stack:
        return "denied", f"running {message.removeprefix('Command failed: ')}"
    if answer.name == "SyntaxError" and "wrapSafe (node:" in answer.stack:
        return "syntax", message
    return "threw", text


def _place(text: str, paths: ScriptPaths) -> Location:
    """The location of the first frame in the project, preferably outside `node_modules`.

    Without one, it is the importer, or else the script.
    """
    frames = [
        (_file(url, paths.project), int(line), int(column))
        for url, line, column in re.findall(_FRAME, text)
    ]
    ours = [frame for frame in frames if _is_within(frame[0], paths.project)]
    if not ours:
        importer = re.search(_IMPORTER, text)
        if importer is None:
            return Location(paths.name)
        return Location(_shown(_file(importer[1], paths.project), paths))
    file, line, column = min(ours, key=lambda frame: "node_modules" in frame[0].parts)
    if line <= 0 or re.search(_UNMAPPED, str(file)):
        return Location(_shown(file, paths))
    return Location(_shown(file, paths), line, column)


def _file(url: str, project: Path) -> Path:
    """The file of a URL. The runtime percent-encodes only some of them, and of some only the
    folders up to the project.
    """
    text = os.path.normpath(re.sub(_RENAMED, "", url).removeprefix("file://"))
    parts = Path(text).parts
    depth = len(project.parts)
    with suppress(OSError, ValueError):  # a forged URL may have no valid path
        for file in (Path(text), Path(*map(unquote, parts[:depth]), *parts[depth:])):
            if file.exists():
                return file
    return Path(unquote(text))


def _is_within(file: Path, folder: Path) -> bool:
    """Whether a file is in a folder. From Python 3.12 on, `is_relative_to` compares each folder
    above the file, which takes seconds for a forged path of a megabyte.
    """
    return file.parts[: len(folder.parts)] == folder.parts


def _shown(file: Path, paths: ScriptPaths) -> str:
    if file == paths.script:
        return paths.name
    if not _is_within(file, paths.project):
        return str(file)
    return display_path(file, paths.start)
