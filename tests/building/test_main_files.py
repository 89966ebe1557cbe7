"""WordPress plugins whose main file has another name after an update."""

import pytest

from tests.support.miniatures import Files, within
from tests.support.project import Project


def plugin(main: str, version: str, **more: str) -> Files:
    """A version of the plugin, with its header in a file, and with other files."""
    others = {f"{name}.php": content for name, content in more.items()}
    return {main: f"<?php\n/*\nPlugin Name: Acme\nVersion: {version}\n*/\n", **others}


def build(project: Project, files: Files) -> None:
    """Put a version into the drop."""
    project.archive("drop/acme.zip", within("acme", files))


def renamed(project: Project, *args: str) -> list[str]:
    """The messages of these warnings in a run."""
    ran = project.run(*args, "--log-format=json")
    return [
        each["message"] for each in ran.reported("warning") if each["code"] == "main-file-renamed"
    ]


@pytest.fixture
def site(project: Project) -> Project:
    """A project in which WordPress has version 1.0 of the plugin, built."""
    project.write("wp-includes/version.php", "<?php $wp_version = '6.5';")
    build(project, plugin("acme.php", "1.0", inc="<?php"))
    assert project.create("drop").code == 0
    return project


def test_a_renamed_main_file_switches_the_plugin_off(site: Project) -> None:
    """Status, the dry run and the run name both files; the next run does not."""
    build(site, plugin("plugin.php", "2.0", inc="<?php"))
    known = "WordPress knows `wp-content/plugins/acme` by its main file `acme/acme.php`"
    expected = [
        f"{known}, which is named `acme/plugin.php` in the update, so the update deactivates it"
    ]
    assert renamed(site, "status", "drop") == expected
    assert renamed(site, "create", "drop", "--dry-run") == expected
    assert renamed(site, "create", "drop") == expected
    assert renamed(site, "create", "drop") == []


def test_an_undo_does_not_repeat_the_warning(site: Project) -> None:
    """The update has said that the plugin has to be activated again after an undo."""
    build(site, plugin("plugin.php", "2.0", inc="<?php"))
    ran = site.create("drop")
    (warning,) = ran.reported("warning")
    again = "activate it again after the update, and again after a `tool undo`"
    assert (warning["code"], warning["help"]) == ("main-file-renamed", again)
    assert (renamed(site, "undo"), renamed(site, "redo")) == ([], [])


STAYS = {
    "the same": (plugin("acme.php", "2.0", inc="<?php"), 0),
    "another file, with the old one as it was": (plugin("acme.php", "2.0", plugin="<?php"), 0),
    "both have the header": ({**plugin("acme.php", "2.0"), **plugin("a-first.php", "2.0")}, 0),
    "the old one without its header": (
        plugin("plugin.php", "2.0", acme="<?php require 'plugin.php';"),
        1,
    ),
}


@pytest.mark.parametrize("case", STAYS)
def test_a_main_file_that_stays(site: Project, case: str) -> None:
    """A plugin stays active as long as its main file exists and has the header of a plugin."""
    files, warnings = STAYS[case]
    build(site, files)
    assert len(renamed(site, "create", "drop", "--dry-run")) == warnings


def test_a_second_main_file(site: Project) -> None:
    """An additional main file, even the first by name, does not matter while the old one has its
    header.
    """
    (site.root / "drop/acme.zip").unlink()
    for version, files in (("1.0", {}), ("2.0", plugin("bay.php", "2.0"))):
        site.archive("drop/bay.zip", within("bay", {**plugin("z.php", version), **files}))
        assert renamed(site, "create", "drop") == []
