"""Omeka Classic: themes and plugins, which `theme.ini` and `plugin.ini` describe."""

import re
from collections.abc import Iterator
from typing import Final

from pipeline.archives.composer import composer_hints, type_of
from pipeline.archives.formats import read_info
from pipeline.archives.markers import Identification, Root
from pipeline.archives.naming import Hint, words
from pipeline.archives.places import Places
from pipeline.systems.ini_files import RULES, IniMarker, described_by_ini
from pipeline.systems.system import Folders, Shown, Sign, System, VersionFile
from pipeline.values import replace

_NAME: Final = "Omeka Classic"
_BOOTSTRAP: Final = "bootstrap.php"
_VERSION: Final = "OMEKA_VERSION"
_MARKERS: Final = (
    IniMarker("theme", "theme.ini", "theme", "required_plugins"),
    IniMarker("module", "plugin.ini", "info", "required_plugins"),
)
_CLASS: Final = rb"\bclass\s{1,9}(?:([A-Za-z]\w{0,99}?)_\w{0,99}Controller|([A-Za-z]\w{0,99})Plugin)\b"
_CONTROLLER: Final = "Controller.php"
_OLD_MAIN: Final = "plugin.php"
_READ: Final = 4
"""The most controllers that are read."""
_MAIN: Final = "Plugin.php"
"""How the name of the file ends that has the class of a plugin."""


def _recognise(root: Root) -> Iterator[Identification]:
    """`theme.ini` with `title` or `name`; `plugin.ini` with `name`, beside `<Name>Plugin.php`."""
    hints = composer_hints(root, is_own=_is_own(type_of(root)))
    for found in described_by_ini(root, _NAME, _MARKERS, ("name", "title"), hints):
        name = _plugin(root) if found.kind == "module" else ""
        yield replace(found, name=name, hints=(*found.hints, *_classes(root)))


def _title_in(content: bytes, field: str) -> str:
    return read_info(content, "theme").get(field) or ""


def _is_own(package_type: str) -> bool:
    """Whether a package is of this Omeka, and not of the other."""
    return package_type.startswith("omeka-") and not package_type.startswith("omeka-s-")


def _plugin(root: Root) -> str:
    """The name in that of the file with the class, if there is one, or one has the name of the folder; else empty."""
    stems = [name.removesuffix(_MAIN) for name in root.top if name.endswith(_MAIN) and name != _MAIN]
    own = [stem for stem in stems if stem in root.suggested] or stems
    return own[0] if len(own) == 1 else ""


def _classes(root: Root) -> Iterator[Hint]:
    """The name that the classes of a plugin begin with."""
    controllers = [name for name in root.names if name.startswith("controllers/") and name.endswith(_CONTROLLER)]
    for file in (*(name for name in root.top if name == _OLD_MAIN), *controllers[:_READ]):
        if found := re.search(_CLASS, root.head(file)):
            yield Hint((found[1] or found[2]).decode(), f"{root.prefix}{file} (class)")


OMEKA_CLASSIC: Final = System(
    name=_NAME,
    found_by=Sign(_BOOTSTRAP, text=_VERSION.encode()),
    releases=(Sign(_BOOTSTRAP, beside=("application/libraries/Omeka/",)),),
    versions=(VersionFile(_BOOTSTRAP, _VERSION),),
    folders=Folders(Places(modules="plugins")),
    recognise=_recognise,
    markers=tuple(marker.path for marker in _MARKERS),
    packages="omeka",
    naming=RULES,
    is_strict=frozenset({"module"}),
    title_in=_title_in,
    holds_back=True,
    supplies=words("coins exhibitbuilder simplepages"),
    shown=Shown(
        theme="`theme.ini` with `title` or `name`", module="`plugin.ini` with `name`; `<name>Plugin.php` has the name"
    ),
)
