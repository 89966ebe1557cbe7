"""Real archives, run as a user would: bundles, versions, parents and needs, from the drop to
the project.
"""

import zipfile

import pytest

from tests.support import zip_writer
from tests.support.corpus import MINIATURES, Miniature
from tests.support.hostile import main_of
from tests.support.miniatures import (
    BANNER,
    HARBOUR,
    PAPERS,
    drupal,
    lay,
    pack,
    prestashop_module,
    within,
)
from tests.support.project import Project
from tests.support.zip_writer import Item


def test_a_marketplace_package(project: Project) -> None:
    """The theme and modules of a package are built from the archives in it; warnings name what
    is not built.
    """
    theme = {**HARBOUR, **within("dependencies/modules/ps_moon", prestashop_module("ps_moon"))}
    project.archive(
        "package.zip",
        within(
            "package",
            {
                "harbour.zip": pack(theme),
                "modules/ps_banner.zip": pack(within("ps_banner", BANNER)),
                "documentation.zip": pack(PAPERS),
                "Read me.txt": "",
                "extra/deep/in/the/sea/ps_moon.zip": "",
                "modules/setup.js": "",
            },
        ),
    )
    ran = project.create()
    assert ran.code == 0
    assert {
        (each["archive"], each["selected"], each["reason"]) for each in ran.reported("archive")
    } == {
        ("package.zip!documentation.zip", False, "no marker, and no setting asks for it"),
        ("package.zip!harbour.zip", True, "the only theme in the drop"),
        (
            "package.zip!harbour.zip!dependencies/modules/ps_moon",
            True,
            "bundled with the theme `harbour`, and no setting leaves it out",
        ),
        ("package.zip!modules/ps_banner.zip", True, "no setting leaves it out"),
    }
    left = "it is a bundle; all or part of `extra` belongs to no component and is not built"
    passed = "it has no marker, so it is not built"
    assert {
        (each["code"], each["source"], each["message"]) for each in ran.reported("warning")
    } == {
        ("left-alone", "package.zip", left),
        ("not-built", "package.zip!documentation.zip", passed),
    }
    built = {"/".join(path.split("/")[:2]) for path in project.tree}
    assert built == {"themes/harbour", "modules/ps_banner", "modules/ps_moon"}
    assert project.tree["modules/ps_banner/ps_banner.php"] == BANNER["ps_banner.php"]
    again = project.create()
    assert again.code == 0
    assert {each["action"] for each in again.reported("component")} == {"keep"}


def test_a_theme_in_a_folder_of_a_package(project: Project) -> None:
    """The modules that a theme in a package brings along are built as well, each in its own folder
    and not in the theme.
    """
    theme = within(
        "harbour", HARBOUR, within("dependencies/modules/ps_moon", prestashop_module("ps_moon"))
    )
    project.archive("package.zip", {**theme, **within("ps_banner", BANNER), "Read me.txt": ""})
    assert project.create().code == 0
    brought = "harbour/dependencies/modules/ps_moon/"
    assert set(project.tree) == {
        *(f"themes/{name}" for name in theme if not name.startswith(brought)),
        *(
            f"modules/ps_moon/{name.removeprefix(brought)}"
            for name in theme
            if name.startswith(brought)
        ),
        *(f"modules/ps_banner/{name}" for name in BANNER),
    }


def test_a_package_of_nothing_but_damage(project: Project) -> None:
    """A package whose archives cannot be read is refused with every error in it; it is not a module
    itself.
    """
    project.archive("b.zip", {"theme.zip": pack(HARBOUR)[:60], "plugins/a.zip": b"PK no", **PAPERS})
    ran = project.create()
    reported = [(each["error"], each["source"]) for each in ran.reported("error")]
    assert reported == [
        ("ArchiveRejected", "b.zip!plugins/a.zip"),
        ("ArchiveRejected", "b.zip!theme.zip"),
    ]
    assert ran.code == 76
    assert project.tree == {}
    assert project.run("inspect", "b.zip").code == 76
    left_out = project.create("--exclude=b.zip!*")
    assert left_out.code == 0
    assert [each["code"] for each in left_out.reported("warning")] == [
        "damaged-archive",
        "damaged-archive",
        "nothing-to-build",
    ]


def test_a_child_theme(project: Project) -> None:
    """A child theme is built with its parent, and hooks get the child as the theme."""
    lay(within("sea", drupal("sea", "theme")), project.root / "sea.zip")
    lay(within("bay", drupal("bay", "theme", "base theme: sea\n")), project.root / "b.zip")
    project.write("post-scripts/a.sh", "echo theme $TOOL_HOOK_THEME")
    ran = project.create()
    assert {each["archive"]: each["reason"] for each in ran.reported("archive")} == {
        "sea.zip": "the theme `bay` builds on it",
        "b.zip": "the only theme in the drop that no other theme builds on",
    }
    assert [each["line"] for each in ran.reported("output")] == ["theme bay"]
    assert [each["path"] for each in ran.reported("component")] == ["themes/bay", "themes/sea"]


@pytest.mark.parametrize("miniature", MINIATURES[::15], ids=lambda miniature: miniature.shape)
def test_miniatures_are_built_or_refused(miniature: Miniature, project: Project) -> None:
    """The command reports what the table of miniatures has, and builds it or refuses it."""
    lay(miniature.files, project.root / miniature.archive)
    ran = project.create()
    seen = () if isinstance(miniature.seen, str) else miniature.seen
    reported = {
        (each["kind"], each["name"], each["version"], each["evidence"])
        for each in ran.reported("archive")
    }
    assert (ran.code, reported) == (0, {each[:4] for each in seen}) if seen else ran.code == 76
    built = {f"{each.kind}s/{each.name}" for each in seen if each.evidence or not each.member}
    built = {path for path in built if path.startswith(("themes/", "modules/"))}
    assert {"/".join(path.split("/")[:2]) for path in project.tree} == built


@pytest.mark.parametrize("place", ["a.zip", "modules/b.zip", "readme"])
def test_names_in_an_old_code_page(project: Project, place: str) -> None:
    """Names that are not UTF-8 and do not claim to be are read as CP437, with a warning, also in a
    bundle.
    """
    module = zip_writer.pack(main_of(b"m"))
    inside = zip_writer.pack(main_of(b"m"), Item(name=b"m/caf\x82.txt", data=b"au lait"))
    items = {
        "a.zip": inside,
        "modules/b.zip": zip_writer.pack(Item(name=b"modules/b.zip", data=inside)),
        "readme": zip_writer.pack(Item(name=b"b.zip", data=module), Item(name=b"caf\x82.txt")),
    }
    project.write("drop/a.zip", items[place])
    ran = project.create("drop")
    assert ran.code == 0
    guessed = [
        each["message"] for each in ran.reported("warning") if each["code"] == "guessed-names"
    ]
    name = "café.txt" if place == "readme" else "m/café.txt"
    assert guessed == [
        f"these names do not declare their encoding, and are read as CP437: `{name}`"
    ]
    assert (project.root / "modules/m/café.txt").exists() == (place != "readme")


def test_a_name_that_lies_beside_archives(project: Project) -> None:
    """A bad entry of a bundle refuses the bundle and every archive in it."""
    module = zip_writer.pack(main_of(b"m"))
    lie = Item(name=b"caf\x82.txt", data=b"au lait", flags=0x800)
    project.write("drop/b.zip", zip_writer.pack(Item(name=b"m.zip", data=module), lie))
    ran = project.create("drop", "--keep-going")
    assert ran.code == 76
    assert [each["message"].partition("; ")[0] for each in ran.reported("error")] == [
        "`b.zip`, entry `caf\\udc82.txt`: its name claims to be UTF-8, but is not"
    ]


def test_a_link_that_leaves_its_folder_of_a_bundle(project: Project) -> None:
    """A link may not leave its component, even if it stays in the bundle; the other components are
    not affected.
    """
    path = project.archive("b.zip", {**within("a", drupal("a")), **within("c", drupal("c"))})
    with zipfile.ZipFile(path, "a") as archive:
        link = zipfile.ZipInfo("a/link")
        link.create_system, link.external_attr = 3, 0o120777 << 16
        archive.writestr(link, "../c/README.md")
    for args in (("--dry-run",), ()):
        assert [each["message"] for each in project.create(*args).reported("error")] == [
            "`b.zip!a`, entry `a/link`: it is a link that may leave the component"
        ]
    assert project.create("--exclude=a").code == 0
