"""Read: fetch the bytes of a file.

Takes a file and a `Disk`; gives a document. A script's document is the JSON of its literal, or what its evaluation
gave if it is none; a bundled preset carries its own content (`docs/scripts.md`).
"""

from pathlib import PurePath
from types import NoneType
from typing import Final

import msgspec
from msgspec.structs import replace
from returns.result import Failure, Success

from pipeline.config.disk import Disk, fetch
from pipeline.config.json_reader import FILE_LIMIT, locations_in, to_text
from pipeline.config.tree import ConfigFile, Document, Written
from pipeline.report.diagnostics import ConfigProblem
from pipeline.report.diagnostics.scripts import EvaluationFailed
from pipeline.report.outcome import Outcome
from pipeline.scripts.places import data_of

_NAMES: Final = {list: "an array", str: "a string", int: "a number", bool: "a boolean", NoneType: "null"}
"""What a script calls the types of values."""


def read(file: ConfigFile, disk: Disk) -> Outcome[Document]:
    """Fetch the bytes of a file.

    Problems: `ConfigUnreadable`, `LimitExceeded`, and those of a script's evaluation.
    """
    if file.bundled is not None:
        return Success(Document(file, file.bundled))
    if file.kind == "script":
        refusal = disk.refuses(file.path)
        return _of_script(file, disk) if refusal is None else Failure((refusal,))
    return fetch(file, disk).map(lambda content: Document(file, content))


def _of_script(file: ConfigFile, disk: Disk) -> Outcome[Document]:
    """Read a script if it is a literal, else have it evaluated."""
    from pipeline.scripts.statements import read_script  # costs start-up time, and only a script needs it

    text = _text(file, disk)
    script = read_script(text, _suffix(file.path))
    document = Document(file, b"", text, script.written)
    if script.hole is None and script.written is not None:
        return _exported(script.written, document)
    if disk.evaluate is None:
        location = locations_in(file.display_path, text)(script.hole or 0)
        return Failure((EvaluationFailed(location, "not a literal"),))
    return _evaluated(disk.evaluate(file.path), replace(document, reading="evaluated"))


def _suffix(path: PurePath) -> str:
    """The suffix of a script; none where the runtime takes no types, so that evaluation tells of it."""
    is_refused = path.stem.endswith(".d") or "node_modules" in path.parts
    return "" if is_refused and path.suffix.endswith("ts") else path.suffix


def _exported(written: Written, document: Document) -> Outcome[Document]:
    """The document of a literal; evaluation would refuse any other than an object in the same words."""
    data = data_of(written)
    if isinstance(data, dict):
        return Success(replace(document, content=msgspec.json.encode(data), reading="literal"))
    location = locations_in(document.file.display_path, document.script)(written.start)
    return Failure((EvaluationFailed(location, "not an object", _NAMES[type(data)]),))


def _evaluated(evaluated: Outcome[bytes], document: Document) -> Outcome[Document]:
    return evaluated.map(lambda content: replace(document, content=content)).alt(
        lambda problems: tuple(_placed(problem, document) for problem in problems)
    )


def _text(file: ConfigFile, disk: Disk) -> str:
    """The text of a script, for the places of its values; empty if it is not text: then no value has a place."""
    if disk.look(file.path) != "file":  # a pipe would wait for its writer
        return ""
    content = disk.load(file.path, FILE_LIMIT).value_or(b"")
    return to_text(content, file.display_path).value_or("")


def _placed(problem: ConfigProblem, document: Document) -> ConfigProblem:
    """Place a problem of an exported value where it stands in the script's text, or the nearest value around it."""
    if not isinstance(problem, EvaluationFailed) or problem.fault not in {"not data", "not an object"}:
        return problem
    if problem.location.line or document.written is None:
        return problem
    from pipeline.scripts.places import nearest

    at = locations_in(document.file.display_path, document.script)
    return replace(problem, location=at(nearest(document.written, problem.path)))
