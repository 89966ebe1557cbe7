"""A module that was built, was edited since, and has a newer archive in the drop."""

from hashlib import sha256
from pathlib import PurePath

from pipeline.building.steps import Plan, Target
from pipeline.building.stores.record import FileState, RecordedComponent
from pipeline.building.stores.tree import Tree
from tests.support.drafts import choice_of, untouched

CHOICE = choice_of(version="2", archive={"digest": "2", "files": 1})


def states(**texts: str) -> dict[str, FileState]:
    """What files are known by."""
    return {name: FileState(digest=sha256(text.encode()).hexdigest()) for name, text in texts.items()}


OLD, MINE, NEW = states(a="1", b="1"), states(a="1", b="mine", c="added"), states(a="2", b="1")
BASE = RecordedComponent(archive="m.zip", digest="1", content="1", files=OLD)
PLACE = Target(occupancy="present", tree=Tree(MINE))
PREVIEW = Plan(
    project=PurePath("/p"),
    steps=(untouched("modules/m", BASE, PLACE),),
    passed_over=(untouched("modules/gone", BASE), untouched("modules/new", None, PLACE)),
)
