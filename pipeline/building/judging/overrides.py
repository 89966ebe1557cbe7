"""Overrides: the files of a component that a theme shows in versions of its own, and which of these an update outdates.

Where a theme has such files depends on the system, and on the plugin of WordPress: the tables say it. What is told of
them is in `docs/building.md`.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Final, TypeAlias

from msgspec import Struct

from pipeline.archives.archive import Component
from pipeline.report.events import ComponentKind
from pipeline.selection.versions import Rank, rank

_Folders: TypeAlias = tuple[tuple[str, str], ...]
"""A folder of the component, and that of a theme with its versions of the files; `{}` is the component's name."""


class Theme(Struct, frozen=True):
    """A theme of the project, whoever built it, and the paths of its files."""

    component: Component
    files: frozenset[str]


FOLDERS: Final[Mapping[tuple[str, ComponentKind], _Folders]] = {
    ("PrestaShop", "module"): (("", "modules/{}/"),),
    ("PrestaShop", "theme"): (("templates/", "templates/"), ("assets/", "assets/")),
    ("WordPress", "module"): (("templates/", "{}/"),),
    ("WordPress", "theme"): (("", ""),),
    ("Omeka S", "module"): (("view/", "view/"),),
}
"""By the system and the kind of the component. Themes override those that they build on."""
PLUGINS: Final[Mapping[str, _Folders]] = {
    "bbpress": (("templates/default/bbpress/", "bbpress/"),),
    "buddypress": tuple((f"bp-templates/bp-{each}/buddypress/", "buddypress/") for each in ("nouveau", "legacy")),
    "dokan-lite": (("templates/", "dokan/"),),
    "easy-digital-downloads": (("templates/", "edd_templates/"),),
    "event-tickets": (("src/views/", "tribe/tickets/"),),
    "events-manager": (("templates/", "plugins/{}/"),),
    "paid-memberships-pro": (("pages/", "{}/pages/"),),
    "sensei-lms": (("templates/", "sensei/"),),
    "the-events-calendar": (("src/views/", "tribe/events/"), ("src/views/", "tribe-events/")),
    "wp-job-manager": (("templates/", "job_manager/"),),
    "wp-user-manager": (("templates/", "wpum/"),),
}
"""Plugins of WordPress whose templates themes have elsewhere. Those that extend WooCommerce add to its folder."""
_EXTENDING: Final = (("templates/", "woocommerce/"),)
TEMPLATES: Final = {"Backdrop": ".tpl.php", "Drupal": ".html.twig", "Drupal 7": ".tpl.php"}
"""By the system, the suffix of templates that a theme overrides by their file name."""
_SHOWN: Final = r"(?i)(?!src/)(?:[\w-][^/]*/)*[\w-][^/]*\.(?:php|html|css|js|svg|png|jpe?g|gif|webp|tpl|twig)"
"""The files of a parent that a theme shows: no hidden files, data, documents, or sources of its build."""
_ITS_OWN: Final = r"(?i)style\.css|functions\.php|screenshot\.\w+|[^/]*\.js"
"""The files that each theme has for itself: its description, and the configuration of its tools."""
_COMMENTS: Final = rb"(?s)(?:\xef\xbb\xbf)?(?:\s|<\?php\b|\?>|/\*.*?\*/|//[^\n]*+|\{\*.*?\*\}|\{#.*?#\}|<!--.*?-->)*+"
_GUARD: Final = rb"(?:(?:header\([^;]*+|exit|die)(?:;\s*+|\Z))*+"
_VERSION: Final = rb"(?im)^(?:<\?php)?[ \t/*#@{]*@version[ \t]++([^\s*]++)"
_HEAD: Final = 8 * 1024
"""Bytes in which a template may say its version."""


def overridden(
    component: Component, files: Collection[str], theme: Theme, ancestors: Collection[str]
) -> dict[str, str]:
    """Which of some files of a component a theme overrides, given the themes that it builds on: each with its own."""
    if theme.component.system != component.system:
        return {}
    if component.built_kind == "theme":
        files = tuple(filter(_is_shown, files)) if component.name in ancestors else ()
    if suffix := TEMPLATES.get(component.system):
        own = {_last(each): each for each in sorted(theme.files, reverse=True) if each.endswith(suffix)}
        return {each: own[_last(each)] for each in files if _last(each) in own}
    beside = {each: _beside(each, component) for each in files}
    return {each: path for each, paths in beside.items() for path in paths if path in theme.files}


def may_be_overridden(component: Component, path: str) -> bool:
    """Whether a theme could override a file of a component at all."""
    if suffix := TEMPLATES.get(component.system):
        return path.endswith(suffix)
    return bool(_beside(path, component))


def successor(component: Component, path: str, files: Collection[str]) -> str:
    """The file of another version that an override of a file is of then, given its files; empty if there is none.

    It is the same path, or where templates go by their names any that is called so.
    """
    if path in files or component.system not in TEMPLATES:
        return path if path in files else ""
    return next((each for each in sorted(files) if _last(each) == _last(path)), "")


def _beside(path: str, component: Component) -> tuple[str, ...]:
    """The paths at which a theme can override a file, the preferred one last."""
    folders = reversed(_folders_of(component))
    return tuple(own.format(component.name) + path.removeprefix(of) for of, own in folders if path.startswith(of))


def _folders_of(component: Component) -> _Folders:
    usual = FOLDERS.get((component.system, component.built_kind), ())
    if component.system != "WordPress" or component.built_kind == "theme":
        return usual
    extends = component.name.startswith("woocommerce-") or "woocommerce" in component.requires
    return PLUGINS.get(component.name, (*_EXTENDING, *usual) if extends else usual)


def _is_shown(path: str) -> bool:
    """Whether a theme that builds on another shows this file of it, unless it has its own."""
    return bool(re.fullmatch(_SHOWN, path)) and not re.fullmatch(_ITS_OWN, path)


def _last(path: str) -> str:
    return path.rpartition("/")[2]


def ancestors_of(theme: Theme, themes: Iterable[Theme]) -> frozenset[str]:
    """The names of the themes that a theme builds on, directly or not."""
    parents = {each.component.name: each.component.parent for each in themes}
    name, above = theme.component.parent, set[str]()
    while name and name not in above:
        above.add(name)
        name = parents.get(name)
    return frozenset(above)


def is_stale(override: bytes, old: bytes, new: bytes | None) -> bool:
    """Whether an override falls behind, given the old and the new version of what it overrides.

    Where it and the new version have an `@version`, that decides. Neither what guards a folder counts, nor another
    comment at the beginning; one that is as the new version is not stale.
    """
    if new is None:
        return not _is_guard(old)
    mine, theirs = map(_version_in, (override, new))
    if mine and theirs:
        return mine < theirs
    changed = _without_comment(new) not in map(_without_comment, (old, override))
    return changed and not (_is_guard(old) and _is_guard(new))


def _version_in(content: bytes) -> Rank | None:
    said = re.search(_VERSION, content[:_HEAD])
    return rank(said[1].decode(errors="replace")) if said else None


def _without_comment(content: bytes) -> bytes:
    return re.sub(_COMMENTS, b"", content, count=1).rstrip()


def _is_guard(content: bytes) -> bool:
    """Whether a file does nothing but keep a folder from being listed."""
    return bool(re.fullmatch(_GUARD, _without_comment(content)))
