"""NAMEs: `tool create` and `tool status` for single components (`docs/building.md`)."""

from pathlib import Path

import pytest

from tests.support.project import Project, Ran, php


def actions(ran: Ran) -> dict[str, str]:
    """The action of each component that is reported."""
    return {each["path"]: each["action"] for each in ran.reported("component")}


def errors(ran: Ran) -> list[tuple[str, str, str]]:
    """The name, the message and the help of each error."""
    return [(each["error"], each["message"], each["help"]) for each in ran.reported("error")]


@pytest.fixture(scope="module")
def built(shared: Project) -> Project:
    """A project of two modules and a theme that was built, whose archives have changed since; each
    test copies it.
    """
    for name in ("shop_banner", "blog"):
        shared.module(name, f"drop/{name}.zip")
    shared.theme("sea", "drop/sea.zip")
    assert shared.create("drop").code == 0
    for name in ("shop_banner", "blog"):
        shared.archive(f"drop/{name}.zip", {f"{name}/{name}.php": php(name, "new")})
    return shared


@pytest.fixture
def shop(built: Project, tmp_path: Path) -> Project:
    """A copy of that project."""
    return built.copy(tmp_path / "project")


def test_one_component(shop: Project) -> None:
    """Only the named component is built; the others are not reported and do not change, not even in
    the record.
    """
    before = {path: text for path, text in shop.tree.items() if "shop_banner" not in path}
    ran = shop.create("drop", "modules/shop_banner/")
    assert (ran.code, actions(ran)) == (0, {"modules/shop_banner": "update"})
    assert [each["archive"] for each in ran.reported("archive")] == ["shop_banner.zip"]
    assert {path: text for path, text in shop.tree.items() if "shop_banner" not in path} == before
    assert actions(shop.create("drop", "--dry-run")) == {
        "themes/sea": "keep",
        "modules/blog": "update",
        "modules/shop_banner": "keep",
    }


def test_a_name_in_the_place_of_the_drop(shop: Project) -> None:
    """The first word is a name if it is not a folder, or if it is the folder of a component of this
    project, as a shell completes it.
    """
    assert actions(shop.create("blog", "--output=..", cwd="drop")) == {"modules/blog": "update"}
    ran = shop.run("status", "modules/blog/", "--log-format=json")
    assert [each["path"] for each in ran.printed] == ["modules/blog"]
    shop.module("inner", "modules/blog/inner.zip")
    assert actions(shop.create("modules/blog", "--dry-run"))["modules/inner"] == "add"


def test_names_that_there_are_not(shop: Project) -> None:
    """Each unknown name is an error with similar names; a word in the place of the drop may be
    meant as a folder, if it can be the name of one.
    """
    ran = shop.create("drop", "shop_baner")
    message = "no component `shop_baner` in `drop` or in the project"
    assert (ran.code, errors(ran)) == (
        68,
        [("ComponentNotFound", message, "did you mean `shop_banner`?")],
    )
    ran = shop.create("shop_baner", "blog")
    assert (ran.code, errors(ran)) == (
        72,
        [
            (
                "DropNotFound",
                "folder `shop_baner` does not exist",
                "did you mean the component `shop_banner`?",
            )
        ],
    )
    ran = shop.create("a" * 256, "blog")
    assert (ran.code, [error for error, _, _ in errors(ran)]) == (68, ["ComponentNotFound"])


def test_a_name_overrides_no_setting(shop: Project) -> None:
    """A name builds nothing that the settings exclude; the log says why, and suggests `--prune`
    unless a flag excludes it.
    """
    shop.write("tool.config.json", {"schema": 1, "exclude": ["blog"]})
    ran = shop.create("drop", "blog")
    assert (ran.code, actions(ran)) == (0, {"modules/blog": "keep"})
    assert [(each["selected"], each["reason"]) for each in ran.reported("archive")] == [
        (False, "matches `blog` in modules.exclude (tool.config.json:1:27)")
    ]
    assert [each["help"] for each in ran.reported("warning")] == ["`--prune` removes them"]
    (reported,) = shop.create("drop", "--only=shop_banner").reported("warning")
    assert (reported["code"], reported["help"]) == ("kept-components", None)
