"""Composer: what the `composer.json` of a package says that it is, and how it is to be called."""

from collections.abc import Iterator
from typing import Any, Final

from pipeline.archives.markers import Identification, Root, at, text_of, unbuilt, version_of
from pipeline.archives.naming import Hint
from pipeline.report.events import ComponentKind
from pipeline.report.problems.archives import Unbuilt

MARKER: Final = "composer.json"
BY_PACKAGE: Final = "type of the package"
"""The field of what a package alone says."""
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
    **dict.fromkeys(("composer-plugin", "drupal-drush", "library", "metapackage", "project"), "package"),
    **dict.fromkeys(("behat-extension", "phpcodesniffer-standard", "phpstan-extension", "wp-cli-package"), "package"),
    **dict.fromkeys(("bundle", "symfony-bundle", "drupal-core", "drupal-library", "wordpress-core"), "package"),
    "drupal-profile": "profile",
    "wordpress-muplugin": "must-use plugins",
    "wordpress-dropin": "drop-in",
    "wordpress-theme": "WordPress sources",
    "prestashop-theme": "theme sources",
}
"""The types of packages that are neither a theme nor a module, or not as long as nothing but the package says so."""
_NAMES: Final = (("extra", "install-name"), ("extra", "installer-name"), ("name",))
"""Where the name of the folder stands, the most certain first; of `name` the last part counts."""


def composer(root: Root) -> Iterator[Identification]:
    """`composer.json` whose `type` ends in `-theme`, `-module` or `-plugin`."""
    data = _package(root)
    said = text_of(at(data, "type")) or ""
    system, _, tail = said.rpartition("-")
    kind = _KINDS.get(tail) if system and said not in _PACKAGES else None
    names = [name for name, _ in _names(data)]
    if kind and names:
        version = version_of(at(data, "version"))
        yield Identification(
            kind=kind, evidence=MARKER, field=BY_PACKAGE, name=names[0], version=version, system=_system_of(said)
        )


def package(root: Root) -> Iterator[Identification]:
    """`composer.json` whose `type` is that of something else."""
    data = _package(root)
    said = text_of(at(data, "type")) or ""
    if said in _PACKAGES:
        name = next((name for name, _ in _names(data)), "")
        yield unbuilt(_PACKAGES[said], MARKER, BY_PACKAGE, name, _system_of(said))


def is_package(root: Root) -> bool:
    """Whether there is a package at a root that is neither a theme nor a module."""
    return type_of(root) in _PACKAGES


def is_of_a_system(root: Root) -> bool:
    """Whether there is a package at a root of something else that a system knows: all that is in it belongs to that."""
    return is_package(root) and _system_of(type_of(root)) != ""


def type_of(root: Root) -> str:
    """The type of the package at a root; empty if there is none."""
    return text_of(at(_package(root), "type")) or ""


def composer_hints(root: Root, system: str) -> tuple[Hint, ...]:
    """The names that a package for a system gives itself."""
    data = _package(root)
    if _system_of(text_of(at(data, "type")) or "") != system:
        return ()
    return tuple(Hint(name, f"{root.prefix}{MARKER} ({field})") for name, field in _names(data))


def _package(root: Root) -> Any:
    return root.plain(MARKER)


def _system_of(said: str) -> str:
    return next((system for prefix, system in _SYSTEMS.items() if said.startswith(f"{prefix}-")), "")


def _names(data: Any) -> Iterator[tuple[str, str]]:
    for keys in _NAMES:
        if name := (text_of(at(data, *keys)) or "").rpartition("/")[2]:
            yield name, ".".join(keys)
