"""Modules that a run does not import, as it does not use them: a measure of start-up time without
noise.
"""

import subprocess
import sys

import pytest

from tests.support.project import Project

IMPORTED = """
import sys
from io_edges.cli.main import main
main()
print(*sorted(sys.modules))
"""
"""A program that runs the command, and then prints what was imported."""
HEAVY = frozenset({"questionary", "prompt_toolkit", "deno"})
"""What nothing uses but a prompt and the evaluation of a script."""
UNUSED = HEAVY | frozenset(
    {
        *(
            "subprocess",
            "tempfile",
            "importlib.metadata",
            "importlib.resources",
            "logging",
            "asyncio",
            "socket",
        ),
        *("rich", "multiprocessing", "zipfile", "argparse", "traceback", "selectors"),
        *(
            "io_edges.scripts.evaluate",
            "pipeline.config.places",
            "io_edges.init.prompts",
            "io_edges.building.apply",
            "io_edges.building.hooks",
        ),
        *("pipeline.init.json_schema", "pipeline.init.lift"),
    }
)
"""What no command uses that resolves or plans."""
HELP = frozenset({"shutil", "docstring_parser", "io_edges.cli.help"})
BUILD = frozenset(
    {
        "hashlib",
        "yaml",
        "io_edges.archives",
        "io_edges.building",
        "pipeline.archives",
        "pipeline.selection",
    }
)
SETTLE = frozenset(
    {"io_edges.building.settle", "io_edges.building.transaction", "io_edges.building.stage"}
)
OTHERS = frozenset(
    {"io_edges.init", "pipeline.init", "io_edges.cli.validate", "io_edges.cli.inspect"}
)
"""What belongs to commands that are not run."""
RUNS = {
    "version": (["--version"], UNUSED | OTHERS | HELP | BUILD),
    "help": (["--help"], HEAVY | OTHERS | BUILD),
    "JSON": (["config", "show", "--config=a.json"], UNUSED | OTHERS | HELP | BUILD),
    "a dry run": (
        ["create", "drop", "--dry-run", "--config=a.json"],
        UNUSED | OTHERS | HELP | SETTLE,
    ),
}


def test_a_build_without_scripts_does_not_import_what_runs_them(project: Project) -> None:
    """A build without scripts and changes starts no process and imports no module that could."""
    project.module("a", "drop/a.zip")
    for _ in range(2):
        ran = subprocess.run(
            [sys.executable, "-c", IMPORTED, "create", "drop"],
            cwd=project.root,
            capture_output=True,
            text=True,
            check=True,
        )
    unused = {
        "subprocess",
        "selectors",
        "io_edges.building.hooks",
        "io_edges.building.apply",
        *SETTLE,
    }
    assert unused.intersection(ran.stdout.splitlines()[-1].split()) == set()


@pytest.mark.rule("Discovery, candidate, lazily")
@pytest.mark.parametrize(("args", "unused"), RUNS.values(), ids=RUNS)
def test_what_is_not_used_is_not_imported(
    project: Project, args: list[str], unused: frozenset[str]
) -> None:
    """No run imports a library or a module of the tool that it does not use."""
    project.write("a.json", {"presets": ["ci"]})
    project.theme("harbour", "drop/harbour.zip")
    project.module("a", "drop/a.zip")
    ran = subprocess.run(
        [sys.executable, "-c", IMPORTED, *args],
        cwd=project.root,
        capture_output=True,
        text=True,
        check=True,
    )
    assert unused.intersection(ran.stdout.splitlines()[-1].split()) == set()
