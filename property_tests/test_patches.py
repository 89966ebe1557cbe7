"""Laws of patches: an edit that is saved comes back, and other programs agree with each verdict."""

import shutil
from collections.abc import Collection, Mapping
from subprocess import run

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from io_edges.building.git import GIT
from pipeline.building.merging.lines import EXECUTABLE, FILE, Version, file_diffs
from pipeline.building.patching.naming import with_names
from pipeline.building.patching.patch import Patch
from pipeline.building.patching.patch_file import read_patch
from pipeline.building.patching.patches import PatchResult, apply_patch
from pipeline.report.diagnostics.patches import PatchInvalid
from property_tests.strategies import soups, triples
from tests.support.tables import in_bytes, rows
from tests.support.triples import Triple

M = "modules/m"
line_ends = st.sampled_from([b"\n", b"\r\n"])
names = st.sampled_from(["a", "a b.php", "views/\u00e9.tpl", 'q"uote', "c/d/e.css", "modules/m/x"])
modes = st.sampled_from([FILE, EXECUTABLE])
texts = triples.map(lambda triple: triple[0])
sides = st.tuples(texts | st.none(), texts | st.none(), modes)
trees = st.dictionaries(names, sides, min_size=1, max_size=5)
Trees = Mapping[str, tuple[bytes | None, bytes | None, int]]


def read(data: bytes, archive: Collection[str] = ("f",)) -> Patch:
    """A patch that can be read."""
    named = with_names(read_patch(data, M), archive)
    assert named.error is None, data
    return named


@given(trees=trees)
def test_a_saved_edit_comes_back(trees: Trees) -> None:
    """A patch, applied to the archive that it was made against, gives the edited files and the
    modes of new ones.
    """
    edits = {name: each for name, each in trees.items() if each[0] != each[1]}
    versions = {
        name: (
            old and Version(old) if old is None else Version(old),
            new if new is None else Version(new, FILE if old is not None else mode),
        )
        for name, (old, new, mode) in edits.items()
    }
    diff = b"".join(
        file_diffs([(f"{M}/{name}", *pair)], GIT)[0].text for name, pair in versions.items()
    )
    if not edits:
        assert read_patch(diff, M).error
        return
    archive = {name: old for name, (old, _, _) in trees.items() if old is not None}
    patch = read(diff, archive)
    added = {
        name
        for name, (old, new, mode) in edits.items()
        if old is None and new is not None and mode == EXECUTABLE
    }
    assert apply_patch(patch, archive) == PatchResult(
        {name: new for name, (_, new, _) in edits.items()}
    )
    assert {each.name for each in patch.files if each.executable} == added
    edited = {name: new for name, (_, new, _) in edits.items() if new is not None}
    again = apply_patch(read(diff, edited), edited)
    assert not set(again.files) & {
        name for name, (old, new, _) in edits.items() if old is None or new is None
    }


@pytest.mark.parametrize("program", ["git", "patch"])
@example(triple=(b"a\n", b"b\na\nb\n", b"b\na\n"), end=b"\n")
@given(triple=triples, end=line_ends)
def test_programs_agree_with_each_verdict(
    program: str, triple: Triple, end: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """If a patch fits, `git apply` and `patch` make the same file of it; if its lines are nowhere
    in the file, they fail, too.

    Both are told not to be fuzzy. GNU patch also fails if lines at an end of the file are missing;
    git takes a last line without its end for the beginning of any line. All lines have one kind of
    end: to both programs, other ends make other lines, and they insert lines with the ends of the
    patch. A hunk without lines around its change fits at its line alone; both also look for it
    elsewhere, git by the lines between its changes.
    """
    if shutil.which(program) is None:
        pytest.skip(f"there is no {program}")
    base, edited, other = (each.replace(b"\r\n", b"\n").replace(b"\n", end) for each in triple)
    diff = file_diffs([("f", Version(base), Version(edited))], GIT)[0].text
    if base == edited:
        return
    patch = read(diff)
    done = apply_patch(patch, {"f": other})
    are_surrounded = all(
        hunk.above or hunk.below for section in patch.files for hunk in section.hunks
    )
    folder = tmp_path_factory.mktemp("tree")
    (folder / "f").write_bytes(other)
    options = {
        "git": ["apply", "--whitespace=nowarn", "--unidiff-zero"],
        "patch": [
            "-p1",
            "--quiet",
            "--force",
            "--fuzz=0",
            "--no-backup-if-mismatch",
            "--reject-file=-",
        ],
    }
    command = [program, *options[program]]
    theirs = run(command, cwd=folder, input=diff, capture_output=True, check=False)
    result = (folder / "f").read_bytes()
    shutil.rmtree(folder)
    if done.files and not done.skipped and (program == "git" or theirs.returncode == 0):
        assert (theirs.returncode, result) == (0, done.files["f"]), (diff, theirs)
    elif (
        b"\n\\" not in diff
        and are_surrounded
        and any(each.why == "none" for each in done.misplaced)
    ):
        assert theirs.returncode != 0, diff


@given(soups(*in_bytes(rows("fuzz", "patch"))) | st.binary())
def test_reading_is_total_and_keeps_every_byte(data: bytes) -> None:
    """Any text can be read: it gives a patch whose parts together are the whole text, or an error
    in one of its lines.
    """
    patch = read_patch(data, M)
    if isinstance(patch.error, PatchInvalid):
        assert 1 <= patch.error.line <= data.count(b"\n") + 1
    else:
        assert patch.text in {
            data,
            data.replace(b"\r\n", b"\n"),
            data.removeprefix(b"\xef\xbb\xbf"),
        }
        named = with_names(patch, ("f",))
        apply_patch(named, {"f": b"a\nc\n"})


@given(triple=triples)
def test_a_checkout_with_crlf_patches_alike(triple: Triple) -> None:
    """A patch whose line ends were changed to CRLF gives the same lines, whether the patched files
    were changed as well or not.
    """
    base, edited, _ = (each.replace(b"\r\n", b"\n").replace(b"\r", b"") for each in triple)
    if base == edited:
        return
    patch = read(
        file_diffs([("f", Version(base), Version(edited))], GIT)[0].text.replace(b"\n", b"\r\n")
    )
    assert apply_patch(patch, {"f": base}).files["f"] == edited
    crlf = apply_patch(patch, {"f": base.replace(b"\n", b"\r\n")}).files["f"]
    assert crlf is not None
    assert crlf.replace(b"\r\n", b"\n") == edited
