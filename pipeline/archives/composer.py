"""Composer: what the `composer.json` of a package says that it is, and how it is to be called."""

from collections.abc import Iterator
from typing import Final

from pipeline.archives.markers import Identification, Root, at, text_of, unbuilt, version_of
from pipeline.archives.naming import Hint, HintKind, words
from pipeline.report.diagnostics.archives import Unbuilt
from pipeline.report.events import ComponentKind

MARKER: Final = "composer.json"
BY_PACKAGE: Final = "type of the package"
"""The field of a component that only its package identifies."""
_KINDS: Final[dict[str, ComponentKind]] = {"theme": "theme", "module": "module", "plugin": "module"}
_SYSTEMS: Final = {
    "prestashop": "PrestaShop",
    "omeka-s": "Omeka S",
    "omeka": "Omeka Classic",
    "drupal": "Drupal",
    "backdrop": "Backdrop",
    "wordpress": "WordPress",
}
"""The systems by the beginnings of the types of their packages; the first that fits counts."""
_PACKAGES: Final[dict[str, Unbuilt]] = {
    **dict.fromkeys(
        words("""
            composer-plugin drupal-drush library metapackage project phpcodesniffer-standard wp-cli-package bundle
            symfony-bundle drupal-core wordpress-core
        """),
        "package",
    ),
    "drupal-profile": "profile",
    "wordpress-muplugin": "must-use plugins",
    "wordpress-dropin": "drop-in",
    "wordpress-theme": "WordPress sources",
    "prestashop-theme": "theme sources",
}
"""The types of packages that are neither a theme nor a module, or not as long as nothing but the package says so."""
_TOOLS: Final = ("-extension", "-library")
"""How the types of packages end that extend a tool, or that code of a system uses."""
PACKAGE_NAME: Final = "package name"
_NAMES: Final = {
    "extra.install-name": ("extra", "install-name"),
    "extra.installer-name": ("extra", "installer-name"),
    PACKAGE_NAME: ("name",),
}
"""The fields that may name the folder, the most certain first; of each, the last part counts."""


def composer(root: Root) -> Iterator[Identification]:
    """`composer.json` whose `type` ends in `-theme`, `-module` or `-plugin`."""
    package_type = type_of(root)
    name = _name(root)
    system, _, tail = package_type.rpartition("-")
    kind = _KINDS.get(tail) if system and not is_package(root) else None
    if kind and name:
        version = version_of(at(root.plain(MARKER), "version"))
        yield Identification(
            kind=kind, evidence=MARKER, field=BY_PACKAGE, name=name, version=version, system=_system_of(package_type)
        )


def package(root: Root) -> Iterator[Identification]:
    """`composer.json` whose `type` is that of something else."""
    what = _what(root)
    if what and has_type(root):
        yield unbuilt(what, MARKER, BY_PACKAGE, name=_name(root), system=_system_of(type_of(root)))


def library(root: Root) -> Iterator[Identification]:
    """`composer.json` without a `type`, which is that of a library."""
    if is_package(root) and not has_type(root):
        yield unbuilt("package", MARKER, BY_PACKAGE, name=_name(root))


def is_package(root: Root) -> bool:
    """Whether there is a package at a root that is neither a theme nor a module."""
    return _what(root) is not None


def is_of_a_system(root: Root) -> bool:
    """Whether there is a package at a root of something else that a system knows: all that is in it belongs to that.

    The sources of a theme of PrestaShop may have the theme in a folder.
    """
    return _what(root) not in {None, "theme sources"} and _system_of(type_of(root)) != ""


def type_of(root: Root) -> str:
    """The type of the package at a root, `library` if it does not say; empty if there is no package."""
    data = root.plain(MARKER)
    return (text_of(at(data, "type")) or "library") if isinstance(data, dict) else ""


def has_type(root: Root) -> bool:
    """Whether the package at a root says its type."""
    return text_of(at(root.plain(MARKER), "type")) is not None


def composer_hints(root: Root, system: str = "") -> tuple[Hint, ...]:
    """The names in a package; if a system is given, a package of another system counts only if the folder agrees."""
    own = not system or _system_of(type_of(root)) == system
    data = root.plain(MARKER)
    fields = _NAMES if own else (PACKAGE_NAME,)
    named = ((field, (text_of(at(data, *_NAMES[field])) or "").rpartition("/")[2]) for field in fields)
    kind: HintKind = "own" if own else "tail"
    return tuple(Hint(name, f"{root.prefix}{MARKER} ({field})", kind) for field, name in named if name)


def package_hints(root: Root) -> Iterator[Hint]:
    """The name in a `package.json`."""
    if name := (text_of(at(root.plain("package.json"), "name")) or "").rpartition("/")[2]:
        yield Hint(name, f"{root.prefix}package.json ({PACKAGE_NAME})", "tail")


def _what(root: Root) -> Unbuilt | None:
    package_type = type_of(root)
    return _PACKAGES.get(package_type, "package" if package_type.endswith(_TOOLS) else None)


def _name(root: Root) -> str:
    return next((hint.name for hint in composer_hints(root)), "")


def _system_of(package_type: str) -> str:
    return next((system for prefix, system in _SYSTEMS.items() if package_type.startswith(f"{prefix}-")), "")
