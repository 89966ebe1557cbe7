"""WordPress: themes and plugins, which a header describes. The folder gives the name."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from toolz import unique

from pipeline.archives.archive import Component
from pipeline.archives.composer import PACKAGE_NAME, composer_hints, package_hints, type_of
from pipeline.archives.entry_names import last_part
from pipeline.archives.headers import BLANKS, HEADER_LIMIT, read_header
from pipeline.archives.markers import (
    Identification,
    Root,
    is_of_a_library,
    php_files,
    unbuilt,
    version_of,
)
from pipeline.archives.naming import SLUG, FolderRules, Hint, words
from pipeline.archives.php_versions import compare_as_php
from pipeline.archives.places import Places
from pipeline.report.events import ComponentKind
from pipeline.systems.system import FolderPair, Folders, Shown, Sign, System, VersionFile
from pipeline.values import replace

_NAME: Final = "WordPress"
_PACKAGES: Final = "wordpress"
_CONTENT: Final = "wp-content"
_AT_LEAST: Final = ">="
_DROP_INS: Final = ("advanced-cache.php", "db.php", "object-cache.php")
"""Files that WordPress looks for in `wp-content`."""
_MUST_USE: Final = "mu-plugins"
_DEPTH: Final = 3
"""How deep the folder of must-use plugins may be: it may lie in `wp-content`."""
_STYLE: Final = "style.css"
_SHEETS: Final = tuple(f"style.{suffix}" for suffix in ("css", "scss", "sass", "less", "pcss"))
_SOURCES: Final = (".scss", ".sass", ".less", ".pcss")
_HEADING: Final = r"(?i)theme|header|description|meta|info|style|main"
"""Words in the name of a part of a style sheet that may have the header."""
_SHEET_LIMIT: Final = 16
"""The most style sheets, and the most parts of style sheets, that are read."""
_LOADS: Final = (
    rb"(?i)(?:\b(?:require|include)(?:_once)?\b|\bglob\s{0,9}\()[^;]{0,200}\bWPMU_PLUGIN_DIR\b"
)
_Headed: TypeAlias = tuple[str, Mapping[str, str]]
"""A PHP file, and its header."""
_TEMPLATES: Final[tuple[FolderPair, ...]] = (("templates/", "{}/"),)
_EXTENDING: Final[tuple[FolderPair, ...]] = (("templates/", "woocommerce/"),)
"""Plugins that extend WooCommerce add their names to its folder."""
_PLUGINS: Final[Mapping[str, tuple[FolderPair, ...]]] = {
    "bbpress": (("templates/default/bbpress/", "bbpress/"),),
    "buddypress": tuple(
        (f"bp-templates/bp-{each}/buddypress/", "buddypress/") for each in ("nouveau", "legacy")
    ),
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
"""Plugins whose templates themes keep elsewhere."""


def _recognise(root: Root) -> Iterator[Identification]:
    """`style.css` with `Theme Name:`; a PHP file with `Plugin Name:`. The folder gives the name."""
    style = root.header(_STYLE)
    plugins = tuple(_plugins(root))
    if "Theme Name" in style:
        yield _headed(root, "theme", _STYLE, style)
        plugins = tuple(each for each in plugins if not is_of_a_library(each[0]))
    if plugins and _is_must_use(root, plugins):
        yield unbuilt(
            "must-use plugins", plugins[0][0], "Plugin Name", name=root.folder, system=_NAME
        )
    elif plugins:
        drop_ins = tuple(name for name in _DROP_INS if name in root.top)
        yield replace(_headed(root, "module", *plugins[0]), drop_ins=drop_ins)


def _named_at(root: Root) -> Iterator[tuple[ComponentKind, str]]:
    """A theme by its style sheet alone; a plugin by the header of a file. WordPress checks
    no more.
    """
    if _STYLE in root.top:
        yield "theme", root.folder
    if any(True for _ in _plugins(root)):
        yield "module", root.folder


def _theme_below(root: Root) -> Iterator[Identification]:
    """A theme with its style sheet and its templates in a folder such as `resources/`, where
    WordPress also looks.
    """
    for folder in dict.fromkeys(name.partition("/")[0] for name in root.names):
        sheet = f"{folder}/{_STYLE}"
        if f"{folder}/index.php" in root.names:
            header = root.header(sheet)
            if "Theme Name" in header:
                yield _headed(root, "theme", sheet, header)


def _plugins(root: Root) -> Iterator[_Headed]:
    """The PHP files with the header of a plugin, in the order of `php_files`."""
    for php in php_files(root):
        header = root.header(php) if b"plugin name" in root.head(php, HEADER_LIMIT).lower() else {}
        if "Plugin Name" in header:
            yield php, header


def _is_must_use(root: Root, plugins: Sequence[_Headed]) -> bool:
    """Whether plugins are must-use plugins: several of equal rank, or a loader of
    must-use plugins.
    """
    package_type = type_of(root)
    first = plugins[0][0]
    if package_type.startswith("wordpress-") or "Theme Name" in root.header(_STYLE):
        return package_type == "wordpress-muplugin"
    if root.folder == _MUST_USE:
        return True
    is_single = [name for name in root.names if name.endswith(".php")] == [first]
    if is_single and re.search(_LOADS, root.head(first)):
        return True
    names = [php.removesuffix(".php") for php, _ in plugins if not is_of_a_library(php)]
    if not names or names[0] in root.suggested:
        return False
    shortest = min(names, key=len)  # if one begins all names, it is this one
    return not all(name.startswith(shortest) for name in names)


def _headed(
    root: Root, kind: ComponentKind, marker: str, header: Mapping[str, str]
) -> Identification:
    field = f"{kind.replace('module', 'plugin').capitalize()} Name"
    requires: tuple[str, ...] = ()
    parent = None
    if kind == "module":
        requires = _required_plugins(header)
    else:
        parent = header.get("Template", "").rstrip("/").removeprefix("./") or None
    runs_on = ""
    required = version_of(header.get("Requires at least"))
    if required:
        runs_on = f"{_AT_LEAST}{required}"
    return Identification(
        kind=kind,
        evidence=marker,
        field=field,
        title=header.get(field, ""),
        hints=tuple(_hints(root, kind, marker, header)),
        version=version_of(header.get("Version")),
        requires=requires,
        parent=parent,
        runs_on=runs_on,
        php=version_of(header.get("Requires PHP")) or "",
        system=_NAME,
    )


def _required_plugins(header: Mapping[str, str]) -> tuple[str, ...]:
    """The slugs of the plugins that a plugin needs, each once."""
    slugs = [slug.strip(BLANKS) for slug in header.get("Requires Plugins", "").split(",")]
    return tuple(unique(slug for slug in slugs if re.fullmatch(SLUG, slug)))


def _accepts(version: str, runs_on: str) -> bool:
    """Whether a version is high enough, by `is_wp_version_compatible` (6.1.9 was run, newer ones
    were read).
    """
    required = runs_on.removeprefix(_AT_LEAST)
    if required.count(".") > 1:
        required = required.removesuffix(".0")
    return compare_as_php(version.partition("-")[0], required) >= 0


def _hints(
    root: Root, kind: ComponentKind, marker: str, header: Mapping[str, str]
) -> Iterator[Hint]:
    """The names that packages, the header and its file suggest, the most certain first."""
    is_own = type_of(root).startswith(f"{_PACKAGES}-")
    packages = composer_hints(root, is_own=is_own)
    plain = [hint for hint in packages if hint.by.endswith(f" ({PACKAGE_NAME})")]
    text_domain = header.get("Text Domain") or header.get("Textdomain", "")
    domain = [Hint(text_domain, f"{root.prefix}{marker} (Text Domain)", "domain")]
    if text_domain == header.get("Template"):  # a child may use the texts of its parent
        domain = []
    yield from (hint for hint in packages if hint not in plain)
    if is_own and kind == "theme":
        yield from (*plain, *domain)
    else:
        yield from (*domain, *plain)
    yield from package_hints(root)
    if kind == "module":
        yield Hint(marker.removesuffix(".php"), f"{root.prefix}{marker} (file name)", "stem")


def _title_in(content: bytes, field: str) -> str:
    return read_header(content[:HEADER_LIMIT]).get(field, "")


def _must_use_folder(root: Root) -> Iterator[Identification]:
    """PHP in a folder `mu-plugins`."""
    code = [name for name in root.names if name.endswith(".php")]
    inside = (name for name in code if _MUST_USE in [root.folder, *name.split("/")[:-1]][:_DEPTH])
    if marker := next(inside, None):
        yield unbuilt("must-use plugins", marker, "folder", system=_NAME)


def _drop_in(root: Root) -> Iterator[Identification]:
    """A file that WordPress looks for in `wp-content`, with no other PHP beside it."""
    code = [name for name in root.top if name.endswith(".php") and name != "index.php"]
    if code and set(code) <= set(_DROP_INS):
        yield unbuilt("drop-in", code[0], "file name", system=_NAME)


def _without_marker(root: Root) -> Iterator[Identification]:
    yield from _must_use_folder(root)
    yield from _drop_in(root)


def _sources(root: Root) -> Iterator[Identification]:
    """A style sheet with `Theme Name:` that is not `style.css` at the root, or a part of such
    a sheet.
    """
    sheets = sorted((name.count("/"), name) for name in root.names if last_part(name) in _SHEETS)
    parts = sorted(
        (name.count("/"), name) for name in root.names if _may_have_header(last_part(name))
    )
    names = (name for _, name in (*sheets[:_SHEET_LIMIT], *parts[:_SHEET_LIMIT]))
    if headed := next((name for name in names if "Theme Name" in root.header(name)), None):
        yield unbuilt("WordPress sources", headed, "Theme Name", system=_NAME)


def _may_have_header(file: str) -> bool:
    return file.endswith(_SOURCES) and re.search(_HEADING, file) is not None


def _overrides(component: Component) -> tuple[FolderPair, ...]:
    """The files of a parent theme by path; the templates of a plugin where it expects them, or in a
    folder of its name.
    """
    if component.built_kind == "theme":
        return (("", ""),)
    extends = component.name.startswith("woocommerce-") or "woocommerce" in component.requires
    usual = _TEMPLATES
    if extends:
        usual = (*_EXTENDING, *_TEMPLATES)
    return _PLUGINS.get(component.name, usual)


WORDPRESS: Final = System(
    name=_NAME,
    found_by=Sign("wp-includes/version.php"),
    releases=(Sign("wp-includes/version.php"), Sign("wp-load.php")),
    versions=(VersionFile("wp-includes/version.php", "$wp_version"),),
    folders=Folders(
        Places(f"{_CONTENT}/themes", f"{_CONTENT}/plugins"), beside=(_MUST_USE,), content=_CONTENT
    ),
    recognise=_recognise,
    named_at=_named_at,
    fallbacks={"folder": _theme_below, "no marker": _without_marker, "sources": _sources},
    hints=(_STYLE,),
    unpacked=frozenset({_STYLE, "functions.php"}),
    packages=_PACKAGES,
    other_packages={
        "wordpress-core": "package",
        "wordpress-dropin": "drop-in",
        "wordpress-muplugin": "must-use plugins",
        "wordpress-theme": "WordPress sources",
        "wp-cli-package": "package",
    },
    title_in=_title_in,
    naming=FolderRules(silent=words("wordpress wp"), by_stem=("wordpress", "plugin")),
    accepts=_accepts,
    demands=("index.php", "templates/index.html", "block-templates/index.html"),
    is_main_file=lambda content: "Plugin Name" in read_header(content),
    overrides=_overrides,
    shown=Shown(
        theme="`style.css` with `Theme Name:`",
        module="a PHP file with `Plugin Name:` in its first 8 KiB",
        overrides="`templates/<file>` of a plugin, by `<plugin>/<file>` or in the folder that a "
        "well-known plugin "
        "defines (`woocommerce`, `edd_templates`, `tribe/events`, …); templates, styles, scripts "
        "and images of its "
        "parent",
    ),
)
