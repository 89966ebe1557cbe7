"""Where hunks are placed in a file that has moved, and what counts as there already."""

import pytest

from io_edges.building.git import GIT
from pipeline.building.merging.lines import Version, file_diffs
from pipeline.building.patching.naming import with_names
from pipeline.building.patching.patch_file import read_patch
from pipeline.building.patching.patches import Patched, apply_patch
from pipeline.building.patching.widening import widen

HEAD = b"--- f\n+++ f\n"


def text(words: str) -> bytes:
    """A file with a word on each line."""
    return "".join(f"{word}\n" for word in words.split()).encode()


def applied(hunks: bytes, content: bytes) -> Patched:
    """What hunks make of a file."""
    return apply_patch(with_names(read_patch(HEAD + hunks, "modules/m"), ("f",)), {"f": content})


def saved(old: bytes, new: bytes) -> bytes:
    """The hunks of an edit as the tool saves it."""
    (diff,) = file_diffs([("f", Version(old), Version(new))], GIT, 0)
    return b"@@" + widen(diff.text, old).partition(b"@@")[2]


def test_the_same_lines_elsewhere_are_not_the_change() -> None:
    """A change is there already only at its own line; elsewhere its new lines may be a neighbour's."""
    old = text("- 1 2 3 old 4 5 6 - 1 2 3 new 4 5 6 -")
    hunks = saved(old, old.replace(b"old", b"new"))
    assert [one.why for one in applied(hunks, old.replace(b"old", b"other")).misplaced] == ["none"]
    assert applied(hunks, old.replace(b"old", b"new")).skipped == (("present", "f", 3),)


def test_a_change_that_is_there_may_have_moved_with_those_around_it() -> None:
    """The hunk before it says how far, else the hunk after it."""
    old = text("a b c d e f g h i j k l m n o p q r s t")
    hunks = b"@@ -3,3 +3,3 @@\n c\n-d\n+D\n e\n@@ -13,3 +13,3 @@\n m\n-n\n+N\n o\n"
    later = applied(hunks, text("x y z") + old.replace(b"n\n", b"N\n"))
    assert (later.skipped, later.moved) == ((("present", "f", 8),), (("f", 3, 3),))
    earlier = applied(hunks, text("x y z") + old.replace(b"d\n", b"D\n"))
    assert (earlier.skipped, earlier.moved) == ((("present", "f", 3),), (("f", 8, 3),))


def test_of_several_places_the_hunk_before_says_which() -> None:
    """Where as many lines came in above as a block has, the lines of a hunk also stand at its number."""
    block = text("{ 1 2 3 }")
    old = text("head") + block * 3
    hunks = b"@@ -1,2 +1,2 @@\n-head\n+HEAD\n {\n@@ -7,5 +7,5 @@\n {\n 1\n-2\n+two\n 3\n }\n"
    done = applied(hunks, block + old)
    assert done.files == {"f": block + text("HEAD { 1 2 3 } { 1 two 3 } { 1 2 3 }")}
    assert done.moved == (("f", 3, 5), ("f", 7, 5))


@pytest.mark.parametrize(
    ("patch", "moved"), [(b"@@ -2 +2 @@\n-b\n+B\n", (("f", 3, 0),)), (b"@@ -9,1 +9,1 @@\n-b\n+B\n", None)]
)
def test_a_hunk_without_context_fits_at_its_line(patch: bytes, moved: object) -> None:
    """It is applied there alone, and a word is said of it."""
    done = applied(patch, text("a b c"))
    assert (done.moved if done.files else None) == moved


def test_a_hunk_with_as_many_lines_above_as_it_may_have_fits_at_its_line() -> None:
    """Its lines do not stand once by themselves, so where they are found says nothing."""
    old = text("x " * 60 + "y")
    new = text("x " * 58 + "Y x x y")
    hunks = saved(old, new)
    assert hunks.startswith(b"@@ -19,43 +19,44 @@\n")
    assert applied(hunks, old).files == {"f": new}
    assert applied(hunks, text("z") + old).files == {}


def test_lines_above_a_saved_change_stand_once() -> None:
    """There are at least three of them, and as many as tell alike pieces apart; three are below."""
    old = text("p { 1 2 3 r } q { 1 2 3 r }")
    assert saved(old, old.replace(b"3\nr\n}\nq", b"3\nmine\nr\n}\nq")) == (
        b"@@ -1,8 +1,9 @@\n p\n {\n 1\n 2\n 3\n+mine\n r\n }\n q\n"
    )
    assert (
        saved(text("a b c d e f g h"), text("a b c d E f g h")) == b"@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n"
    )
    assert (
        saved(b"a\nb", b"a\nB")
        == b"@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+B\n\\ No newline at end of file\n"
    )


def test_changes_that_are_near_are_in_one_hunk() -> None:
    """If the lines around two changes meet, they are written once."""
    old = text("a b c d e f g h i j k l m n o p")
    near = saved(old, old.replace(b"e\n", b"E\n").replace(b"k\n", b"K\n"))
    far = saved(old, old.replace(b"e\n", b"E\n").replace(b"m\n", b"M\n"))
    assert (near.count(b"@@ -"), far.count(b"@@ -")) == (1, 2)
    assert applied(near, old).files == {"f": old.replace(b"e\n", b"E\n").replace(b"k\n", b"K\n")}
    assert applied(far, old).files == {"f": old.replace(b"e\n", b"E\n").replace(b"m\n", b"M\n")}


def test_a_file_in_which_everything_repeats_has_as_many_lines_as_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    """After many comparisons, a change has as many lines above it as it may have."""
    monkeypatch.setattr("pipeline.building.patching.widening._MOST_STEPS", 10)
    old = text("p " + "x " * 60)
    new = text("p " + "x " * 5 + "y " + "x " * 55)
    assert saved(old, new).startswith(b"@@ -1,9 +1,10 @@\n")
    old = text("p " + "x " * 30 + "q " + "x " * 30)
    new = text("p " + "x " * 30 + "q " + "x " * 5 + "y " + "x " * 25)
    assert saved(old, new).startswith(b"@@ -1,40 +1,41 @@\n")


def test_a_diff_without_changes_stays() -> None:
    """A line that names a file that is not compared has nothing to widen."""
    assert widen(b"# f: changed, not text\n", b"") == b"# f: changed, not text\n"
