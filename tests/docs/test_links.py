"""Links in the documentation lead somewhere."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
PACKAGES = ("pipeline", "io_edges")
OUTSIDE = {
    "https://keepachangelog.com/en/1.1.0/",
    "https://pre-commit.com",
    "https://semver.org/spec/v2.0.0.html",
}
"""The pages elsewhere that are linked; nobody checks here whether they are there, so
there are few.
"""


def prose(page: Path) -> str:
    """A page without its blocks of code."""
    return re.sub(
        r"^( *)```.*?^\1```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )


def links(page: Path) -> list[str]:
    """Where the links and the pictures of a page lead, as written."""
    return re.findall(r"(?:\]\(|\b(?:src|srcset|href)=\")([^)\s\"]+)", prose(page))


def anchors(page: Path) -> Iterator[str]:
    """The anchors that GitHub gives the headings of a page."""
    times: Counter[str] = Counter()
    for heading in re.findall(r"^#{1,6} +(.+?) *$", prose(page), re.MULTILINE):
        text = re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
        yield f"{slug}-{times[slug]}" if times[slug] else slug
        times[slug] += 1


def leads_nowhere(page: Path, link: str) -> bool:
    """Whether a link within the repository has no target, or none with that anchor."""
    path, _, anchor = link.partition("#")
    target = page.parent / path if path else page
    return not target.exists() or (anchor != "" and anchor not in anchors(target))


def test_every_link_leads_somewhere() -> None:
    """A link leads to a file of the repository, with an anchor to one of its headings, or to a
    known page outside.
    """
    every = {page: {*links(page)} for page in PAGES}
    outside = {link for found in every.values() for link in found if ":" in link}
    assert outside == OUTSIDE
    broken = [
        (page.relative_to(ROOT), link)
        for page, found in every.items()
        for link in found - outside
        if leads_nowhere(page, link)
    ]
    assert broken == []


def test_what_docstrings_cite_is_there() -> None:
    """A page that a docstring cites exists, and so does the heading that it names."""
    texts = [
        " ".join(path.read_text("utf-8").split())
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
    ]
    cited = {
        match
        for text in texts
        for match in re.findall(r"(docs/[\w/-]+\.md)(?:`, ([A-Z][^`.)]+)\))?", text)
    }
    assert [page for page, _ in sorted(cited) if not (ROOT / page).exists()] == []
    assert [
        (page, title)
        for page, title in sorted(cited)
        if title and f"# {title}\n" not in prose(ROOT / page)
    ] == []
