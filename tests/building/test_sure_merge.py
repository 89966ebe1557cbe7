"""Merges that count: in a text with similar pieces, the result of a single merge is not enough."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from io_edges.building.git import GIT
from pipeline.building.merging.lines import Unmerged
from pipeline.building.planning.sure_merge import merge_surely


def rule(name: str, *more: str) -> bytes:
    """A rule of a style sheet; all have the same body, but for what is put into it."""
    return "\n".join(
        (f".{name} {{", "  border: 0;", "  margin: 0;", *more, "  padding: 0;", "}", "")
    ).encode()


def test_an_edit_does_not_move_to_another_rule() -> None:
    """If the vendor sorts similar rules, `git merge-file` would put the edit into the wrong one: it
    is a conflict.
    """
    base = rule("header") + rule("footer")
    mine = rule("header") + rule("footer", "  color: red;")
    theirs = rule("footer") + rule("header")
    assert GIT.merge(base, mine, theirs, 7) == rule("footer") + rule("header", "  color: red;")
    assert merge_surely(base, mine, theirs, GIT) == Unmerged("alike")


def test_an_edit_in_one_of_several_alike_rules_is_merged() -> None:
    """An edit is merged if the archive only changes another of several similar rules."""
    base = rule("a") + rule("b") + rule("c")
    mine = rule("a") + rule("b", "  color: red;") + rule("c")
    theirs = rule("a") + rule("b") + rule("c", "  top: 0;")
    assert merge_surely(base, mine, theirs, GIT) == rule("a") + rule("b", "  color: red;") + rule(
        "c", "  top: 0;"
    )
    assert merge_surely(base, mine, base, GIT) == mine


def test_a_change_that_both_made_is_merged() -> None:
    """A change that the archive has taken over does not keep the rest from being merged."""
    lines = [b"%d\n" % number for number in range(30)]
    both = b"".join(lines).replace(b"\n5\n", b"\nfive\n")
    mine = both.replace(b"\n25\n", b"\nXXV\n")
    assert merge_surely(b"".join(lines), mine, both, GIT) == mine


def test_a_line_that_both_put_in_is_merged() -> None:
    """A line that both sides inserted is merged where it is, as its place needs no evidence."""
    base = b"".join(b"%d\n" % number for number in range(30))
    mine = base.replace(b"5\n6\n", b"5\nours\n6\n")
    theirs = mine.replace(b"20\n", b"twenty\n")
    assert merge_surely(base, mine, theirs, GIT) == theirs


def test_an_old_git_cannot_say() -> None:
    """Without git's other merge, a merge does not count."""
    old = replace(GIT, merge_trees=lambda *_: None)
    lines = [b"%d\n" % number for number in range(30)]
    base = b"".join(lines)
    mine, theirs = base.replace(b"\n5\n", b"\nfive\n"), base.replace(b"\n25\n", b"\nXXV\n")
    assert merge_surely(base, mine, theirs, old) == Unmerged("old git")
    assert merge_surely(base, mine, theirs, GIT) == mine.replace(b"\n25\n", b"\nXXV\n")


def test_a_git_without_that_merge_is_an_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A git that does not know the command gives no result and no error."""
    program = tmp_path / "git"
    program.write_text(
        '#!/bin/sh\ncase "$*" in *--write-tree*) exit 129 ;; esac\n', encoding="utf-8"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert GIT.merge_trees(b"1\n", b"2\n", b"3\n") is None
