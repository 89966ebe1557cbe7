"""Omeka S: themes and modules, which `config/theme.ini` and `config/module.ini` describe."""

from collections.abc import Iterator
from typing import Any, Final

from pipeline.archives.archive import Component
from pipeline.archives.composer import composer_hints, type_of
from pipeline.archives.formats import namespace_in
from pipeline.archives.info import Info
from pipeline.archives.ini import Ini
from pipeline.archives.markers import Identification, Root
from pipeline.systems.ini_files import (
    NEXT_STEPS,
    RULES,
    IniMarker,
    UnreadableError,
    described_by_ini,
    nest,
)
from pipeline.systems.system import FolderPair, Folders, Shown, Sign, System, VersionFile
from pipeline.values import replace

_NAME: Final = "Omeka S"
_PACKAGES: Final = "omeka-s"
_MODULE: Final = "application/Module.php"
_MARKERS: Final = (
    IniMarker("theme", "config/theme.ini", "info", "", "omeka_version_constraint", True, ("name",)),
    IniMarker(
        "module",
        "config/module.ini",
        "info",
        "dependencies",
        "omeka_version_constraint",
        True,
        ("name", "version"),
    ),
)


def _recognise(root: Root) -> Iterator[Identification]:
    """`config/theme.ini`; `config/module.ini` beside `Module.php`, whose namespace is the
    module's name.
    """
    hints = composer_hints(root, is_own=type_of(root).startswith(f"{_PACKAGES}-"))
    for described in described_by_ini(root, _NAME, _MARKERS, ("name",), _section):
        found = replace(described, hints=hints)
        if found.kind == "theme":
            yield found
        elif "Module.php" in root.top:
            yield replace(found, name=namespace_in(root.head("Module.php")) or "")


def _section(ini: Ini, name: str) -> Info:
    """A section as this Omeka's framework reads it (laminas-config 3.9.0), where dots in names
    make sections.
    """
    config: dict[str, Any] = {}
    for key, value in ini.items():
        if isinstance(value, dict) and "." not in key:
            fields: dict[str, Any] = {}
            nest(fields, value)
            config[key] = fields
        else:
            nest(config, {key: value})
    section = config.get(name)
    if not isinstance(section, dict):
        raise UnreadableError(f"reads no section `{name}` in it")
    return section


def _overrides(component: Component) -> tuple[FolderPair, ...]:
    return () if component.built_kind == "theme" else (("view/", "view/"),)


OMEKA_S: Final = System(
    name=_NAME,
    found_by=Sign(_MODULE, text=b"VERSION"),
    releases=(Sign(_MODULE),),
    versions=(VersionFile(_MODULE, "VERSION"),),
    folders=Folders(own=("addons/themes", "addons/modules")),
    recognise=_recognise,
    markers=tuple(marker.path for marker in _MARKERS),
    packages=_PACKAGES,
    naming=RULES,
    strict_kinds=frozenset({"theme", "module"}),
    holds_back=True,
    next_steps=NEXT_STEPS,
    overrides=_overrides,
    shown=Shown(
        theme="`config/theme.ini` with `name`",
        module=(
            "`config/module.ini` with `name`, and `Module.php` with a `namespace`, which is "
            "the name"
        ),
        overrides="`view/<file>` of a module",
    ),
)
