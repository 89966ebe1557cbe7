"""Others: whole systems, extensions of systems without `themes/` and `modules/`, and archives of
data alone.

A release or backup of a system is recognised before its parts could be.
"""

import re
from collections.abc import Iterator
from typing import Final

from toolz import concat

from pipeline.archives.composer import MARKER, has_entry_point, type_of
from pipeline.archives.formats import constant_in
from pipeline.archives.markers import Identification, Root, unbuilt, version_of
from pipeline.archives.naming import NEVER, words
from pipeline.systems.system import Sign, System
from pipeline.systems.table import SYSTEMS, system_called
from pipeline.values import replace


def _rows(table: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The rows of a table of words, `name: word word`."""
    rows = list[tuple[str, tuple[str, ...]]]()
    for line in table.strip().splitlines():
        name, _, listed = line.strip().partition(": ")
        rows.append((name, tuple(listed.split())))
    return tuple(rows)


_DUPLICATOR: Final = ("a site by Duplicator", Sign("installer.php", beside=("dup-installer/",)))
WHOLE_SYSTEMS: Final = (
    *((system.name, sign) for system in SYSTEMS for sign in system.releases),
    _DUPLICATOR,
)
"""The signs of a release or a backup."""
_MARKERS_BELOW: Final = tuple(f"/{sign.marker}" for _, sign in WHOLE_SYSTEMS)
"""The endings of a system file's path in a folder."""
_DEPTH: Final = 3
"""How many folders deep the system in a backup may be."""
_LIMIT: Final = 8
"""The most folders that are searched for a system, and the most XML files that are read at
a root.
"""
EXTENSIONS: Final = _rows(r"""
    Joomla: templateDetails.xml
    Magento: registration.php ComponentRegistrar
    OpenCart: install.xml (?i)<modification\b
    TYPO3: ext_emconf.php
    Moodle: version.php \$plugin\s?->\s?(?:component|version)\b
    Shopify: layout/theme.liquid
""")
"""The path of a file that only extensions of a system have, and a pattern in that file."""
_TREES: Final = _rows("""
    Magento: app/code/ app/design/frontend/ app/etc/modules/
    OpenCart: upload/admin/ upload/catalog/ upload/system/
""")
"""The folders in which an extension of a system brings its files along."""
_PACKAGES: Final = _rows("""
    Magento: magento
    TYPO3: typo3-cms-
    Joomla: joomla-
    Shopware: shopware-
    Moodle: moodle-
    phpBB: phpbb-
    Craft CMS: craft-
    October CMS: october-
    Silverstripe: silverstripe-
    Contao: contao-
    MediaWiki: mediawiki-
    Neos: neos-
""")
"""The prefixes of the systems' package types."""
_MANIFEST: Final = rb"(?i)<(?:extension|install)\b[^>]{0,500}\btype\s?="
"""The beginning of Joomla's manifests."""
_PAGES: Final = (".html", ".htm", ".xhtml")
_WITH_PAGES: Final = tuple(words(".css .js .map .scss .sass .less .pug"))
_DATA: Final = _rows("""
    a database dump: .sql .sql.gz .sql.bz2 .sql.xz .dump .sqlite .sqlite3
    translations: .po .pot .mo .xlf .xliff .l10n.php
    fonts: .ttf .otf .woff .woff2 .eot .pfb .afm
    HTML pages: .html .htm .xhtml
    exported data: .csv .tsv .xml .json .yml .yaml .xls .xlsx .ods .wie .wpress
    documents: .pdf .doc .docx .odt .rtf .epub .ppt .pptx .odp
    recordings: .mp3 .mp4 .m4a .mov .avi .wav .ogg .webm
    images: .png .jpg .jpeg .gif .webp .svg .ico .bmp .tif .tiff .avif .heic .psd .ai .eps .sketch\
 .fig .xd .indd
    texts: .txt .md .rst
""")
"""The suffixes of the files of each kind of data; the first row with a file counts."""
_PLAIN: Final = words("authors changelog copying licence license notice ofl readme")
"""Files without a suffix that are texts."""
_SOURCES: Final = "package.json"
"""What the sources of pages have at their root, and code."""
_CODE: Final = ("composer.json", _SOURCES, ".info.yml")
"""The endings of file names that are never data, whatever their suffix."""
_GUARD: Final = "/index.php"
"""The file that prevents a folder's listing, below the root."""


def whole_system(root: Root) -> Iterator[Identification]:
    """Recognise a whole system at a root."""
    markers = dict[str, str]()
    origins = set[str]()
    for name, sign in WHOLE_SYSTEMS:
        if name not in markers and sign.is_in(root):
            markers[name] = sign.marker
            origins.add(system_called(name).made_from)
    for name, marker in markers.items():
        if name not in origins:
            version = next(filter(None, _versions_in(root, system_called(name))), None)
            yield unbuilt("system", marker, "file name", system=name, version=version)
            return


def _versions_in(root: Root, system: System) -> Iterator[str | None]:
    """The versions that the files of a system name."""
    for file in system.versions:
        if file.path in root.names:
            yield version_of(constant_in(root.head(file.path), file.constant))


def system_below(root: Root) -> Iterator[Identification]:
    """A system some folders deep, for example in a backup with the database beside it."""
    folders = set[str]()
    for name in root.names:
        if name.endswith(_MARKERS_BELOW):
            folders.update(
                name.removesuffix(end[1:]) for end in _MARKERS_BELOW if name.endswith(end)
            )
    likely = [
        folder
        for folder in folders
        if folder.count("/") <= _DEPTH and NEVER.isdisjoint(folder.split("/"))
    ]
    for folder in sorted(likely, key=lambda folder: (folder.count("/"), folder))[:_LIMIT]:
        for system in whole_system(root.at(folder)):
            yield replace(system, evidence=folder + system.evidence)


def foreign(root: Root) -> Iterator[Identification]:
    """A file, or a package type, that only an extension of another system has."""
    for system, (path, *pattern) in EXTENSIONS:
        if path in root.names and all(
            re.search(text.encode(), root.head(path)) for text in pattern
        ):
            yield unbuilt("foreign", path, "file name", system=system)
            return
    package_type = type_of(root)
    for system, prefixes in _PACKAGES:
        if package_type.startswith(prefixes):
            yield unbuilt("foreign", MARKER, "type of the package", system=system)
            return


def joomla(root: Root) -> Iterator[Identification]:
    """A Joomla manifest, which may have any name."""
    files = [name for name in root.top if name.endswith(".xml")]
    for name in files[:_LIMIT]:
        if re.search(_MANIFEST, root.head(name, 4096)):
            yield unbuilt("foreign", name, "manifest", system="Joomla")
            return


def foreign_tree(root: Root) -> Iterator[Identification]:
    """Files for the folders of another system."""
    for system, folders in _TREES:
        for name in root.names:
            if name.startswith(folders):
                yield unbuilt("foreign", name, "folder", system=system)


def files_only(root: Root) -> Iterator[Identification]:
    """An archive in which every file is data; pages may have style sheets, scripts and sources, and
    folders may have guards.
    """
    names = {name.lower(): name for name in root.names}
    known = tuple(concat(suffixes for _, suffixes in _DATA))
    sources = set[str]()
    if any(name.endswith(_PAGES) for name in names):
        known += _WITH_PAGES
        if not has_entry_point(root):
            sources.add(_SOURCES)
    if not all(
        (name.endswith(known) or _is_plain(name)) and not name.endswith(_CODE)
        for name in names.keys() - sources
    ):
        return
    for which, suffixes in _DATA:
        for low, name in names.items():
            if low.endswith(suffixes):
                yield unbuilt("data", name, "file name", data=which)


def _is_plain(name: str) -> bool:
    last = name.rpartition("/")[2]
    return last in _PLAIN or last.startswith(".") or name.endswith(_GUARD)
