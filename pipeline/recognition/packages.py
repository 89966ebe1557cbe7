"""Packages: what a package is, by its `composer.json`."""

from collections.abc import Iterator
from typing import Final

from pipeline.archives.composer import (
    BY_PACKAGE,
    MARKER,
    composer_hints,
    has_entry_point,
    has_type,
    type_of,
)
from pipeline.archives.markers import Identification, Root, at, unbuilt, version_of
from pipeline.archives.naming import words
from pipeline.report.diagnostics.archives import Unbuilt
from pipeline.report.events import ComponentKind
from pipeline.report.wording import shortened
from pipeline.systems.table import SYSTEMS

_KINDS: Final[dict[str, ComponentKind]] = {"theme": "theme", "module": "module", "plugin": "module"}
_PACKAGES: Final[dict[str, Unbuilt]] = dict.fromkeys(
    words("""
    bundle composer-plugin library metapackage phpcodesniffer-standard project symfony-bundle
    """),
    "package",
)
"""The types of packages that are neither a theme nor a module, whatever the system."""
_TOOLS: Final = ("-extension", "-library")
"""The endings of package types that extend a tool, or that a system's code uses."""


def composer(root: Root) -> Iterator[Identification]:
    """`composer.json` whose `type` ends in `-theme`, `-module` or `-plugin`."""
    package_type = type_of(root)
    name = _name(root)
    system, _, tail = package_type.rpartition("-")
    if name and system and tail in _KINDS and not is_package(root):
        version = version_of(at(root.plain(MARKER), "version"))
        yield Identification(
            kind=_KINDS[tail],
            evidence=MARKER,
            field=BY_PACKAGE,
            name=name,
            version=version,
            system=_system_of(package_type) or system,
        )


def package(root: Root) -> Iterator[Identification]:
    """`composer.json` whose `type` is that of something else."""
    what = _what(root)
    if what and has_type(root):
        package_type = type_of(root)
        data = ""
        if what == "other type":
            data = f"a package of the type `{shortened(package_type)}`"
        yield unbuilt(
            what, MARKER, BY_PACKAGE, name=_name(root), system=_system_of(package_type), data=data
        )


def library(root: Root) -> Iterator[Identification]:
    """`composer.json` without a `type`, which makes it a library."""
    if is_package(root) and not has_type(root):
        yield unbuilt("package", MARKER, BY_PACKAGE, name=_name(root))


def is_package(root: Root) -> bool:
    """Whether a root has a package that is neither a theme nor a module."""
    return _what(root) is not None


def is_of_a_system(root: Root) -> bool:
    """Whether a root has a package of another kind that a system knows: everything in it belongs to
    the package.

    The sources of a theme may have the theme in a folder.
    """
    return _what(root) not in {None, "theme sources"} and _system_of(type_of(root)) != ""


def is_own_package(root: Root) -> bool:
    """Whether a package at a root is used by itself: it says that it is a library or project, or it
    has an entry point.
    """
    says = has_type(root) and type_of(root) in {"library", "project"}
    return says or has_entry_point(root)


def _what(root: Root) -> Unbuilt | None:
    package_type = type_of(root)
    for system in SYSTEMS:
        if package_type in system.other_packages:
            return system.other_packages[package_type]
    if package_type.endswith(_TOOLS):
        return "package"
    return _PACKAGES.get(package_type)


def _name(root: Root) -> str:
    for hint in composer_hints(root):
        return hint.name
    return ""


def _system_of(package_type: str) -> str:
    """The system whose package types begin with a prefix; of two, the longer prefix."""
    name = ""
    prefix = ""
    for system in SYSTEMS:
        if len(system.packages) > len(prefix) and package_type.startswith(f"{system.packages}-"):
            name = system.name
            prefix = system.packages
    return name
