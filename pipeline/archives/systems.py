"""Systems: every way to recognise a component, as a table. The rules are in `docs/archives.md`."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec.structs import replace

from pipeline.archives.drupal import drupal, info_file
from pipeline.archives.formats.header import HEADER_LIMIT, read_header
from pipeline.archives.formats.info import last, read_info
from pipeline.archives.formats.xml import read_xml
from pipeline.archives.formats.yaml import read_yaml
from pipeline.archives.markers import SLOW_LIMIT, Identification, Recogniser, Root, at, names_in, text_of, version_of
from pipeline.report.events import ComponentKind

JSON_LIMIT: Final = 1024 * 1024
"""Bytes up to which a marker file in JSON is read."""
_PHP_LIMIT: Final = 64
"""The most PHP files of one root that are read."""
_OMEKA_MODULE: Final = "config/module.ini"
MARKERS: Final = (
    *("config/theme.yml", "config/theme.ini", _OMEKA_MODULE),
    *(f"{kind}.{suffix}" for kind in ("theme", "module") for suffix in ("json", "yml", "toml")),
)
"""Markers with a fixed name that are reported if they identify nothing."""
_DOTS_LIMIT: Final = 32
"""Dots in one line of TOML: each may deepen a key, and deep keys are slow to read."""
_KINDS: Final[tuple[ComponentKind, ...]] = ("theme", "module")

_COMPOSER_KINDS: Final[dict[str, ComponentKind]] = {"theme": "theme", "module": "module", "plugin": "module"}
_COMPOSER_SYSTEMS: Final = {
    "prestashop": "PrestaShop",
    "omeka-s": "Omeka S",
    "drupal": "Drupal",
    "backdrop": "Backdrop",
    "wordpress": "WordPress",
}
_VERSION: Final = rb"""\$this\s{0,9}->\s{0,9}version\s{0,9}=\s{0,9}['"]([^'"\s]{1,64})['"]"""
_CLASS: Final = rb"\bclass\s{1,9}(\w{1,255})\s{1,9}extends\s{1,9}\\?\w{0,64}Module\w{0,64}\b"
_COMMENT: Final = rb"(?s)/\*.*?(?:\*/|\Z)|(?://|#)[^\n]*"
_NAMESPACE: Final = rb"(?mi)(?:^[ \t]{0,9}|(?:[;>]|<\?php)\s{0,9})namespace\s{1,9}(\w{1,255})[\w\\]{0,255}\s{0,9}[;{]"


def prestashop(root: Root) -> Iterator[Identification]:
    """`config/theme.yml` with `name`; a PHP file that `config.xml` names, or that has a class of its own name."""
    marker = "config/theme.yml"
    data = read_yaml(root.content(marker, SLOW_LIMIT)) if marker in root.names else None
    for identification in _said("theme", marker, data):
        enabled = at(data, "global_settings", "modules", "to_enable")
        yield replace(identification, requires=names_in(enabled), parent=text_of(at(data, "parent")))
    declared = read_xml(root.content("config.xml", SLOW_LIMIT)) if "config.xml" in root.names else {}
    main_file = f"{declared.get('name')}.php"
    if main_file in root.top:
        yield _php(root, main_file, "config.xml: name", declared)
    else:
        classes = [php for php in _php_files(root) if _has_its_class(root, php)]
        own = [php for php in classes if php.removesuffix(".php") in root.called]
        yield from (_php(root, php, "class", declared) for php in own[:1] or classes)


def omeka_s(root: Root) -> Iterator[Identification]:
    """`config/theme.ini`; `config/module.ini` beside `Module.php`, whose namespace is the module's name."""
    for kind in _KINDS:
        marker = f"config/{kind}.ini"
        info = read_info(root.lines(marker)) if marker in root.names else {}
        if last(info, "name") and (kind == "theme" or "Module.php" in root.top):
            name = _namespace(root.head("Module.php")) if kind == "module" else None
            yield Identification(
                kind=kind, marker=marker, field="name", name=name, version=version_of(last(info, "version"))
            )


def wordpress(root: Root) -> Iterator[Identification]:
    """`style.css` with `Theme Name:`; a PHP file with `Plugin Name:`. The folder gives the name."""
    style = _style_of(root)
    is_theme = "Theme Name" in style
    if is_theme:
        yield _headed("theme", "style.css", style)
    for php in _php_files(root):
        if is_theme and _is_of_a_library(php):
            continue
        head = root.head(php, HEADER_LIMIT)
        header = read_header(head) if b"plugin name" in head.lower() else {}
        if "Plugin Name" in header:
            yield _headed("module", php, header)
            return


def generic(root: Root) -> Iterator[Identification]:
    """`theme.json`, `.yml` or `.toml` with `name`; likewise for modules."""
    for kind in _KINDS:
        for suffix, read, limit in (
            ("json", _json, JSON_LIMIT),
            ("yml", read_yaml, SLOW_LIMIT),
            ("toml", _toml, SLOW_LIMIT),
        ):
            marker = f"{kind}.{suffix}"
            identifications = (
                tuple(_said(kind, marker, read(root.content(marker, limit)))) if marker in root.top else ()
            )
            if identifications:
                yield identifications[0]
                break


def composer(root: Root) -> Iterator[Identification]:
    """`composer.json` whose `type` ends in `-theme`, `-module` or `-plugin`."""
    data = _json(root.content("composer.json", JSON_LIMIT)) if "composer.json" in root.top else None
    said = text_of(at(data, "type")) or ""
    system, _, tail = said.rpartition("-")
    kind = _COMPOSER_KINDS.get(tail) if system else None
    extra = text_of(at(data, "extra", "install-name")) or text_of(at(data, "extra", "installer-name"))
    name = extra or (text_of(at(data, "name")) or "").rpartition("/")[2]
    if kind and name:
        version = version_of(at(data, "version"))
        system = next((each for prefix, each in _COMPOSER_SYSTEMS.items() if system.startswith(prefix)), "")
        yield Identification(kind=kind, marker="composer.json", field="type", name=name, version=version, system=system)


def php_by_folder(root: Root) -> Iterator[Identification]:
    """`<name>/<name>.php`, whatever is in it, unless it is a guard (`index.php`) or belongs to a theme."""
    for name in root.called:
        if f"{name}.php" in root.top and not _is_of_a_theme(root, name):
            yield _php(root, f"{name}.php", "file name", {})
            return


RECOGNISERS: Final = (
    Recogniser("PrestaShop", prestashop),
    Recogniser("Omeka S", omeka_s),
    Recogniser("Drupal", drupal),
    Recogniser("", info_file),
    Recogniser("WordPress", wordpress),
    Recogniser("", generic),
    Recogniser("", composer),
    Recogniser("PrestaShop", php_by_folder, weak=True),
)
"""Every recogniser, in the order in which they are tried. The last is the least certain: any PHP code would do."""


def _said(kind: ComponentKind, marker: str, data: Any) -> Iterator[Identification]:
    """Take `name` and `version` from plain data; nothing is found without a name."""
    if name := text_of(at(data, "name")):
        yield Identification(kind=kind, marker=marker, field="name", name=name, version=version_of(at(data, "version")))


def _php_files(root: Root) -> tuple[str, ...]:
    """The PHP files at a root: first those named after the folder, then those that start so, last libraries."""
    called = root.called
    ranks = {f"{name}.php": index for index, name in enumerate(called)}

    def place(php: str) -> tuple[int, bool, bool]:
        return ranks.get(php, len(ranks)), not php.startswith(called), _is_of_a_library(php)

    return tuple(sorted((name for name in root.top if name.endswith(".php")), key=place))[:_PHP_LIMIT]


def _is_of_a_library(php: str) -> bool:
    """Whether a PHP file is named like a class file of WordPress: a library's may have the header of its own plugin."""
    return php.startswith("class-")


def _has_its_class(root: Root, php: str) -> bool:
    """Whether a PHP file declares a module class with its own name, in no namespace.

    The `Module.php` of Omeka S and plugins of WordPress do not count, though they may declare such a class.
    """
    if php == "Module.php" and _OMEKA_MODULE in root.names:
        return False
    head = root.head(php)
    classes = {match[1].lower() for match in re.finditer(_CLASS, head)}
    its_own = php.removesuffix(".php").lower().encode(errors="replace") in classes
    return its_own and _namespace(head) is None and "Plugin Name" not in read_header(head)


def _namespace(php: bytes) -> str | None:
    """The first part of the namespace that a PHP file declares."""
    space = re.search(_NAMESPACE, re.sub(_COMMENT, b" ", php)) if b"namespace" in php.lower() else None
    return space[1].decode(errors="replace") if space else None


def _php(root: Root, marker: str, field: str, declared: Mapping[str, str]) -> Identification:
    written = re.search(_VERSION, root.head(marker))
    version = declared.get("version") or (written[1].decode(errors="replace") if written else None)
    return Identification(
        kind="module",
        marker=marker,
        field=field,
        name=marker.removesuffix(".php"),
        version=version_of(version),
    )


def _headed(kind: ComponentKind, marker: str, header: Mapping[str, str]) -> Identification:
    return Identification(
        kind=kind,
        marker=marker,
        field=f"{kind.replace('module', 'plugin').capitalize()} Name",
        version=version_of(header.get("Version")),
        requires=names_in(header.get("Requires Plugins", "").split(",")),
        parent=header.get("Template") if kind == "theme" else None,
    )


def _is_of_a_theme(root: Root, php: str) -> bool:
    """Whether a PHP file is PrestaShop's guard, the template file of a Drupal 7 theme, or in a WordPress theme."""
    if php == "template" and any(found.kind == "theme" for found in info_file(root)):
        return True
    return php == "index" or "Theme Name" in _style_of(root)


def _style_of(root: Root) -> Mapping[str, str]:
    return read_header(root.head("style.css", HEADER_LIMIT)) if "style.css" in root.top else {}


def _json(content: bytes) -> Any:
    import msgspec

    try:
        return msgspec.json.decode(content.removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _toml(content: bytes) -> Any:
    import tomllib

    if any(line.count(b".") > _DOTS_LIMIT for line in content.splitlines()):
        return None
    try:
        return tomllib.loads(content.decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError, ValueError):
        return None
