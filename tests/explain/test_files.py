"""A file of the project: how it differs from what was built, and what the next run does with it."""

from pathlib import PurePath

import pytest
from msgspec.structs import replace
from returns.result import Success

from pipeline.building.draft import Found
from pipeline.building.given import Given
from pipeline.building.preference import Preference
from pipeline.building.record import Record
from pipeline.building.steps import Plan, Target, build_step
from pipeline.building.tree import Tree
from pipeline.explain.document import Explanation
from pipeline.explain.files import explain_file
from pipeline.explain.text import lines
from pipeline.report.diagnostics.drop import DropNotFound
from pipeline.report.layout import PIPE
from tests.support import drafts
from tests.support.updates import BASE, CHOICE, NEW, OLD, PLACE, PREVIEW, states

NOTHING = Plan(project=PurePath("/p"), steps=())
UPDATE = Plan(project=PurePath("/p"), steps=(build_step(CHOICE, PLACE, Given(NEW), BASE, Preference()),))
ADDITION = Plan(project=PurePath("/p"), steps=(build_step(CHOICE, Target(), Given(), None, Preference()),))
STOPPED = Plan(project=PurePath("/p"), steps=(), refused=(DropNotFound("drop", "it is a file"),))
UNKNOWN = Plan(project=PurePath("/p"), steps=(), places={"modules/m": PLACE})
EMPTY = Plan(project=PurePath("/p"), steps=(), places={"modules/m": Target()})
HERE = Target(occupancy="present", tree=Tree(OLD))
WITH_ONE_MORE = replace(BASE, files={**OLD, **states(gone="1")})
DELETED = Plan(
    project=PurePath("/p"), steps=(), before=Record({"modules/m": WITH_ONE_MORE}), places={"modules/m": HERE}
)
REMOVAL = Plan(
    project=PurePath("/p"), steps=(build_step(CHOICE, HERE, Given(states(a="1")), WITH_ONE_MORE, Preference()),)
)
STAYS = "keeps it as it is: its component is not built"
FOUND = Found(
    project=PurePath("/p"),
    drop="drop",
    places=lambda _: {},
    occupancies=lambda _: {},
    contents=lambda choices: [Success(states(a="2", n="new")) for _ in choices],
    installed=lambda _: {},
    elsewhere=lambda *_: frozenset(),
    scripts=lambda _: Success(None),
    texts=drafts.NOTHING,
)


def formatted(name: str, preview: Plan, planned: Plan) -> list[str]:
    """The explanation of a file of the module."""
    parts = explain_file(f"modules/m/{name}", "modules/m", preview, planned, FOUND)
    return [*lines(Explanation(name=name, files=parts), PIPE)] if parts else []


@pytest.mark.parametrize(
    ("name", "preview", "planned", "state", "facts"),
    [
        ("a", PREVIEW, UPDATE, "built", ["built from  m.zip", "next run    changes it to the file of m.zip 2"]),
        ("b", PREVIEW, UPDATE, "edited", ["built from  m.zip", "next run    keeps it as it is"]),
        ("c", PREVIEW, NOTHING, "added", [f"next run  {STAYS}"]),
        ("a", PREVIEW, STOPPED, "built", ["built from  m.zip", "next run    would stop"]),
        ("a", UNKNOWN, NOTHING, "unrecorded", [f"next run  {STAYS}"]),
        ("gone", DELETED, REMOVAL, "deleted", ["built from  m.zip", "next run    keeps it as it is"]),
        ("b", DELETED, REMOVAL, "built", ["built from  m.zip", "next run    removes it: m.zip 2 does not have it"]),
        ("n", EMPTY, ADDITION, "absent", ["next run  adds it from m.zip 2"]),
    ],
)
def test_a_file(name: str, preview: Plan, planned: Plan, state: str, facts: list[str]) -> None:
    """What it is, what it was built from, what a run does, and how to change that."""
    head = f"modules/m/{name}: a file of modules/m, {state}"
    *lines, _, advice = formatted(name, preview, planned)
    assert lines == [head, "", *(f"  {fact}" for fact in facts)]
    assert advice.startswith("To change it: ")


def test_a_file_that_nobody_knows() -> None:
    """Neither here, nor built, nor in the archive."""
    assert formatted("x", EMPTY, ADDITION) == []
