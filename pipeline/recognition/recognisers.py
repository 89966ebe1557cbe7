"""Recognisers: the table of all functions that recognise a component by a marker, and other signs
of a marker.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from toolz import concat, unique

from pipeline.archives.composer import has_type
from pipeline.archives.markers import TOOLS, Identification, Recogniser, Root, with_name
from pipeline.archives.naming import words
from pipeline.recognition.others import EXTENSIONS, WHOLE_SYSTEMS, foreign, joomla, whole_system
from pipeline.recognition.packages import composer, is_package
from pipeline.report.events import ComponentKind
from pipeline.systems.system import Fallback
from pipeline.systems.table import SYSTEMS

_GENERIC: Final[dict[ComponentKind, list[str]]] = {
    "theme": ["theme.json", "theme.yml", "theme.toml"],
    "module": ["module.json", "module.yml", "module.toml"],
}
"""Markers of each kind that belong to no system."""
MARKERS: Final = (*concat(system.markers for system in SYSTEMS), *concat(_GENERIC.values()))
"""Markers with a fixed name that are reported if they identify nothing."""
_IN_TOP: Final = frozenset(concat(system.hints for system in SYSTEMS))
DESCRIBED: Final = tuple(unique(concat(system.endings for system in SYSTEMS)))
"""Markers whose name, or its ending, other files may have."""
_FEW: Final = 4
"""How many PHP files a folder deep in a bundle may have if none has the folder's name; a folder
with more is not examined.
"""
_IN_FOLDERS: Final = frozenset(
    path
    for path in (
        *MARKERS,
        *(sign.marker for _, sign in WHOLE_SYSTEMS),
        *(signs[0] for _, signs in EXTENSIONS),
    )
    if "/" in path
)
"""Every marker below the root."""
_ENDS: Final = tuple(words(".php .css .info .yml .ini .json .toml .xml .tpl .zip"))
"""How the names of all other markers end."""


def generic(root: Root) -> Iterator[Identification]:
    """`theme.json`, `.yml` or `.toml` with `name`; likewise for modules."""
    for kind, markers in _GENERIC.items():
        for marker in markers:
            named = tuple(with_name(kind, marker, root.plain(marker)))
            if named:
                yield from named
                break


def fallback(kind: Fallback) -> tuple[Recogniser, ...]:
    """The systems' fallbacks of one kind, in the order of the systems."""
    return tuple(system.fallbacks[kind] for system in SYSTEMS if kind in system.fallbacks)


def by_file_name(root: Root) -> Iterator[Identification]:
    """What a file's name alone identifies, unless a package identifies something else."""
    if is_package(root) and has_type(root):
        return
    for recogniser in fallback("file name"):
        yield from recogniser(root)


RECOGNISERS: Final[tuple[Recogniser, ...]] = (
    *(whole_system, *(system.recognise for system in SYSTEMS)),
    *(foreign, generic, *fallback("old shape"), composer, joomla, by_file_name),
)
"""Every recogniser, in the order in which they are tried. The last is the least certain: any PHP
code would do.
"""


def recognisers_of(root: Root) -> tuple[Recogniser, ...]:
    """All recognisers; none if no file at the root or below it has the name of a marker."""
    if any(name.endswith(_ENDS) for name in root.top) or not _IN_FOLDERS.isdisjoint(root.names):
        return RECOGNISERS
    return ()


def first_identified(recognisers: Iterable[Recogniser], root: Root) -> Identification | None:
    """The component that the first successful recogniser identifies at a root; `None` if
    none does.
    """
    for recogniser in recognisers:
        for marked in recogniser(root):
            return marked
    return None


def has_marker(root: Root) -> bool:
    """Whether a folder has a marker, with any content."""
    return first_identified(recognisers_of(root), root) is not None


def may_have_marker(root: Root) -> bool:
    """Whether the names of a folder's files allow a marker: a folder with much PHP is rather
    a library.
    """
    code = list[str]()
    for name in root.top:
        if name in _IN_TOP or name.endswith(DESCRIBED):
            return True
        if name.endswith(".php") and name not in TOOLS:
            code.append(name)
    if 0 < len(code) <= _FEW or any(f"{name}.php" in code for name in root.suggested):
        return True
    return not root.names.keys().isdisjoint(MARKERS)
