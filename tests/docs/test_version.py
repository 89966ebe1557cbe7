"""The version, which is written in one place: `pipeline/__init__.py`."""

import json
import re
from pathlib import Path

from pipeline import __version__
from tests.support.project import Project

ROOT = Path(__file__).parents[2]


def text(path: str) -> str:
    """A file of the repository."""
    return (ROOT / path).read_text(encoding="utf-8")


def test_the_command_says_its_version(project: Project) -> None:
    """`tool --version` prints the version."""
    assert project.run("--version").out == f"{__version__}\n"


def test_the_npm_package_has_the_version() -> None:
    """The npm package of the types has the version of the tool."""
    assert json.loads(text("io_edges/scripts/npm/package.json"))["version"] == __version__


def test_the_changelog_begins_with_the_version() -> None:
    """The first version that the changelog describes is this one."""
    assert re.findall(r"^## (\d\S*)", text("CHANGELOG.md"), re.MULTILINE)[0] == __version__


def test_pages_use_the_tags_of_a_release() -> None:
    """The tags of the repository on the pages are those that the release workflow makes."""
    pages = [text(str(page.relative_to(ROOT))) for page in (ROOT / "docs").rglob("*.md")]
    used = {tag for page in pages for tag in re.findall(r"(?:OWNER/tool@|rev: )(\S+)", page)}
    release = text(".github/workflows/release.yml")
    assert used == {f"v{__version__}", f"v{__version__.partition('.')[0]}"}
    made = ('"tag=v$version"', 'gh release create "$TAG"', "refs/tags/${TAG%%.*}")
    assert [each for each in made if each not in release] == []
