"""Foreign: extensions of systems that keep no `themes/` and `modules/`, so that none of theirs is built."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from pipeline.archives.composer import MARKER, type_of
from pipeline.archives.markers import Identification, Root, unbuilt

_MANIFEST: Final = rb"(?i)<(?:extension|install)\b[^>]{0,500}\btype\s?="
"""The beginning of Joomla's manifests."""
SIGNS: Final = (
    ("Joomla", "templateDetails.xml", rb""),
    ("Magento", "registration.php", rb"ComponentRegistrar"),
    ("OpenCart", "install.xml", rb"(?i)<modification\b"),
    ("TYPO3", "ext_emconf.php", rb""),
    ("Moodle", "version.php", rb"\$plugin\s?->\s?(?:component|version)\b"),
    ("Shopify", "layout/theme.liquid", rb""),
)
"""Each system, the path of a file that only its extensions have, and a pattern in that file."""
_TREES: Final = (
    ("Magento", ("app/code/", "app/design/frontend/", "app/etc/modules/")),
    ("OpenCart", ("upload/admin/", "upload/catalog/", "upload/system/")),
)
"""Each system, and the folders in which an extension for it brings its files along."""
_PACKAGES: Final = (
    *(("Magento", "magento"), ("TYPO3", "typo3-cms-"), ("Joomla", "joomla-"), ("Shopware", "shopware-")),
    *(("Moodle", "moodle-"), ("phpBB", "phpbb-"), ("Craft CMS", "craft-"), ("October CMS", "october-")),
    *(("Silverstripe", "silverstripe-"), ("Contao", "contao-"), ("MediaWiki", "mediawiki-"), ("Neos", "neos-")),
)
"""Each system, and how the types of its packages begin."""
_XML_LIMIT: Final = 8
"""The most XML files at a root that are read."""


def foreign(root: Root) -> Iterator[Identification]:
    """A file, or a type of package, that only an extension of another system has."""
    for system, path, text in SIGNS:
        if path in root.names and (not text or re.search(text, root.head(path))):
            yield _of(system, path, "file name")
            return
    said = type_of(root)
    for system, prefix in _PACKAGES:
        if said.startswith(prefix):
            yield _of(system, MARKER, "type of the package")
            return


def joomla(root: Root) -> Iterator[Identification]:
    """A manifest of Joomla, which may have any name."""
    for name in islice((name for name in root.top if name.endswith(".xml")), _XML_LIMIT):
        if re.search(_MANIFEST, root.head(name, 4096)):
            yield _of("Joomla", name, "manifest")
            return


def foreign_tree(root: Root) -> Iterator[Identification]:
    """Files that are meant for the folders of another system."""
    found = ((system, sorted(name for name in root.names if name.startswith(folders))) for system, folders in _TREES)
    yield from (_of(system, names[0], "folder") for system, names in found if names)


def _of(system: str, marker: str, field: str) -> Identification:
    return unbuilt("foreign", marker, field, system=system)
