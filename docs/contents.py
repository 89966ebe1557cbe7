"""The index page of the documentation, `docs/README.md`, read as data: its sections, and in each
the pages in order.

It is the only list of the pages. The navigation of the site and `llms.txt` are made from it.
"""

import re
from pathlib import Path
from posixpath import normpath
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
INDEX = "docs/README.md"
_ROW = re.compile(r"^- \[(?P<title>[^\]]+)\]\((?P<link>[^)]+)\): (?P<summary>.+)$", re.MULTILINE)


class Page(NamedTuple):
    """A line of the index: the title, the path in the repository, and what the page covers."""

    title: str
    path: str
    summary: str


def read(path: str) -> str:
    """Give the text of a page by its path in the repository."""
    return (ROOT / path).read_text(encoding="utf-8")


def sections(index: str) -> dict[str, list[Page]]:
    """Give the pages below each heading of the index page."""
    texts = re.split(r"^## (.+)$", index, flags=re.MULTILINE)[1:]
    return {heading: _pages(text) for heading, text in zip(texts[::2], texts[1::2], strict=True)}


def paths(index: str) -> list[str]:
    """Give the path of each page of the index, in order."""
    return [page.path for pages in sections(index).values() for page in pages]


def _pages(text: str) -> list[Page]:
    return [
        Page(row["title"], normpath(f"docs/{row['link']}"), row["summary"])
        for row in _ROW.finditer(text)
    ]


def llms(readme: str, index: str) -> str:
    """Give `llms.txt`, as https://llmstxt.org lays it out: the title, the summary, and each page by
    its section.

    The links are to the Markdown pages, relative to the folder in which `llms.txt` lies.
    """
    title, summary = re.findall(r"^(?:# )?(\S.*(?:\n\S.*)*)$", readme, re.MULTILINE)[:2]
    parts = [f"# {title}\n\n> {' '.join(summary.split())}\n"]
    for heading, pages in sections(index).items():
        rows = (f"- [{page.title}]({page.path}): {page.summary}\n" for page in pages)
        parts.append(f"## {heading}\n\n{''.join(rows)}")
    return "\n".join(parts)


def llms_full(readme: str, index: str, texts: dict[str, str]) -> str:
    """Give `llms-full.txt`: the README, then the whole text of each page in the order of the index,
    after its path.
    """
    return "\n".join((readme, *(f"<!-- {path} -->\n\n{texts[path]}" for path in paths(index))))
