"""Patches: how they are read, where a hunk fits, and what is reported if it does not."""

from collections.abc import Callable, Collection
from hashlib import sha256
from typing import Any

import pytest

from io_edges.building.git import GIT
from pipeline.building.merging.lines import EXECUTABLE, Version, file_diffs
from pipeline.building.patching.naming import with_names
from pipeline.building.patching.patch import Patch
from pipeline.building.patching.patch_file import PATCH_LIMIT, read_patch
from pipeline.building.patching.patches import PatchResult, apply_patch
from pipeline.report.diagnostics.patches import PatchConflict, PatchInvalid
from tests.support.costs import at_most
from tests.support.sweep import HOW_MUCH
from tests.support.tables import in_bytes, named, rows

M = "modules/m"
LINES = b"".join(b"%d\n" % number for number in range(1, 21))
TEN = LINES.replace(b"\n10\n", b"\nten\n")
HUNK = b"@@ -8,5 +8,5 @@\n 8\n 9\n-10\n+ten\n 11\n 12\n"
SIMPLE = b"--- a/a.php\n+++ b/a.php\n" + HUNK


def read(data: bytes, archive: Collection[str] = ("a.php",)) -> Patch:
    """A patch that can be read, for an archive with some files."""
    named = with_names(read_patch(data, M), archive)
    assert named.error is None
    return named


def applied(data: bytes, content: bytes | None) -> PatchResult:
    """What a patch makes of `a.php`."""
    texts = {} if content is None else {"a.php": content}
    return apply_patch(read(data, texts), texts)


def fault(data: bytes, archive: Collection[str] = ("a.php",)) -> object:
    """What is wrong with a patch."""
    return with_names(read_patch(data, M), archive).error


@pytest.mark.parametrize("names", in_bytes(rows("patches", "names")))
def test_a_file_is_named_as_programs_name_it(names: bytes) -> None:
    """The first folder of a name is dropped unless the archive has the file in it, and so is the
    path of the component.
    """
    assert applied(names + HUNK + b"-- \n2.39\n", LINES) == PatchResult({"a.php": TEN})


@pytest.mark.parametrize(("added", "name"), in_bytes(rows("patches", "new files")))
def test_a_new_file_is_named_as_the_others(added: bytes, name: bytes) -> None:
    """The first folder of a new file's name is dropped if the patch's other files have one."""
    assert read(added + b"@@ -0,0 +1 @@\n+n\n").files[-1].name == name.decode()


def test_a_file_is_read_so_that_the_archive_has_it() -> None:
    """If a name can be read in several ways, the first counts that gives a file of the archive."""
    for archive, name in (
        ({"src/a.php"}, "src/a.php"),
        ({"a.php"}, "a.php"),
        ({"src/a.php", "a.php"}, "src/a.php"),
    ):
        assert read(b"--- src/a.php\n+++ src/a.php\n" + HUNK, archive).names == (name,)
    for archive, name in (
        ({"modules/m/a.php"}, "modules/m/a.php"),
        ({"modules/m/a.php", "a.php"}, "a.php"),
    ):
        assert read(b"--- a/modules/m/a.php\n+++ b/modules/m/a.php\n" + HUNK, archive).names == (
            name,
        )


def test_a_file_may_be_called_orig() -> None:
    """The ending `.orig` is dropped only if the other name lacks it."""
    assert read(b"--- a/a.orig\n+++ b/a.orig\n" + HUNK, ("a.orig",)).names == ("a.orig",)


def test_text_between_files_is_kept_for_rewriting() -> None:
    """The parts of a patch are all of its text, in order."""
    data = b"# first\n" + SIMPLE + b"-- \n2.39\n\nFrom: b\n" + SIMPLE.replace(b"a.php", b"b.php")
    parts = read(data).parts
    assert [isinstance(each, bytes) for each in parts] == [True, False, True, False]
    assert [
        isinstance(each, bytes) for each in read(SIMPLE + SIMPLE.replace(b"a.php", b"b.php")).parts
    ] == [False] * 2
    assert (
        b"".join(each if isinstance(each, bytes) else each.raw for each in parts)
        == read(data).text
        == data
    )
    assert read(data.replace(b"\n", b"\r\n")).text == data
    assert read(data, ("a.php", "b.php")).names == ("a.php", "b.php")


def test_files_are_added_and_removed() -> None:
    """A patch adds files, empty and executable ones too, and removes files."""
    head = b"diff --git a/%b b/%b\n%b"
    added = head % (b"e", b"e", b"new file mode 100644\nindex 0000..e69d\n")
    program = head % (
        b"p",
        b"p",
        b"new file mode 100755\n--- /dev/null\n+++ b/p\n@@ -0,0 +1 @@\n+#!\n",
    )
    removed = head % (
        b"r",
        b"r",
        b"deleted file mode 100644\n--- a/r\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n",
    )
    removed += b'diff --git "a/r\\303\\251" "b/r\\303\\251"\ndeleted file mode 100644\n'
    mode = head % (b"m", b"m", b"old mode 100644\nnew mode 100755\n")
    traditional = b"--- n\n+++ n\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n"
    texts = {"r": b"gone\n", "r\u00e9": b"", "m": b"as it was\n"}
    patch = read(added + program + removed + mode + traditional, texts)
    done = apply_patch(patch, texts)
    files = {"e": b"", "p": b"#!\n", "r": None, "r\u00e9": None, "n": b"a\nb"}
    assert done == PatchResult(files, skipped=(("mode", "m", 18),))
    assert [each.name for each in patch.files if each.executable] == ["p"]


def test_a_mode_that_stays_is_no_change() -> None:
    """Programs that write the mode of a file twice, as jsdiff may, change it only if
    the two differ.
    """
    modes = b"diff --git a/a.php b/a.php\nold mode 100644\nnew mode 100644\n"
    assert applied(modes + SIMPLE, LINES) == PatchResult({"a.php": TEN})


@pytest.mark.parametrize(("patch", "content", "result"), in_bytes(rows("patches", "fits")))
def test_a_hunk_fits_at_its_line_or_where_its_lines_stand_once(
    patch: bytes, content: bytes, result: bytes
) -> None:
    """A hunk fits at its line, else where its lines stand exactly once; carriage returns at the
    ends do not count.
    """
    assert (done := applied(patch, content)).files == {"a.php": result}
    assert (done.misplaced, done.skipped) == ((), ())


@pytest.mark.parametrize(("patch", "content", "lines"), in_bytes(rows("patches", "had")))
def test_what_the_archive_has_already_is_passed_over(
    patch: bytes, content: bytes | None, lines: tuple[int]
) -> None:
    """A hunk that the archive has already changes nothing, and is named by its line."""
    assert applied(patch, content) == PatchResult(
        skipped=tuple(("present", "a.php", line) for line in lines)
    )


@pytest.mark.parametrize(("patch", "content", "expected"), rows("patches", "misfits"))
def test_what_does_not_fit_is_shown_with_both_texts(
    patch: str, content: str | None, expected: tuple[Any, ...]
) -> None:
    """If a hunk does not fit, the patch's line and both texts are reported; the file is not
    patched at all.
    """
    why, line, at, one, other = expected
    said = {"why": why, "at_line": at, "expected": one, "found": other}
    reported = PatchConflict(f"patches/{M}.patch", line, path=M, name="a.php", **said)
    done = applied(*in_bytes((patch, content)))
    assert (done.files, done.misplaced) == ({}, (reported,))


def test_what_is_too_large() -> None:
    """A patch of more than 4 MiB is refused; a file that is too large to be patched is reported."""
    assert fault(SIMPLE + b"#" * PATCH_LIMIT) == PatchInvalid(
        f"patches/{M}.patch", 1, "it is larger than 4 MiB"
    )
    (reported,) = applied(SIMPLE, b"x" * 2_200_000).misplaced
    assert (reported.why, reported.line) == ("large", 1)


@pytest.mark.parametrize("content", [None, b""])
def test_a_file_without_line_ends_gets_those_of_the_patch(content: bytes | None) -> None:
    """Lines that are added to a new or empty file keep the line ends of the patch."""
    patch = b"--- a.php\n+++ a.php\n@@ -0,0 +1,2 @@\n+1\r\n+2\n"
    assert applied(patch, content) == PatchResult({"a.php": b"1\r\n2\n"})


def test_a_last_line_without_an_end_does_not_count_for_the_ends_of_a_file() -> None:
    """Added lines get the line end that most lines of the file have."""
    patch = b"--- a.php\n+++ a.php\n@@ -1,0 +2 @@\n+2\n"
    assert applied(patch, b"1\r\n3").files == {"a.php": b"1\r\n2\r\n3"}


def test_what_the_archive_has_already_may_have_other_line_ends() -> None:
    """A hunk at the end of a file is recognised as applied, whatever its line ends are."""
    patch = b"--- a.php\n+++ a.php\n@@ -19,2 +19,3 @@\n 19\n 20\n+21\n"
    assert applied(patch, (LINES + b"21\n").replace(b"\n", b"\r\n")).skipped == (
        ("present", "a.php", 3),
    )


def test_a_file_that_the_archive_leaves_out_is_passed_over() -> None:
    """A file of the patch that the archive lacks, such as a test, is named, if the archive has
    another file of the patch.
    """
    tests = SIMPLE.replace(b"a.php", b"tests/a.php")
    done = apply_patch(read(tests + SIMPLE), {"a.php": LINES})
    assert done == PatchResult({"a.php": TEN}, skipped=(("absent", "tests/a.php", 1),))
    assert [each.why for each in apply_patch(read(tests, ()), {}).misplaced] == ["absent"]


def test_not_every_hunk_that_does_not_fit_is_told() -> None:
    """Of each file, the first ten hunks that do not fit are reported."""
    patch = b"--- a.php\n+++ a.php\n" + b"@@ -1 +1 @@\n-b\n+c\n" * 12
    assert [each.line for each in applied(patch, LINES).misplaced] == [
        3 * number for number in range(1, 11)
    ]


ADDED = b"--- /dev/null\n+++ b/%b\n@@ -0,0 +1 @@\n+x\n"


@pytest.mark.parametrize(("data", "line", "reason"), named("patches", "hostile"))
def test_hostile_and_broken_patches_are_refused(data: str, line: int, reason: str) -> None:
    """What is no unified diff of text files of the component is refused, with the line
    that shows it.
    """
    wrong = fault(data.encode("latin-1"))
    assert isinstance(wrong, PatchInvalid)
    assert (wrong.patch, wrong.line, wrong.reason) == (f"patches/{M}.patch", line, reason)


def test_names_that_differ_in_case() -> None:
    """On a disk that takes two names for one, a patch with both is refused."""
    patch = read_patch(ADDED % b"a/x" + ADDED % b"A/y", M)
    assert with_names(patch, ()).error is None
    clash = PatchInvalid(patch.path, 5, "`a` and `A` are one name")
    assert with_names(patch, (), ignores_case=True).error == clash


NAMES, TIMES = b"--- a.php\n+++ a.php\n", 8 if HOW_MUCH == "all" else 1
LONG: dict[str, Callable[[], tuple[bytes, bytes]]] = {
    "nowhere": lambda: (NAMES + b"@@ -1 +1 @@\n-b\n+c\n" * 625 * TIMES, b"a\n" * 125_000 * TIMES),
    "no end": lambda: (
        NAMES
        + b"@@ -1 +1 @@\n-a\n\\ No newline\n+c\n"
        + b"@@ -9,2 +9 @@\n-a\n-a\n+c\n" * 250 * TIMES,
        b"ab\n" * 75_000 * TIMES,
    ),
    "long": lambda: (
        NAMES + b"@@ -1,%d +1 @@\n" % (25_000 * TIMES) + b"-a\n" * 25_000 * TIMES + b"+c\n",
        (b"a\n" * 25_000 * TIMES)[2:] + b"b\n" + (b"a\n" * 25_000 * TIMES)[2:],
    ),
    "many": lambda: (NAMES * 11_250 * TIMES + HUNK, b""),
    "one file": lambda: (SIMPLE * 5_000 * TIMES, LINES * 2_500 * TIMES),
    "each in three places": lambda: (
        NAMES + b"".join(b"@@ -9 +9 @@\n-%d\n+x\n" % number for number in range(12_500 * TIMES)),
        b"".join(b"%d\n" % number for number in range(12_500 * TIMES)) * 3,
    ),
    "repeated": lambda: (
        NAMES
        + b"".join(
            b"@@ -9,40 +9 @@\n" + b"-a\n-b\n" * 20 + b"+x%d\n" % number
            for number in range(2_500 * TIMES)
        ),
        b"a\nb\n" * 62_500 * TIMES,
    ),
    "overlapping": lambda: (NAMES + HUNK * 7_500 * TIMES, LINES),
}
"""Patches of half a MiB, or of 4 in the whole sweep, and the files that they are applied to."""


@pytest.mark.sweep
@pytest.mark.parametrize("what", LONG)
@pytest.mark.usefixtures("unmeasured")
def test_a_hostile_patch_takes_no_long_time(what: str) -> None:
    """Any patch is read and applied within seconds."""
    patch, content = LONG[what]()
    with at_most(2.5 * TIMES):
        read_it = read_patch(patch, M)
        if read_it.error is None:
            assert apply_patch(read_it, {"a.php": content}).files == {}


def test_a_patch_that_takes_too_long_does_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a number of steps, the rest of a patch is reported as taking too long."""
    monkeypatch.setattr("pipeline.building.patching.placing._MOST_STEPS", 300)
    moved = b"--- a.php\n+++ a.php\n@@ -1,2 +1,2 @@\n 19\n-20\n+x\n"
    done = applied(moved + SIMPLE, LINES)
    assert [(each.line, each.why) for each in done.misplaced] == [(7, "long")]
    monkeypatch.setattr("pipeline.building.patching.placing._MOST_STEPS", 201)
    assert [(each.line, each.why) for each in applied(moved, LINES).misplaced] == [(1, "long")]


def test_the_digest_is_that_of_the_text_with_lf() -> None:
    """A patch has the same digest in a checkout with CRLF."""
    assert (
        read(SIMPLE).digest
        == read(SIMPLE.replace(b"\n", b"\r\n")).digest
        == sha256(SIMPLE).hexdigest()
    )
    crlf = b"--- a.php\n+++ a.php\n@@ -1 +1 @@\n-1\r\n+2\r\n"
    assert read(crlf).digest == sha256(crlf).hexdigest()


def test_a_diff_of_the_tool_is_a_patch() -> None:
    """A diff that `tool diff` prints can be read as a patch."""
    diff = file_diffs([(f"{M}/a b.php", Version(LINES), Version(TEN))], GIT)[0].text
    assert apply_patch(read(diff), {"a b.php": LINES}) == PatchResult({"a b.php": TEN})
    diff = file_diffs([(f"{M}/x", None, Version(b"", EXECUTABLE))], GIT)[0].text
    assert apply_patch(read(diff), {}) == PatchResult({"x": b""})
    assert read(diff).files[0].executable
