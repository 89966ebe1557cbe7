"""Parse: turn the bytes of a document into plain data, with the line and column of every value.

Takes a document; gives a tree. JSON is strict: UTF-8, no comments, no trailing commas, no duplicate keys, at most
1 MiB and 64 levels. In a `package.json` this applies to the value of `tool` (`docs/configuration.md`).
"""

from collections.abc import Mapping

from returns.result import Failure, Success

from pipeline.config.json_places import (
    DEPTH_LIMIT,
    FILE_LIMIT,
    Passage,
    decode_json,
    locations_in,
    malformed,
    places,
    to_text,
    too_deep,
    value_of_key,
)
from pipeline.config.tree import ConfigFile, Document, KeyPath, Offsets, Position, Tree, spell
from pipeline.report.diagnostics.configuration import ConfigNotFound, DuplicateKey, LimitExceeded
from pipeline.report.outcome import Outcome
from pipeline.schema import PACKAGE_KEY
from pipeline.scripts.places import places_in


def parse(document: Document) -> Outcome[Tree]:
    """Turn bytes into plain data.

    Problems: `MalformedJson`, `DuplicateKey` (every one), `LimitExceeded`, and `ConfigNotFound` for a `package.json`
    whose key has disappeared since it was located.
    """
    file = document.file
    whole = to_text(document.content).alt(malformed(file.display_path))
    own = whole.bind(lambda text: _under_key(text, file)) if file.kind == "package" else whole
    return own.bind(lambda passage: _shallow(passage, file)).bind(lambda passage: _decoded(passage, document))


def _under_key(whole: Passage, file: ConfigFile) -> Outcome[Passage]:
    """Narrow a `package.json`, which need only be JSON, to the value of `tool`."""
    data = decode_json(whole).alt(malformed(file.display_path))
    return data.bind(lambda data: _value_in(whole, data, file)).bind(lambda value: _short(value, file))


def _value_in(whole: Passage, data: object, file: ConfigFile) -> Outcome[Passage | None]:
    is_object = isinstance(data, dict)
    return value_of_key(whole, PACKAGE_KEY, file.display_path) if is_object else Success(None)


def _short(value: Passage | None, file: ConfigFile) -> Outcome[Passage]:
    if value is None:
        return Failure((ConfigNotFound(file.display_path, lacks_key=True),))
    if len(value.text[value.start : value.end].encode()) > FILE_LIMIT:
        begin = next(value.tokens()).start()
        return Failure((LimitExceeded(locations_in(file.display_path, value.text)(begin), "bytes", FILE_LIMIT),))
    return Success(value)


def _shallow(passage: Passage, file: ConfigFile) -> Outcome[Passage]:
    offset = too_deep(passage, DEPTH_LIMIT)
    if offset is None:
        return Success(passage)
    return Failure((LimitExceeded(locations_in(file.display_path, passage.text)(offset), "levels", DEPTH_LIMIT),))


def _decoded(passage: Passage, document: Document) -> Outcome[Tree]:
    data = decode_json(passage).alt(malformed(document.file.display_path))
    return data.bind(lambda data: _positioned(passage, data, document))


def _positioned(passage: Passage, data: object, document: Document) -> Outcome[Tree]:
    """Give every value its place: for a script in its own text, for a bundled preset none."""
    file = document.file
    if file.bundled is not None:
        return Success(Tree(file, data, {}))
    if file.kind == "script":
        offsets = dict(places_in(document.written, data)) if document.written is not None else {}
        return Success(Tree(file, data, _positions(offsets, file, document.script), reading=document.reading))
    everything = places(passage)
    if everything.repeated:
        at = locations_in(file.display_path, passage.text)
        repeated = ((spell(path), at(again), at(first)) for path, again, first in everything.repeated)
        return Failure(tuple(DuplicateKey(*each) for each in repeated))
    return Success(Tree(file, data, _positions(everything.of, file, passage.text)))


def _positions(offsets: Mapping[KeyPath, Offsets], file: ConfigFile, text: str) -> dict[KeyPath, Position]:
    at = locations_in(file.display_path, text)
    return {path: Position(path, at(place.value), at(place.key)) for path, place in offsets.items()}
