"""Steps that the system in the project still needs after a run."""

import pytest

from tests.support.miniatures import omeka_module, omeka_theme, within
from tests.support.project import Project

UPGRADE = 'click "Upgrade" in the administration for `modules/Tides`, left out until then'


@pytest.fixture
def omeka(project: Project) -> Project:
    """A project in which Omeka S lives, with a module and a theme, and a higher version of the
    module in the drop.
    """
    project.write("application/Module.php", "<?php class Module { const VERSION = '4.1.0'; }")
    project.archive("drop/Tides.zip", within("Tides", omeka_module("Tides", "3.0.0")))
    project.archive("drop/shore.zip", within("shore", omeka_theme()))
    first = project.create("drop")
    assert (first.code, first.reported("next")) == (0, [])
    project.archive("drop/Tides.zip", within("Tides", omeka_module("Tides", "3.1.0")))
    return project


def test_a_higher_version_is_to_be_upgraded(omeka: Project) -> None:
    """The run that builds a higher version names the upgrade before its last line, and so does a
    redo; a dry run and an undo do not.
    """
    event = {"event": "next", "system": "Omeka S", "steps": [UPGRADE]}
    assert omeka.create("drop", "--dry-run").reported("next") == []
    assert omeka.create("drop").log[-2:-1] == [event]
    assert omeka.create("drop").reported("next") == []
    assert omeka.run("undo", "--log-format=json").reported("next") == []
    assert f"next: in Omeka S, {UPGRADE}" in omeka.run("redo").err.splitlines()


def test_quiet_runs_do_not_say_it(omeka: Project) -> None:
    """With `--quiet`, neither text nor JSON has the line."""
    assert omeka.run("create", "drop", "--quiet").err == ""
    omeka.run("undo")
    assert omeka.run("redo", "--quiet").err == ""
    omeka.run("undo")
    assert omeka.run("redo", "--quiet", "--log-format=json").reported("next") == []


def test_a_failing_script_does_not_hide_it(omeka: Project) -> None:
    """The line is printed even if a script fails, as the components have changed."""
    omeka.write("post-scripts/1.sh", "exit 1\n")
    ran = omeka.create("drop", "--on-failure=fail")
    assert (ran.code, [each["steps"] for each in ran.reported("next")]) == (79, [[UPGRADE]])


def test_a_theme_is_given_up_before_it_is_removed(omeka: Project) -> None:
    """A dry run names the step that is better done before a theme is removed, and the run itself
    the one that is left.
    """
    (omeka.root / "drop/shore.zip").unlink()
    before = omeka.create("drop", "--prune", "--dry-run").reported("next")
    after = omeka.create("drop", "--prune").reported("next")
    assert [each["steps"] for each in before] == [
        ["if `themes/shore` is active, choose another theme"]
    ]
    assert [each["steps"] for each in after] == [
        [UPGRADE, "if `themes/shore` was active, choose another theme"]
    ]
