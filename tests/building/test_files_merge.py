"""What stands at each path after a run, and why, as a value (`docs/building.md`)."""

from itertools import product

import pytest

from pipeline.building.merging.files_merge import changed_since, merge_files, replace_all, retire
from pipeline.building.merging.outcomes import Merge
from pipeline.building.merging.preference import Preferred
from pipeline.building.stores.record import FileState
from tests.support.tables import rows

State = FileState | None
VERSIONS: tuple[State, ...] = (
    None,
    *(
        FileState(digest=digest, executable=flag)
        for digest in ("old", "new", "other")
        for flag in (False, True)
    ),
    *(FileState(kind="link", target=target) for target in ("old", "new", "other")),
    FileState(kind="folder"),
)
WINNERS: tuple[Preferred, ...] = ("nobody", "theirs", "mine")


def content(state: State) -> object:
    """What a version is, whatever its executable bit."""
    return state and (state.kind, state.digest, state.target)


def bit(base: State, disk: State, archive: State) -> bool | None:
    """The executable bit that a file is to have: the user's, if they set it, else the archive's."""
    flags = [
        state.executable if state and state.kind == "file" else None
        for state in (base, disk, archive)
    ]
    by_user = None not in flags[:2] and flags[0] != flags[1]
    return flags[1] if by_user else flags[2]


def expected(
    base: State, disk: State, archive: State, prefer: Preferred
) -> tuple[State, bool, str]:
    """The oracle: what stands there, whether it is a conflict, and whose version goes
    to the backup.
    """
    w, d, a = map(content, (base, disk, archive))
    conflict = len({w, d, a}) == 3 and d is not None
    stays = (w == a and d not in {w, None}) or (conflict and prefer != "theirs")
    result = disk if stays else archive
    flag = bit(base, disk, archive)
    if result and result.kind == "file" and flag is not None:
        result = FileState(digest=result.digest, executable=flag)
    backup = (
        {"nobody": "", "theirs": "disk", "mine": "archive" if archive else ""}[prefer]
        if conflict
        else ""
    )
    return result, conflict and prefer == "nobody", backup


@pytest.mark.parametrize("prefer", WINNERS)
def test_every_combination(prefer: Preferred) -> None:
    """Each of the three versions of a path in each state, against the table of the page."""
    bases = [base for base in VERSIONS if base is None or base.kind != "folder"]
    for base, disk, archive in product(bases, VERSIONS, VERSIONS):
        first, second, third = ({"a": state} if state else {} for state in (base, disk, archive))
        merge = merge_files(first, second, third, lambda _: prefer)
        backup = "disk" if merge.backed_up else "archive" if merge.archive_backed_up else ""
        actual = merge.files.get("a"), bool(merge.disputes), backup
        assert actual == expected(base, disk, archive, prefer), (base, disk, archive)


def files(text: str) -> dict[str, FileState]:
    """Files from a text like `a=1 b/c=2 link->a run*1 folder/`."""
    return dict(map(_file, text.split()))


def _file(word: str) -> tuple[str, FileState]:
    if word.endswith("/"):
        return word[:-1], FileState(kind="folder")
    if "->" in word:
        name, _, target = word.partition("->")
        return name, FileState(kind="link", target=target)
    name, mark, digest = word.partition("*") if "*" in word else word.partition("=")
    return name, FileState(digest=digest, executable=mark == "*")


def reported(result: Merge) -> str:
    """What is on the disk after a merge, and in brackets what differs, in one line."""
    parts = {
        "written": result.written,
        "carried": sorted(result.files.keys() - {*result.written, *result.of("merged")}),
        "switched": result.switched,
        "removed": result.removed,
        "edited": result.edited,
        "added": result.of("added"),
        "restored": result.of("restored"),
        "backup of the disk": result.backed_up,
        "backup of the archive": result.archive_backed_up,
        **{f"conflict ({why})": (name,) for name, why in result.disputes.items()},
    }
    return "; ".join(f"{what}: {' '.join(names)}" for what, names in parts.items() if names)


@pytest.mark.parametrize(("base", "disk", "archive", "outcome"), rows("files_merge", "components"))
def test_what_becomes_of_a_component(base: str, disk: str, archive: str, outcome: str) -> None:
    """Files, links and empty folders of a component, in the states that running systems and people
    bring about.
    """
    result = merge_files(files(base), files(disk), files(archive))
    assert reported(result) == outcome
    assert result.is_idle != ("written" in outcome or "switched" in outcome or "removed" in outcome)


@pytest.mark.parametrize(
    ("base", "disk", "archive", "prefer", "outcome"), rows("files_merge", "folders and files")
)
def test_a_folder_where_the_other_side_has_a_file(
    base: str, disk: str, archive: str, prefer: Preferred, outcome: str
) -> None:
    """Neither can stand beside the other: the side that did not change gives way, else it
    is a conflict.
    """
    assert reported(
        merge_files(files(base), files(disk), files(archive), lambda _: prefer)
    ).startswith(outcome)


def test_a_component_that_is_removed() -> None:
    """What is as recorded is deleted, whatever its executable bit; everything else goes
    to the backup.
    """
    result = retire(files("a=1 b=1 d/c=1 gone=1"), files("a*1 b=x d/ mine=1 empty/"))
    assert reported(result) == "removed: a b d empty mine; backup of the disk: b empty mine"
    assert not result.is_idle


def test_what_was_changed() -> None:
    """What is new, or has other content, is a change; what is missing, and a folder that was
    emptied, is not.
    """
    planned = files("a=1 b=1 d/c=1 gone=1 run=1")
    assert changed_since(planned, files("a=2 b=1 d/ mine/ new=1 run*1")) == ("a", "mine", "new")


def test_what_is_mounted_in_what_is_removed() -> None:
    """What is mounted stays, and what is below it."""
    result = retire(files("a=1 d/b=1 d/c=1 e=1"), files("a=1 d/b=1 d/c=1 e=1"), ("d",))
    assert result.removed == ("a", "e")
    assert retire(files("a=1"), files("a=1"), ("",)).removed == ()


def test_a_component_that_is_replaced_whole() -> None:
    """The archive's files take the place of those on disk but for the ones that somebody has named;
    what was added stays unless it is named.
    """
    named: dict[str, Preferred] = {"b": "mine", "own": "mine", "new": "theirs"}
    result = replace_all(
        files("a=1 b=1 own=1 new=1 add=1 old=1"),
        files("a=2 b=2"),
        ("own", "new", "add"),
        lambda name: named.get(name, "nobody"),
    )
    assert result.files == files("a=2 b=1 own=1 add=1")
    assert (result.of("forced"), result.of("declined")) == (("a", "new", "old"), ("b", "own"))
