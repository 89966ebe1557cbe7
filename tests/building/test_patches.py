"""Patches: which files are read as one, where a hunk fits, and what is said where it does not."""

from collections.abc import Callable, Collection
from hashlib import sha256
from typing import Any

import pytest

from io_edges.building.git import GIT
from pipeline.building.merging.lines import EXECUTABLE, Version, file_diffs
from pipeline.building.patching.patch_file import PATCH_LIMIT, Patch, read_patch
from pipeline.building.patching.patches import Patched, apply_patch, with_names
from pipeline.report.diagnostics.patches import PatchConflict, PatchInvalid
from tests.support.costs import at_most
from tests.support.sweep import SWEEP

M = "modules/m"
LINES = b"".join(b"%d\n" % number for number in range(1, 21))
TEN = LINES.replace(b"\n10\n", b"\nten\n")
HUNK = b"@@ -8,5 +8,5 @@\n 8\n 9\n-10\n+ten\n 11\n 12\n"
SIMPLE = b"--- a/a.php\n+++ b/a.php\n" + HUNK


def read(data: bytes, archive: Collection[str] = ("a.php",)) -> Patch:
    """A patch that can be read, for an archive with some files."""
    named = with_names(read_patch(data, M), archive)
    assert named.wrong is None
    return named


def applied(data: bytes, content: bytes | None) -> Patched:
    """What a patch makes of `a.php`."""
    texts = {} if content is None else {"a.php": content}
    return apply_patch(read(data, texts), texts)


def fault(data: bytes, archive: Collection[str] = ("a.php",)) -> object:
    """What is wrong with a patch."""
    return with_names(read_patch(data, M), archive).wrong


@pytest.mark.parametrize(
    "names",
    [
        b"--- a/a.php\n+++ b/a.php\n",
        b"--- a.php\n+++ a.php\n",
        b"--- i/a.php\n+++ w/a.php\n",
        b"--- m.orig/a.php\n+++ m/a.php\n",
        b"--- a.php.orig\n+++ a.php\n",
        b"--- m/a.php.orig\t2026-01-01\n+++ m/a.php\t2026-01-01\n",
        b"--- modules/m/a.php\n+++ modules/m/a.php\n",
        b"--- m/a.php\n+++ m/a.php\n",
        b"--- a/m/a.php\n+++ b/m/a.php\n",
        b"--- a/shop/modules/m/a.php\n+++ b/shop/modules/m/a.php\n",
        b"--- /var/www/modules/m/a.php\n+++ /var/www/modules/m/a.php\n",
        b"--- a/modules/m/a.php\t2026-01-01 00:00:00\n+++ b/modules/m/a.php\t2026-01-01 00:00:01\n",
        b'--- "a/\\141.php"\n+++ "b/a.php"\n',
        b"diff --git a/a.php b/a.php\nindex 1..2 100644\n--- a/a.php\n+++ b/a.php\n",
        b"diff --git a.php a.php\nindex 1..2 100644\n--- a.php\n+++ a.php\n",
        b"From: a@example.org\nSubject: [PATCH] rename from a to b\n\n---\n a.php | 2 +-\n\n--- a/a.php\n+++ b/a.php\n",
        b"Index: a.php\n=====\n--- a.php\t(revision 1)\n+++ a.php\t(working copy)\n",
        b"\xef\xbb\xbf--- a/a.php\n+++ b/a.php\n",
        b"--- a/a.php 2015-04-09 02:14:09.36 +0800\n+++ b/a.php 2015-04-09 02:14:10.11 +0800\n",
        b"--- a/sites/all/m/a.php\n+++ b/sites/all/m/a.php\n",
    ],
)
def test_a_file_is_named_as_programs_name_it(names: bytes) -> None:
    """The first folder counts only where the archive has the file in it, and so does the path of the component."""
    assert applied(names + HUNK + b"-- \n2.39\n", LINES) == Patched({"a.php": TEN})


@pytest.mark.parametrize(
    ("added", "name"),
    [
        (b"--- /dev/null\n+++ b/inc/new.php\n", "inc/new.php"),
        (b"--- /dev/null\n+++ inc/new.php\n", "inc/new.php"),
        (b"--- /dev/null\n+++ b/modules/m/new.php\n", "new.php"),
        (b"diff --git i/inc/n w/inc/n\nnew file mode 100644\n--- /dev/null\n+++ w/inc/n\n", "inc/n"),
        (b"--- m.orig/a.php\n+++ m/a.php\n" + HUNK + b"--- /dev/null\n+++ m/inc/n\n", "inc/n"),
        (b"--- src/a.php\n+++ src/a.php\n" + HUNK + b"--- /dev/null\n+++ src/n\n", "n"),
        (b"--- b/a.php\n+++ b/a.php\n" + HUNK + b"--- /dev/null\n+++ b/n\n", "n"),
        (SIMPLE + b"--- /dev/null\n+++ b/modules/m/n\n", "n"),
    ],
)
def test_a_new_file_is_named_as_the_others(added: bytes, name: str) -> None:
    """Of a file that is added, the first folder counts as it does of the patch's other files."""
    assert read(added + b"@@ -0,0 +1 @@\n+n\n").files[-1].name == name


def test_a_file_is_read_so_that_the_archive_has_it() -> None:
    """Of several readings, the first counts of which the archive has the file."""
    for archive, name in (({"src/a.php"}, "src/a.php"), ({"a.php"}, "a.php"), ({"src/a.php", "a.php"}, "src/a.php")):
        assert read(b"--- src/a.php\n+++ src/a.php\n" + HUNK, archive).names == (name,)
    for archive, name in (({"modules/m/a.php"}, "modules/m/a.php"), ({"modules/m/a.php", "a.php"}, "a.php")):
        assert read(b"--- a/modules/m/a.php\n+++ b/modules/m/a.php\n" + HUNK, archive).names == (name,)


def test_text_between_files_is_kept_for_rewriting() -> None:
    """The parts of a patch are all of its text, in order."""
    data = b"# first\n" + SIMPLE + b"-- \n2.39\n\nFrom: b\n" + SIMPLE.replace(b"a.php", b"b.php")
    parts = read(data).parts
    assert [isinstance(each, bytes) for each in parts] == [True, False, True, False]
    assert [isinstance(each, bytes) for each in read(SIMPLE + SIMPLE.replace(b"a.php", b"b.php")).parts] == [False] * 2
    assert b"".join(each if isinstance(each, bytes) else each.raw for each in parts) == read(data).text == data
    assert read(data.replace(b"\n", b"\r\n")).text == data
    assert read(data, ("a.php", "b.php")).names == ("a.php", "b.php")


def test_files_are_added_and_removed() -> None:
    """A patch adds files, empty and executable ones too, and removes files."""
    head = b"diff --git a/%b b/%b\n%b"
    added = head % (b"e", b"e", b"new file mode 100644\nindex 0000..e69d\n")
    program = head % (b"p", b"p", b"new file mode 100755\n--- /dev/null\n+++ b/p\n@@ -0,0 +1 @@\n+#!\n")
    removed = head % (b"r", b"r", b"deleted file mode 100644\n--- a/r\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n")
    removed += b'diff --git "a/r\\303\\251" "b/r\\303\\251"\ndeleted file mode 100644\n'
    mode = head % (b"m", b"m", b"old mode 100644\nnew mode 100755\n")
    traditional = b"--- n\n+++ n\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n"
    texts = {"r": b"gone\n", "r\u00e9": b"", "m": b"as it was\n"}
    patch = read(added + program + removed + mode + traditional, texts)
    done = apply_patch(patch, texts)
    assert done == Patched({"e": b"", "p": b"#!\n", "r": None, "r\u00e9": None, "n": b"a\nb"})
    assert [each.name for each in patch.files if each.executable] == ["p"]


@pytest.mark.parametrize(
    ("patch", "content", "result"),
    [
        (SIMPLE, b"0\n" + LINES, b"0\n" + TEN),
        (SIMPLE, LINES + LINES, TEN + LINES),
        (SIMPLE.replace(b"-8,5 +8,5", b"-6,5 +6,5"), LINES, TEN),
        (b"--- a.php\n+++ a.php\n@@ -19,2 +19,3 @@\n 19\n 20\n+21\n", LINES, LINES + b"21\n"),
        (b"--- a.php\n+++ a.php\n@@ -19,2 +19,3 @@\n 19\n 20\n+21\n", LINES + b"else\n", LINES + b"21\nelse\n"),
        (b"--- a.php\n+++ a.php\n@@ -1,2 +1 @@\n-1\n 2\n", b"0\n" + LINES, b"0\n" + LINES[2:]),
        (b"--- a.php\n+++ a.php\n@@ -3,0 +4 @@\n+new\n", LINES, LINES.replace(b"\n4\n", b"\nnew\n4\n")),
        (b"--- a.php\n+++ a.php\n@@ -1,3 +1,3 @@\n-a\n+b\n\n c\n", b"a\n\nc\n", b"b\n\nc\n"),
        (b"--- a.php\n+++ a.php\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n", b"b\na", b"b\na\n"),
        (
            b"--- a.php\n+++ a.php\n@@ -1 +1 @@\n-1\n+one\n--- a.php\n+++ a.php\n@@ -1 +1 @@\n-one\n+1st\n",
            b"1\n",
            b"1st\n",
        ),
        (b"--- a.php\n+++ a.php\n@@ -1 +1 @@\n-1\n+x\n@@ -2 +2 @@\n-2\n+y\n", b"2\n1\n", b"y\nx\n"),
        (SIMPLE.replace(b"\n", b"\r\n"), LINES.replace(b"\n", b"\r\n"), TEN.replace(b"\n", b"\r\n")),
        (SIMPLE.replace(b"\n", b"\r\n"), LINES, TEN),
        (SIMPLE, LINES.replace(b"\n", b"\r\n"), TEN.replace(b"\n", b"\r\n")),
        (SIMPLE.replace(b"\n", b"\r\n").replace(b"php\r\n", b"php\n").replace(b"@@\r\n", b"@@\n"), LINES, TEN),
        (b"--- a.php\n+++ a.php\n@@ -1,2 +1,2 @@\n 1\r\n-2\n+2\r\n", b"1\r\n2\n3\r\n", b"1\r\n2\r\n3\r\n"),
    ],
)
def test_a_hunk_fits_at_its_line_or_where_its_lines_stand_once(patch: bytes, content: bytes, result: bytes) -> None:
    """A hunk fits at its line, else where its lines stand exactly once; carriage returns at the ends do not count."""
    assert applied(patch, content) == Patched({"a.php": result})


@pytest.mark.parametrize(
    ("patch", "content", "lines"),
    [
        (SIMPLE, TEN, (3,)),
        (SIMPLE, b"0\n" + TEN, (3,)),
        (b"--- a.php\n+++ a.php\n@@ -19,2 +19,3 @@\n 19\n 20\n+21\n", LINES + b"21\n", (3,)),
        (b"--- a.php\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n", None, (1,)),
        (b"--- /dev/null\n+++ a.php\n@@ -0,0 +1 @@\n+1\n", b"1\n", (1,)),
        (b"--- /dev/null\r\n+++ a.php\r\n@@ -0,0 +1 @@\r\n+1\r\n", b"1\r\n", (1,)),
    ],
)
def test_what_the_archive_has_already_is_passed_over(patch: bytes, content: bytes | None, lines: tuple[int]) -> None:
    """A hunk that the archive has already changes nothing, and is named by its line."""
    assert applied(patch, content) == Patched(skipped=tuple(("present", "a.php", line) for line in lines))


@pytest.mark.parametrize(
    ("patch", "content", "expected"),
    [
        (SIMPLE, LINES.replace(b"9\n", b"IX\n"), ("none", 3, 9, "9", "IX")),
        (SIMPLE, b"8\n9\n", ("none", 3, 8, "8", "")),
        (SIMPLE.replace(b"-8,5 +8,5", b"-70,5 +70,5"), LINES * 2, ("several", 3, 70, "8", "")),
        (b"--- a.php\n+++ a.php\n@@ -1,2 +0,0 @@\n-1\n-3\n", b"1\n2\n3\n", ("none", 3, 2, "3", "2")),
        (SIMPLE, None, ("absent", 1, 0, "", "")),
        (b"diff --git a/a.php b/a.php\nold mode 100644\nnew mode 100755\n", None, ("absent", 1, 0, "", "")),
        (b"--- /dev/null\n+++ a.php\n@@ -0,0 +1 @@\n+1\n", b"2\n", ("exists", 1, 0, "", "")),
        (b"--- a.php\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n", b"1\n2\n", ("left", 1, 0, "", "2")),
        (SIMPLE, b"x" * 2_200_000, ("large", 1, 0, "", "")),
        (SIMPLE + HUNK.replace(b"+ten", b"+X"), LINES, ("several", 10, 8, "8\\n", "8\\n")),
        (b"--- a.php\n+++ a.php\n@@ -9,0 +9 @@\n+x\n", b"1\n", ("none", 3, 10, "", "")),
        (b"--- a.php\n+++ a.php\n@@ -0,0 +1 @@\n+x\n\\ No newline\n", b"1\n", ("none", 3, 1, "", "1")),
        (b"--- a.php\n+++ a.php\n@@ -1 +1 @@\n-1\n+x\n\\ No newline\n", b"1\n2\n", ("none", 3, 2, "", "2")),
        (b"--- a.php\n+++ a.php\n@@ -1,2 +1,2 @@\n 1\n-2\n+x\n\\ No newline\n", b"1\n2\n3\n", ("none", 3, 3, "", "3")),
        (b"--- a.php\n+++ a.php\n@@ -1 +0,0 @@\n-x\n", b"1\n", ("none", 3, 1, "x", "1")),
    ],
)
def test_what_does_not_fit_is_shown_with_both_texts(
    patch: bytes, content: bytes | None, expected: tuple[Any, ...]
) -> None:
    """If a hunk does not fit, the patch's line and both texts are reported; the file is not patched at all."""
    why, line, at, one, other = expected
    said = {"why": why, "at_line": at, "expected": one, "found": other}
    reported = PatchConflict(f"patches/{M}.patch", line, path=M, name="a.php", **said)
    done = applied(patch, content)
    assert (done.files, done.misplaced) == ({}, (reported,))


@pytest.mark.parametrize("content", [None, b"", b"3"])
def test_a_file_without_line_ends_gets_those_of_the_patch(content: bytes | None) -> None:
    """A file that is new, empty or one line without an end has no line ends to keep: lines are added with theirs."""
    patch = b"--- a.php\n+++ a.php\n@@ -0,0 +1,2 @@\n+1\r\n+2\n"
    assert applied(patch, content) == Patched({"a.php": b"1\r\n2\n" + (content or b"")})


def test_a_last_line_without_an_end_does_not_count_for_the_ends_of_a_file() -> None:
    """Lines are added with the line end that most ends of the file are."""
    patch = b"--- a.php\n+++ a.php\n@@ -1,0 +2 @@\n+2\n"
    assert applied(patch, b"1\r\n3") == Patched({"a.php": b"1\r\n2\r\n3"})


def test_what_the_archive_has_already_may_have_other_line_ends() -> None:
    """A hunk at the end of a file counts as there, whatever ends its lines have."""
    patch = b"--- a.php\n+++ a.php\n@@ -19,2 +19,3 @@\n 19\n 20\n+21\n"
    assert applied(patch, (LINES + b"21\n").replace(b"\n", b"\r\n")).skipped == (("present", "a.php", 3),)


def test_a_file_that_the_archive_leaves_out_is_passed_over() -> None:
    """Files that releases do not have, such as tests, are named, if the archive has another file of the patch."""
    tests = SIMPLE.replace(b"a.php", b"tests/a.php")
    done = apply_patch(read(tests + SIMPLE), {"a.php": LINES})
    assert done == Patched({"a.php": TEN}, skipped=(("absent", "tests/a.php", 1),))
    assert [each.why for each in apply_patch(read(tests, ()), {}).misplaced] == ["absent"]


def test_not_every_hunk_that_does_not_fit_is_told() -> None:
    """Of one file, the first ten hunks that do not fit are reported."""
    patch = b"--- a.php\n+++ a.php\n" + b"@@ -1 +1 @@\n-b\n+c\n" * 12
    assert [each.line for each in applied(patch, LINES).misplaced] == [3 * number for number in range(1, 11)]


ADDED = b"--- /dev/null\n+++ b/%b\n@@ -0,0 +1 @@\n+x\n"
HOSTILE = {
    "nothing": (b"", 1, "it is no unified diff"),
    "text": (b"a patch\nof nothing\n", 1, "it is no unified diff"),
    "context": (
        b"*** a.php\n--- a.php\n***************\n*** 1 ****\n! 1\n--- 1 ----\n! 2\n",
        1,
        "it is no unified diff",
    ),
    "up": (SIMPLE.replace(b"a.php", b"../n/a.php"), 1, "of a file, its name has `..`"),
    "quoted up": (
        SIMPLE.replace(b"a/a.php", b'"a/\\056./a"').replace(b"b/a.php", b'"b/../a"'),
        1,
        "of a file, its name has `..`",
    ),
    "absolute": (SIMPLE.replace(b"/a.php", b"//etc/passwd"), 1, "of a file, its name is absolute"),
    "git": (SIMPLE.replace(b"a.php", b".git/config"), 1, "of a file, its name leads into `.git`"),
    "newline": (
        SIMPLE.replace(b"a/a.php", b'"a/\\n"').replace(b"b/a.php", b'"b/\\n"'),
        1,
        "of a file, its name has a control or bidirectional character",
    ),
    "not UTF-8": (SIMPLE.replace(b"a.php", b"\xff"), 1, "of a file, its name claims to be UTF-8, and is not"),
    "other component": (SIMPLE.replace(b"b/a.php", b"b/b.php"), 1, "it names two files, or none"),
    "nowhere": (b"--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-1\n+2\n", 1, "it names two files, or none"),
    "no name": (b"diff --git\nindex 1..2\ndiff --git x\nindex 1..2\n", 3, "it names two files, or none"),
    "odd names": (b"diff --git a/x b/xy\nindex 1..2\n", 1, "it names two files, or none"),
    "junk": (SIMPLE.replace(b"a.php", b".DS_Store"), 1, "it is about a file that operating systems leave behind"),
    "rename": (
        b"\ndiff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\n",
        4,
        "it renames a file, which a patch cannot do here",
    ),
    "copy": (
        b"diff --git a/a b/b\nsimilarity index 100%\ncopy from a\ncopy to b\n",
        3,
        "it copies a file, which a patch cannot do here",
    ),
    "binary": (b"diff --git a/a b/a\nindex 1..2 100644\nGIT binary patch\nliteral 1\n", 3, "it has a binary file"),
    "named binary": (SIMPLE + b"Binary files a/x and b/x differ\n", 10, "it has a binary file"),
    "merge": (b"diff --cc a\nindex 1,2..3\n--- a/a\n+++ b/a\n@@@ -1 -1 +1 @@@\n", 1, "it is the diff of a merge"),
    "link": (
        b"diff --git a/a b/a\nnew file mode 120000\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+/etc\n",
        2,
        "it is about a link",
    ),
    "changed link": (
        b"diff --git a/a b/a\nindex 1..2 120000\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+/etc\n",
        2,
        "it is about a link",
    ),
    "submodule": (
        b"diff --git a/a b/a\nindex 1..2 160000\n--- a/a\n+++ b/a\n",
        2,
        "it is about a repository in the component",
    ),
    "short": (SIMPLE[:-4], 8, "the line counts of a hunk are wrong"),
    "long": (SIMPLE.replace(b"-8,5", b"-8,4"), 9, "the line counts of a hunk are wrong"),
    "cut": (SIMPLE.replace(b" 11\n", b"11\n"), 8, "the line counts of a hunk are wrong"),
    "end first": (
        SIMPLE.replace(b" 8\n", b"\\ No newline at end of file\n"),
        4,
        "the line counts of a hunk are wrong",
    ),
    "numbers": (SIMPLE.replace(b"-8,5", b"-8,x"), 3, "a hunk has no line numbers"),
    "huge numbers": (SIMPLE.replace(b"-8,5", b"-8," + b"9" * 5000), 3, "a hunk has no line numbers"),
    "idle": (b"--- a\n+++ a\n@@ -1 +1 @@\n 1\n", 3, "a hunk changes nothing"),
    "empty hunk": (b"--- a\n+++ a\n@@ -0,0 +0,0 @@\n", 3, "a hunk changes nothing"),
    "no hunk": (b"--- a\n+++ a\n", 1, "a file has no hunk"),
    "no file": (HUNK, 1, "a hunk has no file above it"),
    "large": (SIMPLE + b"#" * PATCH_LIMIT, 1, "it is larger than 4 MiB"),
    "UTF-16": (SIMPLE.decode().encode("utf-16"), 1, "it is in UTF-16, as PowerShell writes files; save it as UTF-8"),
    "in itself": (ADDED % b"f" + ADDED % b"f/x", 5, "`f` is a file and a folder in it"),
    "around itself": (ADDED % b"f/x/y" + ADDED % b"f", 5, "`f` is a file and a folder in it"),
    "one name": (ADDED % "e\u0301".encode() + ADDED % "\u00e9".encode(), 5, "`e\u0301` and `\u00e9` are one name"),
}


@pytest.mark.parametrize(("data", "line", "reason"), HOSTILE.values(), ids=list(HOSTILE))
def test_hostile_and_broken_patches_are_refused(data: bytes, line: int, reason: str) -> None:
    """What is no unified diff of text files of the component is refused, with the line that shows it."""
    assert fault(data) == PatchInvalid(f"patches/{M}.patch", line, reason)


def test_names_that_differ_in_case() -> None:
    """Two names that are one name on a disk are refused there."""
    patch = read_patch(ADDED % b"a/x" + ADDED % b"A/y", M)
    assert with_names(patch, ()).wrong is None
    clash = PatchInvalid(patch.path, 5, "`a` and `A` are one name")
    assert with_names(patch, (), ignores_case=True).wrong == clash


NAMES, TIMES = b"--- a.php\n+++ a.php\n", 4 if SWEEP else 1
LONG: dict[str, Callable[[], tuple[bytes, bytes]]] = {
    "nowhere": lambda: (NAMES + b"@@ -1 +1 @@\n-b\n+c\n" * 1_250 * TIMES, b"a\n" * 250_000 * TIMES),
    "no end": lambda: (
        NAMES + b"@@ -1 +1 @@\n-a\n\\ No newline\n+c\n" + b"@@ -9,2 +9 @@\n-a\n-a\n+c\n" * 500 * TIMES,
        b"ab\n" * 150_000 * TIMES,
    ),
    "long": lambda: (
        NAMES + b"@@ -1,%d +1 @@\n" % (50_000 * TIMES) + b"-a\n" * 50_000 * TIMES + b"+c\n",
        (b"a\n" * 50_000 * TIMES)[2:] + b"b\n" + (b"a\n" * 50_000 * TIMES)[2:],
    ),
    "many": lambda: (NAMES * 22_500 * TIMES + HUNK, LINES),
    "one file": lambda: (SIMPLE * 10_000 * TIMES, LINES * 5_000 * TIMES),
    "each in three places": lambda: (
        NAMES + b"".join(b"@@ -9 +9 @@\n-%d\n+x\n" % number for number in range(25_000 * TIMES)),
        b"".join(b"%d\n" % number for number in range(25_000 * TIMES)) * 3,
    ),
    "repeated": lambda: (
        NAMES
        + b"".join(b"@@ -9,40 +9 @@\n" + b"-a\n-b\n" * 20 + b"+x%d\n" % number for number in range(5_000 * TIMES)),
        b"a\nb\n" * 125_000 * TIMES,
    ),
    "overlapping": lambda: (NAMES + HUNK * 15_000 * TIMES, LINES),
}
"""Patches of 1 MiB, or of 4 in a sweep, and the files that they are applied to."""


@pytest.mark.sweep
@pytest.mark.parametrize("what", LONG)
@pytest.mark.usefixtures("unmeasured")
def test_a_hostile_patch_takes_no_long_time(what: str) -> None:
    """Reading and applying a patch takes seconds, whatever is in it."""
    patch, content = LONG[what]()
    with at_most(5 * TIMES):
        read_it = read_patch(patch, M)
        if read_it.wrong is None:
            assert apply_patch(read_it, {"a.php": content}).files == {}


def test_a_patch_that_takes_too_long_does_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """After many steps, all that is left of a patch is reported as too long."""
    monkeypatch.setattr("pipeline.building.patching.patches._MOST_STEPS", 300)
    moved = b"--- a.php\n+++ a.php\n@@ -1 +1 @@\n-20\n+x\n"
    done = applied(moved + SIMPLE, LINES)
    assert [(each.line, each.why) for each in done.misplaced] == [(6, "long")]
    monkeypatch.setattr("pipeline.building.patching.patches._MOST_STEPS", 201)
    assert [(each.line, each.why) for each in applied(moved, LINES).misplaced] == [(1, "long")]


def test_the_digest_is_that_of_the_text_with_lf() -> None:
    """A checkout with CRLF has the digest that the patch has everywhere."""
    assert read(SIMPLE).digest == read(SIMPLE.replace(b"\n", b"\r\n")).digest == sha256(SIMPLE).hexdigest()
    crlf = b"--- a.php\n+++ a.php\n@@ -1 +1 @@\n-1\r\n+2\r\n"
    assert read(crlf).digest == sha256(crlf).hexdigest()


def test_a_diff_of_the_tool_is_a_patch() -> None:
    """What `tool diff` prints of a file is read again."""
    diff = file_diffs([(f"{M}/a b.php", Version(LINES), Version(TEN))], GIT)[0].text
    assert apply_patch(read(diff), {"a b.php": LINES}) == Patched({"a b.php": TEN})
    diff = file_diffs([(f"{M}/x", None, Version(b"", EXECUTABLE))], GIT)[0].text
    assert apply_patch(read(diff), {}) == Patched({"x": b""})
    assert read(diff).files[0].executable
