"""Folders: what lies below a root and beside a component: other folders, documentation, and texts."""

from pathlib import PurePath
from typing import Final

from toolz import groupby

from pipeline.archives.markers import Root, make_root

MEMBER_LIMIT: Final = 1000
"""The most folders, or archives, in one folder that are looked into."""
_PAPERS: Final = frozenset(
    {
        *("doc", "docs", "documentation", "documentations", "guide", "user guide", "manual", "manuals", "instructions"),
        *("help", "licence", "license", "licensing", "changelog", "meta-inf", "test", "tests"),
    }
)
"""Folders of documentation and of tests, which may be beside the only component of a bundle."""
_TEXTS: Final = frozenset(
    {
        *("", ".txt", ".md", ".rst", ".html", ".htm", ".pdf", ".rtf", ".doc", ".docx", ".odt", ".url"),
        *(".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg"),
    }
)
"""Suffixes of files that people read or look at."""


def subfolders(root: Root, within: str = "") -> tuple[Root, ...]:
    """The folders directly in a folder of a root, in order."""
    inside = (name[len(within) :] for name in root.names if name.startswith(within))
    grouped: dict[str, list[str]] = groupby(lambda name: name.partition("/")[0], (n for n in inside if "/" in n))
    return tuple(
        make_root(f"{root.prefix}{within}{folder}/", (name[len(folder) + 1 :] for name in names), root.read)
        for folder, names in sorted(grouped.items())
    )


def is_paper(folder: str) -> bool:
    """Whether a folder has documentation or tests, or is hidden, by its name."""
    return folder.startswith(".") or folder.lower() in _PAPERS


def is_text(file: str) -> bool:
    """Whether a file is one that people read or look at, or is hidden, by its name."""
    return file.startswith(".") or PurePath(file).suffix.lower() in _TEXTS
