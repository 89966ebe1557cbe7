"""Composer: the package at the root of an archive: its type, and the names that it gives
a component; also what a `package.json` says.
"""

from collections.abc import Iterator
from typing import Final

from pipeline.archives.markers import Root, at, text_of
from pipeline.archives.naming import Hint, HintKind

MARKER: Final = "composer.json"
BY_PACKAGE: Final = "type of the package"
"""The field of a component that was identified by its package alone."""
PACKAGE_NAME: Final = "package name"
_NAMES: Final = {
    "extra.install-name": ("extra", "install-name"),
    "extra.installer-name": ("extra", "installer-name"),
    PACKAGE_NAME: ("name",),
}
"""Fields that may name the folder, the most certain first; the last part of each is used."""


def type_of(root: Root) -> str:
    """The type of the package at a root, `library` if it does not say; empty if there
    is no package.
    """
    data = root.plain(MARKER)
    if not isinstance(data, dict):
        return ""
    return text_of(at(data, "type")) or "library"


def has_type(root: Root) -> bool:
    """Whether the package at a root names its type."""
    return text_of(at(root.plain(MARKER), "type")) is not None


def composer_hints(root: Root, *, is_own: bool = True) -> tuple[Hint, ...]:
    """The names in a package. A name that is not the system's own counts only if the
    folder agrees.
    """
    data = root.plain(MARKER)
    kinds: dict[str, HintKind] = {PACKAGE_NAME: "tail"}
    if is_own:
        kinds = {**dict.fromkeys(_NAMES, "own"), PACKAGE_NAME: "package"}
    named = (
        (field, (text_of(at(data, *_NAMES[field])) or "").rpartition("/")[2]) for field in kinds
    )
    return tuple(
        Hint(name, f"{root.prefix}{MARKER} ({field})", kinds[field])
        for field, name in named
        if name
    )


def package_hints(root: Root) -> Iterator[Hint]:
    """The name in a `package.json`."""
    if name := (text_of(at(root.plain("package.json"), "name")) or "").rpartition("/")[2]:
        yield Hint(name, f"{root.prefix}package.json ({PACKAGE_NAME})", "tail")


def has_entry_point(root: Root) -> bool:
    """Whether a `package.json` names an entry point, so that other code can load the package."""
    data = root.plain("package.json")
    return bool(at(data, "main") or at(data, "exports"))
