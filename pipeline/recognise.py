"""Recognise: tell from its contents what an archive is: kind, name, version, and the evidence.

Takes the names of an archive and the bytes of its few marker files. A recogniser is a row of `RECOGNISERS`,
tried in order at the archive's root and, while a single folder is all there is and no marker was found, inside
that folder. The rules are in `docs/archives.md`.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from returns.result import Failure, Result, Success

from pipeline.archives import ArchiveFile, Component, Entry, is_junk
from pipeline.entry_names import PARTS_LIMIT
from pipeline.events import Kind
from pipeline.markers import RECOGNISERS, Found, Root, without_suffix
from pipeline.notes import EmptyArchive, Note, UnrecognisedArchive
from pipeline.problems import ArchiveRejected

MARKER_LIMIT: Final = 1024 * 1024
"""Bytes of a marker file that are read."""
TOML_LIMIT: Final = 64 * 1024
"""Likewise of one in TOML, whose parser takes time that grows with the square of what a hostile file holds."""

_SAFE: Final = re.compile(r"(?!\.)[A-Za-z0-9_.-]{1,255}")
_THEME_WORD: Final = re.compile(r"(?<![a-z])theme(?![a-z])", re.IGNORECASE)


def unmarked(kind: Kind, file: ArchiveFile, top: Root | None = None) -> Component:
    """Name a component without a marker after its common top folder, else its file."""
    name = without_suffix(top.folder if top else file.path.stem)
    return Component(kind=kind, name=name, root=top.prefix if top else "")


def wanted(entries: tuple[Entry, ...], contents: Mapping[str, bytes]) -> tuple[str, ...]:
    """The entries whose bytes the recognisers want to see, given those that they have seen."""
    found = (
        root.prefix + name
        for root in _roots(entries)
        for row in RECOGNISERS
        for name in row.wants(root, _inside(root, contents))
    )
    sizes = {entry.name: entry.size for entry in entries if entry.kind == "file"}
    return tuple(name for name in dict.fromkeys(found) if name in sizes and sizes[name] <= _limit(name))


def _limit(name: str) -> int:
    return TOML_LIMIT if name.endswith(".toml") else MARKER_LIMIT


def _inside(root: Root, contents: Mapping[str, bytes]) -> dict[str, bytes]:
    """The contents below a root, by their names in it."""
    return {name.removeprefix(root.prefix): data for name, data in contents.items() if name.startswith(root.prefix)}


def recognise(
    file: ArchiveFile, entries: tuple[Entry, ...], contents: Mapping[str, bytes]
) -> Result[tuple[Component, tuple[Note, ...]], tuple[ArchiveRejected, ...]]:
    """Say what an archive is, or refuse one that contradicts itself or has no safe name."""
    for root in _roots(entries):
        found = tuple(_found(root, contents))
        themes = [each for each in found if each.kind == "theme"]
        modules = [each for each in found if each.kind == "module"]
        if themes and modules:
            both = f"it is both a theme ({themes[0].evidence}) and a module ({modules[0].evidence})"
            return Failure((ArchiveRejected(file.shown, both),))
        if found:
            return _named(file, found[0]).map(lambda component: (component, ()))
    return _unmarked(file, entries)


def _roots(entries: tuple[Entry, ...]) -> Iterator[Root]:
    """The archive's root, then each folder that is the only thing in the one before."""
    names = [entry.name for entry in entries if entry.kind != "folder" and not is_junk(entry.name)]
    prefix = ""
    while names and prefix.count("/") < PARTS_LIMIT:
        inside = [name.removeprefix(prefix) for name in names]
        yield Root(prefix, frozenset(inside))
        tops = {name.partition("/")[0] for name in inside}
        if len(tops) > 1 or not all("/" in name for name in inside):
            return
        prefix += f"{tops.pop()}/"


def _found(root: Root, contents: Mapping[str, bytes]) -> Iterator[Component]:
    here = _inside(root, contents)
    for row in RECOGNISERS:
        for found in row.reads(root, here):
            yield _component(row.kind, root, found)


def _component(kind: Kind, root: Root, found: Found) -> Component:
    return Component(
        kind=kind,
        name=found.name,
        version=found.version,
        evidence=root.prefix + found.marker,
        root=root.prefix,
    )


def _unmarked(
    file: ArchiveFile, entries: tuple[Entry, ...]
) -> Result[tuple[Component, tuple[Note, ...]], tuple[ArchiveRejected, ...]]:
    """Go by the place and the name of an archive without a marker."""
    roots = tuple(_roots(entries))
    guessed = _guess(file)
    component = unmarked(guessed or "module", file, roots[1] if len(roots) > 1 else None)
    unsure = (UnrecognisedArchive(file.shown, component.name),) if guessed is None and roots else ()
    empty = () if roots else (EmptyArchive(file.shown),)
    return _named(file, component).map(lambda component: (component, (*unsure, *empty)))


def _guess(file: ArchiveFile) -> Kind | None:
    """The kind that everything but the contents speaks for."""
    if file.shelf:
        return "theme" if file.shelf == "themes" else "module"
    return "theme" if file.named or _THEME_WORD.search(file.path.stem) else None


def _named(file: ArchiveFile, component: Component) -> Result[Component, tuple[ArchiveRejected, ...]]:
    if _SAFE.fullmatch(component.name):
        return Success(component)
    return Failure((ArchiveRejected(file.shown, f"its name, `{component.name}`, is not safe as that of a folder"),))
