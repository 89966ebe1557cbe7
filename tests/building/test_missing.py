"""Needs that neither drop nor project meets, as the system in the project judges them
(`docs/archives.md`).
"""

import re
import shutil
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from io_edges.building import view as look
from pipeline.building.draft import Draft
from pipeline.building.judging.missing import warn_of_missing
from pipeline.building.steps import Step
from pipeline.building.stores.record import Record, RecordedComponent
from pipeline.building.survey import Survey, Target
from pipeline.report.diagnostics.selection import missing_need
from pipeline.report.events import ComponentKind
from pipeline.systems.residences import residences
from pipeline.systems.table import system_called
from tests.support.drafts import choice_of, draft_of
from tests.support.miniatures import (
    Files,
    backdrop,
    drupal,
    drupal_7,
    omeka_module,
    prestashop_module,
    prestashop_theme,
    within,
    wordpress_plugin,
    wordpress_theme,
)
from tests.support.project import Project, Ran

PLUGIN = {"plugin.ini": '[info]\nname = "Pay"\n', "PayPlugin.php": "<?php"}
HEADER = wordpress_plugin("pay")["pay.php"]
CODED: Files = {"pay.php": "<?php //0046a"}


def recorded() -> RecordedComponent:
    """What a record says of a component that is built."""
    return RecordedComponent(archive="user.zip", digest="1", content="2", files={})


def live(root: Path, system: str, files: Files) -> None:
    """Put a system into a project, and what is in its folders."""
    known = system_called(system)
    signs = [known.found_by, *(system_called(each).found_by for each in (known.made_from,) if each)]
    texts = {sign.text_in or sign.marker: sign.text for sign in signs}
    marked: Files = {
        path.rstrip("/") + "/.keep" * path.endswith("/"): b""
        for sign in signs
        for path in sign.paths
    }
    for name, content in {**marked, **texts, **files}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def judged(root: Path, *steps: Step) -> Draft:
    """The draft of a run in a project, after it was asked what is missing."""
    probe = look.probe_of(root)
    places = next((each.places for each in residences(probe)), Record().places)
    draft = draft_of(
        *steps,
        record=Record().within(places),
        probe=probe,
        find_named=partial(look.called, root),
        recognise_themes=partial(look.themes_in, root),
    )
    return warn_of_missing(draft)


def needing(system: str, **needs: Any) -> Step:
    """The step of a component that needs others."""
    choice = choice_of("user", system=system, **needs)
    survey = Survey(kind="module", path="modules/user", target=Target(), choice=choice)
    return Step(survey=survey, action="add", component=recorded())


def misses(root: Path, system: str, kind: ComponentKind, name: str) -> bool:
    """Whether a component is missing that a component of a system needs."""
    needs = {"parent": name, "kind": "theme"} if kind == "theme" else {"requires": (name,)}
    return bool(judged(root, needing(system, **needs)).plan.missing)


@pytest.mark.parametrize(
    ("system", "files"),
    [
        ("WordPress", within("wp-content/plugins/pay", wordpress_plugin("pay"))),
        ("WordPress", within("wp-content/plugins/Pay", wordpress_plugin("main"))),
        (
            "WordPress",
            within("wp-content/plugins/pay", wordpress_plugin("one"), wordpress_plugin("two")),
        ),
        ("WordPress", {"wp-content/plugins/pay.php": HEADER}),
        ("WordPress", {"wp-content/mu-plugins/pay.php": HEADER}),
        ("PrestaShop", within("modules/pay", prestashop_module("pay"))),
        ("PrestaShop", within("modules/pay", CODED)),
        ("thirty bees", within("modules/pay", prestashop_module("pay"))),
        ("thirty bees", within("modules/pay", CODED)),
        ("Drupal", within("core/modules/pay", drupal("pay"))),
        ("Drupal", within("modules/pay", drupal("pay"))),
        ("Drupal", within("modules/custom/pay", drupal("pay"))),
        ("Drupal", within("modules/contrib/suite/modules/more/modules/pay", drupal("pay"))),
        ("Drupal", within("core/modules/field/modules/pay", drupal("pay"))),
        ("Drupal", within("profiles/shop/modules/pay", drupal("pay"))),
        ("Drupal", within("core/profiles/shop/modules/custom/pay", drupal("pay"))),
        ("Drupal", within("sites/default/modules/pay", drupal("pay"))),
        ("Drupal", within("modules/suite", drupal("pay"), drupal("suite"))),
        ("Drupal 7", within("modules/field/modules/pay", drupal_7("pay"))),
        ("Drupal 7", within("sites/example.org/modules/pay", drupal_7("pay"))),
        ("Drupal 7", within("profiles/shop/modules/pay", drupal_7("pay"))),
        ("Backdrop", within("core/modules/pay", backdrop("pay"))),
        ("Omeka S", within("modules/pay", omeka_module("pay"))),
        ("Omeka S", within("addons/modules/pay", omeka_module("pay"))),
        ("Omeka Classic", within("plugins/pay", PLUGIN)),
    ],
)
def test_a_module_that_the_project_has(tmp_path: Path, system: str, files: Files) -> None:
    """A module exists if its marker is in a folder in which the system finds modules, whoever put
    it there.
    """
    live(tmp_path, system, {})
    assert misses(tmp_path, system, "module", "pay")
    live(tmp_path, system, files)
    assert not misses(tmp_path, system, "module", "pay")


@pytest.mark.parametrize(
    ("system", "files"),
    [
        (
            "WordPress",
            {"wp-content/plugins/pay/readme.txt": "", "wp-content/plugins/pay/pay.php": "<?php"},
        ),
        ("WordPress", within("wp-content/themes/pay", wordpress_theme())),
        ("WordPress", within("wp-content/plugins/custom/pay", wordpress_plugin("pay"))),
        ("PrestaShop", {"modules/pay/logo.png": ""}),
        ("Drupal", {"modules/pay/readme.txt": "", "modules/pay.php": ""}),
        ("Drupal", within("modules/pay", drupal("other"))),
        ("Drupal", {"modules/pay/pay.info.yml": "name: Pay"}),
        ("PrestaShop", {"modules/pay.php": prestashop_module("pay")["pay.php"]}),
        ("Drupal", within("themes/pay", drupal("pay", "theme"))),
        ("Drupal", within("modules/suite/tests/pay", drupal("pay"))),
        ("Drupal 7", within("sites/all/themes/pay", drupal_7("pay", module=False))),
        ("Omeka S", {"modules/pay/Module.php": "<?php namespace pay;"}),
    ],
)
def test_a_module_that_the_project_does_not_have(tmp_path: Path, system: str, files: Files) -> None:
    """A folder without a marker is not a module, and neither is one in which the system does not
    look.
    """
    live(tmp_path, system, files)
    assert misses(tmp_path, system, "module", "pay")


@pytest.mark.parametrize(
    ("system", "files"),
    [
        ("WordPress", within("wp-content/themes/oak", wordpress_theme())),
        ("WordPress", {"wp-content/themes/oak/style.css": "/* plain */"}),
        ("PrestaShop", within("themes/oak", prestashop_theme("oak"))),
        ("Drupal", within("core/themes/oak", drupal("oak", "theme"))),
        ("Drupal 7", within("themes/engines/oak", drupal_7("oak", module=False))),
    ],
)
def test_a_theme_that_others_build_on(tmp_path: Path, system: str, files: Files) -> None:
    """A parent theme exists if its marker does, like a module."""
    live(tmp_path, system, within("wp-content/plugins/oak", wordpress_plugin("oak")))
    assert misses(tmp_path, system, "theme", "oak")
    live(tmp_path, system, files)
    assert not misses(tmp_path, system, "theme", "oak")


def test_a_project_without_a_system(tmp_path: Path) -> None:
    """Without a system, nothing is said of needs, nor of components of another system."""
    assert not misses(tmp_path, "Drupal", "module", "pay")
    live(tmp_path, "WordPress", {})
    assert not misses(tmp_path, "Drupal", "module", "pay")


def test_a_module_or_its_project_that_is_there(tmp_path: Path) -> None:
    """A need is met by the module or by its project."""
    live(tmp_path, "Drupal", within("modules/suite", drupal("suite")))
    assert judged(tmp_path, needing("Drupal", requires=("suite:pay",))).plan.missing == ()
    needed = missing_need("module", "pay", "more", ("user",))
    assert judged(tmp_path, needing("Drupal", requires=("more:pay",))).plan.missing == (needed,)


def removing(path: str) -> Step:
    """The step of a component that the run removes."""
    return Step(
        survey=Survey(kind="theme", path=path, target=Target(occupancy="present")), action="remove"
    )


def test_the_child_of_a_theme_that_the_run_removes(tmp_path: Path) -> None:
    """A theme misses its parent if the run removes that, even if the tool did not build the theme;
    other themes do not.
    """
    theme = within("wp-content/themes/oak", wordpress_theme())
    child = within("wp-content/themes/child", wordpress_theme("Child", "Template: oak\n"))
    live(
        tmp_path,
        "WordPress",
        {**theme, **child, **within("wp-content/themes/elm", wordpress_theme())},
    )
    needed = missing_need("theme", "oak", "oak", ("child",))
    assert judged(tmp_path, removing("wp-content/themes/oak")).plan.missing == (needed,)
    assert judged(tmp_path, removing("wp-content/themes/elm")).plan.missing == ()
    assert (
        judged(
            tmp_path, *map(removing, ("wp-content/themes/oak", "wp-content/themes/child"))
        ).plan.missing
        == ()
    )


def test_where_there_is_no_telling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a folder, or one below it, has too many entries or cannot be listed, nothing is missed."""
    live(tmp_path, "Drupal", within("modules/suite", drupal("suite")))
    (tmp_path / "modules/suite/more").symlink_to("../suite")
    assert misses(tmp_path, "Drupal", "module", "pay")
    for limit in (1, 8):
        monkeypatch.setattr(look, "_LIMIT", limit)
        assert not misses(tmp_path, "Drupal", "module", "pay")
    assert (
        look.called(tmp_path, ("core/lib/Drupal.php",), frozenset({"pay"}), frozenset(), True)
        is None
    )


def test_a_folder_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that cannot be read may have the marker; a broken link has none."""
    live(tmp_path, "WordPress", {})
    (tmp_path / "wp-content/plugins").mkdir(parents=True)
    (tmp_path / "wp-content/plugins/pay").symlink_to("gone")
    assert misses(tmp_path, "WordPress", "module", "pay")
    live(tmp_path, "WordPress", {"wp-content/plugins/gone/pay.php": HEADER})
    monkeypatch.setattr("os.access", lambda *_: False)
    assert not misses(tmp_path, "WordPress", "module", "pay")


def archived(project: Project, name: str, *needs: str, kind: str = "module", **inside: str) -> None:
    """Make the archive of a module that needs others, with more files in it."""
    listed = "".join(f"  - {need}\n" for need in needs)
    info = (
        f"name: {name}\ntype: {kind}\ncore_version_requirement: ^10\nbase theme: "
        f"sea\ndependencies:\n{listed}"
    )
    project.archive(
        f"drop/{name}.zip", {f"{name}/{name}.info.yml": info, f"{name}/{name}.txt": "", **inside}
    )


@pytest.fixture
def site(project: Project) -> Project:
    """A project in which Drupal lives."""
    live(Path(project.root), "Drupal", within("core/modules/node", drupal("node")))
    return project


def missed(ran: Ran) -> list[str]:
    """What is missed in a run that is done."""
    assert ran.code == 0
    messages = [
        each["message"] for each in ran.reported("warning") if each["code"] == "missing-need"
    ]
    return [re.sub(r".*? needs? (.*), which is neither .*", r"\1", each) for each in messages]


def create(project: Project, *args: str) -> list[str]:
    """Build the drop; return what is missed."""
    return missed(project.run("create", "drop", "--log-format=json", *args))


def test_it_is_told_once(site: Project) -> None:
    """An unmet need is reported by one run; later runs stay silent while nothing changes, unless
    they report everything.
    """
    archived(site, "a", "b", "drupal:user", "node")
    archived(site, "t", "a", kind="theme")
    assert create(site, "-n") == ["`b`", "the theme `sea`"]
    assert create(site) == ["`b`", "the theme `sea`"]
    assert [create(site), create(site, "-q"), create(site, "-n"), create(site, "a")] == [
        [],
        [],
        [],
        [],
    ]
    assert create(site, "--verbose") == ["`b`", "the theme `sea`"]
    archived(site, "c", "d", "b")
    assert create(site) == ["`b`", "`d`"]
    shutil.rmtree(site.root / ".tool")
    assert create(site, "c") == ["`b`", "`d`"]
    assert create(site, "c") == []


def test_what_is_there_after_the_run_counts(site: Project) -> None:
    """A module that `--prune` removes is missed, and so is one inside a removed component."""
    archived(site, "a", "suite:sub", "b")
    archived(site, "suite", **{"suite/modules/sub/sub.info.yml": "type: module"})
    archived(site, "b")
    assert create(site) == []
    for name in ("suite", "b"):
        (site.root / f"drop/{name}.zip").unlink()
    assert create(site, "-n") == []
    assert create(site, "-n", "--prune") == ["`b`", "`sub` (of `suite`)"]


def test_what_is_not_built_needs_nothing(site: Project) -> None:
    """A skipped conflict, a component that is left out, and `tool status` report no needs."""
    archived(site, "a", "b")
    site.write("modules/a/a.info.yml", "mine")
    ran = site.run("create", "drop", "--log-format=json", "--keep-going")
    assert (ran.code, [each["code"] for each in ran.reported("warning")]) == (
        73,
        ["readable-on-the-web"],
    )
    assert create(site, "--exclude=a") == []
    assert missed(site.run("status", "drop", "--exclude=a", "--log-format=json")) == []
    assert create(site, "a", "--mine") == ["`b`"]
