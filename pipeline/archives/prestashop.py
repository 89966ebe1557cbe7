"""PrestaShop: themes with `config/theme.yml`, and modules with a PHP file of their own name."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from pipeline.archives.archive import Component
from pipeline.archives.formats import module_facts, namespace_in, read_header
from pipeline.archives.markers import (
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
from pipeline.archives.naming import words
from pipeline.values import replace

_SYSTEM: Final = "PrestaShop"
THEME: Final = "config/theme.yml"
BY_FILE_NAME: Final = "file name"
"""The field of a component that only a file name identifies; any PHP code may have that name."""
_CLASS: Final = rb"class(?<!\wclass)\s{1,9}(\w{1,255})\s{1,9}extends\s{1,9}[\w\\]{0,128}Module\w{0,64}\b"
_OLD_CONFIG: Final = rb"(?i)<theme\b(?:[^>]{0,500}?\bversion=\"([^\"<]{1,64})\")?"
_OLD_TEMPLATES: Final = words("category.tpl cms.tpl header.tpl index.tpl product.tpl")
"""What the description of a theme of PrestaShop 1.6 begins with, and templates at the root of such themes."""
_SEVERAL: Final = 2
_SHORT: Final = 3
"""The length of a version such as `1.7`."""
_REWRITTEN: Final = r"config(?:_[A-Za-z]{2,3})?\.xml"
"""Files that a shop rewrites from the module's class."""
_OF_OMEKA: Final = "config/module.ini"


def prestashop(root: Root) -> Iterator[Identification]:
    """`config/theme.yml` with `name`; a PHP file that `config.xml` names, or that has a class of its own name."""
    data = root.plain(THEME)
    for identification in with_name("theme", THEME, data):
        enabled = at(data, "global_settings", "modules", "to_enable")
        yield replace(identification, requires=names_in(enabled), parent=text_of(at(data, "parent")), system=_SYSTEM)
    declared = root.plain("config.xml") or {}
    main_file = f"{declared.get('name')}.php"
    if main_file in root.top:
        yield module_of(root, main_file, "config.xml: name", declared)
    else:
        classes = [php for php in php_files(root) if _has_its_class(root, php)]
        own = [php for php in classes if php.removesuffix(".php") in root.suggested]
        yield from (module_of(root, php, "class", declared) for php in own[:1] or classes)


def old_theme(root: Root) -> Iterator[Identification]:
    """A theme of PrestaShop 1.6 or thirty bees: a `config.xml` with `<theme`, or its templates at the root."""
    described = re.search(_OLD_CONFIG, root.head("config.xml")) if "config.xml" in root.top else None
    templates = sorted(_OLD_TEMPLATES.intersection(root.top))
    if THEME not in root.names and (described or len(templates) >= _SEVERAL):
        marker = "config.xml" if described else templates[0]
        version = version_of((described[1] or b"").decode()) if described else None
        yield unbuilt("old theme", marker, "of an old theme", system=_SYSTEM, version=version)


def module_of(root: Root, marker: str, field: str, declared: Mapping[str, str]) -> Identification:
    """The module that a PHP file is."""
    name = marker.removesuffix(".php")
    facts = module_facts(root.head(marker), name)
    return Identification(
        kind="module",
        evidence=marker,
        field=field,
        name=name,
        version=version_of(facts.version) or version_of(declared.get("version")),
        requires=names_in(facts.needs),
        runs_on=_runs_on(facts.limits),
        system=_SYSTEM,
    )


def _runs_on(limits: Mapping[str, str]) -> str:
    """The versions of the shop between two limits; of an upper one of two parts the shop takes all that begin so."""
    low, high = (limits.get(each, "") for each in ("min", "max"))
    if len(high) == _SHORT:
        return f"{low or 0} - {high}"
    return " ".join(filter(None, (low and f">={low}", high and f"<={high}")))


def _has_its_class(root: Root, php: str) -> bool:
    """Whether a PHP file declares a module class with its own name, in no namespace.

    The `Module.php` of Omeka S and plugins of WordPress do not count, though they may declare such a class.
    """
    if php == "Module.php" and _OF_OMEKA in root.names:
        return False
    head = root.head(php)
    classes = {match[1].lower() for match in re.finditer(_CLASS, head)}
    its_own = php.removesuffix(".php").lower().encode(errors="replace") in classes
    return its_own and namespace_in(head) is None and "Plugin Name" not in read_header(head)


def declares_class(root: Root, name: str) -> bool:
    """Whether a PHP file declares the class of its own name, which a shop asks of a module."""
    return re.search(rb"(?i)\bclass\s{1,9}%b\b" % re.escape(name).encode(), root.head(f"{name}.php")) is not None


def is_rewritten(component: Component, name: str) -> bool:
    """Whether the system writes a file of a component anew, given its path there, so that nobody's work is in it."""
    is_certain = component.system == _SYSTEM and component.field != BY_FILE_NAME
    return is_certain and component.kind == "module" and bool(re.fullmatch(_REWRITTEN, name))
