"""PrestaShop: themes with `config/theme.yml`, and modules with a PHP file of their own name."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from pipeline.archives.archive import Component, Unusable
from pipeline.archives.composer import has_type, type_of
from pipeline.archives.constraints import satisfies
from pipeline.archives.formats import namespace_in
from pipeline.archives.headers import read_header
from pipeline.archives.markers import (
    BY_FILE_NAME,
    Identification,
    Root,
    at,
    names_in,
    php_files,
    text_of,
    unbuilt,
    version_of,
    with_name,
)
from pipeline.archives.naming import is_safe, words
from pipeline.archives.php.classes import PhpClass, class_in
from pipeline.archives.php.values import Value
from pipeline.archives.php_versions import compare_as_php
from pipeline.report.events import ComponentKind
from pipeline.systems.system import (
    CHOOSE_ANOTHER,
    FolderPair,
    NextStep,
    Shown,
    Sign,
    System,
    VersionFile,
)
from pipeline.values import replace

_NAME: Final = "PrestaShop"
_THEME: Final = "config/theme.yml"
_CONFIG: Final = "config.xml"
_EXPORT: Final = "Config.xml"
_TEMPLATES: Final = ("templates/page.tpl", "templates/_partials/head.tpl")
"""Files that every PrestaShop theme has."""
_CLASS: Final = (
    rb"class(?<!\wclass)\s{1,9}(\w{1,255})\s{1,9}extends\s{1,9}[\w\\]{0,128}Module\w{0,64}\b"
)
_OLD_CONFIG: Final = rb"(?i)<theme\b(?:[^>]{0,500}?\bversion=\"([^\"<]{1,64})\")?"
_OLD_TEMPLATES: Final = words("category.tpl cms.tpl header.tpl index.tpl product.tpl")
"""How the description of a theme for PrestaShop 1.6 begins, and templates at the root of
such themes.
"""
_OLD_SHAPE: Final = "of an old theme"
_SEVERAL: Final = 2
_SHORT: Final = 3
_LONG: Final = 5
"""The lengths of versions such as `1.7` and `1.7.8`."""
_PADDED: Final = "1.7."
"""How the versions begin in which an upper limit such as `1.7.8` includes all that begin with
it, too.
"""
_LOWEST: Final = "0"
_ALL: Final = ".999.999"
_AT_LEAST: Final = ">="
_BETWEEN: Final = r"(?s)(?P<low>.*?) - (?P<high>.*)|(?:>=(?P<min>.*?))?(?: ?<=(?P<max>.*))?"
_REWRITTEN: Final = r"config(?:_[A-Za-z]{2,3})?\.xml"
"""Files that a shop generates from the module's class."""
_OF_OMEKA: Final = "config/module.ini"
_VERSION: Final = "version"
_NEEDS: Final = "dependencies"
_LIMITS: Final = "ps_versions_compliancy"
_DIGIT: Final = r"(?a)\d"
_LONGEST: Final = 200
"""How many characters of a limit are read."""
_class_in: Final = lru_cache(maxsize=1)(class_in)
"""Cached, because each system that accepts a module reads its class, which takes long."""


def _recognise(root: Root) -> Iterator[Identification]:
    """`config/theme.yml` with `name`; a PHP file that `config.xml` names, or that declares the
    class of its own name.
    """
    theme = root.yaml(_THEME)
    data = theme.data
    unusable: tuple[Unusable, ...] = ()
    if theme.fault:
        unusable = (Unusable(_THEME, f"{_NAME} cannot read it: {theme.fault}"),)
    for identification in with_name("theme", _THEME, data):
        enabled = at(data, "global_settings", "modules", "to_enable")
        yield replace(
            identification,
            requires=names_in(enabled),
            parent=text_of(at(data, "parent")),
            system=_NAME,
            is_lenient=theme.is_lenient,
            unusable=unusable,
        )
    declared = root.plain(_CONFIG) or {}
    main_file = f"{declared.get('name')}.php"
    if main_file in root.top:
        yield _module_of(root, main_file, "config.xml: name", declared)
    else:
        classes = [php for php in php_files(root) if _has_its_class(root, php)]
        own = [php for php in classes if php.removesuffix(".php") in root.suggested]
        for php in own[:1] or classes:
            yield _module_of(root, php, "class", declared)


def _named_at(root: Root) -> Iterator[tuple[ComponentKind, str]]:
    """A theme with its `theme.yml`, or a module with the file of its name: the shop checks
    no more.
    """
    if _THEME in root.names:
        yield "theme", root.folder
    if f"{root.folder}.php" in root.top:
        yield "module", root.folder


def _old_theme(root: Root) -> Iterator[Identification]:
    """A theme for PrestaShop 1.6 or thirty bees: a `config.xml` with `<theme`, or its templates at
    the root.
    """
    if _THEME in root.names:
        return
    described = None
    if _CONFIG in root.top:
        described = re.search(_OLD_CONFIG, root.head(_CONFIG))
    templates = sorted(_OLD_TEMPLATES.intersection(root.top))
    if described:
        version = version_of((described[1] or b"").decode())
        yield unbuilt("old theme", _CONFIG, _OLD_SHAPE, system=_NAME, version=version)
    elif len(templates) >= _SEVERAL:
        yield unbuilt("old theme", templates[0], _OLD_SHAPE, system=_NAME)


def _adopts(component: Component, version: str) -> bool:
    """A shop up to 1.6 accepts a theme of that shape."""
    return is_old_theme(component) and satisfies(version, "<1.7") is True


def is_old_theme(component: Component) -> bool:
    """Whether an archive is a single theme for PrestaShop 1.6 and not an export of
    several components.
    """
    return component.what == "old theme" and component.field == _OLD_SHAPE


def _module_of(root: Root, marker: str, field: str, declared: Mapping[str, str]) -> Identification:
    """The module in a PHP file."""
    name = marker.removesuffix(".php")
    own = _class_in(root.head(marker), name, (_VERSION, _NEEDS, _LIMITS))
    return Identification(
        kind="module",
        evidence=marker,
        field=field,
        name=name,
        version=_version_of(own, declared),
        requires=names_in(own.value(_NEEDS)),
        runs_on=_runs_on(own.value(_LIMITS)),
        system=_NAME,
    )


def _version_of(own: PhpClass, declared: Mapping[str, str]) -> str | None:
    """The version that the class sets, otherwise the one in `config.xml`; `None` if the class sets
    an unknown one.
    """
    version: Value = declared.get("version")
    if own.sets(_VERSION):
        version = own.value(_VERSION)
    if not isinstance(version, str):
        return None
    return version_of(version.strip())


def _runs_on(limits: Value) -> str:
    """The versions of the shop between two limits; an upper limit of three characters includes all
    versions that begin with it.

    A limit that does not begin with a digit is lower than every version.
    """
    if not isinstance(limits, dict):
        return ""
    low = _limit(limits.get("min"))
    high = _limit(limits.get("max"))
    if len(high) == _SHORT:
        return f"{low or _LOWEST} - {high}"
    bounds = list[str]()
    if low and low != _LOWEST:
        bounds.append(f"{_AT_LEAST}{low}")
    if high:
        bounds.append(f"<={high}")
    return " ".join(bounds)


def _limit(limit: Value) -> str:
    """A limit as text; empty if there is none, or an unknown one."""
    if not isinstance(limit, str):
        return ""
    if re.match(_DIGIT, limit) is None:
        return _LOWEST
    return limit[:_LONGEST]


def _accepts(version: str, runs_on: str) -> bool:
    """Whether a version lies between two limits, by `checkCompliancy` (2015 and 2018 were read)."""
    limits = re.fullmatch(_BETWEEN, runs_on)
    if limits is None:
        return True
    high = limits["max"]
    if limits["high"]:
        high = f"{limits['high']}{_ALL}"
    elif high and len(high) == _LONG and version.startswith(_PADDED):
        high = f"{high}.999"
    is_low = not high or compare_as_php(version, high) <= 0
    return is_low and _is_high_enough(version, limits)


def _is_high_enough(version: str, limits: re.Match[str]) -> bool:
    low = limits["low"] or limits["min"] or _LOWEST
    return compare_as_php(version, low) >= 0


def _is_above(version: str, runs_on: str) -> bool:
    """Whether a version is refused, but not for its lower limit."""
    limits = re.fullmatch(_BETWEEN, runs_on)
    return (
        limits is not None and _is_high_enough(version, limits) and not _accepts(version, runs_on)
    )


def _has_its_class(root: Root, php: str) -> bool:
    """Whether a PHP file declares a module class with its own name, outside namespaces.

    The `Module.php` of Omeka S and WordPress plugins do not count, even if they declare such
    a class.
    """
    if php == "Module.php" and _OF_OMEKA in root.names:
        return False
    head = root.head(php)
    classes = {match[1].lower() for match in re.finditer(_CLASS, head)}
    its_own = php.removesuffix(".php").lower().encode(errors="replace") in classes
    return its_own and namespace_in(head) is None and "Plugin Name" not in read_header(head)


def _declares_class(root: Root, name: str) -> bool:
    """Whether a PHP file declares the class of its own name, which a shop requires of a module."""
    return (
        re.search(rb"(?i)\bclass\s{1,9}%b\b" % re.escape(name).encode(), root.head(f"{name}.php"))
        is not None
    )


def _is_rewritten(component: Component, name: str) -> bool:
    """Whether the system generates a file of a component, so that it holds nobody's work. The path
    is the file's there.
    """
    is_certain = component.system == _NAME and component.field != BY_FILE_NAME
    return is_certain and component.kind == "module" and bool(re.fullmatch(_REWRITTEN, name))


def _by_folder(root: Root) -> Iterator[Identification]:
    """`<name>/<name>.php`, unless it is a guard (`index.php`), or a library without the class
    of a module.
    """
    for name in root.suggested:
        if is_safe(name) and name != "index" and f"{name}.php" in root.top:
            if not type_of(root) or has_type(root) or _declares_class(root, name):
                yield _module_of(root, f"{name}.php", BY_FILE_NAME, {})
            return


def _export(root: Root) -> Iterator[Identification]:
    """A theme that PrestaShop 1.6 exported: `Config.xml`, and the theme in `themes/`."""
    themes = {name.split("/")[1] for name in root.names if name.startswith("themes/")}
    if _EXPORT in root.top and themes:
        name = ""
        if len(themes) == 1:
            (name,) = themes
        yield unbuilt("old theme", _EXPORT, "beside themes/", name=name, system=_NAME)


def _sources(root: Root) -> Iterator[Identification]:
    """The templates of a PrestaShop theme."""
    for template in _TEMPLATES:
        if template in root.names:
            yield unbuilt("theme sources", template, "file name", system=_NAME)


def _overrides(component: Component) -> tuple[FolderPair, ...]:
    if component.built_kind == "theme":
        return ("templates/", "templates/"), ("assets/", "assets/")
    return (("", "modules/{}/"),)


PRESTASHOP: Final = System(
    name=_NAME,
    found_by=Sign("config/defines.inc.php", beside=("classes/",)),
    releases=(
        Sign("config/defines.inc.php", beside=("classes/",)),
        Sign("prestashop.zip", beside=("Install_PrestaShop.html",)),
    ),
    versions=(
        VersionFile("src/Core/Version.php", "VERSION"),
        VersionFile("app/AppKernel.php", "VERSION"),
        VersionFile("config/settings.inc.php", "_PS_VERSION_"),
        VersionFile("install/install_version.php", "_PS_INSTALL_VERSION_"),
    ),
    recognise=_recognise,
    named_at=_named_at,
    fallbacks={
        "old shape": _old_theme,
        "file name": _by_folder,
        "no marker": _export,
        "sources": _sources,
    },
    markers=(_THEME,),
    hints=(_CONFIG, "index.tpl"),
    packages="prestashop",
    strict_kinds=frozenset({"theme", "module"}),
    other_packages={"prestashop-theme": "theme sources"},
    is_above=_is_above,
    next_steps=(
        NextStep(
            text="upgrade {} in the module manager", kinds=frozenset({"module"}), only_raised=True
        ),
        CHOOSE_ANOTHER,
    ),
    accepts=_accepts,
    brings="dependencies/modules/",
    demands=("assets/css/theme.css",),
    adopts=_adopts,
    rewrites=_is_rewritten,
    overrides=_overrides,
    shown=Shown(
        theme="`config/theme.yml` with `name`",
        module="a PHP file that `config.xml` names in `<name>`; a PHP file with the class of its "
        "name "
        "(`class Ps_Banner extends Module` in `ps_banner.php`); last of all markers, a PHP file "
        "with the name of its "
        "folder (warning `unrecognised-archive`)",
        overrides=(
            "`<file>` of a module, by `modules/<module>/<file>`; `templates/` and `assets/` "
            "of its parent"
        ),
    ),
)
