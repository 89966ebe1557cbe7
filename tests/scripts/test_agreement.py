"""Random scripts: read without being run, they are what evaluation gives, and each place is that of its value."""

import json
from typing import Any

import pytest

from pipeline.config.tree import Json, KeyPath
from pipeline.scripts.literal import read_literal
from tests.support.script_writer import scripts
from tests.support.scripts import evaluated
from tests.support.sweep import Counted, sample
from tests.support.typescript import look

BATCH = 300
"""How many scripts one process evaluates."""


@pytest.mark.sweep
@pytest.mark.parametrize("seed", sample(range(80), 1))
def test_what_is_read_is_what_evaluation_gives(seed: int, counted: Counted) -> None:
    """A literal is what Deno and TypeScript say it is, and each place is where its value begins."""
    batch = list(scripts(seed, BATCH))
    read = [read_literal(text, suffix, "") for suffix, text in batch]
    literals = [(case, each) for case, each in zip(batch, read, strict=True) if isinstance(each, Json)]
    answers = evaluated([case for case, _ in literals])
    marked = [[(at.value, _at(each.data, path)) for path, at in each.positions.items()] for _, each in literals]
    seen = look((f"a{suffix}", text, marks) for ((suffix, text), _), marks in zip(literals, marked, strict=True))
    for (case, each), answer, verdict in zip(literals, answers, seen, strict=True):
        told = json.dumps(each.data)
        found = (json.dumps(answer), verdict["mistakes"], verdict["value"], verdict["wrong"])
        assert found == (told, 0, told, []), case
    assert len(literals) > BATCH / 4
    counted("scripts written", BATCH)
    counted("of which are literals, and compared with their evaluation", len(literals))
    counted("places compared with the text", sum(map(len, marked)))


def _at(whole: Any, path: KeyPath) -> Any:
    for step in path:
        whole = whole[step]
    return whole
