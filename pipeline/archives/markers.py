"""Markers: the files that identify what an archive is, and what all recognisers are built from.

A file that cannot be read as what its name says is not a marker.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePath
from typing import Any, Final

from msgspec import Struct
from toolz import get_in

from pipeline.report.events import ComponentKind

HEAD_LIMIT: Final = 64 * 1024
"""Bytes at the start of a source file in which it may say what it is."""

SLOW_LIMIT: Final = 64 * 1024
"""Bytes up to which a marker file in YAML, TOML or XML is read: hostile ones are slow to parse."""
BUDGET: Final = 24 * 1024**2
"""What reading the markers of one archive file may cost, in bytes of a format that is fast to read."""
_COSTS: Final = {".toml": 256, ".yml": 64, ".info": 16, ".ini": 16, ".xml": 16}
"""How many times as long a byte of another format may take to read, by the suffix of the marker."""
_LEAST: Final = 4096
"""What any file costs at least."""

_SUFFIX: Final = (
    r"(?i)-(?:v?\d+(?:\.(?:\d+|x))+(?:-\d[\w.]*)?(?:-(?:alpha|beta|rc|dev|pl)[\w.]*)?|main|master|develop|dev)$"
)
_COPY: Final = r" ?\(\d+\)$"
"""What a browser adds to the name of a file that is downloaded again."""
_LARGE: Final = 10**9
_LONG: Final = 64
_NAME: Final = r"(?a)[A-Za-z_][\w.-]{0,254}"


class Root(Struct, frozen=True):
    """A folder in an archive, and the files below it. `prefix` is its path, ending in `/`, or empty."""

    prefix: str
    names: frozenset[str]
    """The paths, relative to it, of every file and link below it."""
    top: tuple[str, ...]
    """The names of those directly in it, in order."""
    read: Callable[[str, int], bytes]
    """Returns the first bytes of an entry of the archive, up to a limit; empty if it cannot be read."""

    @property
    def folder(self) -> str:
        """The folder's own name; empty for the root of the archive."""
        return self.prefix.rstrip("/").rpartition("/")[2]

    @property
    def called(self) -> tuple[str, ...]:
        """The names that the folder suggests for the component: its own, and that without a version or branch."""
        names = (self.folder, without_suffix(self.folder))
        return tuple(dict.fromkeys(name for name in names if name))

    @property
    def has_code(self) -> bool:
        """Whether there is PHP directly in it, other than `index.php`, which guards a folder, and hidden files."""
        return any(name.endswith(".php") and name != "index.php" and name[0] != "." for name in self.top)

    def content(self, name: str, limit: int) -> bytes:
        """The content of a file of at most `limit` bytes; empty if it is longer or does not exist."""
        content = self.read(self.prefix + name, limit + 1) if name in self.names else b""
        return content if len(content) <= limit else b""

    def head(self, name: str, limit: int = HEAD_LIMIT) -> bytes:
        """The start of a file."""
        return self.read(self.prefix + name, limit)

    def lines(self, name: str) -> bytes:
        """The start of a file, without a line that is cut off."""
        content = self.read(self.prefix + name, HEAD_LIMIT + 1)
        return content if len(content) <= HEAD_LIMIT else content[:HEAD_LIMIT].rpartition(b"\n")[0]


def make_root(prefix: str, names: Iterable[str], read: Callable[[str, int], bytes]) -> Root:
    """Make a root from the files below it, given their paths relative to it."""
    inside = frozenset(names)
    return Root(prefix, inside, tuple(sorted(name for name in inside if "/" not in name)), read)


class Identification(Struct, frozen=True, kw_only=True):
    """What a marker says that a component is."""

    kind: ComponentKind
    marker: str
    field: str
    """What in the marker identified it."""
    name: str | None = None
    """`None` if the system uses the name of the folder."""
    version: str | None = None
    requires: tuple[str, ...] = ()
    parent: str | None = None
    system: str = ""
    """The system, if it depends on the marker rather than the recogniser."""


class Recogniser(Struct, frozen=True):
    """One way to recognise a component: what it finds at a root, the most certain first."""

    system: str
    reads: Callable[[Root], Iterator[Identification]]
    weak: bool = False
    """Whether what it finds may just as well be a plain folder of code."""


def cost_of(marker: str, size: int) -> int:
    """The cost of reading `size` bytes of a marker."""
    return max(size * _COSTS.get(PurePath(marker).suffix, 1), _LEAST)


def without_suffix(name: str) -> str:
    """Drop a version, branch or copy mark at the end of a name: `a-2.1.0`, `token-8.x-1.9`, `theme-main`, `a (1)`."""
    return re.sub(_SUFFIX, "", re.sub(_COPY, "", name))


def version_of(value: Any) -> str | None:
    """A version: text, cut to a limit, or a number that is small enough to be one."""
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _LARGE:
        return str(value)
    return value[:_LONG] or None if isinstance(value, str) else None


def text_of(value: Any) -> str | None:
    """A value, if it is text and not empty."""
    return value if isinstance(value, str) and value else None


def at(data: Any, *keys: str) -> Any:
    """The value at a path of keys in plain data; `None` if there is no such path."""
    return get_in(keys, data)


def names_in(values: Any) -> tuple[str, ...]:
    """The names that the items of a list start with, each once: `views` of `views (>=3.x)`."""
    items = values if isinstance(values, list | tuple) else ()
    matches = (re.match(_NAME, item.strip()) for item in items if isinstance(item, str))
    return tuple(dict.fromkeys(match[0] for match in matches if match))
