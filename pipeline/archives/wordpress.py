"""WordPress: themes and plugins, which a header describes. The folder gives the name."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from pipeline.archives.composer import PACKAGE_NAME, composer_hints, package_hints, type_of
from pipeline.archives.formats import HEADER_LIMIT
from pipeline.archives.markers import Identification, Root, is_of_a_library, php_files, unbuilt, version_of
from pipeline.archives.naming import SLUG, Hint
from pipeline.report.events import ComponentKind
from pipeline.values import replace

DROP_INS: Final = ("advanced-cache.php", "db.php", "object-cache.php")
"""Files that WordPress looks for in `wp-content`."""
MUST_USE: Final = "mu-plugins"
STYLE: Final = "style.css"
_LOADS: Final = rb"(?i)(?:\b(?:require|include)(?:_once)?\b|\bglob\s{0,9}\()[^;]{0,200}\bWPMU_PLUGIN_DIR\b"
_Headed: TypeAlias = tuple[str, Mapping[str, str]]
"""A PHP file, and its header."""


def wordpress(root: Root) -> Iterator[Identification]:
    """`style.css` with `Theme Name:`; a PHP file with `Plugin Name:`. The folder gives the name."""
    style = root.header(STYLE)
    plugins = tuple(_plugins(root))
    if "Theme Name" in style:
        yield _headed(root, "theme", STYLE, style)
        plugins = tuple(each for each in plugins if not is_of_a_library(each[0]))
    if plugins and _is_must_use(root, plugins):
        yield unbuilt("must-use plugins", plugins[0][0], "Plugin Name", name=root.folder, system="WordPress")
    elif plugins:
        drop_ins = tuple(name for name in DROP_INS if name in root.top)
        yield replace(_headed(root, "module", *plugins[0]), drop_ins=drop_ins)


def theme_below(root: Root) -> Iterator[Identification]:
    """A theme with its style sheet and its templates in a folder, as in `resources/`: WordPress looks there, too."""
    for folder in dict.fromkeys(name.partition("/")[0] for name in root.names):
        sheet = f"{folder}/{STYLE}"
        header = root.header(sheet) if f"{folder}/index.php" in root.names else {}
        if "Theme Name" in header:
            yield _headed(root, "theme", sheet, header)


def _plugins(root: Root) -> Iterator[_Headed]:
    """The PHP files with the header of a plugin, in the order of `php_files`."""
    for php in php_files(root):
        header = root.header(php) if b"plugin name" in root.head(php, HEADER_LIMIT).lower() else {}
        if "Plugin Name" in header:
            yield php, header


def _is_must_use(root: Root, plugins: Sequence[_Headed]) -> bool:
    """Whether plugins are must-use plugins: several of one rank, or a loader of must-use plugins."""
    package_type = type_of(root)
    first = plugins[0][0]
    if package_type.startswith("wordpress-") or "Theme Name" in root.header(STYLE):
        return package_type == "wordpress-muplugin"
    names = [php.removesuffix(".php") for php, _ in plugins if not is_of_a_library(php)]
    has_main = not names or names[0] in root.suggested or any(all(n.startswith(one) for n in names) for one in names)
    is_single = [name for name in root.names if name.endswith(".php")] == [first]
    loads = is_single and re.search(_LOADS, root.head(first)) is not None
    return root.folder == MUST_USE or loads or not has_main


def _headed(root: Root, kind: ComponentKind, marker: str, header: Mapping[str, str]) -> Identification:
    slugs = (each.strip() for each in header.get("Requires Plugins", "").split(","))
    return Identification(
        kind=kind,
        evidence=marker,
        field=f"{kind.replace('module', 'plugin').capitalize()} Name",
        hints=tuple(_hints(root, kind, marker, header)),
        version=version_of(header.get("Version")),
        requires=tuple(dict.fromkeys(each for each in slugs if re.fullmatch(SLUG, each))),
        parent=header.get("Template") if kind == "theme" else None,
        runs_on=f">={version}" if (version := version_of(header.get("Requires at least"))) else "",
        php=version_of(header.get("Requires PHP")) or "",
        system="WordPress",
    )


def _hints(root: Root, kind: ComponentKind, marker: str, header: Mapping[str, str]) -> Iterator[Hint]:
    """The names that packages, the header and the name of the file that has it suggest, the most certain first."""
    packages = composer_hints(root, "WordPress")
    plain = [hint for hint in packages if hint.by.endswith(f" ({PACKAGE_NAME})")]
    domain = [Hint(header.get("Text Domain", ""), f"{root.prefix}{marker} (Text Domain)", "domain")]
    if header.get("Text Domain") == header.get("Template"):  # a child may use the texts of its parent
        domain = []
    yield from (hint for hint in packages if hint not in plain)
    yield from (*domain, *plain) if kind == "module" else (*plain, *domain)
    yield from package_hints(root)
    if kind == "module":
        yield Hint(marker.removesuffix(".php"), f"{root.prefix}{marker} (file name)", "stem")
