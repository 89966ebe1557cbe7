"""Omeka S and Omeka Classic: components with an `.ini`."""

import re
from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from pipeline.archives.composer import composer_hints
from pipeline.archives.markers import Identification, Root, names_in, version_of
from pipeline.archives.naming import Hint
from pipeline.archives.php import namespace_in
from pipeline.report.events import ComponentKind

_MARKERS: Final[tuple[tuple[str, ComponentKind, str, str, str], ...]] = (
    ("Omeka S", "theme", "config/theme.ini", "info", ""),
    ("Omeka S", "module", "config/module.ini", "info", "dependencies"),
    ("Omeka Classic", "theme", "theme.ini", "theme", "required_plugins"),
    ("Omeka Classic", "module", "plugin.ini", "info", "required_plugins"),
)
"""Each system and kind, its marker, the section that counts in it, and the field of what it needs."""
_CLASS: Final = rb"\bclass\s{1,9}(?:([A-Za-z]\w{0,99}?)_\w{0,99}Controller|([A-Za-z]\w{0,99})Plugin)\b"
_CONTROLLER: Final = "Controller.php"
_OLD_MAIN: Final = "plugin.php"
_LONGEST: Final = 200
"""How many characters of a constraint are read."""
_READ: Final = 4
"""The most controllers that are read."""
_MAIN: Final = "Plugin.php"
"""How the name of the file ends that has the class of a plugin of Omeka Classic."""


def omeka_s(root: Root) -> Iterator[Identification]:
    """`config/theme.ini`; `config/module.ini` beside `Module.php`, whose namespace is the module's name."""
    for found in _described(root, "Omeka S", ("name",)):
        if found.kind == "theme":
            yield found
        elif "Module.php" in root.top:
            yield replace(found, name=namespace_in(root.head("Module.php")) or "")


def omeka_classic(root: Root) -> Iterator[Identification]:
    """`theme.ini` with `title` or `name`; `plugin.ini` with `name`, beside `<Name>Plugin.php`."""
    for found in _described(root, "Omeka Classic", ("name", "title")):
        name = _plugin(root) if found.kind == "module" else ""
        yield replace(found, name=name, hints=(*found.hints, *_classes(root)))


def _described(root: Root, wanted: str, names: tuple[str, ...]) -> Iterator[Identification]:
    """The components that the markers of a system describe, if they have one of some fields."""
    for system, kind, marker, section, needs in _MARKERS:
        info = root.info(marker, section) if system == wanted and marker in root.names else {}
        if field := next((key for key in names if info.get(key)), None):
            yield Identification(
                kind=kind,
                evidence=marker,
                field=field,
                hints=composer_hints(root, system),
                system=system,
                version=version_of(info.get("version")),
                runs_on=(info.get("omeka_version_constraint") or "")[:_LONGEST],
                requires=names_in((info.get(needs) or "").split(",")),
            )


def _plugin(root: Root) -> str:
    """The name in that of the file with the class, if there is one, or one has the name of the folder; else empty."""
    stems = [name.removesuffix(_MAIN) for name in root.top if name.endswith(_MAIN) and name != _MAIN]
    own = [stem for stem in stems if stem in root.suggested] or stems
    return own[0] if len(own) == 1 else ""


def _classes(root: Root) -> Iterator[Hint]:
    """The name that the classes of a plugin of Omeka Classic begin with."""
    controllers = [name for name in root.names if name.startswith("controllers/") and name.endswith(_CONTROLLER)]
    for file in (*(name for name in root.top if name == _OLD_MAIN), *controllers[:_READ]):
        if found := re.search(_CLASS, root.head(file)):
            yield Hint((found[1] or found[2]).decode(), f"{root.prefix}{file} (class)")
