"""The commands in the shared advice on several components settle all of them, from where they are
printed.
"""

import re
import shlex
import shutil
from collections.abc import Callable

import pytest

from tests.support.project import Project, php


def module(project: Project, name: str, version: str, more: int = 0) -> None:
    """Put a module into the drop, with so many more files."""
    marker = f"<module><name>{name}</name><version>{version}</version></module>"
    files = {f"{name}/{number}": version for number in range(more)}
    project.archive(
        f"drop/{name}.zip",
        {f"{name}/{name}.php": php(name, version), f"{name}/config.xml": marker, **files},
    )


def build(project: Project, version: str, more: int = 0) -> None:
    """Put two modules into the drop, and build them into the folder `shop`."""
    for name in ("a", "b"):
        module(project, name, version, more)
    assert project.create("drop", "--output=shop").code == 0


def behind(project: Project) -> None:
    """Both are gone, and the drop has older archives."""
    build(project, "2.0")
    for name in ("a", "b"):
        shutil.rmtree(project.root / "shop/modules" / name)
        module(project, name, "1.0")


def elsewhere(project: Project) -> None:
    """Both are in another folder of modules already."""
    for name in ("a", "b"):
        module(project, name, "1.0")
        project.write(f"shop/modules/custom/{name}/{name}.php", "<?php")
        project.write(
            f"shop/modules/custom/{name}/config.xml", f"<module><name>{name}</name></module>"
        )


def partial(project: Project) -> None:
    """The archives have a small part of the files that were built."""
    build(project, "1.0", more=20)
    for name in ("a", "b"):
        module(project, name, "1.1")


def unmet(project: Project) -> None:
    """Both are for another version of the system in the project."""
    project.write("shop/core/lib/Drupal.php", "<?php class Drupal { const VERSION = '10.2.4'; }")
    for name, wanted in {"a": "^9", "b": "^11"}.items():
        marker = f"name: {name}\ntype: module\ncore_version_requirement: {wanted}\n"
        project.archive(f"drop/{name}.zip", {f"{name}/{name}.info.yml": marker})


def unknown(project: Project) -> None:
    """Nobody knows what both were made from."""
    for name in ("a", "b"):
        module(project, name, "2.0")
        project.write(
            f"shop/modules/{name}/config.xml",
            f"<module><name>{name}</name><version>1.0</version></module>",
        )


@pytest.mark.parametrize("prepare", [behind, elsewhere, partial, unmet, unknown])
def test_a_command_for_all(project: Project, prepare: Callable[[Project], None]) -> None:
    """Each error is a line, the help is given once, and the command in it builds all of the
    components.
    """
    prepare(project)
    ran = project.create("drop", "--output=shop", "--quiet", env={"TOOL_LOG_FORMAT": "text"})
    first, error, others = ran.err.partition("error: ")
    listed = f"{error}{others}"
    assert [listed.count(each) for each in ("error: ", "help: ", "-->")] == [2, 1, 0], first
    command = next(
        each for each in re.findall("`([^`]+)`", listed) if each.startswith("tool create")
    )
    assert project.run(*shlex.split(command)[1:]).code == 0
    assert project.create("drop", "--output=shop", "--check").code == 0


def test_the_difference_of_all(project: Project) -> None:
    """For conflicts in several components, one command shows both sides' changes of each."""
    build(project, "1.0", more=1)
    for name in ("a", "b"):
        project.write(f"shop/modules/{name}/0", "mine")
        module(project, name, "2.0", more=1)
    ran = project.create("drop", "--output=shop", "--quiet", env={"TOOL_LOG_FORMAT": "text"})
    command = next(
        each for each in re.findall("`([^`]+)`", ran.err) if each.startswith("tool diff")
    )
    shown = project.run(*shlex.split(command)[1:])
    assert (ran.code, shown.code, ran.err.count("help: ")) == (73, 0, 1)
    assert re.findall("^diff --git a/(\\S+)", shown.out, re.MULTILINE) == [
        "modules/a/0",
        "modules/b/0",
    ]


def test_the_flags_of_the_run(project: Project) -> None:
    """A command that a message suggests repeats the configuration and the flags of settings, so
    that it works with what the run worked with.
    """
    build(project, "1.0", more=1)
    project.write("shop/modules/a/0", "mine")
    module(project, "a", "2.0", more=1)
    project.write("other.json", {"schema": 1, "theme": "none"})
    flags = ("--config=other.json", "--no-exec", "--exclude=b*", "--no-cache")
    ran = project.run("create", "drop", "--output=shop", "--log-format=text", *flags)
    (command,) = re.findall("`(tool diff [^`]+)`", ran.err)
    assert command == (
        "tool diff drop modules/a --config=other.json --no-exec '--exclude=b*' --no-cache "
        "--output=shop --mine"
    )
    assert project.run(*shlex.split(command)[1:]).code == 0
