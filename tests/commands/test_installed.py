"""The installed command itself: a process of its own does what its forks do in the other tests."""

import re

import pytest

from tests.support.project import Project, Ran

DROP = {"a.zip": {"a/a.php": "<?php"}, "b.zip": {"b/../c": "hostile"}}
RUNS = {
    "a help": ("create", "--help"),
    "a refusal": ("create",),
    "a plan in JSON": ("create", "--exclude=b.zip", "--dry-run", "--log-format=json"),
    "settings": ("config", "show"),
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
