"""Normalise, run alone: the shorthand `exclude` (`docs/configuration.md`)."""

import pytest

from pipeline.config.tree import ConfigFile
from pipeline.normalise import normalise
from tests.support.disks import START
from tests.support.trees import tree_of, written


@pytest.mark.rule("Schema, `exclude`", "Shorthand, rule 1")
def test_the_shorthand_is_appended() -> None:
    """The file's own `modules.exclude` comes first, duplicates are dropped, and each item keeps its
    position.
    """
    tree = normalise(
        tree_of(
            '{"exclude": ["a", "b", "a", "c"],\n "modules": {"only": [], "exclude": ["c", "d"]}}'
        )
    )
    assert tree.data == {"modules": {"only": [], "exclude": ["c", "d", "a", "b"]}}
    assert written(tree) == {
        "": ("", "tool.config.json:1:1"),
        "modules": ("modules", "tool.config.json:2:13"),
        "modules.only": ("modules.only", "tool.config.json:2:22"),
        "modules.exclude": ("modules.exclude", "tool.config.json:2:37"),
        "modules.exclude[0]": ("modules.exclude[0]", "tool.config.json:2:38"),
        "modules.exclude[1]": ("modules.exclude[1]", "tool.config.json:2:43"),
        "modules.exclude[2]": ("exclude[0]", "tool.config.json:1:14"),
        "modules.exclude[3]": ("exclude[1]", "tool.config.json:1:19"),
    }


def test_a_splice_in_each_list() -> None:
    """The element `"..."` may be in both lists and stays where it is first; a repeated one is left
    to validate.
    """
    tree = normalise(
        tree_of(
            '{"exclude": ["a", "...", "...", "b", "c", "a"], "modules": {"exclude": ["c", "..."]}}'
        )
    )
    assert tree.data == {"modules": {"exclude": ["c", "...", "a", "...", "b"]}}
    assert written(tree)["modules.exclude[3]"] == ("exclude[2]", "tool.config.json:1:26")


@pytest.mark.rule("Shorthand, rule 4")
def test_the_shorthand_alone() -> None:
    """Without `modules`, the list and its position are the shorthand's."""
    tree = normalise(tree_of('{"exclude": ["a"]}'))
    assert tree.data == {"modules": {"exclude": ["a"]}}
    assert written(tree) == {
        "": ("", "tool.config.json:1:1"),
        "modules": ("exclude", "tool.config.json:1:13"),
        "modules.exclude": ("exclude", "tool.config.json:1:13"),
        "modules.exclude[0]": ("exclude[0]", "tool.config.json:1:14"),
    }


def test_items_of_the_wrong_type_stay() -> None:
    """Items that are not strings are kept with their positions, for validate to refuse."""
    tree = normalise(
        tree_of('{"exclude": [1, {"a": 1}, 1, true, "x"], "modules": {"exclude": ["x", 1]}}')
    )
    assert tree.data == {"modules": {"exclude": ["x", 1, 1, {"a": 1}, 1, True]}}
    assert written(tree)["modules.exclude[4]"] == ("exclude[2]", "tool.config.json:1:27")


def test_the_legacy_file() -> None:
    """In the flat 0.x shape, `exclude` is left to migrate; in the version 1 shape it is folded as
    usual.
    """
    legacy = ConfigFile.at(".tool.json", START)
    flat, lifted = (
        tree_of('{"exclude": ["a"]}', legacy),
        tree_of('{"schema": 1, "exclude": ["a"]}', legacy),
    )
    assert [normalise(flat).data, normalise(lifted).data] == [
        {"exclude": ["a"]},
        {"schema": 1, "modules": {"exclude": ["a"]}},
    ]
