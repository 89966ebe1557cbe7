"""Lift, run alone: the text that replaces a 0.x file (`docs/configuration.md`)."""

import json
from pathlib import PurePath

import pytest
from returns.result import Success

from pipeline.config.tree import ConfigFile, Document
from pipeline.init.lift import lift

FILE = ConfigFile(path=PurePath("/project/.tool.json"), display_path=".tool.json", kind="legacy")


@pytest.mark.parametrize(
    ("content", "lifted"),
    [
        (b'{"themeName": "harbour"}', {"schema": 1, "theme": "harbour"}),
        (
            b'{"excludeModules": ["...", "a", "..."]}',
            {"schema": 1, "modules": {"exclude": ["...", "a"]}},
        ),
    ],
)
def test_a_legacy_file_is_lifted(content: bytes, lifted: object) -> None:
    """The new text has the version 1 shape; a second `"..."` in a list is left out."""
    assert lift(Document(FILE, content)).map(lambda text: json.loads(text or "")) == Success(lifted)


@pytest.mark.rule("Versioning, rule 3, tolerant")
@pytest.mark.parametrize(
    "content", [b"[]", b'{"schema":1,"theme":"a"}', b'{"name": "a"}', b'{"modules": {}, "odd": 1}']
)
def test_another_file_is_left_as_it_is(content: bytes) -> None:
    """A file without any 0.x content is not rewritten."""
    assert lift(Document(FILE, content)) == Success(None)
