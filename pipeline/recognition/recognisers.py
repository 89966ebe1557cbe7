"""Recognisers: the table of all functions that recognise a component by a marker, and what else shows a marker."""

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
"""Markers that no system has, of each kind."""
MARKERS: Final = (*concat(system.markers for system in SYSTEMS), *concat(_GENERIC.values()))
"""Markers with a fixed name that are reported if they identify nothing."""
_IN_TOP: Final = frozenset(concat(system.hints for system in SYSTEMS))
DESCRIBED: Final = tuple(unique(concat(system.endings for system in SYSTEMS)))
"""Markers that have their name, or the end of it, in common with other files."""
_FEW: Final = 4
"""How many PHP files a folder may have that is not called like one of them, to be looked into deep in a bundle."""
_IN_FOLDERS: Final = frozenset(
    path
    for path in (*MARKERS, *(sign.marker for _, sign in WHOLE_SYSTEMS), *(signs[0] for _, signs in EXTENSIONS))
    if "/" in path
)
"""Every marker that is not at the root itself."""
_ENDS: Final = tuple(words(".php .css .info .yml .ini .json .toml .xml .tpl .zip"))
"""How the name of every other marker ends."""


def generic(root: Root) -> Iterator[Identification]:
    """`theme.json`, `.yml` or `.toml` with `name`; likewise for modules."""
    for kind, markers in _GENERIC.items():
        for marker in markers:
            named = tuple(with_name(kind, marker, root.plain(marker)))
            if named:
                yield from named
                break


def fallback(kind: Fallback) -> tuple[Recogniser, ...]:
    """What the systems have of one kind of fallbacks, in the order of the systems."""
    return tuple(system.fallbacks[kind] for system in SYSTEMS if kind in system.fallbacks)


def by_file_name(root: Root) -> Iterator[Identification]:
    """What the name of a file alone shows, unless a package says that it is something else."""
    if is_package(root) and has_type(root):
        return
    for recogniser in fallback("file name"):
        yield from recogniser(root)


RECOGNISERS: Final[tuple[Recogniser, ...]] = (
    *(whole_system, *(system.recognise for system in SYSTEMS)),
    *(foreign, generic, *fallback("old shape"), composer, joomla, by_file_name),
)
"""Every recogniser, in the order in which they are tried. The last is the least certain: any PHP code would do."""


def recognisers_of(root: Root) -> tuple[Recogniser, ...]:
    """The recognisers to try: none if no file at the root is called like a marker, and none of those in folders."""
    if any(name.endswith(_ENDS) for name in root.top) or not _IN_FOLDERS.isdisjoint(root.names):
        return RECOGNISERS
    return ()


def first_identified(recognisers: Iterable[Recogniser], root: Root) -> Identification | None:
    """The component that the first recogniser identifies that identifies one at a root; `None` if none does."""
    for recogniser in recognisers:
        for marked in recogniser(root):
            return marked
    return None


def has_marker(root: Root) -> bool:
    """Whether a folder has a marker, whatever it says."""
    return first_identified(recognisers_of(root), root) is not None


def may_have_marker(root: Root) -> bool:
    """Whether a folder may have a marker, by the names of its files alone: much PHP is rather a library's."""
    code = list[str]()
    for name in root.top:
        if name in _IN_TOP or name.endswith(DESCRIBED):
            return True
        if name.endswith(".php") and name not in TOOLS:
            code.append(name)
    if 0 < len(code) <= _FEW or any(f"{name}.php" in code for name in root.suggested):
        return True
    return not root.names.keys().isdisjoint(MARKERS)
