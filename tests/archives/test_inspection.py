"""What archives are, in a table (`docs/archives.md`)."""

from msgspec.structs import replace

from pipeline.archives.inspection import Inspection, inspection_lines, inspection_table
from pipeline.archives.zip.structure import Refusal
from pipeline.report.layout import PIPE, Screen

USUAL = Inspection(archive="a.zip", kind="module", name="a", version="1", system="PrestaShop", evidence="a/a.php")
ODD = (
    replace(USUAL, archive="b.zip", evidence=None),
    replace(USUAL, archive="c.zip", guessed=True, named_by="c-main/c.php (Text Domain)", version_by="c-1.zip"),
    Inspection(archive="d.zip", kind="bundle", members=("d.zip!a", "d.zip!b")),
    Inspection(archive="e.zip", kind="unknown"),
    Inspection(archive="f.zip", kind="profile", name="f"),
    Inspection(archive="g.zip", kind="unknown", refusals=(Refusal("it is cut; get it again", None),)),
)


def test_a_table() -> None:
    """What is not as usual is at the end of a row: a refusal without its way out, and all that is guessed."""
    assert inspection_table((USUAL, *ODD), PIPE) == (
        "a.zip  module   a  1  PrestaShop",
        "b.zip  module   a  1  PrestaShop  guessed: no marker",
        "c.zip  module   a  1  PrestaShop  guessed: name by Text Domain, version by file name",
        "d.zip  bundle   -  -  -           2 components",
        "e.zip  unknown  -  -  -           not built: no marker",
        "f.zip  profile  f  -  -           not built: neither theme nor module",
        "g.zip  unknown  -  -  -           refused: it is cut",
    )


def test_a_table_that_is_read_aloud() -> None:
    """What is not known has no sign that would be read."""
    assert inspection_table(ODD[3:4], Screen(accessible=True)) == ("e.zip unknown, not built: no marker",)


def test_what_the_project_has() -> None:
    """For a built component, its version in the project and the archive that it was built from are shown."""
    here = replace(USUAL, selected=True, reason="no list mentions it", built_from="a-1.zip", built_version="0.9")
    reported = inspection_lines((here, replace(here, built_version=None)), "text")
    assert [line for line in reported if "built from" in line] == [
        "  on disk   version 0.9, built from a-1.zip",
        "  on disk   built from a-1.zip",
    ]
