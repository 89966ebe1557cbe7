"""Read: fetch the bytes of a candidate.

Takes a candidate and a `Disk`; gives a document. A script's document is the JSON that its evaluation
gave; a bundled preset carries its own content.
"""

from msgspec.structs import replace
from returns.result import Success

from pipeline.config.disk import Disk, fetch
from pipeline.config.json_places import FILE_LIMIT, locator, to_text
from pipeline.config.tree import Candidate, Document, spell
from pipeline.report.outcome import Outcome
from pipeline.report.problems import ConfigProblem, EvaluationFailed
from pipeline.report.source import Source


def read(candidate: Candidate, disk: Disk) -> Outcome[Document]:
    """Fetch the bytes of a candidate.

    Problems: `ConfigUnreadable`, `LimitExceeded`, and those of a script's evaluation.
    """
    if candidate.bundled is not None:
        return Success(Document(candidate, candidate.bundled))
    if candidate.form == "script":
        return _evaluated(candidate, disk, _text(candidate, disk))
    return fetch(candidate, disk).map(lambda content: Document(candidate, content))


def _evaluated(candidate: Candidate, disk: Disk, text: str) -> Outcome[Document]:
    return (
        disk.evaluate(candidate.path)
        .map(lambda content: Document(candidate, content, text))
        .alt(lambda problems: tuple(_placed(problem, candidate, text) for problem in problems))
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
