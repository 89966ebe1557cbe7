"""The site of the documentation, as `make docs` builds it and as a browser shows it from disk."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

from docs import contents
from tests.support.browser import looks, needs_a_browser
from tests.support.sweep import SWEEP

INDEX = contents.read(contents.INDEX)
PAGES = ["README.md", contents.INDEX, *contents.paths(INDEX)]

pytestmark = [
    pytest.mark.sweep,
    pytest.mark.skipif(
        not SWEEP or importlib.util.find_spec("sphinx") is None,
        reason="`make sweep` tries the site: it installs what builds it, and there is time",
    ),
]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built without a warning."""
    parent = tmp_path_factory.mktemp("site")
    sphinx: list[str | Path] = [
        Path(sys.executable).with_name("sphinx-build"),
        "-q",
        "-W",
        "--keep-going",
    ]
    places: list[str | Path] = [
        "-c",
        contents.ROOT / "docs",
        "-d",
        parent / "doctrees",
        contents.ROOT,
        parent / "html",
    ]
    done = subprocess.run([*sphinx, *places], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return parent / "html"


def test_every_page_is_on_the_site(site: Path) -> None:
    """Each page is there as HTML, and as Markdown beside it."""
    assert [page for page in PAGES if not (site / page).with_suffix(".html").is_file()] == []
    assert {page: (site / page).read_bytes() for page in PAGES} == {
        page: (contents.ROOT / page).read_bytes() for page in PAGES
    }
    assert (site / "index.html").read_bytes() == (site / "README.html").read_bytes()


def test_language_models_find_every_page(site: Path) -> None:
    """`llms.txt` links each page of the site, and `llms-full.txt` has the text of each."""
    links = re.findall(r"\]\(([^)]+)\)", (site / "llms.txt").read_text(encoding="utf-8"))
    assert sorted(links) == sorted(contents.paths(INDEX))
    assert [link for link in links if not (site / link).is_file()] == []
    whole = (site / "llms-full.txt").read_text(encoding="utf-8")
    assert [link for link in links if (site / link).read_text(encoding="utf-8") not in whole] == []


def test_a_block_says_which_file_it_is(site: Path) -> None:
    """A block that shows a file has the file's name above it."""
    page = (site / "docs" / "configuration.html").read_text(encoding="utf-8")
    assert '<span class="caption-text">tool.config.json</span>' in page


@needs_a_browser
def test_the_site_in_a_browser(site: Path) -> None:
    """Each page fits a narrow, a wide and a dark screen: no heading is broken inside a word, and
    nothing is loaded from elsewhere.
    """
    views = looks(*(f"{site}/{Path(page).with_suffix('.html')}" for page in PAGES))
    assert [
        view for view in views if view["messages"] or view["overflow"] or view["violations"]
    ] == []
    assert [(view["file"], view["width"], view["broken"]) for view in views if view["broken"]] == []
    requests = {url for view in views for url in view["requests"]}
    assert [url for url in requests if not url.startswith((f"file://{site}/", "data:"))] == []


@needs_a_browser
def test_the_search_works_from_disk(site: Path) -> None:
    """Without a server, a search for an error finds the page that explains it."""
    for view in looks(f"{site}/search.html?q=ConfigNotFound"):
        assert f"file://{site}/docs/reference/errors.html#confignotfound" in view["links"]
        assert (view["messages"], view["overflow"], view["violations"]) == ([], 0, [])
