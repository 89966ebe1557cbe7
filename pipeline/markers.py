"""Markers: the files that tell what an archive is. Here is what every recogniser is made of.

A file that cannot be read as what its name says is no marker.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import Any, Final

from msgspec import Struct

from pipeline.events import Kind

HEAD_LIMIT: Final = 64 * 1024
"""Bytes from the beginning of a source file in which it may say what it is."""

SLOW_LIMIT: Final = 64 * 1024
"""Bytes of a marker file in YAML, TOML or XML that is read: hostile ones take their parsers long."""
BUDGET: Final = 24 * 1024**2
"""What reading the markers of one archive file may cost, in bytes of a format that is read fast."""
_COSTS: Final = {".toml": 256, ".yml": 64, ".info": 16, ".ini": 16, ".xml": 16}
"""How many times as long it may take to read a byte of other formats, by the suffix of the marker."""
_LEAST: Final = 4096
"""What any file costs."""

_SUFFIX: Final = re.compile(
    r"-(?:v?\d+(?:\.(?:\d+|x))+(?:-\d[\w.]*)?(?:-(?:alpha|beta|rc|dev|pl)[\w.]*)?|main|master|develop|dev)$",
    re.IGNORECASE,
)
_COPY: Final = re.compile(r" ?\(\d+\)$")
"""What a browser adds to the name of a file that it downloads again."""
_LARGE: Final = 10**9
_LONG: Final = 64
_NAME: Final = re.compile(r"[A-Za-z_][\w.-]{0,254}", re.ASCII)


class Root(Struct, frozen=True):
    """A folder of an archive, by its path with a `/` at the end, and the files below it."""

    prefix: str
    names: frozenset[str]
    """Every file and link below it, by its path in it."""
    top: tuple[str, ...]
    """Those that lie in no folder of it, in order."""
    read: Callable[[str, int], bytes]
    """Gives at most so many bytes of an entry of the archive; nothing where it cannot be read."""

    @property
    def folder(self) -> str:
        """The folder's own name; empty for the root of the archive."""
        return self.prefix.rstrip("/").rpartition("/")[2]

    @property
    def called(self) -> tuple[str, ...]:
        """What the folder's name says that the component is called: as it is, and less a version or branch."""
        names = (self.folder, without_suffix(self.folder))
        return tuple(dict.fromkeys(name for name in names if name))

    @property
    def has_code(self) -> bool:
        """Whether PHP lies right in it, other than an empty `index.php` that guards a folder, and settings of tools."""
        return any(name.endswith(".php") and name != "index.php" and name[0] != "." for name in self.top)

    def content(self, name: str, limit: int) -> bytes:
        """The content of a file that is no longer than `limit` bytes; nothing of one that is, or is not there."""
        content = self.read(self.prefix + name, limit + 1) if name in self.names else b""
        return content if len(content) <= limit else b""

    def head(self, name: str) -> bytes:
        """The beginning of a file."""
        return self.read(self.prefix + name, HEAD_LIMIT)

    def lines(self, name: str) -> bytes:
        """The beginning of a file, as far as its lines are whole."""
        content = self.read(self.prefix + name, HEAD_LIMIT + 1)
        return content if len(content) <= HEAD_LIMIT else content[:HEAD_LIMIT].rpartition(b"\n")[0]


def make_root(prefix: str, names: Iterable[str], read: Callable[[str, int], bytes]) -> Root:
    """A root of the files below it, by their paths in it."""
    inside = frozenset(names)
    return Root(prefix, inside, tuple(sorted(name for name in inside if "/" not in name)), read)


class Found(Struct, frozen=True, kw_only=True):
    """What a marker says."""

    kind: Kind
    marker: str
    field: str
    """What in the marker told."""
    name: str | None = None
    """Nothing where the system takes the name of the folder."""
    version: str | None = None
    requires: tuple[str, ...] = ()
    parent: str | None = None
    system: str = ""
    """The system, where the recogniser leaves it to the marker."""


class Recogniser(Struct, frozen=True):
    """One way to know a component: what it finds at a root, the most certain first."""

    system: str
    reads: Callable[[Root], Iterator[Found]]
    weak: bool = False
    """Whether what it finds may as well be a folder of code."""


def cost_of(marker: str, size: int) -> int:
    """What it costs to read so many bytes of a marker."""
    return max(size * _COSTS.get(PurePath(marker).suffix, 1), _LEAST)


def without_suffix(name: str) -> str:
    """Drop a version, a branch or a copy at the end of a name: `a-2.1.0`, `token-8.x-1.9`, `theme-main`, `a (1)`."""
    return _SUFFIX.sub("", _COPY.sub("", name))


def version_of(value: Any) -> str | None:
    """A version is text, or a number that is short enough to be one."""
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _LARGE:
        return str(value)
    return value[:_LONG] or None if isinstance(value, str) else None


def text_of(value: Any) -> str | None:
    """A value that is text and not empty."""
    return value if isinstance(value, str) and value else None


def at(data: Any, *keys: str) -> Any:
    """What lies under a path of keys in plain data; nothing where there is no such path."""
    for key in keys:
        data = data.get(key) if isinstance(data, Mapping) else None
    return data


def names_in(values: Any) -> tuple[str, ...]:
    """The names that items of a list begin with, each once: `views` of `views (>=3.x)`."""
    items = values if isinstance(values, list | tuple) else ()
    found = (_NAME.match(item.strip()) for item in items if isinstance(item, str))
    return tuple(dict.fromkeys(match[0] for match in found if match))
