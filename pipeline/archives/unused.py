"""Unused: files and folders in a drop that look like archives or components and are not read (`docs/archives.md`)."""

import re
from collections.abc import Iterable
from pathlib import PurePath
from typing import Final

from msgspec import Struct

from pipeline.archives.naming import words
from pipeline.archives.others import WHOLE_SYSTEMS
from pipeline.archives.recognise import MARKERS
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.drop import unused_files
from pipeline.schema import is_archive_name

_FORMATS: Final = words("""
    .tar .tgz .tbz .tbz2 .txz .tzst .rar .7z .tar.gz .tar.bz2 .tar.xz .tar.zst .tar.lz .tar.z
""")
_UNFINISHED: Final = words(".part .partial .crdownload .download .opdownload")
_SPLIT: Final = r".*\.(z\d\d|(zip|7z|rar|tar)\.\d{3}|part\d+\.rar|r\d\d)"
"""What a part of a split archive is called, in lower case."""
_DESCRIBED: Final = (".info.yml", ".info")
"""Suffixes of the files that describe components of Drupal and Backdrop."""
_OF_SYSTEMS: Final = frozenset(sign for _, signs in WHOLE_SYSTEMS for sign in signs)
"""Paths of a system's own files: WordPress has a `theme.json` beside one."""


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
    described = any(name.endswith(_DESCRIBED) and "/" not in name for name in names)
    is_wordpress_theme = {"style.css", "functions.php"} <= names
    return described or is_wordpress_theme or f"{folder}.php" in names or not names.isdisjoint(MARKERS)
