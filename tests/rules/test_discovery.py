"""Discovery: which file is the configuration."""

from pathlib import PurePath
from typing import Any

import pytest

from tests.support.errors import error
from tests.support.project import Project, Ran

CANDIDATES = ("tool.config.ts", "tool.config.js", "tool.config.json", "package.json")
CONTENTS: dict[str, Any] = {
    "tool.config.ts": 'export default { theme: "none" };',
    "tool.config.js": 'module.exports = { theme: "none" };',
    "tool.config.json": {"theme": "none"},
    "package.json": {"tool": {"theme": "none"}},
}


def write(project: Project, *paths: str) -> None:
    """Write candidates, each with a content of its kind."""
    for path in paths:
        project.write(path, CONTENTS[PurePath(path).name])


def taken(ran: Ran) -> str | None:
    """The file that a run took, if any: each sets `theme`."""
    assert ran.code == 0
    theme = ran.decided["theme"]
    return str(theme["source"]).split(":")[0] if theme["layer"] == "config" else None


@pytest.mark.rule("Discovery, rule 1")
@pytest.mark.parametrize("first", range(4), ids=CANDIDATES)
def test_the_first_candidate_of_a_folder_wins(project: Project, first: int) -> None:
    """Within one folder `.ts` comes first, then `.js`, then `.json`, then the key of `package.json`."""
    write(project, *CANDIDATES[first:])
    assert taken(project.create(".", "--dry-run")) == CANDIDATES[first]


@pytest.mark.rule("Discovery, candidate `tool.config.ts`")
def test_a_typescript_file_is_a_candidate(project: Project) -> None:
    """`tool.config.ts` is evaluated, with its types, and its values have their places."""
    project.write(
        "tool.config.ts",
        'import type { ToolConfig } from "tool";\n'
        'const c: ToolConfig = { theme: "none", presets: [String("ci")] };\nexport default c;',
    )
    decided = project.create(".", "--dry-run").decided["theme"]
    assert decided["value"] == "none"
    assert decided["layer"] == "config"
    assert decided["source"] == "tool.config.ts:2:32"


@pytest.mark.rule("Discovery, candidate `tool.config.js`")
@pytest.mark.parametrize(
    "content",
    [
        'export default { theme: "none", presets: [String("ci")] };',
        'module.exports = { theme: "none", presets: [String("ci")] };',
    ],
    ids=["module", "commonjs"],
)
def test_a_javascript_file_is_a_candidate(project: Project, content: str) -> None:
    """`tool.config.js` is evaluated, as an ES module and as CommonJS."""
    project.write("tool.config.js", content)
    decided = project.create(".", "--dry-run").decided["theme"]
    assert decided["value"] == "none"
    assert decided["layer"] == "config"
    assert decided["source"] in {"tool.config.js:1:25", "tool.config.js:1:27"}


@pytest.mark.rule("Discovery, candidate `tool.config.json`", "Discovery, candidate `package.json`")
@pytest.mark.parametrize(
    ("file", "text", "place"),
    [
        ("tool.config.json", '{"theme": "none"}', "1:11"),
        ("package.json", '{\n  "name": "shop",\n  "version": "1.0.0",\n  "tool": {"theme": "none"}\n}', "4:21"),
    ],
)
def test_a_json_file_is_a_candidate(project: Project, file: str, text: str, place: str) -> None:
    """`tool.config.json` is plain JSON; so is the object under the key `tool` of `package.json`."""
    project.write(file, text)
    ran = project.create(".")
    assert ran.code == 0
    assert ran.decided["theme"] == {
        "event": "decision",
        "path": "theme",
        "value": "none",
        "layer": "config",
        "source": f"{file}:{place}",
        "overridden": [{"layer": "default", "source": "built-in", "value": "auto"}],
    }


@pytest.mark.rule("Discovery, candidate, kind")
def test_a_folder_is_no_candidate(project: Project) -> None:
    """A folder that has the name of a candidate is passed over."""
    (project.root / "tool.config.ts").mkdir()
    (project.root / "tool.config.json").mkdir()
    write(project, "package.json")
    assert taken(project.create(".", "--dry-run")) == "package.json"


@pytest.mark.rule("Discovery, walk, start and direction")
def test_the_search_goes_upward(project: Project) -> None:
    """The current folder is searched, then each above it: the nearest wins, whatever its kind; no other is searched."""
    write(project, "tool.config.ts", "shop/package.json", "shop/other/tool.config.ts", "shop/theme/sub/tool.config.ts")
    assert taken(project.create(".", "--dry-run", cwd="shop/theme")) == "../package.json"


@pytest.mark.rule("Discovery, walk, end at `.git`")
@pytest.mark.parametrize("kind", ["folder", "file"])
def test_the_search_stops_at_git(project: Project, kind: str) -> None:
    """The first folder that contains `.git`, a folder or, as in a worktree, a file, is the last that is searched."""
    write(project, *CANDIDATES)
    (project.root / "shop/sub").mkdir(parents=True)
    if kind == "folder":
        (project.root / "shop/.git").mkdir()
    else:
        project.write("shop/.git", "gitdir: ../.git/worktrees/shop\n")
    assert taken(project.create(".", "--dry-run", cwd="shop/sub")) is None
    write(project, "shop/tool.config.json")
    assert taken(project.create(".", "--dry-run", cwd="shop/sub")) == "../tool.config.json"


@pytest.mark.rule("Discovery, walk, end at the root")
def test_without_git_the_search_goes_on(project: Project) -> None:
    """Without `.git` on the way the search goes on to the folders above."""
    (project.root / ".git").rmdir()
    write(project, "../tool.config.json")
    (project.root / "shop").mkdir()
    assert taken(project.create(".", "--dry-run", cwd="shop")) == "../../tool.config.json"


@pytest.mark.rule("Discovery, walk, nothing found")
def test_nothing_found_is_no_error(project: Project) -> None:
    """Where no candidate is found the build goes on without a configuration."""
    project.module("shop_a")
    ran = project.create(".")
    assert ran.code == 0
    assert sorted(project.tree) == ["modules/shop_a/shop_a.php"]
    assert {each["layer"] for each in ran.decided.values()} == {"default", "env"}


@pytest.mark.rule("Discovery, rule 2")
@pytest.mark.parametrize("path", ["settings/ci.json", "{root}/settings/ci.json"], ids=["relative", "absolute"])
def test_the_flag_config_skips_discovery(project: Project, path: str) -> None:
    """`--config` uses the given path, relative to the current folder, and no other file is read."""
    write(project, *CANDIDATES[:2])
    project.write("tool.config.json", "not JSON")
    project.write("package.json", "not JSON")
    project.write("settings/ci.json", {"theme": "none"})
    ran = project.create(".", "--dry-run", f"--config={path.format(root=project.root)}")
    assert ran.code == 0
    assert ran.decided["theme"]["source"] == "settings/ci.json:1:11"
    assert [each["code"] for each in ran.told("warning")] == ["nothing-to-build"]


@pytest.mark.rule("Discovery, rule 3", "Errors, 66")
def test_a_missing_config_is_not_searched_for_elsewhere(project: Project) -> None:
    """A path given with `--config` that does not exist ends in 66, also where discovery would find a file."""
    write(project, "tool.config.json", "package.json")
    (project.root / "shop").mkdir()
    ran = project.create(".", "--config=tool.config.json", cwd="shop")
    assert ran.code == 66
    assert ran.events == [error("ConfigNotFound", 66, None, None, "tool.config.json")]
