"""Presets: which partial configurations apply, and their layers.

Takes what the other layers decide about `presets`, and the folders of `presetsSearchPath`; gives the files, in the
order in which they apply. The rules are in `docs/configuration.md`.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Final, get_args
from unicodedata import normalize

from msgspec import Struct
from returns.result import Failure, Success

from pipeline.config.disk import Disk, Presence
from pipeline.config.layers import Assignment, Decision, Element
from pipeline.config.tree import ConfigFile, kind_of
from pipeline.report.diagnostics.settings import PresetNotFound
from pipeline.report.location import Location
from pipeline.report.outcome import Outcome
from pipeline.report.paths import display_path
from pipeline.report.wording import SUGGESTED, SUGGESTION_LIMIT, suggest
from pipeline.schema import BUNDLED, is_preset_path

SUFFIXES: Final = (".ts", ".js", ".json")
"""The suffixes tried, in order, for a name in the search path."""

CI: Final = "CI"
"""The variable that the preset `ci` is detected by."""
_OTHERS: Final = frozenset(get_args(Presence)) - {"file"}
"""What is passed over where a preset is detected; of one that is listed, anything that may be a file is opened."""


def detect_presets(
    presets: Decision, folders: Iterable[PurePath], environ: Mapping[str, str], start: PurePath, disk: Disk
) -> tuple[Element, ...]:
    """Find the presets that apply where no layer lists any, lowest first: `default`, then `ci` if there is `CI`.

    The location of each is the file or the variable that it is detected by.
    """
    if presets.is_listed:
        return ()
    file = next((path for path in files_named("default", folders) if disk.presence(path) == "file"), None)
    signs = {
        "default": display_path(disk.plain(file), start) if file else "",
        "ci": CI if environ.get(CI, "").lower() not in {"", "false", "0"} else "",
    }
    return tuple(Element(Assignment("default", Location(by), (name,)), 0) for name, by in signs.items() if by)


class _Search(Struct, frozen=True):
    """Where presets are searched, of which nothing is looked at again for each of them."""

    start: PurePath
    disk: Disk
    folders: tuple[tuple[PurePath, str, frozenset[str] | None], ...]
    """The folders of the search path, each with its display path and, if it can be read, its case-folded names."""
    known: frozenset[str]
    """The names that would be found."""


def choose_presets(
    presets: Decision, folders: Iterable[PurePath], start: PurePath, disk: Disk
) -> Outcome[tuple[ConfigFile, ...]]:
    """Find every preset that applies, listed or detected, lowest first. Errors: `PresetNotFound`, one for each."""
    elements = presets.elements
    is_searched = any(each.value not in BUNDLED and not is_preset_path(each.value) for each in elements)
    search = _search(folders if is_searched else (), start, disk)
    found = [(each, _find(each, search)) for each in elements]
    missing = enumerate(each for each, file in found if file is None)
    errors = tuple(_not_found(each, search, suggests=number < SUGGESTION_LIMIT) for number, each in missing)
    return Failure(errors) if errors else Success(tuple(file for _, file in found if file))


def _search(paths: Iterable[PurePath], start: PurePath, disk: Disk) -> _Search:
    listed = [(path, display_path(disk.plain(path), start), disk.names(path)) for path in paths]
    files = [PurePath(name) for _, _, names in listed for name in names or ()]
    folded = ((path, shown, None if names is None else frozenset(map(_fold, names))) for path, shown, names in listed)
    return _Search(start, disk, tuple(folded), frozenset({*BUNDLED, *(each.stem for each in files if _may_be(each))}))


def _find(element: Element, search: _Search) -> ConfigFile | None:
    """Find one entry of `presets`: a path, a bundled name, or a name in the search path."""
    entry, assignment = element.value, element.assignment
    if entry in BUNDLED:
        name, path = f"preset:{entry}", search.start / "preset"
        return ConfigFile(path=path, display_path=name, kind="json", layer="preset", bundled=BUNDLED[entry])
    paths = [assignment.base / entry] if is_preset_path(entry) else _listed(entry, search)
    passed_over = _OTHERS if assignment.layer == "default" else ("missing", "folder")
    there = next((path for path in paths if search.disk.presence(path) not in passed_over), None)
    if there is None:
        return None
    plain = search.disk.plain(there)
    return ConfigFile(path=plain, display_path=display_path(plain, search.start), kind=kind_of(plain), layer="preset")


def _listed(entry: str, search: _Search) -> Iterator[PurePath]:
    """The files that may be there for a preset that is given by name: one listing costs less than a look for each."""
    files = {_fold(file): file for file in _files(entry)}
    for path, _, names in search.folders:
        yield from (path / file for folded, file in files.items() if names is None or folded in names)


def _not_found(element: Element, search: _Search, *, suggests: bool) -> PresetNotFound:
    entry, assignment, disk = element.value, element.assignment, search.disk
    path, is_path = assignment.base / entry, is_preset_path(entry)
    is_folder = is_path and disk.presence(path) == "folder"
    suggestions: tuple[str, ...] = ()
    if suggests:
        suggestions = _similar_files(entry, path, disk, inside=is_folder) if is_path else suggest(entry, search.known)
    folders = ("" if shown == "." else f"{shown}/" for _, shown, _ in search.folders)
    named = tuple(f"{folder}{file}" for folder in folders for file in _files(entry))
    searched = (display_path(disk.plain(path), search.start),) if is_path else named
    setting = "presets" if element.location == assignment.location else f"presets[{element.index}]"
    return PresetNotFound(entry, element.location, searched, suggestions, setting, is_path, is_folder)


def _similar_files(written: str, path: PurePath, disk: Disk, *, inside: bool) -> tuple[str, ...]:
    """The preset files that may have been meant by a path, in its form: those in the folder, or similar names."""
    folder, prefix = (path, written.rstrip("/")) if inside else (path.parent, written.rpartition("/")[0])
    names = tuple(name for name in disk.names(folder) or () if _may_be(PurePath(name)))
    plain = tuple(name for name in names if not name.startswith("."))
    similar = plain[:SUGGESTED] if inside else suggest(path.name, names)
    return tuple(f"{prefix}/{name}" if prefix else name for name in similar)


def probed_files(
    presets: Decision, folders: Sequence[PurePath], used: Collection[PurePath]
) -> Iterator[tuple[PurePath, bool]]:
    """The files that are looked for to detect presets and to find those given by name, and whether each is used."""
    given = (each.value for each in presets.elements if each not in presets.detected)
    names = [name for name in given if name not in BUNDLED and not is_preset_path(name)]
    for name in names if presets.is_listed else ("default", *names):
        for path in files_named(name, folders):
            yield path, path in used
            if path in used:
                break


def files_named(name: str, folders: Iterable[PurePath]) -> Iterator[PurePath]:
    """The files that are looked for, in order, for a preset that is given by name and not bundled."""
    for folder in folders:
        yield from (folder / file for file in _files(name))


def _files(name: str) -> tuple[str, ...]:
    return tuple(f"{name}{suffix}" for suffix in SUFFIXES if name)


def _may_be(file: PurePath) -> bool:
    return file.suffix in SUFFIXES


def _fold(name: str) -> str:
    """A name by which the disk may find a file: on some, case and the way to write an accent do not matter."""
    return normalize("NFC", name).casefold()
