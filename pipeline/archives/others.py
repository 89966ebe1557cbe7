"""Others: what an archive may be that is neither a theme nor a module, where no marker says what it is, as a table.

Each is a guess, which the place of the archive in the drop overrules.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from pipeline.archives.composer import package
from pipeline.archives.formats.header import HEADER_LIMIT, read_header
from pipeline.archives.markers import Identification, Recogniser, Root, unbuilt
from pipeline.archives.wordpress import DROP_INS, MUST_USE

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
