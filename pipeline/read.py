"""Read: fetch the bytes of a candidate.

Takes a candidate and a `Disk`; gives a document. A script's document is the JSON that its evaluation gave; a
bundled preset brings its own.
"""

from returns.result import Failure, Success

from pipeline.disk import Disk
from pipeline.json_text import FILE_LIMIT, PACKAGE_LIMIT, to_text
from pipeline.outcome import Outcome, alone
from pipeline.problems import ConfigUnreadable, LimitExceeded
from pipeline.source import Source
from pipeline.tree import Candidate, Document


def read(candidate: Candidate, disk: Disk) -> Outcome[Document]:
    """Fetch the bytes of a candidate.

    Problems: `ConfigUnreadable`, `LimitExceeded`, and those of a script's evaluation.
    """
    if candidate.bundled is not None:
        return Success(Document(candidate, candidate.bundled))
    if candidate.form == "script":
        return disk.evaluate(candidate.path).map(lambda content: Document(candidate, content, _text(candidate, disk)))
    limit = PACKAGE_LIMIT if candidate.form == "package" else FILE_LIMIT
    return (
        disk.load(candidate.path, limit + 1)
        .alt(lambda cause: alone(ConfigUnreadable(candidate.shown, cause)))
        .bind(
            lambda content: (
                Success(Document(candidate, content))
                if len(content) <= limit
                else Failure((LimitExceeded(Source(candidate.shown), "bytes", limit),))
            )
        )
    )


def _text(candidate: Candidate, disk: Disk) -> str:
    """The text of a script, for the places of its values; none where it is no text, and then nothing has a place."""
    text = disk.load(candidate.path, FILE_LIMIT).bind(lambda content: to_text(content).alt(lambda fault: fault.reason))
    return text.map(lambda passage: passage.text).value_or("")
