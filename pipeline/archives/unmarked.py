"""Unmarked: archives that no marker says to be a theme or a module.

They may be something else that is known, which a table tells. That is a guess, which their place in the drop overrules:
then, and where nothing of the table fits, place and name suggest what they are.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from msgspec.structs import replace

from pipeline.archives.archive import ArchiveFile, Component
from pipeline.archives.composer import package
from pipeline.archives.drupal import unread_info
from pipeline.archives.formats.header import HEADER_LIMIT, read_header
from pipeline.archives.markers import Identification, Recogniser, Root, unbuilt
from pipeline.archives.naming import without_suffix
from pipeline.archives.recognise import Recognition, harmless, recognition_of, safely
from pipeline.archives.systems import MARKERS
from pipeline.archives.wordpress import DROP_INS, MUST_USE
from pipeline.report.events import ComponentKind
from pipeline.report.problems.archives import EmptyArchive, PassedOver, UnreadMarker, UnrecognisedArchive

_THEME_WORD: Final = r"(?i)(?<![a-z])theme(?![a-z])"
_EXPORT: Final = "Config.xml"
_DEPTH: Final = 3
"""How deep the folder of must-use plugins may be: `wp-content` may be around it."""
_SHEETS: Final = tuple(f"style.{suffix}" for suffix in ("css", "scss", "sass", "less", "pcss"))
_SHEET_LIMIT: Final = 8
"""The most style sheets that are read."""
_TEMPLATES: Final = ("templates/page.tpl", "templates/_partials/head.tpl")
"""What every theme of PrestaShop has."""


def must_use_folder(root: Root) -> Iterator[Identification]:
    """PHP in a folder `mu-plugins`."""
    code = sorted(name for name in root.names if name.endswith(".php"))
    inside = (name for name in code if MUST_USE in [root.folder, *name.split("/")[:-1]][:_DEPTH])
    if marker := next(inside, None):
        yield unbuilt("must-use plugins", marker, "folder")


def drop_in(root: Root) -> Iterator[Identification]:
    """A file that WordPress looks for in `wp-content`, and no other PHP beside it."""
    code = [name for name in root.top if name.endswith(".php") and name != "index.php"]
    if code and set(code) <= set(DROP_INS):
        yield unbuilt("drop-in", code[0], "file name")


def commands(root: Root) -> Iterator[Identification]:
    """Commands for Drush."""
    if found := [name for name in root.top if name.endswith(".drush.inc")]:
        yield unbuilt("tool", found[0], "file name")


def export(root: Root) -> Iterator[Identification]:
    """What PrestaShop 1.6 makes of a theme: `Config.xml`, and the theme in `themes/`."""
    themes = {name.split("/")[1] for name in root.names if name.startswith("themes/")}
    if _EXPORT in root.top and themes:
        yield unbuilt("export", _EXPORT, "beside themes/", min(themes) if len(themes) == 1 else "")


def wordpress_sources(root: Root) -> Iterator[Identification]:
    """A style sheet with `Theme Name:` that is not `style.css` at the root."""
    sheets = sorted((name.count("/"), name) for name in root.names if name.rpartition("/")[2] in _SHEETS)
    read = ((name, read_header(root.head(name, HEADER_LIMIT))) for _, name in islice(sheets, _SHEET_LIMIT))
    headed = (name for name, header in read if "Theme Name" in header)
    yield from (unbuilt("WordPress sources", name, "Theme Name") for name in islice(headed, 1))


def prestashop_sources(root: Root) -> Iterator[Identification]:
    """The templates of a theme of PrestaShop."""
    if found := [name for name in _TEMPLATES if name in root.names]:
        yield unbuilt("theme sources", found[0], "file name")


OTHERS: Final = (
    Recogniser("", package),
    Recogniser("WordPress", must_use_folder),
    Recogniser("WordPress", drop_in),
    Recogniser("Drupal", commands),
    Recogniser("PrestaShop", export),
    Recogniser("WordPress", wordpress_sources),
    Recogniser("PrestaShop", prestashop_sources),
)
"""Every one, in the order in which they are tried."""


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
