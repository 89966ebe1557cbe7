"""The hook for pre-commit: the files it gets, and its reports (`docs/howto/git-and-ci.md`)."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.checkout import ROOT, copy_of_this, git, repository
from tests.support.project import Project
from tests.support.tables import rows

GOOD = {"theme": "none"}
CHECKED, PASSED_OVER = (rows("pre_commit", table) for table in ("checked", "passed over"))


def hook() -> dict[str, Any]:
    """The only hook that the repository offers."""
    (each,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    return dict(each)


def test_which_files_are_checked() -> None:
    """The hook gets the files that may be a configuration or a preset, in any folder, and no
    others.
    """
    pattern = re.compile(hook()["files"])
    assert [name for name in (*CHECKED, *PASSED_OVER) if pattern.search(name)] == CHECKED


def test_its_command(project: Project) -> None:
    """The command of the hook takes files of several folders, and fails if one of them is wrong."""
    project.write("tool.config.json", GOOD)
    project.write(
        "north/tool.config.json", {"presets": ["strict"], "presetsSearchPath": ["presets"]}
    )
    project.write("north/presets/strict.json", GOOD)
    project.write("-south/tool.config.json", GOOD)
    files = [
        "-south/tool.config.json",
        "tool.config.json",
        "north/tool.config.json",
        "north/presets/strict.json",
    ]
    command, *args = [*str(hook()["entry"]).split(), *map(str, hook()["args"])]
    ran = project.run(*args, *files)
    assert (command, ran.code, ran.err) == ("tool", 0, "")
    assert ran.out == "".join(f"{name}: valid\n" for name in files)
    project.write("north/presets/strict.json", {"them": "none"})
    ran = project.run(*args, *files)
    assert (ran.code, ran.err.splitlines()[:2]) == (
        65,
        [
            "error: SchemaValidationError: them: unknown key",
            "  --> north/presets/strict.json:1:2",
        ],
    )


@pytest.mark.integration
def test_a_commit_is_checked(tmp_path: Path) -> None:
    """pre-commit installs the hook from the repository; a good configuration is committed, a
    bad one is not.
    """
    source, shop = tmp_path / "source", tmp_path / "shop"
    config = [{"repo": str(source), "rev": copy_of_this(source), "hooks": [{"id": hook()["id"]}]}]
    repository(
        shop, {".pre-commit-config.yaml": yaml.safe_dump({"repos": config}), "package.json": "{}"}
    )
    environ = {
        **os.environ,
        "PRE_COMMIT_HOME": str(tmp_path / "cache"),
        "PRE_COMMIT_COLOR": "never",
    }

    def check(name: str, text: str) -> tuple[int, str]:
        (shop / name).write_text(text, encoding="utf-8")
        git(shop, "add", name)
        command = [sys.executable, "-m", "pre_commit", "run"]
        ran = subprocess.run(
            command, cwd=shop, env=environ, capture_output=True, text=True, check=False
        )
        return ran.returncode, ran.stdout

    assert check("readme.md", "")[1].endswith("(no files to check)Skipped\n")
    code, out = check("tool.config.json", '{"theme": "none"}')
    assert (code, out.splitlines()[-1].endswith("Passed")) == (0, True)
    code, out = check("tool.config.json", '{"thene": "none"}')
    assert (code, out.splitlines()[1:]) == (
        1,
        [
            "- hook id: tool-config-validate",
            "- exit code: 65",
            "",
            "error: SchemaValidationError: thene: unknown key",
            "  --> tool.config.json:1:2",
            "   |",
            ' 1 | {"thene": "none"}',
            "   |  ^",
            "  = help: did you mean `theme`?",
            "",
        ],
    )
