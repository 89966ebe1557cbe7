"""Configurations as people write them are evaluated."""

from pathlib import Path

import pytest

from tests.support.scripts import Files, failed, lay, outcome, read_cases, ts
from tests.support.sweep import sample

HARBOUR = {"theme": "harbour"}
PACKAGES: Files = {
    "package.json": (
        '{"name": "shop", "version": "2.1.0", "private": true, "dependencies": {"names": "1"}}'
    ),
    "node_modules/names/package.json": '{"name": "names", "main": "./index.js"}',
    "node_modules/names/index.js": (
        'exports.theme = "harbour"; exports.upper = (s) => s.toUpperCase();'
    ),
    "node_modules/@shop/esm/package.json": (
        '{"name": "@shop/esm", "type": "module", "exports": {".": "./m.js"}}'
    ),
    "node_modules/@shop/esm/m.js": 'export default "harbour"; export * as inner from "./inner.js";',
    "node_modules/@shop/esm/inner.js": "export const count = 2;",
    "node_modules/typed/package.json": (
        '{"name": "typed", "type": "module", "main": "index.js", "types": "index.d.ts"}'
    ),
    "node_modules/typed/index.js": 'export function pick(list) { return list.at(0) ?? "none"; }',
    "node_modules/typed/index.d.ts": (
        "export declare function pick(list: readonly string[]): string;"
    ),
    "node_modules/@team/presets/package.json": '{"name": "@team/presets", "type": "module"}',
    "node_modules/@team/presets/plain.js": 'import { definePreset } from "tool";\n'
    'export default definePreset({ theme: ["harbour"][0] });',
    "node_modules/@team/presets/typed.ts": 'import { definePreset, type ToolPreset } from "tool";\n'
    'import { Theme } from "./theme.ts";\n'
    "const preset: ToolPreset = { theme: Theme.Harbour };\n"
    "export default definePreset(preset);",
    "node_modules/@team/presets/theme.ts": 'export enum Theme { Harbour = "harbour" }',
    "node_modules/@team/presets/common.cts": (
        'const theme: string = ["harbour"][0]; module.exports = { theme };'
    ),
}

CONFIGURATIONS = {
    **read_cases("configurations"),
    "a long chain of conditions": (
        ts(
            "const n: number = 99;\nexport default { n: "
            + "".join(f"n === {i} ? {i} : " for i in range(120))
            + "-1 };"
        ),
        {"n": 99},
    ),
    "a long list": (
        ts(
            "export default { modules: { exclude: ["
            + ",".join(f'"m{i}"' for i in range(3000))
            + "] } };"
        ),
        {"modules": {"exclude": [f"m{i}" for i in range(3000)]}},
    ),
}


@pytest.fixture
def shop(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with packages and files to import."""
    lay(
        project,
        PACKAGES
        | {
            "lib/data.json": '{"theme": "harbour"}',
            "lib/theme.ts": 'export const theme: string = "harbour";',
        },
    )
    monkeypatch.delenv("CI", raising=False)
    return project


@pytest.mark.rule("Discovery, candidate `tool.config.ts`", "Discovery, candidate `tool.config.js`")
@pytest.mark.sweep
@pytest.mark.parametrize("name", sample([*CONFIGURATIONS], 14))
def test_a_configuration(shop: Path, name: str) -> None:
    """An ordinary configuration gives its data."""
    files, expected = CONFIGURATIONS[name]
    assert outcome(lay(shop, files), shop) == expected


@pytest.mark.parametrize("name", ["plain.js", "typed.ts", "common.cts"])
def test_a_script_that_is_in_a_package(shop: Path, name: str) -> None:
    """A preset in a package may import `tool` and its neighbours, in JavaScript and in
    TypeScript.
    """
    assert outcome(shop / "node_modules/@team/presets" / name, shop) == HARBOUR


def test_a_place_in_a_script_of_a_package(shop: Path) -> None:
    """An error in a package's TypeScript is reported where it is written."""
    script = lay(
        shop,
        {
            "node_modules/@team/presets/wrong.ts": (
                "const theme: string = nope();\nexport default { theme };"
            )
        },
    )
    fault = failed(
        "threw",
        "ReferenceError: nope is not defined",
        at="node_modules/@team/presets/wrong.ts:1:23",
    )
    assert outcome(script, shop) == fault


@pytest.mark.parametrize("script", ["broken.ts", "importing.ts"])
def test_a_mistake_in_typescript_of_a_package(shop: Path, script: str) -> None:
    """If TypeScript of a package cannot be parsed, that is the fault, at its position, and not the
    folder of the package.
    """
    folder = "node_modules/@team/presets"
    lay(
        shop,
        {
            f"{folder}/broken.ts": "const theme: string =;",
            f"{folder}/importing.ts": 'import "./broken.ts";',
        },
    )
    fault = failed("syntax", "Expression expected", at=f"{folder}/broken.ts:1:22")
    assert outcome(shop / folder / script, shop) == fault
