"""Naming: find the files of an archive that a patch names (`docs/building.md`, "Patches").

The archive decides how many leading folders are stripped from the names: the number with which it
has most of the old files, and on a tie the smallest. One number applies to all sections whose two
names begin with different folders, such as `a/` and `b/`, and another one to the rest. Sections
about another component of the project are passed over.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final, TypeAlias

from pipeline.archives.entry_names import alike, clashes, folders_above, last_part
from pipeline.building.patching.patch import FilePatch, Patch
from pipeline.building.patching.patch_names import (
    Reading,
    Way,
    first_folder,
    have_two_roots,
    leads_elsewhere,
    wrong_name,
)
from pipeline.values import replace

FindClashes: TypeAlias = Callable[[Collection[str]], Sequence[tuple[str, str]]]
"""Find pairs of paths that cannot exist side by side."""
_NEW_ROOTS: Final = {"b", "w", "new"}
"""The first folders that programs write only before the name of a new file."""


def with_names(
    patch: Patch,
    archive: Collection[str],
    files: Collection[str] = (),
    *,
    ignores_case: bool = False,
) -> Patch:
    """The patch with the names that its files have in an archive.

    `archive` has the names in the patch that are files of the archive; `files` has all paths of the
    archive. `ignores_case` says whether the disk ignores the case of names. If a file cannot have
    its name, or two cannot exist side by side, the patch has an error and no parts.
    """
    naming = _Naming(patch, archive, files)
    named = dict[int, FilePatch]()
    for section in patch.files:
        known = naming.named(section)
        fault = wrong_name(known.name)
        if fault and not known.is_elsewhere:
            return patch.refused(section.line, fault)
        named[section.line] = known
    parts = list[bytes | FilePatch]()
    for part in patch.parts:
        if isinstance(part, FilePatch):
            parts.append(named.get(part.line, part))
        else:
            parts.append(part)
    result = replace(patch, parts=tuple(parts))
    clashing: FindClashes = alike
    if ignores_case:
        clashing = clashes
    return _clash(result, clashing) or result


class _Naming:
    """How the names in a patch are read with an archive: how many folders are stripped, and what of
    the component's path.
    """

    def __init__(self, patch: Patch, archive: Collection[str], files: Collection[str]) -> None:
        self._there = {*archive}
        self._component = patch.component
        self._roots = {first_folder(name) for name in (*archive, *files)}
        self._old_roots = set[str]()
        self._new_roots = set[str]()
        self._readings = dict[int, tuple[Reading, ...]]()
        for section in patch.files:
            self._readings[section.line] = section.readings
            if have_two_roots(section.sides):
                old, new = section.sides
                self._old_roots.add(first_folder(old))
                self._new_roots.add(first_folder(new))
        two_rooted = list[FilePatch]()
        others = list[FilePatch]()
        for section in patch.files:
            if self._has_two_roots(section):
                two_rooted.append(section)
            else:
                others.append(section)
        self._taken_of_two_roots = self._most(two_rooted)
        self._taken_of_others = self._most(others)
        self._ways = Counter[Way]()
        for section in patch.files:
            reading = self._in_archive(section)
            if reading and not section.adds:
                self._ways[reading.way] += 1

    def named(self, section: FilePatch) -> FilePatch:
        """The section with the path of its file in the component, or in another component."""
        reading = self._in_archive(section) or self._likeliest(section)
        self._there.add(reading.name)
        is_elsewhere = (
            reading.way == ""
            and leads_elsewhere(reading.name, self._component)
            and first_folder(reading.name) not in self._roots
        )
        return replace(section, named=reading.name, is_elsewhere=is_elsewhere)

    def _has_two_roots(self, section: FilePatch) -> bool:
        """Whether the two names of a section begin with different folders, or would if
        it had both.
        """
        old, new = section.sides
        if old and new:
            return have_two_roots(section.sides)
        if old:
            return first_folder(old) in self._old_roots
        return first_folder(new) in self._new_roots

    def _most(self, sections: Iterable[FilePatch]) -> int | None:
        """The number of stripped folders with which the archive has the most old files of these
        sections; `None` if it has none of them.
        """
        counts = Counter[int]()
        for section in sections:
            if not section.adds:
                readings = self._readings[section.line]
                counts.update(
                    {reading.taken for reading in readings if reading.name in self._there}
                )
        return min(counts, key=lambda taken: (-counts[taken], taken), default=None)

    def _taken(self, section: FilePatch) -> int | None:
        """How many folders are stripped from the names of a section; `None` if the archive
        does not decide.
        """
        if self._has_two_roots(section):
            return self._taken_of_two_roots
        return self._taken_of_others

    def _in_archive(self, section: FilePatch) -> Reading | None:
        """The reading of a section's name that the archive has as a file; `None` if it has none."""
        taken = self._taken(section)
        for reading in self._readings[section.line]:
            if taken in {None, reading.taken} and reading.name in self._there:
                return reading
        return None

    def _likeliest(self, section: FilePatch) -> Reading:
        """The likeliest reading of a section's name that the archive does not have."""
        readings = self._readings[section.line]
        taken = self._taken(section)
        if taken is None:
            taken = self._usual(section)
            deeper = self._deeper(readings, taken)
            if deeper:
                return deeper
        depth = min(taken, max(reading.taken for reading in readings))
        same = [reading for reading in readings if reading.taken == depth] or readings
        inside = [reading for reading in same if self._is_inside(reading)]
        whole = [reading for reading in same if reading.way == ""]
        return (*inside, *whole, *readings)[0]

    def _deeper(self, readings: Iterable[Reading], usual: int) -> Reading | None:
        """The reading that finds the component further down, unless one finds it below the
        usual folders.
        """
        deeper = None
        for reading in readings:
            if reading.taken == usual and self._is_inside(reading):
                return None
            if deeper is None and reading.taken > usual and _is_placed(reading):
                deeper = reading
        return deeper

    def _usual(self, section: FilePatch) -> int:
        """How many folders are stripped from a name if no old file of the archive decides."""
        root = first_folder(section.sides[1])
        return int(self._has_two_roots(section) or (root in _NEW_ROOTS and root not in self._roots))

    def _is_inside(self, reading: Reading) -> bool:
        """Whether a reading strips the path of the component, and the archive has no such
        folder inside.
        """
        is_folder = last_part(self._component) in self._roots and not self._ways["name"]
        return reading.way == "project" or (reading.way == "name" and not is_folder)


def _is_placed(reading: Reading) -> bool:
    """Whether a reading strips the path of the component, or its name below a folder of
    such components.
    """
    return reading.way == "project" or (reading.way == "name" and reading.is_below)


def _clash(patch: Patch, clashing: FindClashes) -> Patch | None:
    """The patch with the error of two files that cannot exist side by side; `None` if
    there is none.
    """
    lines = dict[str, int]()
    for section in patch.files:
        if not (section.removes or section.is_elsewhere):
            lines[section.name] = section.line
    for name, line in lines.items():
        for folder in folders_above(name):
            if folder in lines:
                return patch.refused(
                    max(line, lines[folder]), f"`{folder}` is a file and a folder in it"
                )
    for one, other in clashing(lines):
        where = max(
            line for name, line in lines.items() if f"{name}/".startswith((f"{one}/", f"{other}/"))
        )
        return patch.refused(where, f"`{one}` and `{other}` are one name")
    return None
