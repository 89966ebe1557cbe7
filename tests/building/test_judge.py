"""What an update breaks, reported before it is built (`docs/building.md`)."""

import shlex
from collections.abc import Mapping

import pytest

from io_edges.building import view as look
from tests.support.miniatures import (
    Files,
    prestashop_module,
    prestashop_theme,
    within,
    wordpress_theme,
)
from tests.support.project import Project

CHILD = {
    **wordpress_theme("Child", "Template: sea\n"),
    "woocommerce/cart/cart.php": "<?php /* @version 3.5 */ cart",
}


def put(project: Project, folder: str, files: Mapping[str, str | bytes]) -> None:
    """Put files into a folder of the project, as a system or somebody does."""
    for name, content in files.items():
        project.write(f"{folder}/{name}", content)


def archive(project: Project, path: str, files: Files) -> None:
    """Make the archive of a component."""
    name = path.rpartition("/")[2]
    project.archive(f"drop/{name}.zip", within(name, files))


def reported(project: Project, code: str, *args: str, command: str = "create") -> list[str]:
    """The messages of the warnings of one kind."""
    ran = project.run(command, "drop", *args, "--log-format=json")
    return [each["message"] for each in ran.reported("warning") if each["code"] == code]


def unmet(project: Project, *args: str) -> tuple[int, list[str]]:
    """The exit code of a run, and its errors about what components require."""
    ran = project.create("drop", *args)
    return ran.code, [
        each["message"] for each in ran.reported("error") if each["error"] == "UnmetRequirement"
    ]


@pytest.fixture
def updating(project: Project) -> Project:
    """A project with a module, a theme that overrides a file of it, and an archive in which that
    has changed.
    """
    component, file = "modules/ps_banner", "views/templates/hook/banner.tpl"
    files = prestashop_module("ps_banner")
    archive(project, component, {**files, file: "one"})
    assert project.create("drop").code == 0
    put(project, "themes/harbour", {**prestashop_theme("harbour"), f"{component}/{file}": "mine"})
    archive(project, component, {**files, file: "two", "more.txt": "new"})
    return project


def test_an_override_falls_behind(updating: Project) -> None:
    """One warning names the override and the updated file; a dry run, `status` and the run itself
    report it, the next run does not.
    """
    file, project = "modules/ps_banner/views/templates/hook/banner.tpl", updating
    pair = f"`themes/harbour/{file}` overrides `{file}`"
    expected = [f"the update of `modules/ps_banner` changes files that a theme overrides: {pair}"]
    assert reported(project, "stale-override", "--dry-run") == expected
    assert reported(project, "stale-override", command="status") == expected
    assert reported(project, "stale-override") == expected
    assert reported(project, "stale-override") == []


def version(number: str, count: int, prefix: str = "") -> Files:
    """A version of a module, with some files."""
    marker = {"module.json": f'{{"name": "m", "version": "{number}"}}'}
    return {**marker, **{f"{prefix}f{each}.php": f"{number} {each}" for each in range(count)}}


SHOP = "src/Core/Version.php"
VERSION = "<?php class C {{ const VERSION = '{}'; }}"
LIMITED: Files = {
    **prestashop_module("tides"),
    "tides.php": str(prestashop_module("tides")["tides.php"]).replace(
        "parent::", "$this->ps_versions_compliancy = ['min' => '1.7', 'max' => '8.1']; parent::"
    ),
}


def test_the_system_is_too_old(project: Project) -> None:
    """A component is neither added nor updated if the system is too old or too new for it; others
    are built.
    """
    path, wrong = "modules/tides", "1.6.9"
    put(project, ".", {"config/defines.inc.php": "<?php", "classes/index.php": ""})
    archive(project, path, LIMITED)
    project.archive("drop/modules/other.zip", {"other/module.json": '{"name": "other"}'})
    assert unmet(project, "-n") == (0, [])
    project.write(SHOP, VERSION.format("8.1.7"))
    assert unmet(project, "-n") == (0, [])
    project.write(SHOP, VERSION.format(wrong))
    expected = (
        f"`{path}` requires PrestaShop `1.7 - 8.1`, but the project has {wrong}; it is not built"
    )
    assert unmet(project, "-n") == unmet(project) == (73, [expected])
    assert [(project.root / each).exists() for each in (path, "modules/other")] == [False, True]
    assert expected in reported(project, "problem-ahead", command="status")[0]
    assert unmet(project, "--force", path) == unmet(project) == (0, [])
    assert reported(project, "problem-ahead", command="status") == []


def test_a_part_of_a_component(project: Project) -> None:
    """An archive that would leave less than half of a component stops a run; `--force` builds it,
    and undo needs no flag.
    """
    archive(project, "modules/m", version("1.0", 12))
    assert project.create("drop").code == 0
    before = project.tree
    archive(project, "modules/m", version("1.1", 3))
    assert (
        "1.0 → 1.1  m.zip  newer in the drop: 13 files change, 9 removed"
        in project.run("status", "drop").out
    )
    (warning,) = reported(project, "problem-ahead", command="status")
    refused, dry = project.create("drop"), project.create("drop", "-n")
    (error,) = refused.reported("error")
    assert (refused.code, error["error"], dry.reported("error")) == (73, "PartialArchive", [error])
    assert warning == f"`tool create` would stop: {error['message']}"
    assert error["message"].startswith(
        "`m.zip` has only 4 files and would leave 4 of the 13 files in `modules/m`"
    )
    assert (project.tree, project.create("drop", "--keep-going").code) == (before, 73)
    done = project.create("drop", "--merge", "--force", "modules/m")
    (update,) = done.reported("component")
    assert (done.code, len(project.tree), update["removed"], len(update["changes"])) == (
        0,
        4,
        9,
        13,
    )
    assert [
        project.create("drop", "-n").code,
        project.run("undo").code,
        project.tree == before,
    ] == [0, 0, True]


def test_the_day_after(project: Project) -> None:
    """If the system has updated a module over an edit and the archive of that version arrives, only
    the record changes.
    """
    archive(project, "modules/m", version("1.7", 3))
    assert project.create("drop").code == 0
    project.write("modules/m/f1.php", "mine")
    assert [each["record"] for each in project.create("drop").reported("summary")] == [False]
    put(project, "modules/m", version("1.8", 3))
    assert reported(project, "edits-replaced", command="status") == [
        "version 1.8 of `modules/m`, which no run built, replaced your edits to `f1.php`"
    ]
    assert project.create("drop").code == 0
    archive(project, "modules/m", version("1.8", 3))
    assert "1.7  m.zip  replaced: 1.8 is on disk\n" in project.run("status", "drop").out
    assert project.run("status", "drop", "--check").code == 80
    dry, done = project.create("drop", "-n"), project.create("drop")
    for ran in (dry, done):
        (component,), (summary,) = ran.reported("component"), ran.reported("summary")
        assert (component["action"], component["recorded"], component["previous"]) == (
            "keep",
            True,
            "1.7",
        )
        assert (summary["record"], summary["kept"], summary["updated"]) == (True, 1, 0)
        assert ran.reported("warning") == []
    assert "recorded  modules/m  1.7 → 1.8, updated by the system" in project.run("log").out
    assert project.create("drop").reported("summary")[0]["record"] is False
    ran = project.run("undo", "--log-format=json")
    (component,), (summary,) = ran.reported("component"), ran.reported("summary")
    assert (component["recorded"], component["previous"], component["version"]) == (
        True,
        "1.8",
        "1.7",
    )
    assert (component["downgrade"], summary["record"], summary["kept"]) == (True, True, 1)
    assert project.run("log").out.endswith(
        "tool undo --log-format=json\n  recorded  modules/m  1.8 → 1.7\n"
    )
    assert "replaced: 1.8 is on disk" in project.run("status", "drop").out


def test_the_command_shows_the_change(updating: Project) -> None:
    """The help of the warning is a command that can be pasted in the folder of the run."""
    project = updating
    (project.root / "drop").rename(project.root / "-d p")
    (project.root / "elsewhere").mkdir()
    ran = project.run(
        "create", "-n", "../-d p", "--output=..", "--log-format=json", cwd="elsewhere"
    )
    (warning,) = [each for each in ran.reported("warning") if each["code"] == "stale-override"]
    command = shlex.split(warning["help"].split("`")[1])
    shown = project.run(*command[1:], cwd="elsewhere")
    assert (command[:3], shown.code) == (["tool", "diff", "../-d p"], 0)
    assert "-one\n\\ No newline at end of file\n+two\n" in shown.out


def test_themes_behind_links(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """A theme behind a link is read with its files; one with too many files is ignored."""
    put(project, "elsewhere", CHILD)
    project.write("themes/readme.txt", "")
    project.write("themes/empty/style.css", "")
    (project.root / "themes/child").symlink_to(project.root / "elsewhere")
    found = look.themes_in(project.root, ("themes", "themes/custom"))
    assert {path: (each.component.parent, each.files) for path, each in found.items()} == {
        "themes/child": ("sea", frozenset(CHILD))
    }
    assert look.content_of(project.root, "themes/child/woocommerce/cart/cart.php").endswith(b"cart")
    assert look.content_of(project.root, "themes/child/woocommerce") == b""
    monkeypatch.setattr(look, "_LIMIT", len(CHILD))
    assert look.themes_in(project.root, ("themes",)) == {}
