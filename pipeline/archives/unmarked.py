"""Unmarked: archives that no marker says to be a theme or a module: something else, or what place and name suggest."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from msgspec.structs import replace

from pipeline.archives.archive import ArchiveFile, Component
from pipeline.archives.drupal import unread_info
from pipeline.archives.markers import Root
from pipeline.archives.naming import without_suffix
from pipeline.archives.others import OTHERS
from pipeline.archives.recognise import Recognition, harmless, recognition_of, safely
from pipeline.archives.systems import MARKERS
from pipeline.report.events import ComponentKind
from pipeline.report.problems.archives import EmptyArchive, PassedOver, UnreadMarker, UnrecognisedArchive

_THEME_WORD: Final = r"(?i)(?<![a-z])theme(?![a-z])"


def without_marker(file: ArchiveFile, roots: tuple[Root, ...]) -> Recognition:
    """What an archive is without a marker: something else that is known, or what its place and its name say."""
    if not (file.shelf or file.is_theme_setting):
        for root in reversed(roots):
            for row in OTHERS:
                for marked in row.reads(root):
                    return recognition_of(file, root, row, marked)
    return by_name(file, roots)


def by_name(file: ArchiveFile, roots: tuple[Root, ...]) -> Recognition:
    """Recognise an archive without a marker by its place and its name."""
    kind = kind_of(file) or "module"
    component = unmarked(kind, file, roots[1] if len(roots) > 1 else None)
    is_said = file.shelf or file.is_theme_setting
    unsure = (UnrecognisedArchive(file.display_path, component.name, kind),) if roots and not is_said else ()
    empty = () if roots else (EmptyArchive(file.display_path),)
    silent = (UnreadMarker(file.display_path, root.prefix + each) for root in roots for each in _unread(root))
    recognition = safely(file, component)
    return replace(recognition, notes=(*(unsure if recognition.component else ()), *empty, *islice(silent, 1)))


def passed_over(file: ArchiveFile, roots: tuple[Root, ...], *, nested: bool) -> Recognition:
    """Skip an archive in a bundle that has no marker, so may be documentation, or that is itself a bundle."""
    name = unmarked("module", file, roots[1] if len(roots) > 1 else None).name
    safe = Component(kind="module", name=harmless(name))
    return Recognition(file=file, component=safe, notes=(PassedOver(file.display_path, nested),))


def unmarked(kind: ComponentKind, file: ArchiveFile, top: Root | None = None) -> Component:
    """A component without a marker, named after its common top folder, else its file."""
    name = without_suffix((top.folder if top else "") or file.stem)
    return Component(kind=kind, name=name, root=top.prefix if top else "")


def kind_of(file: ArchiveFile) -> ComponentKind | None:
    """The kind that the archive's place, the theme setting or its name suggests; `None` if none does."""
    if file.shelf:
        return "theme" if file.shelf == "themes" else "module"
    return "theme" if file.is_theme_setting or re.search(_THEME_WORD, file.stem) else None


def _unread(root: Root) -> Iterator[str]:
    """The files named like markers at a root where none identifies anything."""
    yield from (each for each in MARKERS if each in root.names)
    yield from unread_info(root)
