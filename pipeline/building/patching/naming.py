"""Naming: which files of an archive a patch is about.

The archive decides how many leading folders are taken off: one number for all sections whose two names begin with
different folders, as `a/` and `b/`, and one for the others; that with which the archive has most of the old files, and
of several the least. What is then in another component of the project is passed over.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final

from pipeline.archives.entry_names import alike, clashes, folders_above, last_part
from pipeline.building.patching.patch import FilePatch, Patch
from pipeline.building.patching.patch_names import (
    Reading,
    first_folder,
    have_two_roots,
    leads_elsewhere,
    wrong_name,
)
from pipeline.values import replace

_NEW_ROOTS: Final = {"b", "w", "new"}
"""The first folders that programs write before the name of a new file alone."""


def with_names(
    patch: Patch, archive: Collection[str], files: Collection[str] = (), *, ignores_case: bool = False
) -> Patch:
    """A patch with the names that its files have in an archive, or what is wrong with them.

    `archive` has those of its names that are files of the archive, and `files` all paths of the archive.
    """
    naming = _Naming(patch, archive, files)
    named = dict[int, FilePatch]()
    for section in patch.files:
        name, is_elsewhere = naming.name_of(section)
        if fault := "" if is_elsewhere else wrong_name(name):
            return patch.refused(section.line, fault)
        named[section.line] = replace(section, named=name, is_elsewhere=is_elsewhere)
    parts = (named.get(part.line, part) if isinstance(part, FilePatch) else part for part in patch.parts)
    result = replace(patch, parts=tuple(parts))
    return _clash(result, clashes if ignores_case else alike) or result


class _Naming:
    """How many folders are taken off of the names in a patch, and what else."""

    def __init__(self, patch: Patch, archive: Collection[str], files: Collection[str]) -> None:
        self._there = {*archive}
        self._component = patch.component
        self._roots = {first_folder(name) for name in (*archive, *files)}
        two_rooted = [section for section in patch.files if have_two_roots(section.sides)]
        self._two_roots = tuple({first_folder(section.sides[at]) for section in two_rooted} for at in (0, 1))
        self._readings = {section.line: section.readings for section in patch.files}
        classes = {True: list[FilePatch](), False: list[FilePatch]()}
        for section in patch.files:
            classes[self._has_two_roots(section)].append(section)
        self._taken = {which: self._most(sections) for which, sections in classes.items()}
        self._ways = Counter(
            reading.way for section in patch.files if (reading := self._in_archive(section)) and not section.adds
        )

    def name_of(self, section: FilePatch) -> tuple[str, bool]:
        """The path of a section's file in the component, and whether it is in another component instead."""
        reading = self._in_archive(section) or self._likeliest(section)
        self._there.add(reading.name)
        is_elsewhere = (
            reading.way == ""
            and leads_elsewhere(reading.name, self._component)
            and first_folder(reading.name) not in self._roots
        )
        return reading.name, is_elsewhere

    def _has_two_roots(self, section: FilePatch) -> bool:
        """Whether a section counts among those with two names that begin with different folders."""
        if all(section.sides):
            return have_two_roots(section.sides)
        return any(
            first_folder(side) in roots for side, roots in zip(section.sides, self._two_roots, strict=True) if side
        )

    def _most(self, sections: Iterable[FilePatch]) -> int | None:
        """With how many folders less the archive has most of the old files; `None` if it has none."""
        counts = Counter[int]()
        for section in sections:
            if not section.adds:
                counts.update({one.taken for one in self._readings[section.line] if one.name in self._there})
        return min(counts, key=lambda taken: (-counts[taken], taken), default=None)

    def _in_archive(self, section: FilePatch) -> Reading | None:
        taken = self._taken[self._has_two_roots(section)]
        readings = (one for one in self._readings[section.line] if taken in {None, one.taken})
        return next((one for one in readings if one.name in self._there), None)

    def _likeliest(self, section: FilePatch) -> Reading:
        """How the name is read of a file that the archive does not have."""
        readings = self._readings[section.line]
        taken = self._taken[self._has_two_roots(section)]
        if taken is None:
            taken = self._usual(section)
            below = (one for one in readings if one.taken > taken and (one.way == "project" or _is_placed(one)))
            inside = [one for one in readings if one.taken == taken and self._is_inside(one)]
            if not inside and (deeper := next(below, None)):
                return deeper
        most = max(one.taken for one in readings)
        same = [one for one in readings if one.taken == min(taken, most)] or readings
        return next((one for one in same if self._is_inside(one)), None) or next(
            (one for one in same if one.way == ""), readings[0]
        )

    def _usual(self, section: FilePatch) -> int:
        """How many folders are taken off where no old file of the archive says so."""
        root = first_folder(section.sides[1])
        return int(self._has_two_roots(section) or (root in _NEW_ROOTS and root not in self._roots))

    def _is_inside(self, reading: Reading) -> bool:
        """Whether a reading takes off the path of the component, and the archive has no such folder in it."""
        is_folder = last_part(self._component) in self._roots and not self._ways["name"]
        return reading.way == "project" or (reading.way == "name" and not is_folder)


def _is_placed(reading: Reading) -> bool:
    """Whether the component's name is taken off below a folder of such components."""
    return reading.way == "name" and reading.is_below


def _clash(patch: Patch, clashing: Callable[[Collection[str]], Sequence[tuple[str, str]]]) -> Patch | None:
    """What is wrong with the names of the files that a patch adds, if some cannot be side by side."""
    lines: Mapping[str, int] = {
        section.name: section.line for section in patch.files if not (section.removes or section.is_elsewhere)
    }
    for name, line in lines.items():
        if above := next((folder for folder in folders_above(name) if folder in lines), ""):
            return patch.refused(max(line, lines[above]), f"`{above}` is a file and a folder in it")
    for one, other in clashing(lines):
        where = max(line for name, line in lines.items() if f"{name}/".startswith((f"{one}/", f"{other}/")))
        return patch.refused(where, f"`{one}` and `{other}` are one name")
    return None
