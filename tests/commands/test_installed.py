"""The installed command itself: a process of its own, which does what its forks in the other tests do."""

import re
import subprocess
import sys
from itertools import cycle
from pathlib import Path

import msgspec
import pytest

from tests.support.project import Project, Ran, php

DROP = {"a.zip": {"a/a.php": "<?php"}, "b.zip": {"b/../c": "hostile"}}
RUNS = {
    "a version": ("--version",),
    "a help": ("create", "--help"),
    "a refusal": ("create",),
    "a plan in JSON": ("create", "--exclude=b.zip", "--dry-run", "--log-format=json"),
    "a setting that is wrong": ("create", "--log-format=xml"),
    "a command that is not there": ("creat",),
    "settings": ("config", "show"),
    "an archive": ("inspect", "a.zip"),
    "questions": ("init",),
}


def steady(ran: Ran) -> Ran:
    """A run without what it measured."""
    return Ran(ran.code, ran.out, re.sub(r"\d+\.\d+( s\b|,\"conflicts\")", "0", ran.err))


@pytest.mark.parametrize("args", RUNS.values(), ids=RUNS)
def test_a_process_of_its_own(project: Project, args: tuple[str, ...]) -> None:
    """The installed command ends and prints as its fork does."""
    for name, files in DROP.items():
        project.archive(name, files)
    assert steady(project.start(*args)) == steady(project.run(*args))


def test_a_build_of_its_own(project: Project) -> None:
    """The installed command builds the project."""
    project.module("a")
    ran = project.start("create", "--quiet")
    assert ran == Ran(0, "", "")
    assert project.tree == {"modules/a/a.php": php("a")}


LOADED_BEFORE = {"io_edges", "sitecustomize", "usercustomize", *sys.builtin_module_names}
"""What the interpreter and the script of an installer import before the command can do anything about it."""
EARLY = "import re, sys, io_edges; sys.stdout.write(' '.join(each.partition('.')[0] for each in sys.modules))"
RELATIVE = (":/opt", ".", "lib", "sub/..:/opt")


def test_no_module_of_the_project_is_imported(project: Project) -> None:
    """Where `PYTHONPATH` leads into the project, no module there takes the place of one that the command imports."""
    early = subprocess.run([sys.executable, "-c", EARLY], capture_output=True, text=True, check=True).stdout.split()
    installed = {path.name.partition(".")[0] for path in Path(msgspec.__file__).parents[1].iterdir()}
    for name in {*sys.stdlib_module_names, *installed, "pipeline"} - {*early, *LOADED_BEFORE}:
        for folder in (".", "lib"):
            project.write(f"{folder}/{name}.py", f"import os\nos.write(1, b'{name}\\n')\nos._exit(9)\n")
    project.write("sub/a.txt", "")
    project.write("tool.config.ts", 'export default { theme: "a" };\n')
    commands = (("config", "show", "--no-exec"), ("create", "--dry-run"), ("config", "show", "--help"))
    plain = [project.start(*command) for command in commands]
    for entry, number in zip(RELATIVE, cycle(range(3)), strict=False):
        assert project.start(*commands[number], env={"PYTHONPATH": entry}) == plain[number], entry
