"""Links among modules: a linked file imports the files beside the link's target, as in Node."""

from pathlib import Path

import pytest

from pipeline.report.diagnostics.scripts import EvaluationFailed
from tests.support.scripts import Files, failed, lay, outcome

SHARED: Files = {
    "a/tool.config.ts": 'import { theme } from "./lib.ts"; export default { theme };',
    "common/lib.ts": 'export { theme } from "./theme.ts";',
    "common/theme.ts": 'export const theme = "harbour";',
    "theme.ts": 'export const theme = "above";',
}


@pytest.mark.parametrize("beside", [{}, {"a/theme.ts": 'export const theme = "wrong";'}])
def test_an_imported_link(project: Path, beside: Files) -> None:
    """A linked module imports the files beside its target, not those beside the link."""
    script = lay(project, SHARED | beside)
    (project / "a/lib.ts").symlink_to("../common/lib.ts")
    assert outcome(script, project) == {"theme": "harbour"}


def test_a_linked_folder(project: Path) -> None:
    """A module in a linked folder imports from the folders around the target."""
    files = {
        "a/tool.config.ts": 'import { theme } from "./linked/lib.ts"; export default { theme };',
        "common/lib.ts": 'export { theme } from "../theme.ts";',
    }
    script = lay(project, SHARED | files | {"a/theme.ts": 'export const theme = "wrong";'})
    (project / "a/linked").symlink_to("../common")
    assert outcome(script, project) == {"theme": "above"}


def test_the_address_of_a_linked_module(project: Path) -> None:
    """A linked module knows itself by the name and the folder of its target."""
    script = lay(
        project,
        SHARED
        | {
            "common/lib.ts": (
                'export const theme = import.meta.filename.split("/").slice(-2).join("/");'
            )
        },
    )
    (project / "a/lib.ts").symlink_to("../common/lib.ts")
    assert outcome(script, project) == {"theme": "common/lib.ts"}


@pytest.mark.parametrize("linked", [True, False])
def test_a_package_in_typescript(project: Path, linked: bool) -> None:
    """A TypeScript package may import its files by their compiled names, even if it is a link."""
    folder = "packages/names" if linked else "node_modules/@team/names"
    script = lay(
        project,
        {
            "tool.config.ts": 'import { theme } from "@team/names"; export default { theme };',
            f"{folder}/package.json": (
                '{"name": "@team/names", "type": "module", "main": "index.ts"}'
            ),
            f"{folder}/index.ts": 'export { theme } from "./theme.js";',
            f"{folder}/theme.ts": 'export const theme: string = "harbour";',
        },
    )
    if linked:
        (project / "node_modules/@team").mkdir(parents=True)
        (project / "node_modules/@team/names").symlink_to("../../packages/names")
    assert outcome(script, project) == {"theme": "harbour"}


def test_a_link_out_of_the_project(project: Path) -> None:
    """A module behind a link out of the project is read; its imports from there are refused."""
    outside = project.parent / "outside"
    lay(outside, {"lib.mjs": 'export { default } from "./secret.mjs";'})
    script = lay(
        project,
        {
            "alone.ts": 'export { default } from "./a.mjs";',
            "more.ts": 'export { default } from "./b.mjs";',
        },
    )
    (project / "a.mjs").symlink_to(outside / "secret.mjs")
    (project / "b.mjs").symlink_to(outside / "lib.mjs")
    assert outcome(script, project) == {"secret": True}
    scope = f"`{project}`, the nearest folder with `.git`"
    refused = failed("denied", f"reading {outside}/secret.mjs", at="b.mjs:1:25", scope=scope)
    assert outcome(project / "more.ts", project) == refused


def test_a_package_linked_from_outside(project: Path) -> None:
    """A package that is linked from outside the project is refused, and its folder is named."""
    lay(
        project.parent / "outside/pack",
        {"package.json": '{"name": "pack", "main": "m.js"}', "m.js": ""},
    )
    script = lay(
        project, {"tool.config.ts": 'import "pack"; export default {};', "node_modules/x": ""}
    )
    (project / "node_modules/pack").symlink_to(project.parent / "outside/pack")
    found = outcome(script, project)
    assert isinstance(found, EvaluationFailed)
    assert (found.fault, found.detail) == ("denied", f"reading {project.parent}/outside/pack/m.js")
