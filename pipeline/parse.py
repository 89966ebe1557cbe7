"""Parse: turn the bytes of a document into plain data, with the line and column of every value.

Takes a document; gives a tree. JSON is strict: UTF-8, no comments, no trailing commas, no duplicate keys, at most
1 MiB and 64 levels. In a `package.json` this applies to the value of `tool` (`docs/configuration.md`).
"""

from collections.abc import Callable

from returns.result import Failure, Success

from pipeline.config.json_places import (
    DEPTH_LIMIT,
    FILE_LIMIT,
    JsonFault,
    Passage,
    decode,
    locator,
    places,
    to_text,
    too_deep,
    values_of,
)
from pipeline.config.tree import Candidate, Document, Mark, Tree, spell
from pipeline.report.outcome import Outcome
from pipeline.report.problems import ConfigNotFound, ConfigProblem, DuplicateKey, LimitExceeded, MalformedJson
from pipeline.report.source import Source
from pipeline.schema import PACKAGE_KEY


def parse(document: Document) -> Outcome[Tree]:
    """Turn bytes into plain data.

    Problems: `MalformedJson`, `DuplicateKey` (every one), `LimitExceeded`, and `ConfigNotFound` for a `package.json`
    whose key has disappeared since it was located.
    """
    candidate = document.candidate
    failed = _failed(candidate)
    return (
        to_text(document.content)
        .alt(failed)
        .bind(lambda whole: _under_key(whole, candidate) if candidate.form == "package" else Success(whole))
        .bind(lambda passage: _shallow(passage, candidate))
        .bind(lambda passage: decode(passage).alt(failed).bind(lambda data: _tree(passage, data, document)))
    )


def _failed(candidate: Candidate) -> Callable[[JsonFault], tuple[ConfigProblem, ...]]:
    return lambda fault: (MalformedJson(Source(candidate.display_path, fault.line, fault.column), fault.reason),)


def _under_key(whole: Passage, candidate: Candidate) -> Outcome[Passage]:
    """Narrow a `package.json`, which need only be JSON, to the value of `tool`."""
    return (
        decode(whole)
        .alt(_failed(candidate))
        .bind(
            lambda data: (
                _only(values_of(whole, PACKAGE_KEY), candidate)
                if isinstance(data, dict) and PACKAGE_KEY in data
                else Failure((ConfigNotFound(candidate.display_path, lacks_key=True),))
            )
        )
    )


def _only(values: tuple[tuple[int, Passage], ...], candidate: Candidate) -> Outcome[Passage]:
    (key, first), *others = values
    at = _sources(candidate, first.text)
    if others:
        return Failure(tuple(DuplicateKey(PACKAGE_KEY, at(again), at(key)) for again, _ in others))
    if len(first.text[first.start : first.end].encode()) > FILE_LIMIT:
        return Failure((LimitExceeded(at(_begin(first)), "bytes", FILE_LIMIT),))
    return Success(first)


def _shallow(passage: Passage, candidate: Candidate) -> Outcome[Passage]:
    offset = too_deep(passage, DEPTH_LIMIT)
    if offset is not None:
        return Failure((LimitExceeded(_sources(candidate, passage.text)(offset), "levels", DEPTH_LIMIT),))
    return Success(passage)


def _tree(passage: Passage, data: object, document: Document) -> Outcome[Tree]:
    candidate = document.candidate
    if candidate.bundled is not None:
        return Success(Tree(candidate, data, {}))
    if candidate.form == "script":
        from pipeline.scripts.places import script_marks  # costs start-up time, and only a script needs it

        return Success(Tree(candidate, data, script_marks(candidate, data, document.script)))
    found = places(passage)
    at = _sources(candidate, passage.text)
    if found.repeated:
        return Failure(tuple(DuplicateKey(spell(path), at(again), at(first)) for path, again, first in found.repeated))
    return Success(
        Tree(
            candidate,
            data,
            {path: Mark(path, at(place.value), at(place.key)) for path, place in found.of.items()},
        )
    )


def _sources(candidate: Candidate, text: str) -> Callable[[int], Source]:
    at = locator(text)
    return lambda offset: Source(candidate.display_path, *at(offset))


def _begin(passage: Passage) -> int:
    return next(passage.tokens()).start()
