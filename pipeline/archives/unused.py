"""Unused: what is in a drop and is not read, though it may have been meant to be (`docs/archives.md`)."""

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import Final, Literal, get_args

from msgspec import Struct
from toolz import groupby

from pipeline.archives.systems import MARKERS
from pipeline.archives.whole import WHOLE_SYSTEMS
from pipeline.report.diagnostics.drop import UnusedFiles, UnusedKind
from pipeline.schema import is_archive_name

_OTHER_FORMATS: Final = frozenset(
    {
        *(".tar", ".tgz", ".tbz", ".tbz2", ".txz", ".tzst", ".rar", ".7z"),
        *(".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst", ".tar.lz", ".tar.z"),
    }
)
_SPLIT: Final = re.compile(r"\.(z\d\d|(zip|7z|rar|tar)\.\d{3}|part\d+\.rar|r\d\d)")
"""How a part of a split archive ends, in lower case."""
_UNFINISHED: Final = frozenset({".part", ".partial", ".crdownload", ".download", ".opdownload"})
_DESCRIBED: Final = (".info.yml", ".info")
"""Suffixes of the files that describe components of Drupal and Backdrop."""
_OF_SYSTEMS: Final = frozenset(sign for system in WHOLE_SYSTEMS for signs in system.signs for sign in signs)
"""Paths of a system's own files: WordPress has a `theme.json` beside one."""


class DropEntry(Struct, frozen=True):
    """Something in a drop, as a listing of folders shows it."""

    name: str
    """Its path, relative to the drop."""
    kind: Literal["file", "folder", "broken link"] = "file"
    names: frozenset[str] = frozenset()
    """The paths of the files in a folder, and in the folder `config` in it."""


def unused_files(drop: str, entries: Iterable[DropEntry]) -> tuple[UnusedFiles, ...]:
    """What among these is not read, one note a kind."""
    pairs = ((kind, entry.name) for entry in entries for kind in _kinds(entry))
    groups: dict[UnusedKind, list[tuple[UnusedKind, str]]] = groupby(lambda pair: pair[0], pairs)
    return tuple(
        UnusedFiles(drop, kind, tuple(sorted(name for _, name in groups[kind])))
        for kind in get_args(UnusedKind)
        if kind in groups
    )


def _kinds(entry: DropEntry) -> Iterator[UnusedKind]:
    """Why something in a drop is not read; nothing for what is read, or was never meant to be."""
    suffixes = PurePath(entry.name.lower()).suffixes
    if entry.kind == "broken link":
        if is_archive_name(entry.name):
            yield "broken link"
    elif entry.kind == "file":
        if suffixes[-1:] and suffixes[-1] in _UNFINISHED:
            yield "unfinished"
        elif _SPLIT.fullmatch("".join(suffixes[-1:])) or _SPLIT.fullmatch("".join(suffixes[-2:])):
            yield "split"
        elif {"".join(suffixes[-2:]), *suffixes[-1:]} & _OTHER_FORMATS:
            yield "other format"
    elif is_archive_name(entry.name):
        yield "folder"
    elif _is_component(PurePath(entry.name).name, entry.names):
        yield "unpacked"
    elif any(is_archive_name(each) and "/" not in each for each in entry.names):
        yield "deeper"


def _is_component(folder: str, names: frozenset[str]) -> bool:
    """Whether the names in a folder are those of a theme or module, and not of a system itself."""
    if any(f"{folder}/{name}" in _OF_SYSTEMS for name in names):
        return False
    described = any(name.endswith(_DESCRIBED) and "/" not in name for name in names)
    is_wordpress_theme = {"style.css", "functions.php"} <= names
    return described or is_wordpress_theme or f"{folder}.php" in names or not names.isdisjoint(MARKERS)
