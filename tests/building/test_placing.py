"""Where hunks are placed in a file that has moved, and which changes are recognised as applied."""

import pytest

from io_edges.building.git import GIT
from pipeline.building.merging.lines import Version, file_diffs
from pipeline.building.patching.naming import with_names
from pipeline.building.patching.patch_file import read_patch
from pipeline.building.patching.patches import PatchResult, apply_patch
from pipeline.building.patching.widening import widen

HEAD = b"--- f\n+++ f\n"


def text(words: str) -> bytes:
    """A file with a word on each line."""
    return "".join(f"{word}\n" for word in words.split()).encode()


def applied(hunks: bytes, content: bytes) -> PatchResult:
    """What hunks make of a file."""
    return apply_patch(with_names(read_patch(HEAD + hunks, "modules/m"), ("f",)), {"f": content})


def saved(old: bytes, new: bytes) -> bytes:
    """The hunks of an edit as the tool saves it."""
    (diff,) = file_diffs([("f", Version(old), Version(new))], GIT, 0)
    return b"@@" + widen(diff.text, old).partition(b"@@")[2]


def test_the_same_lines_elsewhere_are_not_the_change() -> None:
    """A change is there already only at its own line; elsewhere its new lines may be
    a neighbour's.
    """
    old = text("- 1 2 3 old 4 5 6 - 1 2 3 new 4 5 6 -")
    hunks = saved(old, old.replace(b"old", b"new"))
    assert [one.why for one in applied(hunks, old.replace(b"old", b"other")).misplaced] == ["none"]
    assert applied(hunks, old.replace(b"old", b"new")).skipped == (("present", "f", 3),)


def test_a_change_that_is_there_may_have_moved_with_those_around_it() -> None:
    """An applied change may have moved as far as the hunk before it, or else the one after it."""
    old = text("a b c d e f g h i j k l m n o p q r s t")
    hunks = b"@@ -3,3 +3,3 @@\n c\n-d\n+D\n e\n@@ -13,3 +13,3 @@\n m\n-n\n+N\n o\n"
    later = applied(hunks, text("x y z") + old.replace(b"n\n", b"N\n"))
    assert (later.skipped, later.moved) == ((("present", "f", 8),), (("f", 3, 3),))
    earlier = applied(hunks, text("x y z") + old.replace(b"d\n", b"D\n"))
    assert (earlier.skipped, earlier.moved) == ((("present", "f", 3),), (("f", 8, 3),))


def test_of_several_places_the_hunk_before_says_which() -> None:
    """If a hunk's lines stand in several places, the hunk before it says which, even if they also
    stand at its own line.
    """
    block = text("{ 1 2 3 }")
    old = text("head") + block * 3
    hunks = b"@@ -1,2 +1,2 @@\n-head\n+HEAD\n {\n@@ -7,5 +7,5 @@\n {\n 1\n-2\n+two\n 3\n }\n"
    done = applied(hunks, block + old)
    assert done.files == {"f": block + text("HEAD { 1 2 3 } { 1 two 3 } { 1 2 3 }")}
    assert done.moved == (("f", 3, 5), ("f", 7, 5))


@pytest.mark.parametrize(
    ("patch", "moved"),
    [(b"@@ -2 +2 @@\n-b\n+B\n", (("f", 3, 0),)), (b"@@ -9,1 +9,1 @@\n-b\n+B\n", None)],
)
def test_a_hunk_without_context_fits_at_its_line(patch: bytes, moved: object) -> None:
    """A hunk without context is applied only at its line, and that is reported."""
    done = applied(patch, text("a b c"))
    assert (done.moved if done.files else None) == moved


def test_a_hunk_with_as_many_lines_above_as_it_may_have_fits_at_its_line() -> None:
    """A hunk with the maximum of lines above it does not stand once by them, so it fits only at its
    line.
    """
    old = text("x " * 60 + "y")
    new = text("x " * 58 + "Y x x y")
    hunks = saved(old, new)
    assert hunks.startswith(b"@@ -19,43 +19,44 @@ tool patch, 19 of 21\n")
    assert applied(hunks, old).files == {"f": new}
    assert applied(hunks, text("z") + old).files == {}


def test_lines_above_a_saved_change_stand_once() -> None:
    """A saved change has at least three lines above it, and as many as tell similar pieces apart;
    three are below.
    """
    old = text("p { 1 2 3 r } q { 1 2 3 r }")
    assert saved(old, old.replace(b"3\nr\n}\nq", b"3\nmine\nr\n}\nq")) == (
        b"@@ -1,8 +1,9 @@ tool patch\n p\n {\n 1\n 2\n 3\n+mine\n r\n }\n q\n"
    )
    letters = saved(text("a b c d e f g h"), text("a b c d E f g h"))
    assert letters == b"@@ -2,7 +2,7 @@ tool patch\n b\n c\n d\n-e\n+E\n f\n g\n h\n"
    endless = b"\n\\ No newline at end of file\n"
    last = saved(b"a\nb", b"a\nB")
    assert last == b"@@ -1,2 +1,2 @@ tool patch\n a\n-b" + endless + b"+B" + endless


def test_changes_that_are_near_are_in_one_hunk() -> None:
    """If the lines around two changes meet, both are in one hunk."""
    old = text("a b c d e f g h i j k l m n o p")
    near = saved(old, old.replace(b"e\n", b"E\n").replace(b"k\n", b"K\n"))
    far = saved(old, old.replace(b"e\n", b"E\n").replace(b"m\n", b"M\n"))
    assert (near.count(b"@@ -"), far.count(b"@@ -")) == (1, 2)
    assert applied(near, old).files == {"f": old.replace(b"e\n", b"E\n").replace(b"k\n", b"K\n")}
    assert applied(far, old).files == {"f": old.replace(b"e\n", b"E\n").replace(b"m\n", b"M\n")}


def test_a_file_in_which_everything_repeats_has_as_many_lines_as_allowed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """After many comparisons, a change has the maximum of lines above it."""
    monkeypatch.setattr("pipeline.building.patching.widening._MOST_STEPS", 10)
    old = text("p " + "x " * 60)
    new = text("p " + "x " * 5 + "y " + "x " * 55)
    assert saved(old, new).startswith(b"@@ -1,9 +1,10 @@ tool patch\n")
    old = text("p " + "x " * 30 + "q " + "x " * 30)
    new = text("p " + "x " * 30 + "q " + "x " * 5 + "y " + "x " * 25)
    assert saved(old, new).startswith(b"@@ -1,40 +1,41 @@ tool patch\n")


def whys(hunks: bytes, content: bytes) -> list[str]:
    """Why hunks do not fit a file; nothing if they do."""
    return [conflict.why for conflict in applied(hunks, content).misplaced]


def by_hand(hunks: bytes) -> bytes:
    """The same hunks, without the words that say that the tool wrote them."""
    return hunks.replace(b" tool patch", b"")


def test_a_saved_change_is_in_conflict_where_the_archive_got_copies_of_the_lines_above_it() -> None:
    """If the archive repeats the lines above a saved change, nobody can say to which copy it
    belongs; another program's patch goes by its own lines.
    """
    old = text("a b c d e f g h i j")
    hunks = saved(old, text("a b c d E f g h i j"))
    copied = text("b c d x") + old
    assert (whys(hunks, copied), whys(by_hand(hunks), copied)) == (["copies"], [])
    at_its_line = old + text("b c d x")
    assert (whys(hunks, at_its_line), whys(by_hand(hunks), at_its_line)) == (["copies"], [])
    assert applied(hunks, text("x y") + old).files == {"f": text("x y a b c d E f g h i j")}


def test_a_saved_change_at_an_end_of_its_file_fits_at_that_end() -> None:
    """Lines that the archive adds at that end touch a saved change; another program's patch follows
    its lines.
    """
    old = text("a b c d e f")
    first = saved(old, text("new a b c d e f"))
    last = saved(old, text("a b c d e f new"))
    assert (whys(first, text("x") + old), whys(by_hand(first), text("x") + old)) == (["none"], [])
    assert (whys(last, old + text("x")), whys(by_hand(last), old + text("x"))) == (["none"], [])
    assert applied(first, old + text("x")).files == {"f": text("new a b c d e f x")}
    assert applied(last, text("x") + old).files == {"f": text("x a b c d e f new")}


def test_a_saved_change_that_is_there_at_the_end_ends_the_file() -> None:
    """If more lines follow than the saved change has, it is in conflict."""
    old = text("a b c d")
    hunks = saved(old, text("a b c d new"))
    assert applied(hunks, text("a b c d new")).skipped == (("present", "f", 3),)
    assert whys(hunks, text("a b c d new x")) == ["none"]


def test_lines_that_repeat_have_to_occur_as_often_as_before() -> None:
    """A saved change among many copies names its own, and is in conflict if there are more
    copies.
    """
    block = text("1 2 3 4 5 6 7 8 9 10")
    old = block * 9
    edited = block * 6 + text("1 2 3 4 five 6 7 8 9 10") + block * 2
    hunks = saved(old, edited)
    assert hunks.startswith(b"@@ -25,44 +25,44 @@ tool patch, 3 of 5\n")
    assert applied(hunks, old).files == {"f": edited}
    assert (
        whys(hunks, block + old),
        whys(by_hand(hunks).replace(b", 3 of 5", b""), block + old),
    ) == (["copies"], [])


def test_a_saved_change_whose_lines_above_were_cut_is_placed_like_one_by_others() -> None:
    """If somebody removed lines above a saved change, it is placed like another program's patch."""
    old = text("a b c d e f")
    cut = b"@@ -4,2 +4,2 @@ tool patch\n-d\n+D\n e\n"
    assert applied(cut, old).files == {"f": text("a b c D e f")}
    assert applied(cut, text("x") + old).files == {"f": text("x a b c D e f")}


def test_a_change_among_very_many_copies_is_written_like_one_by_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Among very many copies it would take too long to say to which a change belongs."""
    monkeypatch.setattr("pipeline.building.patching.placing._MOST_STEPS", 100)
    old = text("x " * 60 + "y")
    assert saved(old, text("x " * 58 + "Y x x y")).startswith(b"@@ -19,43 +19,44 @@\n")


def test_the_words_of_others_after_the_numbers_of_a_hunk_say_nothing() -> None:
    """After the numbers of a hunk, where git writes a function, only the tool's own words are
    read.
    """
    for words in (b" function tool patch()", b" tool patches", b" tool patch, 1 of", b""):
        hunks = b"@@ -2,3 +2,3 @@%b\n b\n-c\n+C\n d\n" % words
        assert applied(hunks, text("x a b c d b x")).files == {"f": text("x a b C d b x")}
    marked = b"@@ -2,3 +2,3 @@ tool patch\n b\n-c\n+C\n d\n"
    assert whys(marked, text("x a b c d b x")) == ["copies"]


def test_a_diff_without_changes_stays() -> None:
    """A line that names a file that is not compared is not widened."""
    assert widen(b"# f: changed, not text\n", b"") == b"# f: changed, not text\n"


def test_hunks_that_touch_are_both_applied() -> None:
    """A hunk may begin where the one before it ends."""
    hunks = b"@@ -1,2 +1,2 @@\n a\n-b\n+B\n@@ -3,2 +3,2 @@\n-c\n+C\n d\n"
    assert applied(hunks, text("a b c d")) == PatchResult({"f": text("a B C d")})
