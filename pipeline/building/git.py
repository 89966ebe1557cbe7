"""Git: whether it changes files of a project on their way through a repository, so that a clone is not as recorded.

Takes the text of git's own files. Where these leave it unsure, nothing is said.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

_SECTION: Final = re.compile(r"\[\s*([^\]]+?)\s*\](.*)")
_AUTOCRLF: Final = re.compile(r"(?i)autocrlf(?:\s*=\s*\"?(\w+)\"?)?\s*(?:[#;].*)?")
_TRUE: Final = frozenset({"", "true", "yes", "on", "1"})


def changes_line_ends(
    configs: Iterable[str], attributes: Iterable[str], ignored: Iterable[str], folders: Iterable[str]
) -> bool:
    """Whether git writes text files with other line ends here than it has them.

    Takes git's configurations, the least certain first; the texts of `.gitattributes`, which may say otherwise; and
    those of `.gitignore`, as what is not in git does not change. `folders` are those of components, and those above.
    """
    ours = "|".join(map(re.escape, folders))
    broad = re.compile(rf"(?:/?(?:\*\*|{ours})/?)?(?:\*\*?)?/?(?:\*\*?)?")  # not of some suffix or name alone
    whole = re.compile(rf"[/*]*(?:{ours})?[/*]*|.*tool-manifest.*")
    is_told = any(broad.fullmatch(line.split(maxsplit=1)[0]) for text in attributes for line in _lines(text))
    is_left_out = any(whole.fullmatch(line) for text in ignored for line in _lines(text))
    return _autocrlf(configs) and not is_told and not is_left_out


def _autocrlf(configs: Iterable[str]) -> bool:
    values = [value for text in configs for value in _values(text)]
    return values[-1:] == [True]


def _values(config: str) -> Iterator[bool]:
    """Whether each line about it turns on that files are checked out with other line ends."""
    section = ""
    for line in _lines(config):
        found = _SECTION.fullmatch(line)
        section = found[1].lower() if found else section
        if section == "core" and (match := _AUTOCRLF.fullmatch(found[2].strip() if found else line)):
            yield (match[1] or "").lower() in _TRUE


def _lines(text: str) -> Iterable[str]:
    lines = (line.strip() for line in text.splitlines())
    return (line for line in lines if line and not line.startswith(("#", ";")))
