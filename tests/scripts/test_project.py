"""The surroundings of a script: its project, the current folder, links, and names of every kind."""

import os
from pathlib import Path

import pytest

from io_edges.scripts.project import project_of
from pipeline.report.diagnostics.configuration import ConfigUnreadable
from pipeline.report.diagnostics.scripts import EvaluationFailed
from tests.support.scripts import PACKAGES, Files, failed, here, lay, outcome, ts
from tests.support.tables import named

BOUNDARIES = named("projects", "boundaries")


@pytest.mark.parametrize(("files", "above", "rule"), BOUNDARIES)
def test_the_folder_that_a_script_may_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: Files, above: str, rule: str
) -> None:
    """A script may read the nearest folder with `.git`, otherwise the topmost that looks like a
    project, otherwise its own.
    """
    monkeypatch.setenv("HOME", str(tmp_path / "h"))
    assert project_of(lay(tmp_path, files)) == (tmp_path / above, rule)


def test_a_preset_shared_by_shops_without_git(tmp_path: Path) -> None:
    """In a deployment without `.git`, a preset of one shop may import files that all shops
    share.
    """
    script = lay(
        tmp_path,
        {
            "shops/a/presets/p.ts": (
                'import { theme } from "../../../common/x"; export default { theme };'
            ),
            "shops/a/tool.config.json": "{}",
            "common/x.ts": 'export const theme = "harbour";',
            "composer.json": "{}",
        },
    )
    assert outcome(script, tmp_path / "shops/a") == {"theme": "harbour"}


def test_a_refusal_names_the_folder_and_the_rule(tmp_path: Path) -> None:
    """If a script reads outside its project, the error names the project's folder, and the
    rule for it.
    """
    script = lay(tmp_path, {"a/s.ts": 'import "../x";', "x.ts": "", "a/tool.config.json": "{}"})
    found = outcome(script, tmp_path / "a")
    assert isinstance(found, EvaluationFailed)
    advice = "a configuration script can read only the environment and its project: "
    rule = (
        f"`{tmp_path}/a`, the topmost folder with a `composer.json`, a `package.json` or a "
        f"configuration"
    )
    assert (found.message, found.advice) == (
        f"the script is not allowed to do this: reading {tmp_path}/x.ts",
        advice + rule,
    )


def test_links_inside_the_project_are_followed(project: Path) -> None:
    """Packages that are linked within the project, as pnpm does, are found."""
    files = ts('import { theme } from "esm"; export default { theme }') | PACKAGES
    script = lay(project, files)
    (project / "node_modules" / "esm").rename(project / "store")
    (project / "node_modules" / "esm").symlink_to("../store")
    (project / "store" / "node_modules").mkdir()
    (project / "store" / "node_modules" / "cjs").symlink_to("../../node_modules/cjs")
    assert outcome(script, project) == {"theme": "esm+cjs/"}


def test_a_link_to_a_script_is_the_script(project: Path) -> None:
    """A configuration that is a link inside the project imports the files beside its target."""
    script = lay(
        project,
        {
            "real/c.ts": 'import a from "./h";\nexport default { a }',
            "real/h.ts": "export default 1",
        },
    )
    (project / "tool.config.ts").symlink_to(script)
    assert outcome(project / "tool.config.ts", project) == {"a": 1}


@pytest.mark.parametrize(
    "folder",
    ["-q", "a b#c?d%25e,f'g\"h&i;j\\k \u00fcn\u00ef \u4f60\u597d"],
)
def test_any_name_of_a_folder(project: Path, folder: str) -> None:
    """A path may have spaces, commas, and characters with a meaning in addresses and flags."""
    files = ts(
        'import b from "./lib/b"; import { theme } from "esm";'
        'import { defineConfig } from "tool"; export default defineConfig({ b, theme })'
    )
    script = lay(project / folder, files | {"lib/b.ts": "export default 1 as number"} | PACKAGES)
    (project / folder / ".git").mkdir()
    broken = lay(project / folder, here("broken.ts", "\nthrow new Error('no')"))
    expected = ({"b": 1, "theme": "esm+cjs/"}, failed("threw", "Error: no", at="broken.ts:1:7"))
    assert (outcome(script, project / folder), outcome(broken, project / folder)) == expected


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("tool.config.ts", "{"),
        ("tool.config.cts", "\0"),
        ("tool.config.js", '{"type": "commonjs", "imports": 1}'),
    ],
)
def test_a_package_above_the_project_decides_nothing(project: Path, name: str, text: str) -> None:
    """Whatever is in a `package.json` above the folder with `.git`, a script and its imports are
    evaluated.
    """
    files = {
        name: 'import a from "./a"; import p from "cjs"; export default { a, theme: p.theme };'
    }
    script = lay(project, files | {"a.js": "export default 1;"} | PACKAGES)
    for above in ("package.json", "deno.json", "tsconfig.json", "node_modules/cjs/package.json"):
        lay(project.parent, {above: text})
    assert outcome(script, project) == {"a": 1, "theme": "cjs/"}


def test_a_current_folder_outside_the_project_stays_out(project: Path) -> None:
    """If the current folder is outside the project, the script runs at the root of its project."""
    script = lay(project, ts('export default { at: Deno.cwd().split("/").at(-1) }'))
    assert outcome(script, project.parent) == {"at": "project"}


def test_unreadable(project: Path) -> None:
    """A script that cannot be read is reported as unreadable, whatever the reason."""
    (project / "folder.ts").mkdir()
    os.mkfifo(project / "pipe.ts")
    results = tuple(outcome(Path(name), project) for name in ("folder.ts", "pipe.ts", "missing.ts"))
    assert results == (
        ConfigUnreadable("folder.ts", "it is not a file"),
        ConfigUnreadable("pipe.ts", "it is not a file"),
        ConfigUnreadable("missing.ts", "no such file or directory"),
    )
