"""A component that its system has updated by itself is recognised, and two versions are never mixed
in it.
"""

import json
from pathlib import Path

import pytest

from tests.support.project import Project
from tests.support.sites import (
    archives,
    backed_up,
    built,
    codes,
    errors,
    install,
    record_of,
    status_of,
)

VERSIONS = pytest.mark.parametrize(
    "versions",
    [
        ("1.0", "1.1", "1.2"),
        ("2024-01-05", "2024-02-07", "2025-01-01"),
        ("5.8.2-pro", "5.9.0-pro", "6.0-pro"),
        ("r12", "r13", "r14"),
    ],
    ids="-".join,
)
"""A version that is built, the one that the system puts in its place, and a later one."""


def module(version: str, **files: str) -> dict[str, str]:
    """The files of a version of a module; but for the one that is named after it, they are
    much the same.
    """
    marker = json.dumps({"name": "m", "version": version})
    return {
        "m/module.json": marker,
        "m/a.php": f"a {version}",
        "m/b.php": f"b {version}",
        "m/s.css": "s",
        **files,
    }


@pytest.fixture(params=["in the drop", "not in the drop"])
def has_archive(request: pytest.FixtureRequest) -> bool:
    """Whether the drop has the archive that was built."""
    return bool(request.param == "in the drop")


@VERSIONS
def test_a_nightly_run_leaves_it_alone(
    project: Project, versions: tuple[str, str, str], has_archive: bool
) -> None:
    """No file of the built version comes back, whether its archive is in the drop or not, and
    whatever the flags.
    """
    old, new = (
        module(versions[0], **{"m/legacy.php": "old"}),
        module(versions[1], **{"m/new.php": "new"}),
    )
    archives(project, m=old)
    assert project.create().code == 0
    install(project, new)
    project.module("other")
    if not has_archive:
        (project.root / "m.zip").unlink()
    warning = "drop-behind" if has_archive else "kept-components"
    for flags in ((), ("--force",), ("--mine",), ("--merge", "--force")):
        ran = project.create(".", *flags)
        assert (ran.code, warning in codes(ran), backed_up(project)) == (0, True, [])
        assert {name: text for name, text in project.tree.items() if "/m/" in name} == built(new)
        (said,) = [each for each in ran.reported("component") if each["path"] == "modules/m"]
        assert (said["action"], said["version"], said["files"]) == ("keep", versions[1], len(new))
    event = status_of(project)
    why = "behind" if has_archive else "unknown"
    assert (event["installed"], event["base"], event["edited"], event["added"]) == (
        versions[1],
        why,
        [],
        [],
    )
    assert project.run("status", "--check").code == 80
    assert record_of(project)["version"] == versions[0]


@VERSIONS
def test_no_flag_mixes_a_later_archive_into_it(
    project: Project, versions: tuple[str, str, str]
) -> None:
    """Only `--force` with the component's name builds over the update, and then the archive is
    built whole.
    """
    archives(project, m=module(versions[0]))
    assert project.create().code == 0
    there = {**module(versions[1]), "m/a.php": f"a {versions[1]}"}
    later = {**module(versions[2]), "m/a.php": f"a {versions[0]}"}
    install(project, there)
    archives(project, m=later)
    for flags in (
        (),
        ("--force",),
        ("--merge", "--force"),
        ("--mine",),
        ("--take-theirs=modules/m/*",),
    ):
        ran = project.create(".", *flags)
        assert (flags, ran.code, errors(ran), project.tree) == (
            flags,
            73,
            ["UnknownBase"],
            built(there),
        )
    ran = project.create(".", "m", "--force")
    assert (ran.code, project.tree, backed_up(project)) == (
        0,
        built(later),
        ["a.php", "b.php", "module.json"],
    )
    (said,) = ran.reported("component")
    assert (said["previous"], said["version"]) == (versions[1], versions[2])


@VERSIONS
def test_an_undo_does_not_mix_it(project: Project, versions: tuple[str, str, str]) -> None:
    """Undo is refused, even with `--force`, if the version on disk is neither that from before nor
    that from after the run.
    """
    for version in versions[:2]:
        archives(project, m=module(version))
        assert project.create().code == 0
    there = {**module(versions[2]), "m/a.php": module(versions[1])["m/a.php"]}
    install(project, there)
    for flags in ((), ("--force",), ("--mine",)):
        assert (project.run("undo", *flags).code, project.tree) == (73, built(there))


@VERSIONS
def test_an_older_archive_in_a_fresh_clone(
    project: Project, tmp_path: Path, versions: tuple[str, str, str]
) -> None:
    """If nothing is on disk, an archive that is older than the recorded one is an error and is not
    built.
    """
    archives(project, m=module(versions[1]))
    assert project.create().code == 0
    clone = Project(tmp_path / "clone")
    clone.write(".tool-manifest.json", (project.root / ".tool-manifest.json").read_bytes())
    archives(clone, m=module(versions[0]))
    ran = clone.create()
    assert (ran.code, errors(ran), clone.tree) == (73, ["DropBehind"], {})
    assert record_of(clone)["version"] == versions[1]


def test_a_file_that_the_update_has_removed(project: Project) -> None:
    """A marker with another version and a missing file show an update: the file is not put back."""
    archives(project, m=module("1.0", **{"m/legacy.php": "old"}))
    assert project.create().code == 0
    there = {**module("1.0"), "m/module.json": module("1.1")["m/module.json"]}
    install(project, there)
    ran = project.create()
    assert (ran.code, codes(ran), project.tree) == (0, ["drop-behind"], built(there))
    archives(project, m=module("1.2"))
    assert errors(project.create()) == ["UnknownBase"]


def test_a_component_of_one_file(project: Project) -> None:
    """If a component has only one file, its marker alone shows an update; a replaced edit is
    named.
    """
    one, two, three = (
        {"m/module.json": module(version)["m/module.json"]} for version in ("1.0", "1.1", "1.2")
    )
    archives(project, m=one)
    assert project.create().code == 0
    project.write("modules/m/module.json", one["m/module.json"].replace("{", "{ "))
    assert project.create().code == 0
    install(project, two)
    ran = project.create()
    assert (ran.code, codes(ran), project.tree) == (
        0,
        ["edits-replaced", "drop-behind"],
        built(two),
    )
    assert project.create(".", "m", "--force").code == 0
    assert project.tree == built(one)
    install(project, two)
    archives(project, a=two, b=three)
    assert (project.create().code, project.tree) == (0, built(three))


@pytest.mark.parametrize("where", ["in the drop", "kept"])
def test_an_update_of_the_marker_alone(project: Project, where: str) -> None:
    """If only the marker has changed, an archive that matches the whole disk shows an update."""
    old = module("1.0")
    new = {**old, "m/module.json": module("1.1")["m/module.json"]}
    if where == "kept":
        archives(project, m=new)
        assert project.create().code == 0
        archives(project, m=old)
        assert project.create("m", "--force").code == 0
    archives(project, m=old)
    assert project.create().code == 0
    install(project, new)
    if where == "in the drop":
        project.archive("n.zip", new)
        assert (project.create().code, record_of(project)["version"]) == (0, "1.1")
    else:
        assert codes(project.create()) == ["drop-behind"]
    assert (project.tree, status_of(project)["edited"]) == (built(new), [])


def test_an_edited_version_is_an_edit(project: Project) -> None:
    """If only the marker was edited, that is an edit, whatever version it says."""
    old = module("1.0")
    archives(project, m=old)
    assert project.create().code == 0
    project.write("modules/m/module.json", module("99")["m/module.json"])
    ran = project.create()
    assert (ran.code, status_of(project)["edited"]) == (0, ["module.json"])


def test_it_is_neither_saved_nor_pruned(project: Project) -> None:
    """Without the archive of the update, no patch is made of it and `--prune` stops and says which
    version is there; with it, `--prune` removes the component.
    """
    archives(project, m=module("1.0"))
    project.module("other")
    assert project.create().code == 0
    (project.root / "m.zip").unlink()
    install(project, module("1.1"))
    before = project.tree
    assert (project.run("patch").code, (project.root / "patches").exists()) == (0, False)
    ran = project.run("patch", ".", "m", env={"TOOL_LOG_FORMAT": "json"})
    assert (ran.code, errors(ran)) == (73, ["UnknownBase"])
    (kept,) = [
        each for each in project.create().reported("warning") if each["code"] == "kept-components"
    ]
    assert kept["help"].endswith(
        "except where another version than the one that was built is on disk: `modules/m`"
    )
    for words in (("--prune",), ("--prune", "--exclude=m")):
        ran = project.create(".", *words)
        (error,) = ran.reported("error")
        assert (ran.code, project.tree) == (73, before)
        assert error["message"] == "cannot tell what `modules/m` was made from: 1.1 is on disk"
        assert error["help"] == "put the archive of 1.1 into the drop; or move it away by hand"
    archives(project, m=module("1.1"), other={"other/module.json": "{}"})
    assert project.create(".", "--prune", "--exclude=m").code == 0
    assert built(module("1.1")).keys().isdisjoint(project.tree)
    assert backed_up(project) == []
