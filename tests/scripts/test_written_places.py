"""Random scripts: each place is where the evaluated value is written."""

from typing import Any

import pytest

from pipeline.config.places import places_in
from pipeline.config.tree import KeyPath
from pipeline.report.location import Location
from tests.support.script_writer import scripts
from tests.support.scripts import evaluated
from tests.support.sweep import Counted, sample
from tests.support.typescript import look

BATCH = 100
"""How many scripts one process evaluates."""


@pytest.mark.sweep
@pytest.mark.parametrize("seed", sample(range(240), 1))
def test_each_place_is_that_of_its_value(seed: int, counted: Counted) -> None:
    """At each place, TypeScript sees the value that Deno gives, or one that is computed."""
    batch = list(scripts(seed, BATCH))
    answers = evaluated(batch)
    cases = [
        (text, answer)
        for (_, text), answer in zip(batch, answers, strict=True)
        if isinstance(answer, dict)
    ]
    marked = [_marks(text, data) for text, data in cases]
    seen = look(
        (f"a{number}.ts", text, marks)
        for number, ((text, _), marks) in enumerate(zip(cases, marked, strict=True))
    )
    assert [
        (case, each["wrong"]) for case, each in zip(cases, seen, strict=True) if each["wrong"]
    ] == []
    assert sum(map(len, marked)) > BATCH / 4
    counted("scripts written", BATCH)
    counted("of which give an object", len(cases))
    counted("places compared with the text", sum(map(len, marked)))


def _marks(text: str, data: Any) -> list[tuple[Location, Any]]:
    """Each place and the value there, but for what JSON has no word for, such as an
    infinite number.
    """
    marks = [(at.value, _at(data, path)) for path, at in places_in(text, "", data).items()]
    return [mark for mark in marks if mark[1] is not None]


def _at(whole: Any, path: KeyPath) -> Any:
    for step in path:
        whole = whole[step]
    return whole
