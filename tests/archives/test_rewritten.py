"""Files that a shop rewrites are never in conflict (`docs/building.md`)."""

import pytest

from pipeline.archives.archive import Component
from pipeline.systems.table import is_rewritten
from tests.support.miniatures import prestashop_module, within
from tests.support.project import Project

SHOPS = Component(kind="module", name="m", system="PrestaShop", field="class")


@pytest.mark.parametrize(
    ("name", "component", "expected"),
    [
        ("config.xml", SHOPS, True),
        ("config_fr.xml", SHOPS, True),
        (
            "config_qc.xml",
            Component(kind="module", name="m", system="PrestaShop", field="config.xml: name"),
            True,
        ),
        ("lib/config.xml", SHOPS, False),
        ("config_extra.xml", SHOPS, False),
        ("config.xml.bak", SHOPS, False),
        ("m.php", SHOPS, False),
        (
            "config.xml",
            Component(kind="module", name="m", system="PrestaShop", field="file name"),
            False,
        ),
        ("config.xml", Component(kind="theme", name="m", system="PrestaShop", field="name"), False),
        (
            "config.xml",
            Component(kind="module", name="m", system="WordPress", field="Plugin Name"),
            False,
        ),
    ],
)
def test_what_is_rewritten(name: str, component: Component, expected: bool) -> None:
    """The shop rewrites `config.xml` and its translations, in the root of a module that is
    certainly one of PrestaShop.
    """
    assert is_rewritten(component, name) is expected


def test_what_the_shop_wrote_is_no_conflict(project: Project) -> None:
    """The archive's version is built and the shop's goes to the backup; it stays only if the
    archive has no new version.
    """
    project.archive("m.zip", within("m", prestashop_module("m", "1.0.0")))
    assert project.create().code == 0
    project.write("modules/m/config.xml", "the shop's")
    assert [each["action"] for each in project.create().reported("component")] == ["keep"]
    assert project.tree["modules/m/config.xml"] == "the shop's"
    assert project.run("status", "--check").code == 0
    project.archive("m.zip", within("m", prestashop_module("m", "1.1.0")))
    ran = project.create("--mine")
    assert ran.code == 0
    assert project.tree["modules/m/config.xml"] == prestashop_module("m", "1.1.0")["config.xml"]
    (kept,) = project.root.glob(".tool/backup/*/modules/m/*")
    assert (kept.name, kept.read_text(encoding="utf-8")) == ("config.xml", "the shop's")
    (warning,) = (each for each in ran.reported("warning") if each["code"] == "backed-up")
    assert warning["message"].startswith("`config.xml` of `modules/m` was moved to")


@pytest.mark.parametrize(
    ("pattern", "is_kept"), [("modules/m/config.xml", True), ("modules/m/*", False)]
)
def test_a_pattern_that_names_the_very_file_wins(
    project: Project, pattern: str, is_kept: bool
) -> None:
    """`--keep-mine` with the path of a rewritten file keeps it; a glob that only matches it does
    not.
    """
    project.archive("m.zip", within("m", prestashop_module("m", "1.0.0")))
    assert project.create().code == 0
    project.write("modules/m/config.xml", "the shop's")
    project.archive("m.zip", within("m", prestashop_module("m", "1.1.0")))
    assert project.create(f"--keep-mine={pattern}").code == 0
    assert (project.tree["modules/m/config.xml"] == "the shop's") is is_kept
