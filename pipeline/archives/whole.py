"""Whole systems: archives of WordPress, Drupal and others themselves, such as releases and backups of sites."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from pipeline.archives.formats.php import constant_in
from pipeline.archives.markers import Identification, Root, make_root, unbuilt, version_of
from pipeline.archives.naming import NEVER

_DEPTH: Final = 3
"""How many folders down the system of a backup may be."""
_LIMIT: Final = 8
"""The most folders in which a system is searched for."""


class WholeSystem(Struct, frozen=True):
    """A system, the paths that show it, and the files that have its version, each with what the version is in.

    One group of paths is enough, of which all must be there. The first is a file; one that ends in `/` is a folder.
    """

    name: str
    signs: tuple[tuple[str, ...], ...]
    versions: tuple[tuple[str, str], ...] = ()


WHOLE_SYSTEMS: Final = (
    WholeSystem(
        "WordPress", (("wp-includes/version.php",), ("wp-load.php",)), (("wp-includes/version.php", "$wp_version"),)
    ),
    WholeSystem("Drupal", (("core/lib/Drupal.php",),), (("core/lib/Drupal.php", "VERSION"),)),
    WholeSystem(
        "Backdrop", (("core/includes/bootstrap.inc",),), (("core/includes/bootstrap.inc", "BACKDROP_VERSION"),)
    ),
    WholeSystem(
        "Drupal 7",
        (("includes/bootstrap.inc", "index.php"), ("includes/bootstrap.inc", "modules/")),
        (("includes/bootstrap.inc", "VERSION"),),
    ),
    WholeSystem(
        "PrestaShop",
        (("config/defines.inc.php", "classes/"), ("prestashop.zip", "Install_PrestaShop.html")),
        (
            ("src/Core/Version.php", "VERSION"),
            ("app/AppKernel.php", "VERSION"),
            ("config/settings.inc.php", "_PS_VERSION_"),
            ("install/install_version.php", "_PS_INSTALL_VERSION_"),
        ),
    ),
    WholeSystem("Omeka S", (("application/Module.php",),), (("application/Module.php", "VERSION"),)),
    WholeSystem(
        "Omeka Classic", (("bootstrap.php", "application/libraries/Omeka/"),), (("bootstrap.php", "OMEKA_VERSION"),)
    ),
    WholeSystem("a site by Duplicator", (("installer.php", "dup-installer/"),)),
)
_DRUPALS: Final = frozenset({"Drupal", "Drupal 7"})
"""A component for one of them may be in the other."""
_ENDS: Final = tuple(f"/{sign}" for system in WHOLE_SYSTEMS for sign, *_ in system.signs)


def whole_system(root: Root) -> Iterator[Identification]:
    """A system at a root."""
    for system in WHOLE_SYSTEMS:
        for signs in system.signs:
            if all(_has(root, sign) for sign in signs):
                version = next(filter(None, (_version(root, *each) for each in system.versions)), None)
                yield replace(unbuilt("system", signs[0], "file name", system=system.name), version=version)
                return


def versions_of(system: str) -> Iterator[tuple[str, str, str]]:
    """Where a component of a system finds its version: the system's name, a file, and what the version is in there."""
    wanted = _DRUPALS if system in _DRUPALS else {system}
    yield from ((each.name, *file) for each in WHOLE_SYSTEMS if each.name in wanted for file in each.versions)


def system_below(root: Root) -> Iterator[Identification]:
    """A system in a folder some way down, as in a backup with the database beside it."""
    ends = ((name, end) for name in root.names if name.endswith(_ENDS) for end in _ENDS if name.endswith(end))
    places = sorted({name.removesuffix(end[1:]) for name, end in ends}, key=lambda place: (place.count("/"), place))
    shallow = (place for place in places if place.count("/") <= _DEPTH and NEVER.isdisjoint(place.split("/")))
    for place in islice(shallow, _LIMIT):
        names = (name[len(place) :] for name in root.names if name.startswith(place))
        found = whole_system(make_root(root.prefix + place, names, root.read))
        yield from (replace(each, evidence=place + each.evidence) for each in found)


def _has(root: Root, sign: str) -> bool:
    return sign in root.names or (sign.endswith("/") and any(name.startswith(sign) for name in root.names))


def _version(root: Root, file: str, constant: str) -> str | None:
    return version_of(constant_in(root.head(file), constant)) if file in root.names else None
