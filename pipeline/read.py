"""Read: fetch the bytes of a file.

Takes a file and a `Disk`; gives a document. Of a script, it has what the script exports if it is a literal, else the
JSON that its evaluation gave; a bundled preset carries its own content (`docs/scripts.md`).
"""

from pathlib import PurePath
from types import NoneType
from typing import Final

from returns.result import Failure, Success

from pipeline.config.disk import Disk, fetch
from pipeline.config.json_reader import FILE_LIMIT, to_text
from pipeline.config.tree import ConfigFile, Document, Json
from pipeline.report.diagnostics.configuration import ConfigUnreadable
from pipeline.report.diagnostics.scripts import EvaluationFailed
from pipeline.report.outcome import Outcome

_NAMES: Final = {list: "an array", str: "a string", int: "a number", bool: "a boolean", NoneType: "null"}
"""What a script calls the types of values."""


def read(file: ConfigFile, disk: Disk) -> Outcome[Document]:
    """Fetch the bytes of a file.

    Errors: `ConfigUnreadable`, `ConfigSyntaxError`, and those of a script's evaluation.
    """
    if file.bundled is not None:
        return Success(Document(file, file.bundled))
    if file.kind == "script":
        if disk.presence(file.path) == "dangling":
            return Failure((ConfigUnreadable(file.display_path, "it is a broken link"),))
        refusal = disk.refuses(file.path)
        return _of_script(file, disk) if refusal is None else Failure((refusal,))
    return fetch(file, disk).map(lambda content: Document(file, content))


def _of_script(file: ConfigFile, disk: Disk) -> Outcome[Document]:
    """Read a script if it is a literal, else have it evaluated."""
    from pipeline.scripts.literal import read_literal  # costs start-up time, and only a script needs it

    text = _text(file, disk)
    literal = read_literal(text, _suffix(file.path), file.display_path)
    if isinstance(literal, Json):
        return _exporting(file, literal)
    if disk.evaluate is None:
        return Failure((EvaluationFailed(literal, "not a literal"),))
    return disk.evaluate(file.path).map(lambda content: Document(file, content))


def _suffix(path: PurePath) -> str:
    """The suffix of a script; none where the runtime takes no types, so that evaluation reports it."""
    is_refused = ".d." in path.name.lower() or "node_modules" in path.parts
    return "" if is_refused and path.suffix.endswith("ts") else path.suffix


def _exporting(file: ConfigFile, literal: Json) -> Outcome[Document]:
    """The document of a literal; evaluation would refuse any other than an object in the same words."""
    if isinstance(literal.data, dict):
        return Success(Document(file, b"", literal))
    location = literal.positions[()].value
    return Failure((EvaluationFailed(location, "not an object", _NAMES[type(literal.data)]),))


def _text(file: ConfigFile, disk: Disk) -> str:
    """The text of a script; empty if it cannot be read or is not text, which evaluation reports."""
    content = disk.load(file.path, FILE_LIMIT).value_or(b"")
    return to_text(content, file.display_path).value_or("")
