"""How archives are shown in a table (`docs/archives.md`)."""

from msgspec.structs import replace

from pipeline.archives.inspection import (
    Inspection,
    Refusal,
    bundle,
    inspection_lines,
    inspection_table,
)
from pipeline.report.diagnostics.archives import Flaw, Mend
from pipeline.report.layout import PIPE, Screen

USUAL = Inspection(
    archive="a.zip", kind="module", name="a", version="1", system="PrestaShop", evidence="a/a.php"
)
ODD = (
    replace(USUAL, archive="b.zip", evidence=None),
    replace(
        USUAL,
        archive="c.zip",
        guessed=True,
        named_by="c-main/c.php (Text Domain)",
        version_by="c-1.zip",
    ),
    Inspection(archive="d.zip", kind="bundle", members=("d.zip!a", "d.zip!b")),
    Inspection(archive="e.zip", kind="unknown"),
    Inspection(archive="f.zip", kind="profile", name="f"),
    Inspection(archive="g.zip", kind="unknown", refusals=(Refusal("it is cut; get it again"),)),
    Inspection(
        archive="h.zip",
        kind="unknown",
        refusals=(Refusal("its name ends in `;`; rename it", "h/a;"),),
    ),
)
FLAWS = {
    "g.zip": Flaw("it is cut", Mend("get it again")),
    "h.zip": Flaw("its name ends in `;`", Mend("rename it"), "h/a;"),
}


def test_a_table() -> None:
    """Unusual facts are at the end of a row: a refusal, without its advice, and everything that is
    guessed.
    """
    assert inspection_table((USUAL, *ODD), FLAWS, PIPE) == (
        "a.zip  module   a  1  PrestaShop",
        "b.zip  module   a  1  PrestaShop  guessed: no marker",
        "c.zip  module   a  1  PrestaShop  guessed: name by Text Domain, version by file name",
        "d.zip  bundle   -  -  -           2 components",
        "e.zip  unknown  -  -  -           not built: no marker",
        "f.zip  profile  f  -  -           not built: neither a theme nor a module",
        "g.zip  unknown  -  -  -           refused: it is cut",
        "h.zip  unknown  -  -  -           refused: h/a;: its name ends in `;`",
    )


def test_a_table_that_is_read_aloud() -> None:
    """Read aloud, a row has no sign for an unknown fact."""
    assert inspection_table(ODD[3:4], {}, Screen(accessible=True)) == (
        "e.zip unknown, not built: no marker",
    )


def test_what_is_guessed_read_aloud() -> None:
    """Read aloud, facts are not in columns; a guess says how to correct it, and one entry is in the
    singular.
    """
    guessed = replace(ODD[1], field="class", entries=1, files=1, bytes=1)
    assert inspection_lines((guessed,), "text", Screen(accessible=True)) == (
        "c.zip",
        "  kind module",
        "  name a",
        "  named by c-main/c.php (Text Domain); to give another, rename the archive",
        "  version 1, as c-1.zip is called",
        "  system PrestaShop",
        "  evidence a/a.php (class)",
        "  holds 1 file of 1 byte, in 1 entry",
    )


def test_what_the_project_has() -> None:
    """For a built component, its version in the project and the archive that it was built
    from are shown.
    """
    here = replace(
        USUAL,
        selected=True,
        reason="no list mentions it",
        built_from="a-1.zip",
        built_version="0.9",
    )
    reported = inspection_lines((here, replace(here, built_version=None)), "text")
    assert [line for line in reported if "built from" in line] == [
        "  on disk   version 0.9, built from a-1.zip",
        "  on disk   built from a-1.zip",
    ]


def test_what_is_not_an_archive_of_one_component() -> None:
    """A bundle has no size and no marker of its own; an unknown component, or one without an
    archive, has no marker to show.
    """
    held = bundle("d.zip", (USUAL,))
    assert (held.bytes, held.files, held.entries) == (0, 0, 0)
    one = replace(USUAL, field="class", entries=3, files=2, bytes=1)
    shown = {
        name: [
            line
            for line in inspection_lines((each,), "text")
            if line.startswith(("  evidence", "  holds"))
        ]
        for name, each in {
            "bundle": held,
            "no archive": replace(USUAL, built_from="a.zip"),
            "module": one,
            "unmarked": replace(one, evidence=None),
            "unknown": replace(one, kind="unknown"),
        }.items()
    }
    assert shown == {
        "bundle": ["  holds     1 component"],
        "no archive": ["  holds     0 files"],
        "module": ["  evidence  a/a.php (class)", "  holds     2 files of 1 byte, in 3 entries"],
        "unmarked": [
            "  evidence  none: it goes by its name and place",
            "  holds     2 files of 1 byte, in 3 entries",
        ],
        "unknown": ["  holds     2 files of 1 byte, in 3 entries"],
    }
