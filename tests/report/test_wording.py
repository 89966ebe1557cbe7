"""Wording, run alone: the flags and commands that messages suggest (`docs/archives.md`)."""

import shlex
from fnmatch import fnmatchcase

import pytest

from pipeline.report.diagnostic import Command, PathContext
from pipeline.report.diagnostics.archives import REPACK, ArchiveRejected, Flaw, Mend
from pipeline.report.wording import adding, either, listed, shortened


@pytest.mark.parametrize(
    ("archive", "flag"),
    [
        ("in/a.zip", "--exclude=a.zip"),
        ("it's [1].zip", """'--exclude=it'"'"'s [[]1].zip'"""),
        ("red\x1b[31m.zip", "'--exclude=red?[[]31m.zip'"),
        ("two\nlines.zip", "'--exclude=two?lines.zip'"),
    ],
)
def test_leaving_an_archive_out(archive: str, flag: str) -> None:
    """The suggested flags can be typed as shown, match any name, and keep the other exclusions."""
    assert ArchiveRejected(archive, Flaw("bad")).excluding(archive) == f"--exclude=... {flag}"
    (word,) = shlex.split(flag)
    assert fnmatchcase(archive.removeprefix("in/"), word.removeprefix("--exclude="))


def test_a_list_is_kept_only_where_there_is_one() -> None:
    """`...` is suggested if a layer below the flags has a list, unless it would bring back what was
    left out.
    """
    assert adding("--exclude", "a.zip", frozenset({"--exclude"})) == "--exclude=... --exclude=a.zip"
    assert adding("--exclude", "a.zip", frozenset({"--include"})) == "--exclude=a.zip"
    seen = PathContext(lists_below=frozenset()).with_lists(ArchiveRejected("a.zip", Flaw("bad")))
    assert seen.advice == "leave it out with `--exclude=a.zip`"


@pytest.mark.parametrize(
    ("mend", "shown"),
    [
        (Mend("pack it again without a password"), "pack it again without a password"),
        (
            REPACK,
            (
                "pack it again with `bsdtar --format=zip -cf in/a.zip.new @in/a.zip && mv "
                "in/a.zip.new in/a.zip`"
            ),
        ),
    ],
)
def test_packing_an_archive_again(mend: Mend, shown: str) -> None:
    """If one command packs an archive again, it is shown with the folder; otherwise the advice is
    in words.
    """
    flaw = Flaw("it is not as it should be", mend)
    refusal = ArchiveRejected("a.zip", flaw, command=Command("in"))
    assert refusal.advice == f"{shown}; or leave it out with `--exclude=... --exclude=a.zip`"


def test_a_list_that_is_cut_leaves_out_two_at_least() -> None:
    """One name more than the limit is listed, as counting it would take the same room."""
    reported = [listed("abcd"[:number], 2, mark="") for number in (1, 2, 3, 4)]
    assert reported == ["a", "a, b", "a, b, c", "a, b and 2 more"]


def test_alternatives() -> None:
    """One, two and three names are joined as in a sentence."""
    assert [either(names) for names in ("a", "ab", "abc")] == [
        "`a`",
        "`a` or `b`",
        "`a`, `b` or `c`",
    ]


def test_a_text_that_is_too_long() -> None:
    """Of a text of more than 200 characters, the first 100 and the last 50 are shown."""
    assert shortened("x" * 200) == "x" * 200
    assert shortened("a" * 100 + "b" * 51 + "c" * 50) == (
        f"{'a' * 100}… (51 more characters) …{'c' * 50}"
    )
