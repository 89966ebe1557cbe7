"""Edits: what a file would hold if someone changed it, tried through the whole chain."""

from functools import reduce

import pytest
from msgspec.structs import replace
from toolz import get_in

from pipeline.config.edits import added, deleted
from pipeline.config.tree import KeyPath, Tree
from pipeline.parse import parse
from pipeline.read import read
from pipeline.resolve import Request, resolve
from property_tests.strategies import file
from tests.support.disks import START, disk_of

TEXT = '{"theme": "a", "modules": {"exclude": ["a", "b", "c"], "only": ["a"]}, "hooks": {"onFailure": "fail"}}'
EXCLUDE: KeyPath = ("modules", "exclude")


def tree_of(text: str) -> Tree:
    """The tree of a configuration file."""
    disk = disk_of({"/project/tool.config.json": text})
    return read(file(), disk).bind(parse).unwrap()


@pytest.mark.parametrize(
    ("paths", "text"),
    [
        ([], TEXT),
        ([("theme",)], TEXT.replace('"theme": "a",', " " * 13)),
        ([(*EXCLUDE, 0), (*EXCLUDE, 1)], TEXT.replace('"a", "b", "c"', '     "b"     ')),
        ([("hooks", "onFailure")], TEXT.replace('"onFailure": "fail"', "                   ")),
    ],
)
def test_what_is_deleted_leaves_everything_else_in_its_place(paths: list[KeyPath], text: str) -> None:
    """After a deletion the data is that of a file in which the value is blanked out, and so is every place."""
    after, blank = reduce(deleted, paths, tree_of(TEXT)), tree_of(text)
    assert after.data == blank.data
    places = {path: position.value for path, position in after.positions.items()}
    assert places == {path: position.value for path, position in blank.positions.items()}


def test_what_is_added_has_the_place_of_its_list() -> None:
    """A new element is the last, and is told to be where the list is."""
    after = added(tree_of(TEXT), EXCLUDE, "d")
    assert get_in(EXCLUDE, after.data) == ["a", "b", "c", "d"]
    assert after.position((*EXCLUDE, 3)) == after.position(EXCLUDE)


def test_a_disk_can_suppose_edits() -> None:
    """The whole chain takes them, for the configuration and for presets."""
    disk = disk_of(
        {
            "/project/.git": None,
            "/project/tool.config.json": '{"presets": ["./p.json"], "theme": "a"}',
            "/project/p.json": '{"theme": "p", "exclude": ["x"]}',
        }
    )
    gone: dict[str, KeyPath] = {"tool.config.json": ("theme",), "p.json": ("exclude", 0)}
    supposing = replace(disk, suppose=lambda tree: deleted(tree, gone[tree.file.display_path]))
    settings = resolve(Request(start=START), supposing).unwrap().settings
    assert (settings.theme, settings.modules_exclude) == ("p", ())
