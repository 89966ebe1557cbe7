"""Systems: every way to recognise a component, as a table. The rules are in `docs/archives.md`."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from pipeline.archives.composer import composer, has_type, is_package
from pipeline.archives.drupal import drupal, info_file
from pipeline.archives.foreign import SIGNS, foreign, joomla
from pipeline.archives.markers import TOOLS, Identification, Recogniser, Root, with_name
from pipeline.archives.naming import is_safe
from pipeline.archives.omeka import omeka_classic, omeka_s
from pipeline.archives.prestashop import BY_FILE_NAME, declares_class, module_of, old_theme, prestashop
from pipeline.archives.whole import WHOLE_SYSTEMS, whole_system
from pipeline.archives.wordpress import wordpress
from pipeline.report.events import ComponentKind

_SUFFIXES: Final = ("json", "yml", "toml")
MARKERS: Final = (
    *("config/theme.yml", "config/theme.ini", "config/module.ini", "theme.ini", "plugin.ini"),
    *(f"{kind}.{suffix}" for kind in ("theme", "module") for suffix in _SUFFIXES),
)
"""Markers with a fixed name that are reported if they identify nothing."""
_IN_TOP: Final = frozenset({"config.xml", "index.tpl", "style.css"})
_DESCRIBED: Final = (".info", ".info.yml")
"""Markers that have their name, or the end of it, in common with other files."""
_FEW: Final = 4
"""How many PHP files a folder may have that is not called like one of them, to be looked into deep in a bundle."""
_IN_FOLDERS: Final = frozenset(
    path
    for path in (*MARKERS, *(signs[0] for each in WHOLE_SYSTEMS for signs in each.signs), *(sign[1] for sign in SIGNS))
    if "/" in path
)
"""Every marker that is not at the root itself."""
_KINDS: Final[tuple[ComponentKind, ...]] = ("theme", "module")


def generic(root: Root) -> Iterator[Identification]:
    """`theme.json`, `.yml` or `.toml` with `name`; likewise for modules."""
    for kind in _KINDS:
        markers = (f"{kind}.{suffix}" for suffix in _SUFFIXES)
        yield from islice((each for marker in markers for each in with_name(kind, marker, root.plain(marker))), 1)


def php_by_folder(root: Root) -> Iterator[Identification]:
    """`<name>/<name>.php`, unless it is a guard (`index.php`), or a package without the class of a module."""
    for name in root.suggested:
        if is_safe(name) and name != "index" and f"{name}.php" in root.top:
            if not is_package(root) or (not has_type(root) and declares_class(root, name)):
                yield module_of(root, f"{name}.php", BY_FILE_NAME, {})
            return


RECOGNISERS: Final[tuple[Recogniser, ...]] = (
    *(whole_system, prestashop, omeka_s, drupal, info_file, wordpress, omeka_classic),
    *(foreign, generic, old_theme, composer, joomla, php_by_folder),
)
"""Every recogniser, in the order in which they are tried. The last is the least certain: any PHP code would do."""


def recognisers_of(root: Root) -> tuple[Recogniser, ...]:
    """The recognisers to try: none if there is no file at the root, and none of the markers in folders."""
    return RECOGNISERS if root.top or not _IN_FOLDERS.isdisjoint(root.names) else ()


def may_have_marker(root: Root) -> bool:
    """Whether a folder may have a marker, by the names of its files alone: much PHP is rather a library's."""
    code = [name for name in root.top if name.endswith(".php") and name not in TOOLS]
    is_named = any(f"{name}.php" in code for name in root.suggested)
    is_marked = any(name in _IN_TOP or name.endswith(_DESCRIBED) for name in root.top)
    return is_named or is_marked or 0 < len(code) <= _FEW or not root.names.isdisjoint(MARKERS)
