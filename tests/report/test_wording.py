"""Wording, run alone: what is typed to leave an archive out (`docs/selection.md`)."""

import shlex
from fnmatch import fnmatchcase

import pytest

from io_edges.report.wording import excluding


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
    """The flags can be typed as they are shown, match whatever is in the name, and keep what else is left out."""
    assert excluding(archive) == f"--exclude=... {flag}"
    (word,) = shlex.split(flag)
    assert fnmatchcase(archive.removeprefix("in/"), word.removeprefix("--exclude="))
