"""Unmarked: archives that no marker says to be a theme or a module.

They may be something else that is known, which a table tells. That is a guess, which their place in the drop overrules:
then, and where nothing of the table fits, place and name suggest what they are.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from msgspec.structs import replace
from toolz import concat

from pipeline.archives.archive import Archive, ArchiveFile, Component
from pipeline.archives.composer import library, package
from pipeline.archives.drupal import unread_info
from pipeline.archives.markers import Identification, Recogniser, Root, unbuilt
from pipeline.archives.naming import without_suffix
from pipeline.archives.others import files_only, foreign_tree, system_below
from pipeline.archives.recognise import MARKERS, called_kind, harmless, recognition_of, safely
from pipeline.archives.wordpress import DROP_INS, MUST_USE, theme_below
from pipeline.report.diagnostics.archives import not_built, unrecognised_archive
from pipeline.report.events import ComponentKind

_THEME_WORD: Final = r"(?i)(?<![a-z])theme(?![a-z])"
_EXPORT: Final = "Config.xml"
_DEPTH: Final = 3
"""How deep the folder of must-use plugins may be: `wp-content` may be around it."""
_SHEETS: Final = tuple(f"style.{suffix}" for suffix in ("css", "scss", "sass", "less", "pcss"))
_SHEET_LIMIT: Final = 8
"""The most style sheets that are read."""
_TEMPLATES: Final = ("templates/page.tpl", "templates/_partials/head.tpl")
"""Files that every theme of PrestaShop has."""


def must_use_folder(root: Root) -> Iterator[Identification]:
    """PHP in a folder `mu-plugins`."""
    code = [name for name in root.names if name.endswith(".php")]
    inside = (name for name in code if MUST_USE in [root.folder, *name.split("/")[:-1]][:_DEPTH])
    if marker := next(inside, None):
        yield unbuilt("must-use plugins", marker, "folder", system="WordPress")


def drop_in(root: Root) -> Iterator[Identification]:
    """A file that WordPress looks for in `wp-content`, and no other PHP beside it."""
    code = [name for name in root.top if name.endswith(".php") and name != "index.php"]
    if code and set(code) <= set(DROP_INS):
        yield unbuilt("drop-in", code[0], "file name", system="WordPress")


def commands(root: Root) -> Iterator[Identification]:
    """Commands for Drush."""
    if found := [name for name in root.top if name.endswith(".drush.inc")]:
        yield unbuilt("tool", found[0], "file name", system="Drupal")


def export(root: Root) -> Iterator[Identification]:
    """A theme that PrestaShop 1.6 has exported: `Config.xml`, and the theme in `themes/`."""
    themes = {name.split("/")[1] for name in root.names if name.startswith("themes/")}
    if _EXPORT in root.top and themes:
        name = min(themes) if len(themes) == 1 else ""
        yield unbuilt("old theme", _EXPORT, "beside themes/", name=name, system="PrestaShop")


def wordpress_sources(root: Root) -> Iterator[Identification]:
    """A style sheet with `Theme Name:` that is not `style.css` at the root."""
    sheets = sorted((name.count("/"), name) for name in root.names if name.rpartition("/")[2] in _SHEETS)
    read = ((name, root.header(name)) for _, name in islice(sheets, _SHEET_LIMIT))
    if headed := next((name for name, header in read if "Theme Name" in header), None):
        yield unbuilt("WordPress sources", headed, "Theme Name", system="WordPress")


def prestashop_sources(root: Root) -> Iterator[Identification]:
    """The templates of a theme of PrestaShop."""
    if found := [name for name in _TEMPLATES if name in root.names]:
        yield unbuilt("theme sources", found[0], "file name", system="PrestaShop")


OTHERS: Final[tuple[Recogniser, ...]] = (
    *(theme_below, package, must_use_folder, drop_in, commands, export, foreign_tree),
    *(wordpress_sources, prestashop_sources, library),
)
"""Every one, in the order in which they are tried."""


def without_marker(file: ArchiveFile, roots: tuple[Root, ...]) -> Archive:
    """Recognise an archive without a marker: as another known kind, else by its folder in the drop and its name."""
    called, silent = called_kind(file), next(_silent(roots), "")
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
        yield from (root.prefix + name for name in unread_info(root))


def passed_over(file: ArchiveFile, roots: tuple[Root, ...], *, nested: bool) -> Archive:
    """Skip an archive in a bundle that has no marker, so may be documentation, or that is itself a bundle."""
    safe = Component(kind="module", name=harmless(unmarked("module", file, roots).name))
    return Archive(
        file=file, component=safe, warnings=(not_built(file.display_path, "nested" if nested else "unmarked"),)
    )


def unmarked(kind: ComponentKind, file: ArchiveFile, roots: tuple[Root, ...] = ()) -> Component:
    """A component without a marker, named after its common top folder, else its file."""
    top = roots[1].prefix if len(roots) > 1 else ""
    return Component(kind=kind, name=without_suffix(top.rstrip("/") or file.stem), root=top)


def kind_of(file: ArchiveFile) -> ComponentKind:
    """The kind that the folder in the drop, the theme setting or the name suggests; a module if none does."""
    return called_kind(file) or ("theme" if re.search(_THEME_WORD, file.stem) else "module")
