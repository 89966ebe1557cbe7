"""`tool config show --html`, run as a user would, and the page as a browser shows it (`docs/explain.md`)."""

import pytest

from tests.support.browser import looks, needs_a_browser
from tests.support.pages import read_page
from tests.support.project import Project
from tests.support.sweep import sweep_only


@pytest.fixture
def shop(project: Project) -> Project:
    """A project with every part of a page: layers, a preset, archives, a hook and a problem."""
    project.write("tool.config.json", {"theme": "classic", "presets": ["ci"], "exclude": ["...", "shop_a"]})
    project.theme("harbour", "drop/harbour.zip")
    project.module("shop_a", "drop/shop_a.zip")
    project.module("shop_b", "drop/shop_b.zip")
    project.write("init-scripts/a.sh", "")
    return project


def test_the_page_of_a_run(shop: Project) -> None:
    """The page has settings, archives and plan, its path is printed, and no path of this machine is in it."""
    ran = shop.run("config", "show", "--html", "page.html", "drop", "--theme=harbour", "--on-failure=fail")
    page = (shop.root / "page.html").read_text()
    assert (ran.code, ran.out) == (0, f"{shop.root}/page.html\n")
    assert str(shop.root) not in page
    tables = read_page(page).tables
    assert {row[0]: row[2] for row in tables["Every setting"] if row[2]} == {
        "Setting": "flag",
        "theme": "harbour holds --theme",
        "hooks.onFailure": "fail holds --on-failure",
    }
    assert [row[:3] for row in tables["Every archive"][1:]] == [
        ["harbour.zip", "theme harbour", "built"],
        ["shop_a.zip", "module shop_a", "left out"],
        ["shop_b.zip", "module shop_b", "built"],
    ]
    assert [row[:2] for row in tables["Every step"][1:]] == [
        ["themes/harbour", "add"],
        ["modules/shop_b", "add"],
        ["init/a.sh", "run"],
    ]


def test_what_would_stop_a_run_is_on_the_page(shop: Project) -> None:
    """A run that would be stopped has a page like any other."""
    assert shop.run("config", "show", "--html=page.html", "drop").code == 0
    assert '<strong class="problem">ThemeNotFound</strong>' in (shop.root / "page.html").read_text()


def test_only_a_page_is_replaced(shop: Project) -> None:
    """A page is written over a page, and over nothing else."""
    for _ in range(2):
        assert shop.run("config", "show", "--html=page.html", "drop").code == 0
    before = (shop.root / "tool.config.json").read_bytes()
    ran = shop.run("config", "show", "--html=tool.config.json", "drop")
    assert (ran.code, (shop.root / "tool.config.json").read_bytes()) == (73, before)
    assert "error: OutputConflict: `tool.config.json` is there, and is no page that `--html` wrote\n" in ran.err
    assert shop.run("config", "show", "--html=drop", "drop").code == 73
    assert shop.run("config", "show", "--html=no/page.html", "drop").code == 74


@sweep_only
@needs_a_browser
def test_the_page_in_a_browser(shop: Project) -> None:
    """Narrow, wide and in the dark: nothing but the page is requested, nothing is complained of, all of it fits."""
    shop.run("config", "show", "--html=page.html", "drop", "--theme=harbour")
    page = f"{shop.root}/page.html"
    views = looks(page)
    assert [look.pop("checked") > 20 for look in views] == [True] * 3
    assert {link.partition("#")[0] for look in views for link in look.pop("links")} == {f"file://{page}"}
    assert views == [
        {
            "file": page,
            "width": width,
            "scheme": scheme,
            "requests": [f"file://{page}"],
            "messages": [],
            "overflow": 0,
            "violations": [],
        }
        for width, scheme in ((360, "light"), (1400, "light"), (1400, "dark"))
    ]
