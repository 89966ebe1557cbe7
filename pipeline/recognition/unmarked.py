"""Unmarked: archives without a marker of a theme or a module, and other files in a drop.

A table recognises some of them as another kind. That is a guess: an archive's place in the drop
overrules it. In that case, and if nothing in the table fits, place and name suggest the kind.

One warning lists the files and folders in a drop that look like archives or components but are
not read.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import Final

from msgspec import Struct
from toolz import concat

from pipeline.archives.archive import Archive, ArchiveFile, Component
from pipeline.archives.markers import Recogniser, Root
from pipeline.archives.naming import without_suffix, without_version, words
from pipeline.recognition.others import WHOLE_SYSTEMS, files_only, foreign_tree, system_below
from pipeline.recognition.packages import library, package
from pipeline.recognition.recognise import called_kind, harmless, recognition_of, safely
from pipeline.recognition.recognisers import DESCRIBED, MARKERS, fallback, first_identified
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
_SPLIT: Final = r"(?is).*\.(z\d\d|(zip|7z|rar|tar)\.\d{3}|part\d+\.rar|r\d\d)"
"""The names of a split archive's parts."""
_UNFINISHED: Final = words(".part .partial .crdownload .download .opdownload")
_OF_SYSTEMS: Final = frozenset(concat(sign.paths for _, sign in WHOLE_SYSTEMS))
"""Paths of a system's own files, which may lie beside a `theme.json`."""


OTHERS: Final[tuple[Recogniser, ...]] = (
    *(
        *fallback("folder"),
        package,
        *fallback("no marker"),
        foreign_tree,
        *fallback("sources"),
        library,
    ),
)
"""Every recogniser of another kind, in the order in which they are tried."""


def without_marker(file: ArchiveFile, roots: tuple[Root, ...]) -> Archive:
    """Recognise an archive without a marker: as another known kind, otherwise by its folder in the
    drop and its name.
    """
    called = called_kind(file)
    silent = next(_silent(roots), "")
    recognisers = OTHERS
    if not silent:
        recognisers += (files_only,)
    if called:
        recognisers = ()
    for root in reversed(roots):
        marked = first_identified(recognisers, root)
        if marked:
            return recognition_of(file, root, marked)
    recognition = safely(file, unmarked(kind_of(file), file, roots))
    if not roots:
        return replace(recognition, warnings=(not_built(file.display_path, "empty"),))
    component = recognition.component
    if component and (silent or not called):
        warning = unrecognised_archive(
            file.display_path, component.name, component.built_kind, silent
        )
        return replace(recognition, warnings=(warning,))
    return recognition


def backup(file: ArchiveFile, roots: tuple[Root, ...]) -> tuple[Archive, ...]:
    """A whole system below the last root, if there is one; none of its parts is built by itself."""
    if not roots:
        return ()
    for system in system_below(roots[-1]):
        return (recognition_of(file, roots[-1], system),)
    return ()


def _silent(roots: tuple[Root, ...]) -> Iterator[str]:
    """The files that have the name of a marker but identify nothing."""
    for root in roots:
        for marker in MARKERS:
            if marker in root.names:
                yield root.prefix + marker
        for system in SYSTEMS:
            for name in system.unread(root):
                yield root.prefix + name


def passed_over(file: ArchiveFile, roots: tuple[Root, ...], *, nested: bool) -> Archive:
    """Skip an archive in a bundle that has no marker, so that it may be documentation, or that is
    itself a bundle.
    """
    component = Component(kind="module", name=harmless(unmarked("module", file, roots).name))
    warning = not_built(file.display_path, "unmarked")
    if nested:
        warning = not_built(file.display_path, "nested")
    return Archive(file=file, component=component, warnings=(warning,))


def unmarked(kind: ComponentKind, file: ArchiveFile, roots: tuple[Root, ...] = ()) -> Component:
    """A component without a marker, named after its common top folder, else its file."""
    if len(roots) > 1:
        top = roots[1].prefix
        return Component(kind=kind, name=without_suffix(top.rstrip("/")), root=top)
    return Component(kind=kind, name=without_version(file.stem), root="")


def kind_of(file: ArchiveFile) -> ComponentKind:
    """The kind that the folder in the drop, the theme setting or the name suggests,
    otherwise module.
    """
    called = called_kind(file)
    if called:
        return called
    if re.search(_THEME_WORD, file.stem):
        return "theme"
    return "module"


class DropEntry(Struct, frozen=True):
    """A file or folder in a drop."""

    name: str
    """The path, relative to the drop."""
    names: frozenset[str] | None = None
    """For a folder: the paths of the files in it and in its folder `config`."""
    is_file: bool = True
    """Whether it is a file or a folder, rather than a broken link, a pipe or the like."""


def unused_in(drop: str, entries: Iterable[DropEntry]) -> tuple[WarningDiagnostic, ...]:
    """List, in one warning, the files and folders that look like archives or components but are
    not read.
    """
    unused = list[tuple[str, str]]()
    for entry in entries:
        what = _what(entry)
        if what:
            unused.append((entry.name, what))
    if not unused:
        return ()
    return (unused_files(drop, tuple(sorted(unused))),)


def is_part(name: str) -> bool:
    """Whether a file is named like a part of a split archive."""
    return re.fullmatch(_SPLIT, name) is not None


def _what(entry: DropEntry) -> str:
    """What an unread file or folder is; empty if it is read, or does not look like an archive
    or component.
    """
    name = entry.name.lower()
    if not entry.is_file:
        if is_archive_name(name):
            return "no file"
        return ""
    if entry.names is not None:
        return _what_folder(entry.name, entry.names)
    suffixes = PurePath(name).suffixes
    if _UNFINISHED.intersection(suffixes[-1:]):
        return "an unfinished download"
    if is_part(name):
        return "a part of a split archive"
    if _FORMATS.intersection(("".join(suffixes[-2:]), *suffixes[-1:])):
        return "another format"
    return ""


def _what_folder(path: str, names: frozenset[str]) -> str:
    """What an unread folder is, by the paths of the files in it; empty as for `_what`."""
    if _is_component(PurePath(path).name, names):
        return "an unpacked component"
    if any(is_archive_name(name) and "/" not in name for name in names):
        return "a folder of archives"
    if is_archive_name(path.lower()):
        return "a folder"
    return ""


def _is_component(folder: str, names: frozenset[str]) -> bool:
    """Whether the files in a folder are those of a theme or module, and not of a system."""
    if any(f"{folder}/{name}" in _OF_SYSTEMS for name in names):
        return False
    if f"{folder}.php" in names or not names.isdisjoint(MARKERS):
        return True
    if any(name.endswith(DESCRIBED) and "/" not in name for name in names):
        return True
    return any(system.unpacked and system.unpacked <= names for system in SYSTEMS)
