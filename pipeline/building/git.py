"""Git: whether it leaves files of a project out of a repository, or changes them, so that a clone is not as recorded.

Takes the text of git's own files; where these leave it unsure, nothing is said.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fnmatch import translate
from functools import cache
from typing import Final, NamedTuple

from pipeline.archives.entry_names import folders_above

_AUTOCRLF: Final = re.compile(r"(?im)^[ \t]*autocrlf[ \t]*=[ \t]*\"?(\w+)")
_SETTLED: Final = re.compile(r"(?m)^\S*\*[ \t].*(?:-text|-crlf|binary|eol=lf)")
"""A line of `.gitattributes` that has all files of a folder keep their line ends."""
_MOST: Final = 2_000_000
"""How many names on paths and in patterns are compared: in some seconds."""
_LONG: Final = 256
"""The length of a path from which on no zero is among the flags before it, in an index."""
_BEFORE: Final = 48
"""How many bytes may be between such a path and the last zero before it."""


def changes_line_ends(configs: Iterable[str], attributes: Iterable[str]) -> bool:
    """Whether `core.autocrlf` is on, by the last of git's configurations, and no `.gitattributes` settles it."""
    values = ["false", *_AUTOCRLF.findall("\n".join(configs))]
    return values[-1].lower() in {"true", "input", "yes", "on", "1"} and not any(map(_SETTLED.search, attributes))


class Hiding(NamedTuple):
    """The line that hides a file: that of the `.gitignore` in a folder, counted from 1."""

    folder: str
    line: int


class _Rule(NamedTuple):
    line: int
    hides: bool
    of_folders: bool
    parts: tuple[re.Pattern[str] | None, ...]
    """What fits each name on a path; `None` fits any number of them."""

    def fits(self, names: Sequence[str]) -> bool:
        """Whether it is about the path of these names, from its folder."""
        match self.parts:
            case (None, re.Pattern() as last):  # as most are; it is quicker
                return last.match(names[-1]) is not None
        ends = {0}  # how many names the parts so far can fit
        for part in self.parts:
            if part is None:
                ends = set(range(min(ends), len(names) + 1))
            else:
                ends = {end + 1 for end in ends if end < len(names) and part.match(names[end])}
            if not ends:
                return False
        return len(names) in ends


def hidden_files(paths: Collection[str], ignores: Mapping[str, str]) -> dict[str, Hiding]:
    """Of paths in a repository those that git leaves out, unless they are in it.

    Takes the text of each `.gitignore`, by the path of its folder; that of the repository is empty.
    """
    folders = sorted({f"{above}/" for path in paths for above in folders_above(path)})
    if _work((*folders, *paths), ignores.values()) > _MOST:
        return {}
    rules = {folder: tuple(_rules(text)) for folder, text in ignores.items()}

    @cache
    def hiding(path: str) -> Hiding | None:
        above = path.rstrip("/").rpartition("/")[0]
        if above and (found := hiding(f"{above}/")):
            return found
        for folder in filter(rules.get, ("", *folders_above(path.rstrip("/")))[::-1]):
            names = path[len(folder) :].strip("/").split("/")
            for rule in rules[folder]:
                if (path[-1] == "/" or not rule.of_folders) and rule.fits(names):
                    return Hiding(folder, rule.line) if rule.hides else None
        return None

    for each in folders:  # from the top, as a path may be deeper than calls
        hiding(each)
    return {path: found for path in paths if (found := hiding(path))}


def _work(paths: Collection[str], ignores: Iterable[str]) -> int:
    """How many names are compared at the most: of a pattern with several parts, each with each name on a path."""
    names = sum(path.count("/") + 1 for path in paths)
    lines = (line.strip("/\r ") for text in ignores for line in text.split("\n") if line[:1] not in {"", "#"})
    return sum(names * (1 + line.count("/")) if "/" in line else len(paths) for line in lines)


def _rules(text: str) -> Iterator[_Rule]:
    """The rules of a `.gitignore`, the last first, as it is the last that counts."""
    lines = list(enumerate(text.removeprefix("\ufeff").split("\n"), 1))
    for number, line in reversed(lines):
        pattern = re.sub(r"(?<!\\) +$", "", line.removesuffix("\r"))
        if pattern and not pattern.startswith("#"):
            hides = not pattern.startswith("!")
            path = pattern[not hides :].removesuffix("/")
            yield _Rule(number, hides, pattern.endswith("/"), tuple(_parts(path if "/" in path else f"**/{path}")))


def _parts(path: str) -> Iterator[re.Pattern[str] | None]:
    names = [re.sub(r"\A\*{2,}\Z", "**", name) for name in path.removeprefix("/").split("/")]
    for name in names:
        plain = re.sub(r"\\(.)", lambda each: f"[{each[1]}]" if each[1] in "*?[" else each[1], name)
        yield None if name == "**" else re.compile(translate(plain.replace("[^", "[!")))
    if names[-1] == "**":
        yield re.compile("")  # at least one name


def tracked_files(index: bytes, paths: Collection[str]) -> frozenset[str]:
    """Those paths that are in the index of a repository; all if it is one that cannot be told."""
    if index[7:8] == b"\4" or b"link\0\0" in index:  # its paths are shortened, or in another file
        return frozenset(paths)
    named = {path.encode(errors="surrogateescape"): path for path in paths}
    return frozenset(
        named[piece[start:]]
        for piece in index.split(b"\0")
        for start in range(3 if len(piece) < _LONG else _BEFORE)  # behind flags
        if piece[start:] in named
    )
