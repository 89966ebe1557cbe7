"""Lift, run alone: the text that replaces a 0.x file (`docs/legacy.md`)."""

import pytest
from returns.result import Success

from pipeline.config.tree import Document
from pipeline.init.lift import Lifted, lift
from pipeline.report.notes import LegacyDropped, LegacyMoved
from pipeline.report.source import Source
from tests.support.trees import candidate_of


def test_a_flat_file() -> None:
    """A file in the flat shape becomes a version 1 file, and what was moved or dropped is noted."""
    content = b'{"themeName": "x", "version": "0.6"}'
    assert lift(Document(candidate_of(".tool.json", "legacy"), content)) == Success(
        Lifted(
            content,
            '{\n  "schema": 1,\n  "theme": "x"\n}\n',
            (
                LegacyMoved("themeName", "theme", Source(".tool.json", 1, 2)),
                LegacyDropped("version", "version 1 has `schema` in its place", Source(".tool.json", 1, 20)),
            ),
        )
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [("[]", "no object"), ('{"schema": 1}', "no 0.x shape"), ('{"colour": "blue"}', "no 0.x key")],
)
def test_what_is_left_unchanged(text: str, reason: str) -> None:
    """What is no object, has the shape of version 1 already, or has no key of 0.x is not lifted."""
    assert lift(Document(candidate_of(".tool.json", "legacy"), text.encode())) == Success(reason)
