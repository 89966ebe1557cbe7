"""Edits: what a file would hold if someone changed it, tried through the whole chain."""

import pytest
from toolz import get_in

from pipeline.config.edits import Edit, apply_edits
from pipeline.config.tree import KeyPath, Tree
from pipeline.parse import parse
from pipeline.read import read
from pipeline.resolve import Request, resolve
from property_tests.strategies import candidate
from tests.support.disks import START, disk_of

TEXT = '{"theme": "a", "modules": {"exclude": ["a", "b", "c"], "only": ["a"]}, "hooks": {"onFailure": "fail"}}'
EXCLUDE: KeyPath = ("modules", "exclude")


def tree_of(text: str) -> Tree:
    """The tree of a configuration file."""
    disk = disk_of({"/project/tool.config.json": text})
    return read(candidate(), disk).bind(parse).unwrap()


@pytest.mark.parametrize(
    ("edits", "text"),
    [
        ([], TEXT),
        ([Edit("other.json", ("theme",))], TEXT),
        ([Edit("tool.config.json", ("theme",))], TEXT.replace('"theme": "a",', " " * 13)),
        (
            [Edit("tool.config.json", (*EXCLUDE, 0)), Edit("tool.config.json", (*EXCLUDE, 1))],
            TEXT.replace('"a", "b", "c"', '     "b"     '),
        ),
        (
            [Edit("tool.config.json", ("hooks", "onFailure"))],
            TEXT.replace('"onFailure": "fail"', "                   "),
        ),
    ],
)
def test_what_is_deleted_leaves_everything_else_in_its_place(edits: list[Edit], text: str) -> None:
    """After a deletion the data is that of a file in which the value is blanked out, and so is every place."""
    after, blank = apply_edits(tree_of(TEXT), edits), tree_of(text)
    assert after.data == blank.data
    places = {path: mark.value for path, mark in after.marks.items()}
    assert places == {path: mark.value for path, mark in blank.marks.items()}


def test_what_is_added_has_the_place_of_its_list() -> None:
    """A new element is the last, and is told to be where the list is."""
    after = apply_edits(tree_of(TEXT), [Edit("tool.config.json", EXCLUDE, "d")])
    assert get_in(EXCLUDE, after.data) == ["a", "b", "c", "d"]
    assert after.mark((*EXCLUDE, 3)) == after.mark(EXCLUDE)


def test_a_run_can_suppose_edits() -> None:
    """The whole chain takes them, for the configuration and for presets."""
    disk = disk_of(
        {
            "/project/.git": None,
            "/project/tool.config.json": '{"presets": ["./p.json"], "theme": "a"}',
            "/project/p.json": '{"theme": "p", "exclude": ["x"]}',
        }
    )
    edits = (Edit("tool.config.json", ("theme",)), Edit("p.json", ("exclude", 0)))
    settings = resolve(Request(start=START, edits=edits), disk).unwrap().settings
    assert (settings.theme, settings.modules_exclude) == ("p", ())
