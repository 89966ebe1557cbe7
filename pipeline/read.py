"""Read: fetch the bytes of a candidate.

Takes a candidate and a `Disk`; gives a document. A script's document is the JSON of its literal, or what its evaluation
gave if it is none; a bundled preset carries its own content (`docs/scripts.md`).
"""

from collections.abc import Mapping
from pathlib import PurePath
from types import NoneType
from typing import Final

import msgspec
from msgspec.structs import replace
from returns.result import Failure, Success

from pipeline.config.disk import Disk, fetch
from pipeline.config.json_places import FILE_LIMIT, locator, sources_in, to_text
from pipeline.config.tree import Candidate, Document, KeyPath, Offsets, spell
from pipeline.report.outcome import Outcome, alone
from pipeline.report.problems import ConfigProblem, EvaluationFailed
from pipeline.report.source import Source

_NAMES: Final = {list: "an array", str: "a string", int: "a number", bool: "a boolean", NoneType: "null"}
"""What a script calls the types of values."""


def read(candidate: Candidate, disk: Disk) -> Outcome[Document]:
    """Fetch the bytes of a candidate.

    Problems: `ConfigUnreadable`, `LimitExceeded`, and those of a script's evaluation.
    """
    if candidate.bundled is not None:
        return Success(Document(candidate, candidate.bundled))
    if candidate.form == "script":
        refusal = disk.refuses(candidate.path)
        return _of_script(candidate, disk) if refusal is None else Failure(alone(refusal))
    return fetch(candidate, disk).map(lambda content: Document(candidate, content))


def _of_script(candidate: Candidate, disk: Disk) -> Outcome[Document]:
    """Read a script if it is a literal, else have it evaluated."""
    from pipeline.scripts.literals import Literal, read_literal  # costs start-up time, and only a script needs it

    text = _text(candidate, disk)
    reading = read_literal(text, _suffix(candidate.path))
    if isinstance(reading, Literal):
        return _exported(reading.data, reading.offsets, Document(candidate, b"", text))
    if disk.evaluate is None:
        source = sources_in(candidate.display_path, text)(reading.offset)
        return Failure(alone(EvaluationFailed(source, "not a literal")))
    return _evaluated(candidate, disk.evaluate(candidate.path), text)


def _suffix(path: PurePath) -> str:
    """The suffix of a script; none where the runtime takes no types, so that evaluation tells of it."""
    is_refused = path.stem.endswith(".d") or "node_modules" in path.parts
    return "" if is_refused and path.suffix.endswith("ts") else path.suffix


def _exported(data: object, offsets: Mapping[KeyPath, Offsets], document: Document) -> Outcome[Document]:
    """The document of a literal; evaluation would refuse any other than an object in the same words."""
    if isinstance(data, dict):
        return Success(replace(document, content=msgspec.json.encode(data), offsets=offsets))
    source = sources_in(document.candidate.display_path, document.script)(offsets[()].value)
    return Failure(alone(EvaluationFailed(source, "not an object", _NAMES[type(data)])))


def _evaluated(candidate: Candidate, evaluated: Outcome[bytes], text: str) -> Outcome[Document]:
    return evaluated.map(lambda content: Document(candidate, content, text)).alt(
        lambda problems: tuple(_placed(problem, candidate, text) for problem in problems)
    )


def _text(candidate: Candidate, disk: Disk) -> str:
    """The text of a script, for the places of its values; empty if it is not text: then no value has a place."""
    if disk.look(candidate.path) != "file":  # a pipe would wait for its writer
        return ""
    text = disk.load(candidate.path, FILE_LIMIT).bind(lambda content: to_text(content).alt(lambda fault: fault.reason))
    return text.map(lambda passage: passage.text).value_or("")


def _placed(problem: ConfigProblem, candidate: Candidate, text: str) -> ConfigProblem:
    """Place a problem of an exported value at the nearest enclosing value with a place in the script's text."""
    if not isinstance(problem, EvaluationFailed) or problem.fault not in {"not data", "not an object"}:
        return problem
    from pipeline.scripts.places import script_places  # costs start-up time, and only a script needs it

    places = {spell(path): place.value for path, place in script_places(text).items()}
    around = [spelled for spelled in places if _encloses(spelled, problem.path)]
    if problem.source.line or not around:
        return problem
    return replace(problem, source=Source(candidate.display_path, *locator(text)(places[max(around, key=len)])))


def _encloses(outer: str, inner: str) -> bool:
    """Whether one value is or encloses another, both given by their spelled paths."""
    return outer in {"", inner} or inner.startswith((f"{outer}.", f"{outer}["))
