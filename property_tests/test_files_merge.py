"""Laws of merging: what happens to each file of a component (`docs/building.md`)."""

from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.archives.entry_names import folders_above
from pipeline.building.merging.files_merge import merge_files
from pipeline.building.merging.preference import Preferred
from pipeline.building.stores.record import Files, FileState, are_alike, implied_folders
from tests.support.sweep import law

_NAMES = ("a", "a/b", "a/b/c", "a/d", "e", "e/f", "g")
_STATES = (
    *(
        FileState(digest=digest, executable=executable)
        for digest in "123"
        for executable in (False, True)
    ),
    *(FileState(kind="link", target=target) for target in "xy"),
    FileState(kind="other"),
    FileState(kind="folder"),
)
_OCCUPANTS = st.sampled_from([None, *_STATES])


def _as_tree(files: dict[str, FileState]) -> Files:
    """What can stand on a disk: nothing below a file, and of folders those that are empty."""
    tree: dict[str, FileState] = {}
    for name, state in sorted(files.items()):
        if all(
            tree.get(above, state).kind == "folder" or above not in tree
            for above in folders_above(name)
        ):
            tree[name] = state
    return {
        name: state
        for name, state in tree.items()
        if state.kind != "folder" or name not in implied_folders(tree)
    }


trees = st.tuples(*(_OCCUPANTS for _ in _NAMES)).map(
    lambda states: _as_tree(
        {name: state for name, state in zip(_NAMES, states, strict=True) if state}
    )
)
written = trees.map(
    lambda files: {name: state for name, state in files.items() if state.kind != "folder"}
)
preferred: st.SearchStrategy[Preferred] = st.sampled_from(["nobody", "theirs", "mine"])


def always(prefer: Preferred) -> Callable[[str], Preferred]:
    """The same preference for every path."""
    return lambda _: prefer


@given(written, trees, trees, preferred)
@settings(max_examples=law(2_000))
def test_no_version_of_the_user_is_lost(
    base: Files, disk: Files, archive: Files, prefer: Preferred
) -> None:
    """A file that the user changed is still there after the run, or in the backup."""
    merge = merge_files(base, disk, archive, always(prefer))
    for name, state in disk.items():
        is_kept = are_alike(merge.files.get(name), state) or name in merge.backed_up
        assert is_kept or are_alike(state, base.get(name)) or state.kind == "folder", name


@given(written, trees, trees, preferred)
@settings(max_examples=law(2_000))
def test_what_is_done_is_done(base: Files, disk: Files, archive: Files, prefer: Preferred) -> None:
    """After a run without conflicts, the next run has nothing to do, and the files can exist
    together on a disk.
    """
    merge = merge_files(base, disk, archive, always(prefer))
    if not merge.disputes:
        after = _as_tree(merge.files)
        assert merge.files.keys() - after.keys() <= {
            n for n, state in merge.files.items() if state.kind == "folder"
        }
        given = {
            name: state
            for name, state in archive.items()
            if state.kind != "folder" or name in after
        }
        assert merge_files(archive, after, given).is_idle


@given(written, trees, trees)
@settings(max_examples=law(2_000))
def test_what_is_preferred_counts_in_conflicts_alone(
    base: Files, disk: Files, archive: Files
) -> None:
    """A preference only decides conflicts: without one, the merge is the same for all; with one,
    only the files in conflict differ.
    """
    nobody, mine, theirs = (
        merge_files(base, disk, archive, always(each)) for each in ("nobody", "mine", "theirs")
    )
    if not nobody.disputes:
        assert nobody == mine == theirs
    assert not mine.disputes and not theirs.disputes
    assert set(mine.of("declined")) == set(nobody.disputes)
    assert mine.files == nobody.files


@given(trees, trees)
@settings(max_examples=law(1_000))
def test_a_component_that_nobody_touched(base: Files, archive: Files) -> None:
    """A component that nobody changed becomes what the archive gives, and nothing goes to the
    backup.
    """
    disk = {name: state for name, state in base.items() if state.kind != "folder"}
    merge = merge_files(disk, disk, archive)
    assert (merge.files, merge.backed_up, merge.archive_backed_up) == (archive, (), ())
