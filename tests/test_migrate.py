"""Migrate, run alone: the 0.x shape of the legacy file (`docs/configuration.md`)."""

import json
from typing import Any

import pytest

from pipeline.config.legacy_keys import MOVES
from pipeline.config.tree import ConfigFile
from pipeline.migrate import migrate
from pipeline.report.diagnostics.configuration import legacy_key
from pipeline.report.location import Location
from tests.support.disks import START
from tests.support.tables import lists
from tests.support.trees import legacy_keys, tree_of, written

LEGACY = ConfigFile.at(".tool.json", START)


def at(line: int, column: int) -> Location:
    """A place in the legacy file."""
    return Location(".tool.json", line, column)


@pytest.mark.rule("Versioning, rule 4")
@pytest.mark.parametrize(
    ("text", "lifted"),
    lists("migrate", "moves"),
)
def test_each_move(text: str, lifted: dict[str, Any]) -> None:
    """Each legacy key gives its setting of the version 1 shape."""
    assert migrate(tree_of(text, LEGACY)).data == {"schema": 1, **lifted}


@pytest.mark.rule("Versioning, rule 4")
def test_the_table_is_tested_whole() -> None:
    """Every key of the table of moves is in the cases above."""
    cases = test_each_move.pytestmark[0].args[1]  # type: ignore[attr-defined]
    keys = {key for text, _ in cases for key in json.loads(text)}
    assert {move.key for move in MOVES} == keys - {"version", "schema", "presetsSearchPath"}


@pytest.mark.rule("Versioning, rule 4")
def test_what_is_dropped() -> None:
    """A key that 0.x did not have, a value that does not fit and `version` are dropped, each
    with a warning.
    """
    tree = migrate(
        tree_of('{"version": 1, "colour": 2, "theme": 3, "cache": [], "preset": ""}', LEGACY)
    )
    assert tree.data == {"schema": 1}
    assert tree.warnings == (
        legacy_key("version", at(1, 2), reason="version 1 has `schema` in its place"),
        legacy_key("colour", at(1, 16), reason="it is not a key of the 0.x file"),
        legacy_key("theme", at(1, 29), reason="its value does not fit theme"),
        legacy_key("cache", at(1, 41), reason="its value does not fit cache.file or cache.enabled"),
        legacy_key("preset", at(1, 54), reason="its value does not fit presets"),
    )


@pytest.mark.parametrize(
    ("text", "lifted", "reported"),
    lists("migrate", "unfit"),
)
def test_a_value_that_does_not_fit(
    text: str, lifted: dict[str, Any], reported: dict[str, str]
) -> None:
    """A value that no file could hold hides no other key and is not hidden itself; in a list, one
    such item is enough.
    """
    tree = migrate(tree_of(text, LEGACY))
    assert tree.data == {"schema": 1, **lifted}
    assert {key: reason for key, _, reason in legacy_keys(tree.warnings) if reason} == reported


def test_places_are_kept() -> None:
    """A moved value keeps the position and the spelling of what the user wrote."""
    tree = migrate(tree_of('{"excludeModules": ["a"], "cache": "x"}', LEGACY))
    assert written(tree) == {
        "": ("", ".tool.json:1:1"),
        "modules": ("excludeModules", ".tool.json:1:20"),
        "modules.exclude": ("excludeModules", ".tool.json:1:20"),
        "modules.exclude[0]": ("excludeModules[0]", ".tool.json:1:21"),
        "cache": ("cache", ".tool.json:1:36"),
        "cache.file": ("cache", ".tool.json:1:36"),
    }


@pytest.mark.parametrize(
    "text",
    lists("migrate", "passes"),
)
def test_the_version_1_shape_passes(text: str) -> None:
    """A legacy file in the version 1 shape, or one that is not an object, is unchanged."""
    tree = tree_of(text, LEGACY)
    assert migrate(tree) == tree
