"""A module that was built, was edited since, and has a newer archive in the drop."""

from collections.abc import Collection, Mapping
from hashlib import sha256
from pathlib import PurePath
from typing import TypeAlias

from io_edges.building.git import GIT
from pipeline.building.draft import Contents
from pipeline.building.patching.patch import Patch
from pipeline.building.steps import Plan
from pipeline.building.stores.record import FileState, RecordedComponent
from pipeline.building.stores.tree import Tree
from pipeline.building.survey import Target
from tests.support.drafts import choice_of, untouched

Texts: TypeAlias = Mapping[str, bytes]
CHOICE = choice_of(version="2", archive={"digest": "2", "file_count": 1})
NO_TEXTS: Texts = {}


def files_of(texts: Texts, *, executable: bool = False) -> dict[str, FileState]:
    """The states of files with these contents."""
    return {
        name: FileState(digest=sha256(text).hexdigest(), executable=executable)
        for name, text in texts.items()
    }


def states(**texts: str) -> dict[str, FileState]:
    """The states of files with these texts."""
    return files_of({name: text.encode() for name, text in texts.items()})


def contents_of_texts(
    there: Texts = NO_TEXTS, given: Texts = NO_TEXTS, kept: Texts | None = None, *patches: Patch
) -> Contents:
    """The contents of files on disk, in an archive and in the one that was built, if it is kept,
    and kept patches.
    """

    def among(texts: Texts, names: Collection[str]) -> dict[str, bytes]:
        return {name: texts[name] for name in names if name in texts}

    return Contents(
        read_disk=lambda _, names: among(there, names),
        read_archive=lambda _, names: among(given, names),
        read_kept=lambda _, names: None if kept is None else among(kept, names),
        read_patch=lambda _, digest: next(
            (each for each in patches if each.digest == digest), None
        ),
        git=GIT,
    )


OLD, MINE, NEW = states(a="1", b="1"), states(a="1", b="mine", c="added"), states(a="2", b="1")
BASE = RecordedComponent(archive="m.zip", digest="1", content="1", files=OLD)
PLACE = Target(occupancy="present", tree=Tree(MINE))
PREVIEW = Plan(
    project=PurePath("/p"),
    steps=(untouched("modules/m", BASE, PLACE),),
    skipped=(untouched("modules/gone", BASE), untouched("modules/new", None, PLACE)),
)
