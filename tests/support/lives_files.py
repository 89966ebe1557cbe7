"""The files of components in the model of a build over time: what archives give, and whose version
of each stands.

W is what the tool wrote, D what is there, A what an archive gives. Each is a dict of paths
and contents.
"""

from collections.abc import Mapping
from difflib import SequenceMatcher
from itertools import groupby
from typing import Final, NamedTuple

Files = Mapping[str, str]

VERSIONS: Final = (1, 2, 3, 4)
LINES: Final = 9
"""How many lines `text` has in each version."""
_DATES: Final[Mapping[int, str]] = {
    1: "2024-01-05",
    2: "2024-02-07",
    3: "2024-02-07-2 Pro",
    4: "2025.01-lts",
}
_CONTENTS: Final[Mapping[int, Files]] = {
    1: {"core": "one", "a/b": "one", "same": "s"},
    2: {"core": "two", "a/c": "two", "same": "s"},
    3: {"core": "two", "a/c": "two", "same": "s", "link": "-> a/c"},
    4: {"core": "four", "d": "four", "same": "s"},
}
_CHANGED: Final[Mapping[int, Mapping[int, str]]] = {
    1: {},
    2: {0: "two"},
    3: {0: "two", 2: "three"},
    4: {6: "four", 8: "four"},
}
"""The lines of `text` that are others in a version."""


class Patch(NamedTuple):
    """A patch of `text`."""

    hunks: tuple[tuple[int, list[str], list[str]], ...]
    """Each with the number of its first line, its lines before, and as many after."""
    digest: str = ""

    @property
    def diff(self) -> str:
        """The patch as a file."""
        lines = ["--- a/text", "+++ b/text"]
        for start, old, new in self.hunks:
            lines += [f"@@ -{start + 1},{len(old)} +{start + 1},{len(new)} @@"]
            lines += [*(f"-{line}" for line in old), *(f"+{line}" for line in new)]
        return "".join(f"{line}\n" for line in lines)


def spelled(name: str, version: int) -> str:
    """A version as its marker says it: plain numbers of one component, dates and words
    of the others.
    """
    return f"{version}.0" if name == "m" else _DATES[version]


def given(name: str, version: int) -> Files:
    """What the archive of a component gives in a version."""
    marker = f"<?php\n/*\nPlugin Name: {name}\nVersion: {spelled(name, version)}\n*/\n"
    lines = (_CHANGED[version].get(number, f"line {number}") for number in range(LINES))
    return {
        f"{name}.php": marker,
        "text": "".join(f"{line}\n" for line in lines),
        **_CONTENTS[version],
    }


def version_of(name: str, files: Files) -> int | None:
    """The version that the marker of a component says."""
    found = [
        each for each in VERSIONS if files.get(f"{name}.php") == given(name, each)[f"{name}.php"]
    ]
    return found[0] if found else None


def with_line(text: str, number: int, line: str) -> str:
    """A text with another line in the place of one."""
    lines = text.splitlines()
    return "".join(f"{each}\n" for each in [*lines[:number], line, *lines[number + 1 :]])


def patch_of(old: str, new: str, context: int = 3) -> Patch:
    """The patch that makes one text of another."""
    lines = old.splitlines(), new.splitlines()
    groups = SequenceMatcher(None, *lines).get_grouped_opcodes(context) if old != new else ()
    return Patch(
        tuple(
            (each[0][1], lines[0][each[0][1] : each[-1][2]], lines[1][each[0][3] : each[-1][4]])
            for each in groups
        )
    )


def patched(text: str, patch: Patch) -> str | None:
    """A text with a patch; nothing if it does not fit."""
    lines = text.splitlines()
    for start, old, new in patch.hunks:
        if lines[start : start + len(old)] not in (old, new):
            return None
        lines[start : start + len(old)] = new
    return "".join(f"{line}\n" for line in lines)


def merged(
    written: Files, there: Files, archive: Files, wins: str, by_lines: bool = False
) -> tuple[Files, set[str]] | None:
    """The table: what stands after a run, and what goes to the backup; nothing where it
    is a conflict.
    """
    result: dict[str, str] = {}
    backup: set[str] = set()
    for path in sorted({*written, *there, *archive}):
        w, d, a = written.get(path), there.get(path), archive.get(path)
        is_conflict = d is not None and len({w, d, a}) == 3
        together = both(w, d, a) if by_lines and is_conflict else None
        if is_conflict and not together and not wins:
            return None
        stays = d is not None and ((w == a and d != w) or (is_conflict and wins == "mine"))
        chosen = together or (d if stays else a)
        lost = d if together or not stays else a
        if is_conflict and lost not in {None, chosen}:
            backup.add(lost)
        if chosen is not None:
            result[path] = chosen
    return result, backup


def both(w: str | None, d: str | None, a: str | None) -> str | None:
    """A text with the changes of both sides; nothing where they touch, as in the same line or
    the next one.
    """
    texts = [
        each.splitlines(keepends=True) for each in (w, d, a) if each and not each.startswith("-> ")
    ]
    if len(texts) < 3 or len({len(lines) for lines in texts}) > 1:
        return None
    result: list[str] = []
    for _, rows in groupby(zip(*texts, strict=True), key=lambda row: len(set(row)) == 1):
        before, mine, theirs = zip(*rows, strict=True)
        if before not in {mine, theirs} and mine != theirs:
            return None
        result += theirs if mine == before else mine
    return "".join(result)
