"""Parse: turn the bytes of a document into plain data, with the line and column of every value.

Takes a document; gives a tree. JSON is strict: UTF-8, no comments, no trailing commas, no
duplicate keys, at most 1 MiB and 64 levels. In a `package.json` this applies to the value of
`tool` (`docs/configuration.md`).
"""

from returns.result import Failure

from pipeline.config.disk import FILE_LIMIT
from pipeline.config.json_reader import find_member, locations_in, read_json, to_text
from pipeline.config.tree import ConfigFile, Document, Json, Tree
from pipeline.report.diagnostics.configuration import ConfigNotFound, too_much
from pipeline.report.diagnostics.scripts import EvaluationFailed
from pipeline.report.location import Location
from pipeline.report.outcome import Outcome
from pipeline.schema import PACKAGE_KEY


def parse(document: Document) -> Outcome[Tree]:
    """Turn bytes into plain data.

    Errors: `ConfigSyntaxError` (each), `ConfigNotFound` for a `package.json` whose key has
    disappeared since it was located, and `EvaluationFailed` for a script.
    """
    file = document.file
    decoded = to_text(document.content, file.display_path)
    parsed = decoded.bind(lambda text: _read(text, file))
    if file.kind == "script":
        # The evaluator gives JSON, so this script has evaded it. A position in its answer is none
        # in its text.
        failure = EvaluationFailed(Location(file.display_path), "not data", "text that is not JSON")
        parsed = parsed.alt(lambda _: (failure,))
    return parsed.map(lambda json: _tree(json, document))


def _read(text: str, file: ConfigFile) -> Outcome[Json]:
    if file.kind == "package":
        return _in_package(text, file.display_path)
    return read_json(text, file.display_path)


def _in_package(text: str, name: str) -> Outcome[Json]:
    """Read the value of `tool` in a `package.json`, which need only be JSON."""
    return find_member(text, PACKAGE_KEY, name).bind(lambda span: _member(text, span, name))


def _member(text: str, span: tuple[int, int] | None, name: str) -> Outcome[Json]:
    if span is None:
        return Failure((ConfigNotFound(name, lacks_key=True),))
    start, end = span
    if len(text[start:end].encode()) > FILE_LIMIT:
        return Failure((too_much(locations_in(name, text)(start), "bytes", FILE_LIMIT),))
    return read_json(text, name, start)


def _tree(json: Json, document: Document) -> Tree:
    """Give every value its position: in a script as far as its text says it, in a bundled
    preset none.
    """
    file = document.file
    if file.bundled is not None:
        return Tree(file, json.data, {})
    if file.kind != "script":
        return Tree(file, json.data, json.positions)
    from pipeline.config.places import places_in  # costs start-up time, and only a script needs it

    text = to_text(document.script, file.display_path).value_or("")
    return Tree(file, json.data, places_in(text, file.display_path, json.data))
