"""What messages say of components with an unknown base (`docs/building.md`).

Every command that they name is run from where they name it.
"""

import subprocess
from collections.abc import Mapping

import pytest

from tests.support.project import Project
from tests.support.sites import archives, built, codes, install

OLD = {
    "m/module.json": '{"name": "m", "version": "1.4.2"}',
    "m/lib.php": "lib 1",
    "m/same.php": "same",
    "m/old.php": "old",
}
NEW = {
    "m/module.json": '{"name": "m", "version": "1.5.0"}',
    "m/lib.php": "lib 1.5.0",
    "m/same.php": "same",
}


def in_themes(files: Mapping[str, str]) -> dict[str, str]:
    """Files of a theme as they are on disk."""
    return {f"themes/{name}": text for name, text in files.items()}


@pytest.fixture
def site(project: Project) -> Project:
    """A site whose module no run has built: somebody has edited a file."""
    install(project, {**OLD, "m/lib.php": "mine"})
    return project


@pytest.mark.parametrize("flag", ["--mine", "--theirs"])
def test_what_cannot_be_told_apart(site: Project, flag: str) -> None:
    """If the base is unknown, neither your changes nor the vendor's can be shown alone: a warning
    says so, and why.
    """
    archives(site, m=NEW)
    ran = site.run("diff", flag)
    assert (ran.code, ran.out) == (0, "")
    why = (
        "your changes and the vendor's cannot be told apart: cannot tell what `modules/m` was "
        "made from: 1.4.2 is"
    )
    assert why in ran.err
    assert "`tool diff . modules/m` shows the difference" in ran.err
    site.create(".", "--force", "modules/m")
    install(site, {name: text for name, text in OLD.items() if name != "m/same.php"})
    archives(site)
    assert codes(site.run("diff", flag, "--log-format=json")) == ["unknown-base"]


def test_the_difference_from_the_archive(site: Project) -> None:
    """If the base is unknown, the difference of disk and archive is shown, as `--force NAME` would
    make it.
    """
    archives(site, m=NEW)
    ran = site.run("diff", ".", "modules/m")
    lines = ran.out.splitlines()
    assert {"-mine", "+lib 1.5.0", "-old"} <= {*lines}
    assert lines[-1] == "# modules/m/old.php"
    subprocess.run(["git", "apply"], cwd=site.root, input=ran.out.encode(), check=True)
    tree = site.tree
    assert site.create(".", "--force", "modules/m").code == 0
    assert site.tree == tree


def test_what_is_built_beside_an_unknown_base_is_out_of_date(site: Project) -> None:
    """`--check` ends with 80 as long as a run would build the others, then with the error that
    is left.
    """
    archives(site, m=NEW, n={"n/module.json": '{"name": "n"}'})
    ran = site.create("--check")
    assert [(each["error"], each["source"]) for each in ran.reported("error")] == [
        ("OutOfDate", "modules/n"),
        ("UnknownBase", "modules/m"),
    ]
    assert [ran.code, site.create().code, site.create("--check").code] == [80, 73, 73]


def test_several_unknown_bases(project: Project) -> None:
    """Each component with an unknown base has a line with its versions; the help is given once,
    below, and fits themes and modules alike.
    """
    files = {"t/config/theme.yml": "name: t\nversion: {}\n", "t/index.tpl": "{}"}
    old, new = (
        {name: text.format(version) for name, text in files.items()}
        for version in ("1.0.0", "2.0.0")
    )
    install(project, OLD)
    for name, text in old.items():
        project.write(f"themes/{name}", text)
    archives(project, m=NEW, t=new)
    ran = project.run("create")
    *errors_shown, help_shown, _ = ran.err.partition("error: ")[2].splitlines()
    unknown = [line for line in errors_shown if "UnknownBase: " in line]
    assert [line.rpartition("UnknownBase: ")[2] for line in unknown] == [
        "cannot tell what `themes/t` was made from: 1.0.0 is on disk, but `t.zip` has 2.0.0; "
        "`--force` would replace 2 files, leave none unchanged and move none away",
        "cannot tell what `modules/m` was made from: 1.4.2 is on disk, but `m.zip` has 1.5.0; "
        "`--force` would replace 2 files, leave 1 unchanged and move 1 away",
    ]
    assert (ran.code, help_shown) == (
        73,
        "  = help: put the archives of the versions on disk into the drop, beside the newer ones; "
        "or "
        "`tool diff . themes/t modules/m` shows the difference; or `tool create . --force "
        "themes/t modules/m` "
        "builds the archives whole; or `--theme=none --exclude=m` leaves them to the system",
    )
    assert ran.err.count("help: ") == 1
    assert [each["source"] for each in project.create().reported("error")] == [
        "themes/t",
        "modules/m",
    ]
    left = project.create("--theme=none", "--exclude=m")
    assert (left.code, left.reported("error"), project.tree) == (
        0,
        [],
        {**built(OLD), **in_themes(old)},
    )
    assert project.run("diff", ".", "themes/t", "modules/m").out.count("--force would") == 2
    assert project.create(".", "--force", "themes/t", "modules/m").code == 0


def test_a_file_that_is_named(site: Project) -> None:
    """Beside `--force NAME`, `--keep-mine` keeps a file of a component with an unknown base, and
    `--take-theirs` takes one away.

    Without `--force NAME`, the base stays unknown.
    """
    archives(site, m=NEW)
    site.write("modules/m/hack.php", "hack")
    site.write("modules/m/notes.txt", "notes")
    before = site.tree
    mine = ("--keep-mine=modules/m/lib.php", "--keep-mine=*/hack.php")
    theirs = ("--take-theirs=modules/m/notes.txt",)
    ran = site.create(*mine, *theirs)
    assert (ran.code, [each["error"] for each in ran.reported("error")], codes(ran)) == (
        73,
        ["UnknownBase"],
        [],
    )
    assert site.tree == before
    ran = site.create(".", "m", "--force", *mine, *theirs)
    assert (ran.code, site.tree) == (0, built({**NEW, "m/lib.php": "mine", "m/hack.php": "hack"}))
    moved = {
        path.relative_to(site.root).parts[3:] for path in site.root.glob(".tool/backup/*/**/*.*")
    }
    assert moved == {
        ("modules", "m", name) for name in ("lib.php", "module.json", "notes.txt", "old.php")
    }
    assert site.create(".", "--frozen", "--mine").code == 0
    (event,) = site.run("status", "--log-format=json").printed
    assert (event["edited"], event["added"]) == (["lib.php"], ["hack.php"])
