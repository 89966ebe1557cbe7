"""The system in the project decides which archives are for it (`docs/archives.md`)."""

import shutil

import pytest

from tests.support.miniatures import (
    Files,
    backdrop,
    drupal,
    drupal_7,
    omeka_module,
    prestashop_module,
    prestashop_theme,
    within,
    wordpress_plugin,
    wordpress_theme,
)
from tests.support.project import Project, Ran

SHOP: Files = {
    "config/defines.inc.php": "<?php",
    "classes/index.php": "",
    "app/AppKernel.php": "const VERSION = '8.1.0';",
}
THIRTY_BEES: Files = {
    "config/defines.inc.php": "<?php",
    "classes/index.php": "",
    "config/settings.inc.php": "<?php define('_TB_VERSION_', '1.5.1');",
}
OLD_SHOP: Files = {
    "config/defines.inc.php": "<?php",
    "classes/index.php": "",
    "config/settings.inc.php": "<?php define('_PS_VERSION_', '1.6.1.24');",
}
HOSTS: dict[str, Files] = {
    "PrestaShop": SHOP,
    "thirty bees": THIRTY_BEES,
    "PrestaShop 1.6": OLD_SHOP,
    "WordPress": {"wp-includes/version.php": "<?php $wp_version = '6.5';"},
    "Drupal": {"core/lib/Drupal.php": "<?php const VERSION = '10.2.4';"},
    "Drupal 7": {"includes/bootstrap.inc": "<?php define('VERSION', '7.105');"},
    "Backdrop": {"core/includes/bootstrap.inc": "<?php define('BACKDROP_VERSION', '1.28.0');"},
    "Omeka S": {"application/Module.php": "<?php const VERSION = '4.1.0';"},
    "": {},
}
ARCHIVES: dict[str, Files] = {
    "shop": prestashop_module("shop"),
    "tide": wordpress_plugin("tide"),
    "eight": drupal("eight"),
    "seven": drupal_7("seven"),
    "back": backdrop("back"),
    "Keys": omeka_module("Keys"),
    "two": {
        "two.info": "name = Two\ntype = module\nbackdrop = 1.x\n",
        "two.module": "",
        **drupal("two"),
    },
    "plain": {"module.json": '{"name": "plain"}'},
    "silver": {
        "composer.json": '{"name": "a/silver", "type": "lavender-module"}',
        "a.php": "<?php",
    },
    "code": {"code.php": "<?php function a() {}", "b.php": "<?php"},
}


OF: dict[str, set[str]] = {
    "PrestaShop": {"shop"},
    "WordPress": {"tide"},
    "Drupal": {"eight", "two"},
    "Drupal 7": {"seven"},
    "Backdrop": {"back"},
    "Omeka S": {"Keys"},
    "lavender": {"silver"},
}
"""The archives that are for each system, by the first marker that counts."""


def fill(project: Project, host: str, archives: dict[str, Files] = ARCHIVES) -> None:
    """Put a system into the project, and archives into its drop."""
    for name, content in HOSTS[host].items():
        project.write(name, content)
    for name, files in archives.items():
        project.archive(f"drop/{name}.zip", within(name, files))


def created(project: Project, *args: str) -> Ran:
    """A run over the drop, which is done."""
    ran = project.create("drop", *args)
    assert ran.code == 0, ran.err
    return ran


def built(ran: Ran) -> set[str]:
    """The names of the components that are added."""
    return {each["name"] for each in ran.reported("component") if each["action"] == "add"}


def told(ran: Ran, code: str = "other-system") -> list[str]:
    """The messages of the warnings of one kind."""
    return [each["message"] for each in ran.reported("warning") if each["code"] == code]


@pytest.mark.parametrize(
    ("host", "own"),
    [
        ("PrestaShop", {"shop"}),
        ("thirty bees", {"shop"}),
        ("WordPress", {"tide"}),
        ("Drupal", {"eight", "two"}),
        ("Drupal 7", {"seven"}),
        ("Backdrop", {"back", "two"}),
        ("Omeka S", {"Keys"}),
        ("", {"shop", "tide", "eight", "seven", "back", "Keys", "two", "silver"}),
    ],
)
def test_what_is_for_another_system_is_not_built(
    project: Project, host: str, own: set[str]
) -> None:
    """Each system builds archives with its own marker, also beside others; archives without a
    system's marker are built everywhere.
    """
    fill(project, host)
    ran = created(project, "-n")
    assert built(ran) == {*own, "plain", "code"}
    systems = [message.partition(" for ")[2].partition(":")[0] for message in told(ran)]
    assert len(systems) == len(set(systems))
    assert sorted(name for system in systems for name in OF[system] - own) == sorted(
        {*ARCHIVES} - built(ran)
    )


def test_one_warning_a_system(project: Project) -> None:
    """One warning for each other system names every archive, also members of bundles; each archive
    has its reason.
    """
    fill(project, "PrestaShop", {"shop": ARCHIVES["shop"], "tide": ARCHIVES["tide"]})
    bundle = {
        **within("b/one", wordpress_plugin("one")),
        **within("b/two", wordpress_plugin("two")),
    }
    project.archive("drop/b.zip", bundle)
    ran = created(project, "--exclude=t*", "-n")
    assert told(ran) == [
        "3 archives are for WordPress: `b.zip!one`, `b.zip!two`, `tide.zip`; the project has "
        "PrestaShop, so "
        "they are not built"
    ]
    reasons = {
        each["archive"]: each["reason"] for each in ran.reported("archive") if not each["selected"]
    }
    assert reasons == dict.fromkeys(
        ("b.zip!one", "b.zip!two", "tide.zip"),
        "for WordPress, which is not the system in the project",
    )
    (unmatched,) = [each for each in ran.reported("warning") if each["code"] == "unmatched-pattern"]
    assert unmatched["help"] == "it only matches archives for WordPress, which are not built here"


@pytest.mark.parametrize(
    "args", [("--include=tide",), ("--include=tide.zip",), ("tide", "--force"), ("--theme=sea",)]
)
def test_what_somebody_calls_by_its_name_is_built(project: Project, args: tuple[str, ...]) -> None:
    """An archive of another system is built if its name is written out, the setting `theme` names
    it, or with `--force NAME`; a warning names both systems.
    """
    name = "sea" if "--theme=sea" in args else "tide"
    fill(project, "PrestaShop", {"sea": wordpress_theme(), "tide": ARCHIVES["tide"]})
    ran = created(project, *args)
    assert name in built(ran)
    (said,) = [each for each in told(ran) if each.endswith("so it is built")]
    assert said.startswith(
        f"1 archive is for WordPress: `{name}.zip`; the project has PrestaShop, but "
    )
    again = created(project)
    assert [each for each in told(again) if "record" in each] == [
        (
            f"1 archive is for WordPress: `{name}.zip`; the project has PrestaShop, but the record "
            f"has it, so it is built"
        )
    ]
    assert [each for each in told(created(project)) if "record" in each] == []


def test_a_name_that_is_not_built_is_answered(project: Project) -> None:
    """A name of another system's component, or of something that is not a component, gets the
    reason and no error.
    """
    fill(project, "PrestaShop", {"tide": ARCHIVES["tide"], "sea": drupal("sea", "profile")})
    assert told(created(project, "tide")) == [
        "1 archive is for WordPress: `tide.zip`; the project has PrestaShop, so it is not built"
    ]
    assert told(created(project, "sea"), "not-built") != []


def test_a_clone_without_the_system_is_built_alike(project: Project) -> None:
    """A recorded component is not judged again, nor is a later version; without a record it is."""
    fill(project, "", {"tide": ARCHIVES["tide"]})
    created(project)
    fill(project, "PrestaShop", {"tide": {**ARCHIVES["tide"], "more.txt": ""}})
    updated = created(project)
    assert [each["action"] for each in updated.reported("component")] == ["update"]
    shutil.rmtree(project.root / "modules")
    assert built(created(project, "--frozen")) == {"tide"}
    (project.root / ".tool-manifest.json").unlink()
    shutil.rmtree(project.root / ".tool")
    shutil.rmtree(project.root / "modules")
    assert built(created(project)) == set()


OLD_THEME: Files = {"index.tpl": "", "product.tpl": "", "header.tpl": ""}


@pytest.mark.parametrize(
    ("host", "is_built"),
    [("PrestaShop", False), ("PrestaShop 1.6", True)],
)
def test_a_theme_of_the_old_shape(project: Project, host: str, is_built: bool) -> None:
    """A theme of the old shape is built for PrestaShop 1.6, and only named for other versions."""
    fill(project, host, {"wave": OLD_THEME})
    ran = created(project)
    assert (project.root / "themes/wave/index.tpl").is_file() is is_built
    assert bool(told(ran, "not-built")) is not is_built


def paying(version: str, low: str, high: str) -> Files:
    """A module for some versions of PrestaShop."""
    limits = f"$this->ps_versions_compliancy = ['min' => '{low}', 'max' => '{high}']; parent::"
    php = str(prestashop_module("pay", version, config=False)["pay.php"]).replace(
        "parent::", limits
    )
    return within("pay", {"pay.php": php})


PAYING = {
    "3": paying("3.9", "1.7.0", "1.7.9.99"),
    "4": paying("4.0", "8.0.0", "8.9.9"),
    "5": paying("5.0", "9.0", "9.9.9"),
}


@pytest.mark.parametrize(
    ("versions", "shop", "chosen"),
    [
        ("345", "1.7.8.11", "3.9"),
        ("345", "8.1.0", "4.0"),
        ("345", "9.1.0", "5.0"),
        ("35", "8.1.0", "3.9"),
        ("45", "1.7.8.11", ""),
        ("345", "", "5.0"),
    ],
)
def test_the_highest_that_runs_here(
    project: Project, versions: str, shop: str, chosen: str
) -> None:
    """The highest version that runs on the system is built; if none does, one that is too old for
    the shop, otherwise none.
    """
    fill(project, "PrestaShop", {})
    project.write("app/AppKernel.php", f"const VERSION = '{shop}';")
    for name in versions:
        project.archive(f"drop/pay{name}.zip", PAYING[name])
    ran = project.create("drop")
    assert ran.code == (0 if chosen else 73)
    assert [each["version"] for each in ran.reported("component")] == ([chosen] if chosen else [])
    reasons = [each["reason"] for each in ran.reported("archive") if not each["selected"]]
    assert all(each.startswith("for another version ") for each in reasons) is bool(shop and chosen)
    assert (told(ran, "duplicate-archive") == []) is bool(shop and chosen)


def test_equal_versions_go_by_their_limits(project: Project) -> None:
    """Of equal versions, the one whose limits admit the system is chosen, also with `--force
    NAME`.
    """
    fill(project, "PrestaShop", {})
    project.archive("drop/pay_17.zip", paying("4.0", "1.7.0", "1.7.9.99"))
    project.archive("drop/pay_8.zip", paying("4.0", "8.0.0", "8.9.9"))
    for args in ((), ("pay", "--force")):
        ran = created(project, *args)
        assert [each["archive"] for each in ran.reported("archive") if each["selected"]] == [
            "pay_8.zip"
        ]


def test_a_named_version_goes_by_its_limits(project: Project) -> None:
    """Of several archives of a named version, the one that runs here is chosen; the help for one
    that does not names the version.
    """
    fill(project, "PrestaShop", {})
    project.archive("drop/pay_17.zip", paying("4.0", "1.7.0", "1.7.9.99"))
    project.archive("drop/pay_8.zip", paying("4.0", "8.0.0", "8.9.9"))
    project.archive("drop/pay_9.zip", PAYING["5"])
    ran = created(project, "pay@4.0")
    assert [each["archive"] for each in ran.reported("archive") if each["selected"]] == [
        "pay_8.zip"
    ]
    refused = project.create("drop", "pay@5.0")
    assert [str(each["help"]).rpartition("; ")[2] for each in refused.reported("error")] == [
        "`tool create drop --force pay@5.0` builds it anyway"
    ]
    assert [
        each["version"] for each in created(project, "--force", "pay@5.0").reported("component")
    ] == ["5.0"]


def test_the_recorded_archive_stays_until_a_higher_one_runs(project: Project) -> None:
    """The recorded archive stays until a higher one runs here; `--frozen` goes by the record
    alone.
    """
    fill(project, "PrestaShop", {})
    project.archive("drop/pay4.zip", PAYING["4"])
    assert built(created(project)) == {"pay"}
    project.write("app/AppKernel.php", "const VERSION = '1.7.8.11';")
    project.archive("drop/pay3.zip", PAYING["3"])
    assert [each["version"] for each in created(project).reported("component")] == ["4.0"]
    project.archive("drop/pay5.zip", PAYING["5"])
    project.write("app/AppKernel.php", "const VERSION = '9.1.0';")
    assert [each["version"] for each in created(project, "--frozen").reported("component")] == [
        "4.0"
    ]
    assert [each["version"] for each in created(project).reported("component")] == ["5.0"]


def styled(version: str, **more: str) -> Files:
    """A theme of PrestaShop, without what its sources are built to."""
    files = {
        name: text
        for name, text in prestashop_theme("wave", version).items()
        if not name.startswith("assets/")
    }
    return within("wave", {**files, **more})


def test_a_theme_without_what_the_uploader_demands(project: Project) -> None:
    """A theme without a demanded file is built with a warning; an update that would remove that
    file stops the run; a child theme needs none.
    """
    fill(project, "PrestaShop", {})
    project.archive("drop/wave.zip", styled("1.0"))
    (warning,) = told(created(project, "-n"), "unusable")
    assert warning.startswith("PrestaShop would not use `wave` as it is: `assets/css/theme.css`: ")
    project.archive("drop/wave.zip", styled("1.0", **{"assets/css/theme.css": "a {}"}))
    assert told(created(project), "unusable") == []
    project.archive("drop/wave.zip", styled("1.1"))
    refused = project.create("drop")
    (error,) = refused.reported("error")
    assert (refused.code, error["error"]) == (73, "PartialArchive")
    assert error["message"].startswith("`wave.zip` would remove `themes/wave/assets/css/theme.css`")
    assert project.create("drop", "--merge", "--force", "themes/wave").code == 0
    project.archive(
        "drop/wave.zip", within("wave", prestashop_theme("wave", "1.2", parent="classic"))
    )
    assert told(project.create("drop", "-n"), "unusable") == []


SOURCES = {"package.json": "{}", "_dev/css/theme.scss": ""}


def test_the_sources_of_a_theme(project: Project) -> None:
    """The source code of a theme is not built, and does not keep an older archive from being built;
    an update to it stops the run.
    """
    fill(project, "PrestaShop", {})
    project.archive("drop/wave.zip", styled("2.0", **SOURCES))
    assert told(created(project), "not-built") == [
        "it is a theme's source code, without `assets/css/theme.css`, so it is not built"
    ]
    project.archive("drop/wave-1.0.zip", styled("1.0", **{"assets/css/theme.css": "a {}"}))
    assert built(created(project)) == {"wave"}
    (project.root / "drop/wave-1.0.zip").unlink()
    assert [each["error"] for each in project.create("drop").reported("error")] == [
        "PartialArchive"
    ]


def test_the_sources_of_a_theme_that_a_hook_builds(project: Project) -> None:
    """Source code is built if the user calls it a theme, and so is every later version."""
    fill(project, "PrestaShop", {})
    project.archive("drop/themes/wave.zip", styled("1.0", **SOURCES))
    assert built(created(project)) == {"wave"}
    (project.root / "drop/themes/wave.zip").rename(project.root / "drop/wave.zip")
    project.archive("drop/wave.zip", styled("2.0", **SOURCES))
    project.write("themes/wave/assets/css/theme.css", "a {}")
    updated = created(project)
    assert [each["action"] for each in updated.reported("component")] == ["update"]
    assert len(told(updated, "unusable")) == 1


def test_a_component_without_a_marker_of_the_system(project: Project) -> None:
    """A component without the system's marker is built with a warning."""
    fill(project, "WordPress", {"plain": ARCHIVES["plain"]})
    assert told(created(project), "unusable") == [
        "WordPress would not use `plain` as it is: no marker of the system: it would not see it"
    ]
