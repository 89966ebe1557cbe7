"""Copies: components that a project already has under another name or in another folder
(`docs/building.md`).
"""

import pytest

from tests.support.project import Project, Ran

SEO_KIT = "<?php\n/*\nPlugin Name: SEO Kit\nVersion: {}\nText Domain: seo-kit\n*/\n"
PLUGINS = "wp-content/plugins"


@pytest.fixture
def wordpress(project: Project) -> Project:
    """A WordPress, and the archive of a plugin as GitHub packs it."""
    project.write("wp-includes/version.php", "<?php $wp_version = '6.8';")
    project.archive(
        "drop/seo-kit-master.zip", {"seo-kit-master/seo-kit.php": SEO_KIT.format("1.1")}
    )
    return project


@pytest.fixture
def drupal(project: Project) -> Project:
    """A Drupal with folders for components of others and its own, and the archive of a module."""
    project.write("core/lib/Drupal.php", "<?php class Drupal { const VERSION = '10.3.0'; }")
    for folder in ("contrib", "custom"):
        (project.root / "modules" / folder).mkdir(parents=True)
    project.archive("drop/foo.zip", {"foo/foo.info.yml": "name: Foo\ntype: module\nversion: 1.0\n"})
    project.archive("drop/bar.zip", {"bar/bar.info.yml": "name: Bar\ntype: module\nversion: 1.0\n"})
    return project


def planned(ran: Ran) -> dict[str, str]:
    """What a run does, by the paths of components."""
    return {each["path"]: each["action"] for each in ran.reported("component")}


def warned(ran: Ran, code: str) -> list[str]:
    """The messages of the warnings of one kind."""
    return [each["message"] for each in ran.reported("warning") if each["code"] == code]


def test_a_component_is_built_under_the_name_that_its_folder_has(wordpress: Project) -> None:
    """A component is updated in the folder that the project has, also in a clone; the first run
    reports that.
    """
    folder = "SEO kit (1)"
    path = f"{PLUGINS}/{folder}"
    wordpress.write(f"{path}/seo-kit.php", SEO_KIT.format("1.1"))
    dry, built = wordpress.create("drop", "-n"), wordpress.create("drop")
    expected = [f"`seo-kit` is built into `{path}`, where the project has it"]
    assert (built.code, warned(dry, "built-under-folder"), warned(built, "built-under-folder")) == (
        0,
        expected,
        expected,
    )
    assert [each.name for each in (wordpress.root / PLUGINS).iterdir()] == [folder]
    wordpress.archive(
        "drop/seo-kit-master.zip", {"seo-kit-master/seo-kit.php": SEO_KIT.format("1.2")}
    )
    again = wordpress.create("drop", "seo-kit")
    assert (planned(again), warned(again, "built-under-folder")) == ({path: "update"}, [])
    (wordpress.root / path / "seo-kit.php").unlink()
    (wordpress.root / path).rmdir()
    assert planned(wordpress.create("drop")) == {path: "add"}
    assert planned(wordpress.create("drop", "--exclude=seo-kit", "--prune")) == {path: "remove"}


@pytest.mark.parametrize("folder", ["modules/custom", "sites/all/modules"])
def test_a_component_in_another_folder_is_not_built_again(drupal: Project, folder: str) -> None:
    """A component that the project has in another folder is not built; the others are, and the run
    ends with 73. Each way of the advice works.
    """
    info = drupal.write(f"{folder}/foo/foo.info.yml", "name: Foo\ntype: module\nversion: 0.9\n")
    for args in (["-n"], []):
        ran = drupal.create("drop", *args)
        (error,) = ran.reported("error")
        assert (ran.code, error["error"], error["source"]) == (
            73,
            "BuiltElsewhere",
            "modules/contrib/foo",
        )
        assert planned(ran) == {"modules/contrib/bar": "add"}
    assert "the project already has it in" in drupal.run("status", "drop").err
    assert (drupal.root / "modules/contrib/bar").exists()
    assert not (drupal.root / "modules/contrib/foo").exists()
    assert drupal.create("drop", "--exclude=foo").code == 0
    assert drupal.create("drop", "--force", "modules/contrib/foo", "-n").code == 0
    info.parent.rename(drupal.root / "modules/contrib/foo")
    assert "BuiltElsewhere" not in {
        each["error"] for each in drupal.create("drop").reported("error")
    }


def test_themes_that_the_project_has_are_kept_current(wordpress: Project) -> None:
    """With `auto`, only the themes that the project has are updated; a new one is added if it is
    named.
    """

    def theme(name: str, version: str, parent: str = "") -> None:
        header = (
            f"/*\nTheme Name: {name}\nVersion: "
            f"{version}\n{f'Template: {parent}' if parent else ''}\n*/\n"
        )
        wordpress.archive(
            f"drop/{name}.zip", {f"{name}/style.css": header, f"{name}/index.php": "<?php"}
        )

    themes = "wp-content/themes"
    theme("harbour", "1.0")
    theme("sea", "1.0", "harbour")
    theme("bay", "1.0")
    assert wordpress.create("drop").code == 68
    assert wordpress.create("drop", "--theme=bay").code == 0
    wordpress.write(
        f"{themes}/sea/style.css", "/*\nTheme Name: sea\nVersion: 1.0\nTemplate: harbour\n*/\n"
    )
    wordpress.write(f"{themes}/sea/index.php", "<?php")
    theme("bay", "2.0")
    theme("quay", "1.0")
    ran = wordpress.create("drop", "-n")
    actions = {f"{themes}/bay": "update", f"{themes}/harbour": "add", f"{PLUGINS}/seo-kit": "keep"}
    reasons = {
        each["name"]: each["reason"] for each in ran.reported("archive") if each["kind"] == "theme"
    }
    assert planned(ran).items() >= actions.items()
    assert reasons == {
        "bay": "the project has it",
        "harbour": "the theme `sea` builds on it",
        "quay": "the project has another theme from the drop",
        "sea": "the project has it",
    }
    assert planned(wordpress.create("drop", "quay", "-n")) == {f"{themes}/quay": "add"}
