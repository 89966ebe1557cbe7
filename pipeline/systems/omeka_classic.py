"""Omeka Classic: themes and plugins, which `theme.ini` and `plugin.ini` describe."""

import re
from collections.abc import Iterator
from typing import Any, Final

from pipeline.archives.archive import Unusable
from pipeline.archives.composer import composer_hints, type_of
from pipeline.archives.info import Info, read_loosely
from pipeline.archives.ini import Ini
from pipeline.archives.markers import Identification, Root
from pipeline.archives.naming import Hint
from pipeline.archives.php_versions import compare_as_php
from pipeline.archives.places import Places
from pipeline.systems.ini_files import (
    NEXT_STEPS,
    RULES,
    IniMarker,
    UnreadableError,
    described_by_ini,
    nest,
)
from pipeline.systems.system import Folders, Shown, Sign, System, VersionFile
from pipeline.values import replace

_NAME: Final = "Omeka Classic"
_BOOTSTRAP: Final = "bootstrap.php"
_VERSION: Final = "OMEKA_VERSION"
_MARKERS: Final = (
    IniMarker("theme", "theme.ini", "theme", "required_plugins", "omeka_minimum_version"),
    IniMarker(
        "module",
        "plugin.ini",
        "info",
        "required_plugins",
        "omeka_minimum_version",
        wanted=("name",),
    ),
)
_CLASS: Final = (
    rb"\bclass\s{1,9}(?:([A-Za-z]\w{0,99}?)_\w{0,99}Controller|([A-Za-z]\w{0,99})Plugin)\b"
)
_CONTROLLER: Final = "Controller.php"
_AT_LEAST: Final = ">="
_OLD_MAIN: Final = "plugin.php"
_READ: Final = 4
"""The most controllers that are read."""
_MAIN: Final = "Plugin.php"
"""How the name of the file with a plugin's class ends."""


def _recognise(root: Root) -> Iterator[Identification]:
    """`theme.ini` with `title` or `name`; `plugin.ini` with `name`, beside `<Name>Plugin.php`."""
    hints = composer_hints(root, is_own=_is_own(type_of(root)))
    for found in described_by_ini(root, _NAME, _MARKERS, ("name", "title"), _section):
        described = replace(found, hints=(*hints, *_classes(root)))
        if found.runs_on:
            described = replace(described, runs_on=f"{_AT_LEAST}{found.runs_on}")
        if found.kind == "module":
            unusable = (*found.unusable, *_without_main(root, found.evidence))
            described = replace(described, name=_plugin(root), unusable=unusable)
        yield described


def _section(ini: Ini, name: str) -> Info:
    """A section with what it inherits, `[info : base]`, as this Omeka's framework reads
    it (1.12).
    """
    sections = {
        key.partition(":")[0].strip(): key for key, value in ini.items() if isinstance(value, dict)
    }
    fields: dict[str, Any] = {}
    lineage = list[str]()
    while name:
        key = sections.get(name)
        if key is None or name in lineage or key.count(":") > 1:
            raise UnreadableError(f"reads no section `{name}` in it")
        lineage.append(name)
        name = key.partition(":")[2].strip()
    for each in reversed(lineage):
        nest(fields, ini[sections[each]])
    return fields


def _accepts(version: str, runs_on: str) -> bool:
    return compare_as_php(version, runs_on.removeprefix(_AT_LEAST)) >= 0


def _title_in(content: bytes, field: str) -> str:
    return read_loosely(content, "theme").get(field) or ""


def _is_own(package_type: str) -> bool:
    """Whether a package is for this Omeka rather than the other."""
    return package_type.startswith("omeka-") and not package_type.startswith("omeka-s-")


def _plugin(root: Root) -> str:
    """The name in that of the file with the class, if there is only one or one matches the folder;
    otherwise empty.
    """
    stems = [
        name.removesuffix(_MAIN) for name in root.top if name.endswith(_MAIN) and name != _MAIN
    ]
    own = [stem for stem in stems if stem in root.suggested] or stems
    if len(own) != 1:
        return ""
    return own[0]


def _without_main(root: Root, marker: str) -> Iterator[Unusable]:
    """A plugin without the file that Omeka loads (3.2 was read)."""
    if not any(name == _OLD_MAIN or name.endswith(_MAIN) for name in root.top):
        yield Unusable(marker, f"{_NAME} finds no `<name>{_MAIN}` beside it")


def _classes(root: Root) -> Iterator[Hint]:
    """The name that the classes of a plugin begin with."""
    controllers = [
        name
        for name in root.names
        if name.startswith("controllers/") and name.endswith(_CONTROLLER)
    ]
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
    strict_kinds=frozenset({"module"}),
    title_in=_title_in,
    holds_back=True,
    next_steps=NEXT_STEPS,
    accepts=_accepts,
    shown=Shown(
        theme="`theme.ini` with `title` or `name`",
        module="`plugin.ini` with `name`; `<name>Plugin.php` has the name",
    ),
)
