"""The file at each path after a run, and why, as a value (`docs/building.md`)."""

from itertools import product
from typing import Any

import pytest

from pipeline.building.merging.files_merge import changed_since, merge_files, replace_all, retire
from pipeline.building.merging.outcomes import Merge
from pipeline.building.merging.preference import Preferred
from pipeline.building.stores.record import Files, FileState
from pipeline.values import replace

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
    """The merge of three versions of a path, each in any state, follows the table of the page."""
    bases = [base for base in VERSIONS if base is None or base.kind != "folder"]
    for base, disk, archive in product(bases, VERSIONS, VERSIONS):
        first, second, third = ({"a": state} if state else {} for state in (base, disk, archive))
        merge = merge_files(first, second, third, lambda _: prefer)
        backup = "disk" if merge.backed_up else "archive" if merge.archive_backed_up else ""
        actual = merge.files.get("a"), bool(merge.disputes), backup
        assert actual == expected(base, disk, archive, prefer), (base, disk, archive)


OLD, NEW, MINE = (FileState(digest=each) for each in ("old", "new", "mine"))
EXECUTABLE = replace(OLD, executable=True)
LINK, FOLDER = FileState(kind="link", target="b"), FileState(kind="folder")


def case(
    what: str,
    base: Files,
    disk: Files,
    archive: Files,
    prefer: Preferred = "nobody",
    **outcome: object,
) -> Any:
    """The three versions of a component, and all that a merge says of it."""
    return pytest.param(base, disk, archive, prefer, outcome, id=f"{what}: {prefer}")


def reported(merge: Merge) -> dict[str, object]:
    """What a merge says of the paths, without what it says of none."""
    carried = merge.files.keys() - {*merge.written, *merge.of("merged")}
    parts: dict[str, Any] = {
        "written": merge.written,
        "carried": sorted(carried),
        "switched": merge.switched,
        "removed": merge.removed,
        "edited": merge.edited,
        "added": merge.of("added"),
        "restored": merge.of("restored"),
        "backed_up": merge.backed_up,
        "archive_backed_up": merge.archive_backed_up,
    }
    said: dict[str, object] = {name: [*paths] for name, paths in parts.items() if paths}
    return said | ({"disputes": merge.disputes} if merge.disputes else {})


COMPONENTS = [
    case(
        "nothing has changed",
        {"a": OLD, "b": OLD},
        {"a": OLD, "b": OLD},
        {"a": OLD, "b": OLD},
        carried=["a", "b"],
    ),
    case("a new component", {}, {}, {"a": OLD, "d/b": OLD}, written=["a", "d/b"]),
    case(
        "a deleted file comes back",
        {"a": OLD, "b": OLD},
        {"a": OLD},
        {"a": OLD, "b": OLD},
        written=["b"],
        carried=["a"],
        restored=["b"],
    ),
    case(
        "an added file stays beside an update",
        {"a": OLD},
        {"a": OLD, "config_fr.xml": MINE},
        {"a": NEW},
        written=["a"],
        carried=["config_fr.xml"],
        added=["config_fr.xml"],
    ),
    case(
        "an edited file stays beside an update",
        {"a": OLD, "b": OLD},
        {"a": OLD, "b": MINE},
        {"a": NEW, "b": OLD},
        written=["a"],
        carried=["b"],
        edited=["b"],
    ),
    case(
        "both sides changed the file",
        {"a": OLD},
        {"a": MINE},
        {"a": NEW},
        carried=["a"],
        disputes={"a": "edited"},
    ),
    case(
        "the archive removes an edited file",
        {"a": OLD},
        {"a": MINE},
        {},
        carried=["a"],
        disputes={"a": "deleted"},
    ),
    case(
        "both sides added the file",
        {},
        {"a": MINE},
        {"a": NEW},
        carried=["a"],
        disputes={"a": "added"},
    ),
    case(
        "a link took the place of a file that the archive changed",
        {"a": OLD},
        {"a": LINK},
        {"a": NEW},
        carried=["a"],
        disputes={"a": "type"},
    ),
    case("both sides made the same change", {"a": OLD}, {"a": NEW}, {"a": NEW}, carried=["a"]),
    case(
        "an executable bit stays through an update",
        {"a": OLD},
        {"a": EXECUTABLE},
        {"a": NEW},
        written=["a"],
    ),
    case(
        "the archive sets an executable bit",
        {"a": OLD},
        {"a": OLD},
        {"a": EXECUTABLE},
        carried=["a"],
        switched=["a"],
    ),
    case(
        "the archive sets the executable bit of an added file",
        {},
        {"a": OLD},
        {"a": EXECUTABLE},
        carried=["a"],
        switched=["a"],
    ),
    case(
        "the archive removes a folder",
        {"d/a": OLD},
        {"d/a": OLD},
        {"b": OLD},
        written=["b"],
        removed=["d/a"],
    ),
    case(
        "the archive removes a folder that was emptied",
        {"d/a": OLD},
        {"d": FOLDER},
        {"b": OLD},
        written=["b"],
        removed=["d"],
    ),
    case(
        "an emptied folder is filled again",
        {"d/a": OLD},
        {"d": FOLDER},
        {"d/a": OLD},
        written=["d/a"],
        carried=["d"],
        restored=["d/a"],
    ),
    case(
        "the archive empties a folder",
        {"d/a": OLD},
        {"d/a": OLD},
        {"d": FOLDER},
        written=["d"],
        removed=["d/a"],
    ),
    case(
        "the archive empties a folder in a folder",
        {"d/a": OLD, "d/e/b": OLD},
        {"d/a": OLD, "d/e/b": OLD},
        {"d/e": FOLDER},
        written=["d/e"],
        removed=["d/a", "d/e/b"],
    ),
    case(
        "the archive empties a folder with an added file",
        {"d/a": OLD},
        {"d/a": OLD, "d/mine": OLD},
        {"d": FOLDER},
        carried=["d/mine"],
        removed=["d/a"],
        added=["d/mine"],
    ),
    case(
        "an added empty folder stays",
        {"a": OLD},
        {"a": OLD, "mine": FOLDER},
        {"a": NEW},
        written=["a"],
        carried=["mine"],
    ),
    case(
        "the archive adds an empty folder",
        {},
        {"a": OLD},
        {"a": OLD, "cache": FOLDER},
        written=["cache"],
        carried=["a"],
    ),
    case(
        "both sides have an empty folder",
        {},
        {"cache": FOLDER},
        {"cache": FOLDER},
        carried=["cache"],
    ),
    case(
        "a file was added to an empty folder of the archive",
        {},
        {"cache/x": OLD},
        {"cache": FOLDER},
        carried=["cache/x"],
        added=["cache/x"],
    ),
]
FOLDERS_AND_FILES = [
    case(
        "a folder took the place of a file that stays",
        {"a": OLD},
        {"a/x": OLD},
        {"a": OLD},
        carried=["a/x"],
        edited=["a"],
        added=["a/x"],
    ),
    case(
        "a folder took the place of a file that the archive changed",
        {"a": OLD},
        {"a/x": OLD},
        {"a": NEW},
        carried=["a/x"],
        added=["a/x"],
        disputes={"a": "type"},
    ),
    case(
        "a folder took the place of a file that the archive changed",
        {"a": OLD},
        {"a/x": OLD},
        {"a": NEW},
        "theirs",
        written=["a"],
        removed=["a/x"],
        restored=["a"],
        backed_up=["a/x"],
    ),
    case(
        "a folder took the place of a file that the archive changed",
        {"a": OLD},
        {"a/x": OLD},
        {"a": NEW},
        "mine",
        carried=["a/x"],
        added=["a/x"],
        archive_backed_up=["a"],
    ),
    case(
        "the archive adds a file in the place of an empty folder",
        {},
        {"a": FOLDER},
        {"a": NEW},
        carried=["a"],
        disputes={"a": "type"},
    ),
    case(
        "the archive adds a file in the place of an empty folder",
        {},
        {"a": FOLDER},
        {"a": NEW},
        "theirs",
        written=["a"],
        backed_up=["a"],
    ),
    case(
        "the archive adds a folder in the place of an added file",
        {},
        {"a": MINE},
        {"a/b": NEW},
        carried=["a"],
        added=["a"],
        disputes={"a/b": "type"},
    ),
    case(
        "the archive adds a folder in the place of an added file",
        {},
        {"a": MINE},
        {"a/b": NEW},
        "theirs",
        written=["a/b"],
        removed=["a"],
        backed_up=["a"],
    ),
    case(
        "the archive adds a folder in the place of an added file",
        {},
        {"a": MINE},
        {"a/b": NEW},
        "mine",
        carried=["a"],
        added=["a"],
        archive_backed_up=["a/b"],
    ),
    case(
        "a file took the place of a folder that stays",
        {"a/b": OLD},
        {"a": MINE},
        {"a/b": OLD},
        carried=["a"],
        edited=["a/b"],
        added=["a"],
    ),
    case(
        "a file took the place of a folder that the archive changed",
        {"a/b": OLD, "a/c": OLD},
        {"a": MINE},
        {"a/b": OLD, "a/c": NEW},
        "theirs",
        written=["a/b", "a/c"],
        removed=["a"],
        restored=["a/b", "a/c"],
        backed_up=["a"],
    ),
    case(
        "a file of the archive replaces a folder",
        {"a/b": OLD},
        {"a/b": OLD},
        {"a": NEW},
        written=["a"],
        removed=["a/b"],
    ),
    case(
        "a file of the archive replaces a folder with an added file",
        {"a/b": OLD},
        {"a/b": OLD, "a/mine": OLD},
        {"a": NEW},
        carried=["a/mine"],
        removed=["a/b"],
        added=["a/mine"],
        disputes={"a": "type"},
    ),
]


@pytest.mark.parametrize(("base", "disk", "archive", "prefer", "outcome"), COMPONENTS)
def test_what_becomes_of_a_component(
    base: Files, disk: Files, archive: Files, prefer: Preferred, outcome: dict[str, object]
) -> None:
    """Files, links and empty folders are merged as each case says; running systems and people bring
    them about.
    """
    merge = merge_files(base, disk, archive, lambda _: prefer)
    assert reported(merge) == outcome
    assert merge.is_idle is outcome.keys().isdisjoint({"written", "switched", "removed"})


@pytest.mark.parametrize(("base", "disk", "archive", "prefer", "outcome"), FOLDERS_AND_FILES)
def test_a_folder_where_the_other_side_has_a_file(
    base: Files, disk: Files, archive: Files, prefer: Preferred, outcome: dict[str, object]
) -> None:
    """If one side has a folder where the other has a file, the side that did not change gives way;
    if both changed, it is a conflict.
    """
    assert reported(merge_files(base, disk, archive, lambda _: prefer)) == outcome


def test_a_component_that_is_removed() -> None:
    """Files as recorded are deleted, whatever their executable bits; everything else goes to the
    backup.
    """
    base = dict.fromkeys(("a", "b", "d/c", "gone"), OLD)
    disk = {"a": EXECUTABLE, "b": MINE, "d": FOLDER, "mine": OLD, "empty": FOLDER}
    merge = retire(base, disk)
    removed, backed_up = ["a", "b", "d", "empty", "mine"], ["b", "empty", "mine"]
    assert reported(merge) == {"removed": removed, "backed_up": backed_up}
    assert not merge.is_idle


def test_what_was_changed() -> None:
    """A new file and other content are changes; a missing file, and a folder that was emptied, are
    not.
    """
    planned = dict.fromkeys(("a", "b", "d/c", "gone", "run"), OLD)
    disk = {"a": NEW, "b": OLD, "d": FOLDER, "mine": FOLDER, "new": OLD, "run": EXECUTABLE}
    assert changed_since(planned, disk) == ("a", "mine", "new")


def test_what_is_mounted_in_what_is_removed() -> None:
    """A mounted folder stays when its component is removed, and so does everything in it."""
    files = dict.fromkeys(("a", "d/b", "d/c", "e"), OLD)
    assert retire(files, files, ("d",)).removed == ("a", "e")
    assert retire(files, files, ("",)).removed == ()


def test_an_empty_folder_goes_with_a_component_that_is_replaced_whole() -> None:
    """An empty folder is no file that could be preferred: it goes, unless it was added."""
    disk = {"d": FOLDER, "old": OLD}
    archive = {"a": NEW}
    merge = replace_all(disk, archive, (), lambda _: "mine")
    assert (merge.files, merge.of("declined")) == ({"a": NEW, "old": OLD}, ("old",))
    removed = replace_all(disk, archive, ())
    assert (removed.removed, removed.gone) == (("d", "old"), ("old",))
    added = replace_all(disk, archive, ("d",), lambda _: "theirs")
    assert added.files == {"a": NEW, "d": FOLDER}


def test_a_component_that_is_replaced_whole() -> None:
    """The archive's files replace those on disk, except the files that the user has named; added
    files stay unless they are named.
    """
    named: dict[str, Preferred] = {"b": "mine", "own": "mine", "new": "theirs"}
    disk = dict.fromkeys(("a", "b", "own", "new", "add", "old"), OLD)
    merge = replace_all(
        disk,
        {"a": NEW, "b": NEW},
        ("own", "new", "add"),
        lambda name: named.get(name, "nobody"),
    )
    assert merge.files == {"a": NEW, "b": OLD, "own": OLD, "add": OLD}
    assert (merge.of("forced"), merge.of("declined")) == (("a", "new", "old"), ("b", "own"))
