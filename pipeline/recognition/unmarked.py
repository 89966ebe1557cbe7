"""Unmarked: archives that no marker says to be a theme or a module, and what else is in a drop.

They may be something else that is known, which a table tells. That is a guess, which their place in the drop overrules:
then, and where nothing of the table fits, place and name suggest what they are.

Files and folders in a drop that look like archives or components, and are not read, are listed in one warning.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import PurePath
from typing import Final

from msgspec import Struct
from toolz import concat

from pipeline.archives.archive import Archive, ArchiveFile, Component
from pipeline.archives.markers import Recogniser, Root
from pipeline.archives.naming import without_suffix, without_version, words
from pipeline.recognition.others import WHOLE_SYSTEMS, files_only, foreign_tree, system_below
from pipeline.recognition.packages import library, package
from pipeline.recognition.recognise import (
    DESCRIBED,
    MARKERS,
    called_kind,
    fallback,
    harmless,
    recognition_of,
    safely,
)
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.archives import not_built, unrecognised_archive
from pipeline.report.diagnostics.drop import unused_files
from pipeline.report.events import ComponentKind
from pipeline.schema import is_archive_name
from pipeline.systems.table import SYSTEMS
from pipeline.values import replace

_THEME_WORD: Final = r"(?i)(?<![a-z])theme(?![a-z])"
_FORMATS: Final = words("""
    .tar .tgz .tbz .tbz2 .txz .tzst .rar .7z .tar.gz .tar.bz2 .tar.xz .tar.zst .tar.lz .tar.z
""")
_UNFINISHED: Final = words(".part .partial .crdownload .download .opdownload")
_SPLIT: Final = r".*\.(z\d\d|(zip|7z|rar|tar)\.\d{3}|part\d+\.rar|r\d\d)"
"""What a part of a split archive is called, in lower case."""
_OF_SYSTEMS: Final = frozenset(concat(sign.paths for _, sign in WHOLE_SYSTEMS))
"""Paths of a system's own files, which may have a `theme.json` beside one."""


OTHERS: Final[tuple[Recogniser, ...]] = (
    *(*fallback("folder"), package, *fallback("no marker"), foreign_tree, *fallback("sources"), library),
)
"""Every one, in the order in which they are tried."""


def without_marker(file: ArchiveFile, roots: tuple[Root, ...]) -> Archive:
    """Recognise an archive without a marker: as another known kind, else by its folder in the drop and its name."""
    called = called_kind(file)
    silent = next(_silent(roots), "")
    others = () if called else (*OTHERS, *(() if silent else (files_only,)))
    for root in reversed(roots):
        for marked in concat(recogniser(root) for recogniser in others):
            return recognition_of(file, root, marked)
    recognition = safely(file, unmarked(kind_of(file), file, roots))
    if not roots:
        return replace(recognition, warnings=(not_built(file.display_path, "empty"),))
    component = recognition.component
    if component and (silent or not called):
        warning = unrecognised_archive(file.display_path, component.name, component.built_kind, silent)
        return replace(recognition, warnings=(warning,))
    return recognition


def backup(file: ArchiveFile, roots: tuple[Root, ...]) -> tuple[Archive, ...]:
    """A whole system below the last root, if there is one; nothing in it is built by itself."""
    found = system_below(roots[-1]) if roots else ()
    return tuple(recognition_of(file, roots[-1], marked) for marked in islice(found, 1))


def _silent(roots: tuple[Root, ...]) -> Iterator[str]:
    """The files that are called like a marker and say nothing."""
    for root in roots:
        yield from (root.prefix + name for name in MARKERS if name in root.names)
        yield from (root.prefix + name for system in SYSTEMS for name in system.unread(root))


def passed_over(file: ArchiveFile, roots: tuple[Root, ...], *, nested: bool) -> Archive:
    """Skip an archive in a bundle that has no marker, so may be documentation, or that is itself a bundle."""
    safe = Component(kind="module", name=harmless(unmarked("module", file, roots).name))
    return Archive(
        file=file, component=safe, warnings=(not_built(file.display_path, "nested" if nested else "unmarked"),)
    )


def unmarked(kind: ComponentKind, file: ArchiveFile, roots: tuple[Root, ...] = ()) -> Component:
    """A component without a marker, named after its common top folder, else its file."""
    top = roots[1].prefix if len(roots) > 1 else ""
    name = without_suffix(top.rstrip("/")) if top else without_version(file.stem)
    return Component(kind=kind, name=name, root=top)


def kind_of(file: ArchiveFile) -> ComponentKind:
    """The kind that the folder in the drop, the theme setting or the name suggests; a module if none does."""
    return called_kind(file) or ("theme" if re.search(_THEME_WORD, file.stem) else "module")


class DropEntry(Struct, frozen=True):
    """A file or folder in a drop."""

    name: str
    """Its path, relative to the drop."""
    names: frozenset[str] | None = None
    """For a folder: the paths of the files in it, and in the folder `config` in it."""
    is_file: bool = True
    """Whether it is a file or a folder, and no broken link, pipe or the like."""


def unused_in(drop: str, entries: Iterable[DropEntry]) -> tuple[WarningDiagnostic, ...]:
    """Note the files and folders that are not read though they look like archives or components, in one warning."""
    found = tuple((name, what) for name, what in sorted((entry.name, _what(entry)) for entry in entries) if what)
    return (unused_files(drop, found),) if found else ()


def _what(entry: DropEntry) -> str:
    """What a file or folder is that is not read; empty if it is read, or does not look like an archive or component."""
    name = entry.name.lower()
    suffixes = PurePath(name).suffixes
    if not entry.is_file:
        return "no file" if is_archive_name(name) else ""
    if entry.names is not None:
        if _is_component(PurePath(entry.name).name, entry.names):
            return "an unpacked component"
        if any(is_archive_name(each) and "/" not in each for each in entry.names):
            return "a folder of archives"
        return "a folder" if is_archive_name(name) else ""
    if _UNFINISHED.intersection(suffixes[-1:]):
        return "an unfinished download"
    if re.fullmatch(_SPLIT, name):
        return "a part of a split archive"
    return "another format" if _FORMATS.intersection(("".join(suffixes[-2:]), *suffixes[-1:])) else ""


def _is_component(folder: str, names: frozenset[str]) -> bool:
    """Whether the files in a folder are those of a theme or module, and not of a system."""
    if any(f"{folder}/{name}" in _OF_SYSTEMS for name in names):
        return False
    described = any(name.endswith(DESCRIBED) and "/" not in name for name in names)
    is_unpacked = any(system.unpacked and system.unpacked <= names for system in SYSTEMS)
    return described or is_unpacked or f"{folder}.php" in names or not names.isdisjoint(MARKERS)
