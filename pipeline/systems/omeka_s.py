"""Omeka S: themes and modules, which `config/theme.ini` and `config/module.ini` describe."""

from collections.abc import Iterator
from typing import Final

from pipeline.archives.archive import Component
from pipeline.archives.composer import composer_hints, type_of
from pipeline.archives.formats import namespace_in
from pipeline.archives.markers import Identification, Root
from pipeline.systems.ini_files import RULES, IniMarker, described_by_ini
from pipeline.systems.system import FolderPair, Shown, Sign, System, VersionFile
from pipeline.values import replace

_NAME: Final = "Omeka S"
_PACKAGES: Final = "omeka-s"
_MODULE: Final = "application/Module.php"
_MARKERS: Final = (
    IniMarker("theme", "config/theme.ini", "info", ""),
    IniMarker("module", "config/module.ini", "info", "dependencies"),
)


def _recognise(root: Root) -> Iterator[Identification]:
    """`config/theme.ini`; `config/module.ini` beside `Module.php`, whose namespace is the module's name."""
    hints = composer_hints(root, is_own=type_of(root).startswith(f"{_PACKAGES}-"))
    for found in described_by_ini(root, _NAME, _MARKERS, ("name",), hints):
        if found.kind == "theme":
            yield found
        elif "Module.php" in root.top:
            yield replace(found, name=namespace_in(root.head("Module.php")) or "")


def _overrides(component: Component) -> tuple[FolderPair, ...]:
    return () if component.built_kind == "theme" else (("view/", "view/"),)


OMEKA_S: Final = System(
    name=_NAME,
    found_by=Sign(_MODULE, text=b"VERSION"),
    releases=(Sign(_MODULE),),
    versions=(VersionFile(_MODULE, "VERSION"),),
    recognise=_recognise,
    markers=tuple(marker.path for marker in _MARKERS),
    packages=_PACKAGES,
    naming=RULES,
    is_strict=frozenset({"theme", "module"}),
    holds_back=True,
    overrides=_overrides,
    shown=Shown(
        theme="`config/theme.ini` with `name`",
        module="`config/module.ini` with `name`, and `Module.php` with a `namespace`, which is the name",
        overrides="`view/<file>` of a module",
    ),
)
