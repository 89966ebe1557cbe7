"""Read: fetch the bytes of a file.

Takes a file and a `Disk`; gives a document. A script's document is its text and the JSON that it
evaluated to; a bundled preset carries its own content (`docs/scripts.md`).
"""

from returns.result import Failure, Success

from pipeline.config.disk import FILE_LIMIT, Disk, fetch
from pipeline.config.tree import ConfigFile, Document
from pipeline.report.diagnostics.configuration import ConfigUnreadable
from pipeline.report.diagnostics.scripts import EvaluationFailed
from pipeline.report.location import Location
from pipeline.report.outcome import Outcome


def read(file: ConfigFile, disk: Disk) -> Outcome[Document]:
    """Fetch the bytes of a file.

    Errors: `ConfigUnreadable`, `ConfigSyntaxError`, and those of a script's evaluation.
    """
    if file.bundled is not None:
        return Success(Document(file, file.bundled))
    if file.kind != "script":
        return fetch(file, disk).map(lambda content: Document(file, content))
    if disk.presence(file.path) == "dangling":
        return Failure((ConfigUnreadable(file.display_path, why="dangling"),))
    refusal = disk.refuses(file.path)
    if refusal is not None:
        return Failure((refusal,))
    if disk.evaluate is None:
        return Failure((EvaluationFailed(Location(file.display_path), "forbidden"),))
    text = disk.load(file.path, FILE_LIMIT).value_or(b"")
    return disk.evaluate(file.path).map(lambda exported: Document(file, exported.content, text))
