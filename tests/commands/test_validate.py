"""`tool config validate`, run as a user would: which files are checked, and as what
(`docs/howto/git-and-ci.md`).
"""

import json
import subprocess

import pytest

from tests.support.privileges import give_away
from tests.support.project import Project


def test_an_error_has_its_place(project: Project) -> None:
    """An error is one event with its file, line and column, relative to the current folder."""
    project.write("sub/tool.config.json", '{"theme": "𝄞", "x": 1}')
    ran = project.run("config", "validate", "--log-format=json", cwd="sub")
    (error,) = [json.loads(line) for line in ran.err.splitlines()[1:]]
    assert (ran.code, ran.out) == (65, "")
    assert [error[name] for name in ("error", "file", "line", "column")] == [
        *("SchemaValidationError", "tool.config.json", 1, 16)
    ]


def test_a_runtime_that_is_missing(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """A script that cannot be evaluated without Deno is an error of its own (69)."""
    from io_edges.cli.validate import ValidateFlags, validate
    from io_edges.report.console import Console
    from io_edges.scripts import deno
    from io_edges.system.stop import Stop
    from pipeline.report.diagnostics.scripts import ScriptRuntimeUnavailable

    project.write("tool.config.js", "export default Object({})")
    monkeypatch.chdir(project.root)
    monkeypatch.setattr(deno, "find", lambda: None)
    with pytest.raises(Stop) as stopped:
        validate(flags=ValidateFlags(), console=Console())
    assert [type(error) for error in stopped.value.errors] == [ScriptRuntimeUnavailable]


@pytest.mark.parametrize("name", ["tool.config.js", "."])
def test_a_script_is_evaluated_once(project: Project, name: str) -> None:
    """A script is evaluated once, whether it is named or found in a folder."""
    project.write("tool.config.js", 'console.log("here"); export default {};')
    ran = project.run("config", "validate", "--log-format=json", name)
    assert (ran.code, ran.out) == (0, "tool.config.js: valid\n")
    assert len(ran.reported("output")) == 1


def test_warnings_leave_a_file_valid(project: Project) -> None:
    """A warning has its position and leaves the file valid, so the file is listed."""
    project.write(".tool.json", '{\n"themeName": "a"}')
    ran = project.run("config", "validate", "--log-format=json", env={"TOOL_THEM": "x"})
    assert (ran.code, ran.out) == (0, ".tool.json: valid\n")
    assert [(each["code"], each["source"]) for each in ran.reported("warning")] == [
        ("misspelt-variable", "TOOL_THEM"),
        ("legacy-key", ".tool.json:2:1"),
    ]


@pytest.mark.parametrize(
    ("config", "args"),
    [
        ({"presets": ["./presets/x.json"]}, ["presets/x.json"]),
        ({"presetsSearchPath": ["presets"]}, ["presets/x.json"]),
        (
            {"presetsSearchPath": ["presets"], "presets": ["x"]},
            ["tool.config.json", "presets/x.json"],
        ),
    ],
)
def test_a_preset_is_judged_as_one(
    project: Project, config: dict[str, object], args: list[str]
) -> None:
    """A file that a configuration lists, or could find, is a preset: it cannot choose presets."""
    project.write("tool.config.json", config)
    project.write("presets/x.json", {"presets": ["ci"]})
    ran = project.run("config", "validate", *args, "--log-format=json")
    assert (ran.code, {each["path"] for each in ran.reported("error")}) == (65, {"presets"})
    project.write("presets/x.json", {"theme": "a"})
    ran = project.run("config", "validate", *args)
    assert (ran.code, ran.out) == (0, "".join(f"{each}: valid\n" for each in args))


def test_a_preset_among_the_arguments(project: Project) -> None:
    """The files that a named configuration lists are presets, wherever it is."""
    project.write("shop/conf.json", {"presets": ["../common/x.json"]})
    project.write("common/x.json", {"presetsSearchPath": ["p"]})
    assert project.run("config", "validate", "common/x.json").code == 0
    assert project.run("config", "validate", "common/x.json", "shop/conf.json").code == 65


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        (
            "a.ts",
            (
                'import { definePreset } from "tool";\nexport default definePreset({ presets: '
                '["ci"] '
                "});\n"
            ),
            65,
        ),
        (
            "a.ts",
            (
                'import * as t from "tool";\nconst p = t.definePreset({ presets: [] });\nexport '
                "default p;\n"
            ),
            65,
        ),
        (
            "a.cjs",
            (
                'const p = require("tool").definePreset(() => ({ presets: [] }));\nmodule.exports '
                "= "
                "p;\n"
            ),
            65,
        ),
        (
            "a.ts",
            (
                'import { definePreset } from "tool";\ndefinePreset({});\nexport default { '
                "presets: "
                "[] };\n"
            ),
            0,
        ),
        (
            "a.ts",
            "const definePreset = (it) => it;\nexport default definePreset({ presets: [] });\n",
            0,
        ),
    ],
)
def test_a_preset_by_what_is_exported(project: Project, name: str, text: str, code: int) -> None:
    """A script is a preset if it exports the result of the tool's `definePreset`, however it is
    written.
    """
    project.write(name, text)
    assert project.run("config", "validate", name).code == code


def test_a_folder(project: Project) -> None:
    """A folder stands for the configurations below it, except those behind links or in hidden,
    foreign, ignored or built folders.
    """
    for folder in (
        "shops/a",
        "shops/b",
        "node_modules/x",
        "vendor/x",
        ".x",
        "themes/x",
        "modules/x",
        "out",
    ):
        project.write(f"{folder}/tool.config.json", {"schema": 1})
    project.write("shops/c/package.json", {"tool": {"theme": "x"}})
    project.write("shops/d/package.json", {"name": "x"})
    project.write(".gitignore", "out\n")
    subprocess.run(["git", "init", "-q"], cwd=project.root, check=True)
    (project.root / "shops/e").mkdir()
    (project.root / "shops/e/tool.config.json").symlink_to("../a/tool.config.json")
    ran = project.run("config", "validate", ".")
    expected = ("shops/a/tool.config.json", "shops/b/tool.config.json", "shops/c/package.json")
    assert (ran.code, ran.out) == (0, "".join(f"{each}: valid\n" for each in expected))
    project.write("shops/b/tool.config.json", {"presets": ["gone"]})
    assert project.run("config", "validate", "shops").code == 67
    nothing = project.run("config", "validate", "shops/d", "--log-format=json")
    assert (nothing.code, [each["error"] for each in nothing.reported("error")]) == (
        66,
        ["ConfigNotFound"],
    )


@pytest.mark.parametrize("how", ["nowhere", "no git", "another user"])
def test_git_cannot_say_what_it_ignores(project: Project, how: str) -> None:
    """If a `.git` leads nowhere, or git is missing or refuses another user's checkout, one line
    says so.
    """
    project.write("out/tool.config.json", {"schema": 1})
    project.write(".gitignore", "out\n")
    subprocess.run(["git", "init", "-q"], cwd=project.root, check=True)
    if how == "nowhere":
        (project.root / ".git").rename(project.root / ".moved")
        project.write(".git", "gitdir: nowhere\n")
    if how == "another user":
        give_away(project.root, project.root / ".git")
    ran = project.run(
        "config", "validate", ".", env={"PATH": "/nowhere"} if how == "no git" else {}
    )
    assert (ran.code, ran.out) == (0, "out/tool.config.json: valid\n")
    assert ran.err.startswith("git could not say what it ignores, so that nothing is left out: ")
    assert len(ran.err.splitlines()) == 1


def test_where_components_are_built(project: Project) -> None:
    """A folder that a record names as a target folder is not searched, whatever its name."""
    project.module("m", "drop/m.zip")
    assert project.run("create", "drop", "--output=shop", "--modules-dir=src/plugins").code == 0
    for folder in ("shop", "shop/src/plugins/m", "shop/src/other"):
        project.write(f"{folder}/tool.config.json", {"schema": 1})
    ran = project.run("config", "validate", ".")
    assert ran.out == "shop/tool.config.json: valid\nshop/src/other/tool.config.json: valid\n"
