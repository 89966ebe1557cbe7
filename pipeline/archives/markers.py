"""Markers: the files that identify an archive, and the building blocks of all recognisers.

A file that cannot be read in the format of its name is not a marker.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import itemgetter
from typing import Any, Final, TypeAlias

from msgspec import Struct
from toolz import groupby

from pipeline.archives.archive import Component
from pipeline.archives.formats import SLOW_LIMIT, read_plain, suffix_of
from pipeline.archives.headers import HEADER_LIMIT, read_header
from pipeline.archives.naming import Hint, suggested_by, words
from pipeline.archives.yaml_files import YamlFile, read_yaml
from pipeline.report.diagnostics.archives import Unbuilt
from pipeline.report.events import ArchiveKind, ComponentKind

MEMBER_LIMIT: Final = 1000
"""The most folders or archives in one folder that are examined."""
HEAD_LIMIT: Final = 64 * 1024
"""How many bytes at the start of a source file may identify it."""
PHP_LIMIT: Final = 64
"""The most PHP files that are read at one root."""
BUDGET: Final = 24 * 1024**2
"""The budget for reading the markers of one archive file, in bytes of a format that is fast
to read.
"""
_COSTS: Final = {".toml": 256, ".yml": 64, ".info": 16, ".ini": 16, ".xml": 16}
"""How many times as long a byte of another format takes to read at worst, by the suffix of
the marker.
"""
_LEAST: Final = 4096
"""The minimum cost of a file."""

TOOLS: Final = words("""
    index.php castor.php deploy.php ecs.php monorepo-builder.php phpinsights.php rector.php
    RoboFile.php scoper.inc.php
""")
"""PHP files that are not a component's code: those that guard a folder, and the settings
of tools.
"""
BY_FILE_NAME: Final = "file name"
"""The field of a component that was identified by a file name alone; any PHP code may have
that name.
"""
_PLACEHOLDER: Final = "|".join(
    (
        r"(?is)\s*[@$%#{<\[(_]+(?!\d)[^@$%#{}<>\[\]()]{1,64}[@%#}>\])_$]+\s*",
        r"[vx0]?(?:\.?[xn]){2,4}",
        r"(?:[a-z]+_)?version(?:_[a-z]+)?",
    )
)
"""Text that packaging replaces: `@version@`, `{{ version }}`, `${project.version}`,
`BACKDROP_VERSION`, `x.x.x`; it ends in no digit.
"""
_LARGE: Final = 10**9
_LONG: Final = 64
_NAME: Final = r"(?a)[A-Za-z_][\w.-]{0,254}"


class Root(Struct, frozen=True):
    """A folder in an archive, and the files below it. `prefix` is its path, ending in `/`,
    or empty.
    """

    prefix: str
    names: Mapping[str, None]
    """The paths of all files and links below it, relative to it, in order."""
    top: tuple[str, ...]
    """The names directly in it, in order."""
    read: Callable[[str, int], bytes]
    """Returns the first bytes of an entry of the archive, up to a limit; empty if it cannot
    be read.
    """

    @property
    def folder(self) -> str:
        """The folder's own name; empty for the root of the archive."""
        return self.prefix.rstrip("/").rpartition("/")[2]

    @property
    def suggested(self) -> tuple[str, ...]:
        """Names that the folder suggests for the component: its own, and its own without what a
        download adds.
        """
        return suggested_by(self.folder)

    @property
    def has_code(self) -> bool:
        """Whether PHP files are directly in it, other than `index.php` (a guard), hidden files
        and tools.
        """
        return any(
            name.endswith(".php") and name not in TOOLS and name[0] != "." for name in self.top
        )

    def holds(self, path: str) -> bool:
        """Whether it contains a file, or a folder, whose path ends in `/`."""
        return path in self.names or (
            path.endswith("/") and any(name.startswith(path) for name in self.names)
        )

    def at(self, folder: str) -> "Root":
        """A folder in it, by its path, which ends in `/`."""
        inside = (name[len(folder) :] for name in self.names if name.startswith(folder))
        return make_root(self.prefix + folder, inside, self.read)

    def subfolders(self) -> tuple["Root", ...]:
        """The folders directly in it, in order."""
        inside = (name.partition("/") for name in self.names if "/" in name)
        grouped: dict[str, list[tuple[str, str, str]]] = groupby(itemgetter(0), inside)
        return tuple(
            make_root(f"{self.prefix}{folder}/", (name for *_, name in names), self.read)
            for folder, names in sorted(grouped.items())
        )

    def plain(self, name: str) -> Any:
        """The content of a file as plain data; `None` if the file is missing or not in the format
        of its suffix.
        """
        if name not in self.names:
            return None
        return read_plain(self.prefix + name, self.read)

    def yaml(self, name: str) -> YamlFile:
        """The content of a YAML file, and how it was read; nothing if the file is missing or
        too large.
        """
        if name not in self.names:  # nearly always, and the import of the parser takes long
            return YamlFile()
        content = self.head(name, SLOW_LIMIT + 1)
        if len(content) > SLOW_LIMIT:
            return YamlFile()
        return read_yaml(content)

    def lines(self, name: str) -> bytes:
        """The start of a file, without a line that is cut off."""
        content = self.head(name, HEAD_LIMIT + 1)
        if len(content) <= HEAD_LIMIT:
            return content
        return content[:HEAD_LIMIT].rpartition(b"\n")[0]

    def header(self, name: str) -> Mapping[str, str]:
        """The fields of the header at the start of a file; none if the file is missing."""
        if name not in self.names:
            return {}
        return read_header(self.head(name, HEADER_LIMIT))

    def head(self, name: str, limit: int = HEAD_LIMIT) -> bytes:
        """The start of a file."""
        return self.read(self.prefix + name, limit)


def make_root(prefix: str, names: Iterable[str], read: Callable[[str, int], bytes]) -> Root:
    """Make a root from the paths of the files below it, relative to it."""
    inside = dict.fromkeys(sorted(names))
    return Root(prefix, inside, tuple(name for name in inside if "/" not in name), read)


class Identification(Component, frozen=True, kw_only=True):
    """A component as one marker describes it."""

    name: str = ""
    """The name; empty if the system uses the name of the folder."""
    evidence: str
    """The marker, as a path in the folder."""
    hints: tuple[Hint, ...] = ()
    """Names to try for a folder that a download made, the most certain first."""
    is_lenient: bool = False
    """Whether only some lines of the marker were read, because it is invalid."""
    drop_ins: tuple[str, ...] = ()
    """Files beside a WordPress plugin that belong elsewhere."""


Recogniser: TypeAlias = Callable[[Root], Iterator[Identification]]
"""A function that recognises the components of one system at a root, the most certain first."""

_KINDS: Final[dict[Unbuilt, ArchiveKind]] = {
    "profile": "profile",
    "layout": "layout",
    "must-use plugins": "mu-plugin",
}


def unbuilt(what: Unbuilt, marker: str, field: str, **more: Any) -> Identification:
    """Identify an archive that is neither a theme nor a module; `more` are other fields of
    the component.
    """
    return Identification(
        kind=_KINDS.get(what, "other"), what=what, evidence=marker, field=field, **more
    )


def cost_of(marker: str, size: int) -> int:
    """The cost of reading `size` bytes of a marker."""
    return max(size * _COSTS.get(suffix_of(marker), 1), _LEAST)


def version_of(value: Any) -> str | None:
    """A version: text, cut to a limit, or a number small enough to be one; `None` for anything else
    and for a placeholder.
    """
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _LARGE:
        return str(value)
    if not isinstance(value, str) or (
        not value[-1:].isdigit() and re.fullmatch(_PLACEHOLDER, value)
    ):
        return None
    return value[:_LONG] or None


def text_of(value: Any) -> str | None:
    """The value if it is a non-empty text, otherwise `None`."""
    if isinstance(value, str) and value:
        return value
    return None


def at(data: Any, *keys: str) -> Any:
    """The value at a path of keys in plain data; `None` if there is no such path."""
    for key in keys:
        if not isinstance(data, dict):
            return None
        data = data.get(key)
    return data


def items_of(values: Any) -> tuple[Any, ...]:
    """The items of a list, which may have keys, as in PHP; none of anything else."""
    if isinstance(values, dict):
        return tuple(values.values())
    if isinstance(values, list | tuple):
        return tuple(values)
    return ()


def names_in(values: Any) -> tuple[str, ...]:
    """The names at the start of a list's items, each once: `views` in `views (>=3.x)`."""
    matches = (re.match(_NAME, item.strip()) for item in items_of(values) if isinstance(item, str))
    return tuple(dict.fromkeys(match[0] for match in matches if match))


def with_name(kind: ComponentKind, marker: str, data: Any) -> Iterator[Identification]:
    """Take `name` and `version` from plain data; nothing without a name."""
    if name := text_of(at(data, "name")):
        version = version_of(at(data, "version"))
        yield Identification(kind=kind, evidence=marker, field="name", name=name, version=version)


def php_files(root: Root) -> tuple[str, ...]:
    """The PHP files at a root, without hidden ones: first those named after the folder, then those
    that start with its name, last libraries.
    """
    suggested = root.suggested
    ranks = {f"{name}.php": index for index, name in enumerate(suggested)}

    def place(php: str) -> tuple[int, bool, bool]:
        return ranks.get(php, len(ranks)), not php.startswith(suggested), is_of_a_library(php)

    files = (name for name in root.top if name.endswith(".php") and name[0] != ".")
    return tuple(sorted(files, key=place))[:PHP_LIMIT]


def is_of_a_library(php: str) -> bool:
    """Whether a PHP file is named like a WordPress class file, which may have the header of a
    library's own plugin.
    """
    return php.startswith("class-")
