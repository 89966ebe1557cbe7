"""What can be neither moved nor replaced, and what of a plan cannot be done therefore (`docs/building.md`)."""

import pytest
from msgspec.structs import replace

from pipeline.building.obstacles import blocked, inside, why_in_place
from pipeline.building.record import FileState, RecordedComponent
from pipeline.building.steps import Step, Target, removal_step
from pipeline.building.tree import Immovable, Tree, Why
from pipeline.report.diagnostics.disk import FileSystemProblem

FILES = {"a": FileState(digest="1"), "d/b": FileState(digest="1"), "d/deep/c": FileState(digest="1")}
CLOSED: Why = "in a folder that is not writable"
EMPTY = {"e": FileState(kind="folder")}


def removal(*mounts: str) -> Step:
    """The removal of a component of three files and an empty folder, with these mounts."""
    recorded = RecordedComponent(archive="m.zip", digest="", content="", files=FILES)
    target = Target(occupancy="present", tree=Tree({**FILES, **EMPTY}), mounts=mounts)
    return removal_step("module", "modules/m", target, recorded)


def test_the_paths_inside_another() -> None:
    """What is at a path or below it is seen from there; a longer name is another path."""
    assert inside("modules/m", ("modules", "modules/m", "modules/m/a", "modules/mine")) == ("", "a")


@pytest.mark.parametrize(
    ("mounts", "fixed", "parts"),
    [
        ((), {}, {}),
        ((), {"a": "immutable", "d/deep": "append-only"}, {"a": "immutable", "d/deep": "append-only"}),
        ((), {"d": "immutable"}, {"d": "immutable"}),
        ((), {"": "on a read-only disk"}, {"": "on a read-only disk"}),
        ((), {"e": "mounted"}, {}),
        (("d", "e"), {"d": "mounted", "e": "mounted"}, {}),
        (("",), {"": "mounted"}, {}),
        ((), {"d": "mounted"}, {"d": "mounted"}),
        ((), {"": CLOSED}, {"": CLOSED}),
        ((), {"d": "not writable", "other": "not writable"}, {"d": "not writable"}),
    ],
)
def test_what_keeps_a_component_from_being_removed(mounts: tuple[str, ...], fixed: Immovable, parts: Immovable) -> None:
    """Whatever is fixed is named, except what is known to be mounted, which stays."""
    errors = tuple(
        FileSystemProblem(f"modules/m/{part}".rstrip("/"), f"it is {why}") for part, why in sorted(parts.items())
    )
    assert blocked(replace(removal(*mounts), immovable=fixed)) == errors


@pytest.mark.parametrize(
    ("fixed", "parts"),
    [
        ({"": CLOSED}, {}),
        ({"": CLOSED, "d": "not writable"}, {"d": "not writable"}),
        ({"": "not writable"}, {"": "not writable"}),
    ],
)
def test_what_keeps_a_component_from_being_updated(fixed: Immovable, parts: Immovable) -> None:
    """In a folder that is not writable, files of a component can be replaced, but not in its own such folders."""
    step = replace(removal(), action="update", immovable=fixed)
    expected = (FileSystemProblem(f"modules/m/{part}".rstrip("/"), f"it is {why}") for part, why in parts.items())
    assert blocked(step) == tuple(expected)


@pytest.mark.parametrize(("why", "shown"), [(CLOSED, "not writable"), ("on a read-only disk", "on a read-only disk")])
def test_what_keeps_components_from_being_added(why: Why, shown: str) -> None:
    """The folder is named that they would be in, so that there is one error for all of them."""
    step = replace(removal(), action="add", target=Target(), immovable={"": why})
    assert blocked(step) == (FileSystemProblem("modules", f"it is {shown}"),)


def test_why_files_are_replaced_one_by_one() -> None:
    """The first that is fixed is named, or all that stay of a component that is removed."""
    assert why_in_place(removal()) == ""
    assert why_in_place(replace(removal(), immovable={"a": "immutable", "d": "mounted"})) == "`a` in it is immutable"
    assert (
        why_in_place(replace(removal("d", "e"), immovable={"d": "mounted"}))
        == "mounted, and stays: `modules/m/d`, `modules/m/e`"
    )
    assert why_in_place(replace(removal(""), immovable={"": "mounted"})) == "mounted, and stays: `modules/m`"
