"""By name: the component that an archive without a marker is, by its place and its name."""

import re
from typing import Final

from pipeline.archives.archive import ArchiveFile, Component
from pipeline.archives.naming import without_suffix
from pipeline.report.events import ComponentKind

_THEME_WORD: Final = r"(?i)(?<![a-z])theme(?![a-z])"


def unmarked(kind: ComponentKind, file: ArchiveFile, folder: str = "", root: str = "") -> Component:
    """A component without a marker, named after its common top folder, else its file."""
    return Component(kind=kind, name=without_suffix(folder or file.stem), root=root)


def kind_of(file: ArchiveFile) -> ComponentKind | None:
    """The kind that the archive's place, the theme setting or its name suggests; `None` if none does."""
    if file.shelf:
        return "theme" if file.shelf == "themes" else "module"
    return "theme" if file.is_theme_setting or re.search(_THEME_WORD, file.stem) else None
