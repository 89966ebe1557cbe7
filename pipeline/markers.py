"""Markers: the files that tell what an archive is, system by system, as a table.

Each row names the files that it wants to see and reads them. A file that cannot be read as what its name says
is no marker.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from pipeline.events import Kind
from pipeline.xml_text import read_xml
from pipeline.yaml_text import read_yaml

_SUFFIX: Final = re.compile(
    r"-(?:v?\d+(?:\.(?:\d+|x))+(?:-\d[\w.]*)?(?:-(?:alpha|beta|rc|dev|pl)[\w.]*)?|main|master|develop|dev)$",
    re.IGNORECASE,
)
_COPY: Final = re.compile(r" ?\(\d+\)$")
"""What a browser adds to the name of a file that it downloads again."""
_LARGE: Final = 10**9
_LONG: Final = 64
_PHP_VERSION: Final = re.compile(rb"""\$this\s*->\s*version\s*=\s*['"]([^'"\s]{1,64})['"]""")


class Root(Struct, frozen=True):
    """A folder of an archive, by its path with a `/` at the end, and the files below it."""

    prefix: str
    names: frozenset[str]

    @property
    def folder(self) -> str:
        """The folder's own name; empty for the root of the archive."""
        return self.prefix.rstrip("/").rpartition("/")[2]


class Found(Struct, frozen=True):
    """What a marker says."""

    name: str
    version: str | None
    marker: str


Files = Mapping[str, bytes]


class Recogniser(Struct, frozen=True):
    """One way to know a component: the files it wants, and what it reads in them."""

    system: str
    kind: Kind
    wants: Callable[[Root, Files], tuple[str, ...]]
    """Given the files that are known already: what one says may make another worth reading."""
    reads: Callable[[Root, Files], Iterator[Found]]


def without_suffix(name: str) -> str:
    """Drop a version, a branch or a copy at the end of a name: `a-2.1.0`, `token-8.x-1.9`, `theme-main`, `a (1)`."""
    return _SUFFIX.sub("", _COPY.sub("", name))


def _files(*names: str) -> Callable[[Root, Files], tuple[str, ...]]:
    return lambda root, _: tuple(name for name in names if name in root.names)


def _prestashop_theme(root: Root, files: Files) -> Iterator[Found]:
    """`config/theme.yml` with `name:`."""
    for name in _files("config/theme.yml")(root, files):
        yield from _said(name, read_yaml(files.get(name, b"")))


def _prestashop_module_wants(root: Root, files: Files) -> tuple[str, ...]:
    return (*_files("config.xml")(root, files), *_named_php(root, files))


def _prestashop_module(root: Root, files: Files) -> Iterator[Found]:
    """`<name>/<name>.php`, or at a root of any name `<name>.php` beside a `config.xml` that says so."""
    declared = read_xml(files.get("config.xml", b""))
    for php in _named_php(root, files)[:1]:
        in_php = _PHP_VERSION.search(files.get(php, b""))
        version = declared.get("version") or (in_php[1].decode(errors="replace") if in_php else None)
        yield Found(php.removesuffix(".php"), version, php)


def _named_php(root: Root, files: Files) -> tuple[str, ...]:
    """The PHP files at the root that are called as the folder is, or as `config.xml` says."""
    declared = read_xml(files.get("config.xml", b"")).get("name", "")
    names = (f"{name}.php" for name in (root.folder, without_suffix(root.folder), declared) if name)
    return tuple(name for name in dict.fromkeys(names) if name in root.names and "/" not in name)


def _generic(kind: str) -> Callable[[Root, Files], Iterator[Found]]:
    def reads(root: Root, files: Files) -> Iterator[Found]:
        """`theme.json`, `.yml` or `.toml` with `name`; likewise for modules."""
        for suffix, read in (("json", _json), ("yml", read_yaml), ("toml", _toml)):
            for name in _files(f"{kind}.{suffix}")(root, files):
                yield from _said(name, read(files.get(name, b"")))

    return reads


def _said(marker: str, data: Any) -> Iterator[Found]:
    """Take `name` and `version` from plain data that has a name."""
    if isinstance(data, Mapping) and isinstance(data.get("name"), str):
        yield Found(data["name"], _version(data.get("version")), marker)


def _version(value: Any) -> str | None:
    """A version is text, or a number that is short enough to be one."""
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _LARGE:
        return str(value)
    return value[:_LONG] if isinstance(value, str) else None


def _json(content: bytes) -> Any:
    import msgspec

    try:
        return msgspec.json.decode(content.removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _toml(content: bytes) -> Any:
    import tomllib

    try:
        return tomllib.loads(content.decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError, ValueError):
        return None


RECOGNISERS: Final = (
    Recogniser("PrestaShop", "theme", _files("config/theme.yml"), _prestashop_theme),
    Recogniser("PrestaShop", "module", _prestashop_module_wants, _prestashop_module),
    Recogniser("any", "theme", _files("theme.json", "theme.yml", "theme.toml"), _generic("theme")),
    Recogniser("any", "module", _files("module.json", "module.yml", "module.toml"), _generic("module")),
)
"""Every recogniser, in the order in which they are tried."""
