"""Systems: every way to recognise a component, as a table. The rules are in `docs/archives.md`."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from pipeline.archives.composer import composer, is_package
from pipeline.archives.drupal import drupal, info_file
from pipeline.archives.foreign import foreign, joomla
from pipeline.archives.markers import Identification, Recogniser, Root, with_name
from pipeline.archives.naming import is_safe
from pipeline.archives.omeka import omeka_classic, omeka_s
from pipeline.archives.prestashop import BY_FILE_NAME, module_of, prestashop
from pipeline.archives.whole import whole_system
from pipeline.archives.wordpress import style_of, wordpress
from pipeline.report.events import ComponentKind

_SUFFIXES: Final = ("json", "yml", "toml")
MARKERS: Final = (
    *("config/theme.yml", "config/theme.ini", "config/module.ini", "theme.ini", "plugin.ini"),
    *(f"{kind}.{suffix}" for kind in ("theme", "module") for suffix in _SUFFIXES),
)
"""Markers with a fixed name that are reported if they identify nothing."""
_KINDS: Final[tuple[ComponentKind, ...]] = ("theme", "module")


def generic(root: Root) -> Iterator[Identification]:
    """`theme.json`, `.yml` or `.toml` with `name`; likewise for modules."""
    for kind in _KINDS:
        markers = (f"{kind}.{suffix}" for suffix in _SUFFIXES)
        yield from islice((each for marker in markers for each in with_name(kind, marker, root.plain(marker))), 1)


def php_by_folder(root: Root) -> Iterator[Identification]:
    """`<name>/<name>.php`, whatever is in it, unless it is a guard (`index.php`) or belongs to a theme."""
    for name in () if is_package(root) else root.suggested:
        if is_safe(name) and f"{name}.php" in root.top and not _is_of_a_theme(root, name):
            yield module_of(root, f"{name}.php", BY_FILE_NAME, {})
            return


RECOGNISERS: Final[tuple[Recogniser, ...]] = (
    *(whole_system, prestashop, omeka_s, drupal, info_file, wordpress, omeka_classic),
    *(foreign, generic, composer, joomla, php_by_folder),
)
"""Every recogniser, in the order in which they are tried. The last is the least certain: any PHP code would do."""


def _is_of_a_theme(root: Root, php: str) -> bool:
    """Whether a PHP file is PrestaShop's guard, the template file of a Drupal 7 theme, or in a WordPress theme."""
    if php == "template" and any(found.kind == "theme" for found in info_file(root)):
        return True
    return php == "index" or "Theme Name" in style_of(root)
