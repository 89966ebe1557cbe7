"""Presets: which partial configurations apply, and their layers.

Takes what the other layers decide about `presets`, and the folders of `presetsSearchPath`; gives
the files, in the order in which they apply. The rules are in `docs/configuration.md`.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Final, TypeAlias, get_args
from unicodedata import normalize

from returns.result import Failure, Success

from pipeline.config.disk import Disk, Presence, presence_of
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
_DETECTED: Final = frozenset({"file", "denied"})
"""Kinds of paths that are detected: files, and those out of reach, which are errors instead of
being passed over.
"""
_OTHERS: Final = frozenset(get_args(Presence)) - _DETECTED
"""Kinds of paths that detection passes over."""
_PASSED_OVER: Final[frozenset[Presence]] = frozenset({"missing", "folder"})
"""Kinds of paths that a listed preset passes over: anything that may be a file is opened."""

_Names: TypeAlias = Mapping[PurePath, frozenset[str] | None]
"""The folded names in each folder of the search path, in order; `None` where they cannot
be read.
"""


def detect_presets(
    presets: Decision,
    folders: Iterable[PurePath],
    environ: Mapping[str, str],
    start: PurePath,
    disk: Disk,
) -> tuple[Element, ...]:
    """Find the presets that apply if no layer lists any, lowest first: `default`, then `ci` if `CI`
    is set.

    The location of each is the file or the variable that it was detected by.
    """
    if presets.is_listed:
        return ()
    detected: tuple[Element, ...] = ()
    file = next(
        (path for path in files_named("default", folders) if presence_of(path, disk) in _DETECTED),
        None,
    )
    if file:
        detected += (_detected("default", display_path(disk.plain(file), start)),)
    if environ.get(CI, "").lower() not in {"", "false", "0"}:
        detected += (_detected("ci", CI),)
    return detected


def _detected(preset: str, by: str) -> Element:
    return Element(Assignment("default", Location(by), (preset,)), 0)


def choose_presets(
    presets: Decision, folders: Iterable[PurePath], start: PurePath, disk: Disk
) -> Outcome[tuple[ConfigFile, ...]]:
    """Find every preset that applies, listed or detected, lowest first. Errors: `PresetNotFound`,
    one for each.
    """
    is_searched = any(
        each.value not in BUNDLED and not is_preset_path(each.value) for each in presets.elements
    )
    listings: dict[PurePath, tuple[str, ...] | None] = {}
    if is_searched:
        listings = {path: disk.names(path) for path in folders}
    names = {path: _all_folded(listed) for path, listed in listings.items()}
    found = [(each, _find(each, names, start, disk)) for each in presets.elements]
    missing = [each for each, file in found if file is None]
    if not missing:
        return Success(tuple(file for _, file in found if file))
    files = [PurePath(name) for names in listings.values() for name in names or ()]
    known = {*BUNDLED, *(file.stem for file in files if _may_be(file))}
    shown = tuple(display_path(disk.plain(path), start) for path in listings)
    near = [_near(element, known, disk) for element in missing[:SUGGESTION_LIMIT]]
    near += [_near(element, (), disk) for element in missing[SUGGESTION_LIMIT:]]
    return Failure(
        tuple(_not_found(*each, shown, start, disk) for each in zip(missing, near, strict=True))
    )


def _find(element: Element, names: _Names, start: PurePath, disk: Disk) -> ConfigFile | None:
    """Find one entry of `presets`: a path, a bundled name, or a name in the search path."""
    entry = element.value
    if entry in BUNDLED:
        name = f"preset:{entry}"
        place = start / "preset"
        return ConfigFile(
            path=place, display_path=name, kind="json", layer="preset", bundled=BUNDLED[entry]
        )
    paths = iter([element.path])
    if not is_preset_path(entry):
        paths = _files_listed(entry, names)
    passed_over = _PASSED_OVER
    if element.assignment.layer == "default":
        passed_over = _OTHERS
    path = next((path for path in paths if presence_of(path, disk) not in passed_over), None)
    if path is None:
        return None
    plain = disk.plain(path)
    return ConfigFile(
        path=plain, display_path=display_path(plain, start), kind=kind_of(plain), layer="preset"
    )


def _near(element: Element, known: Collection[str], disk: Disk) -> tuple[str, ...]:
    """The presets to suggest for an entry that is not found."""
    if not known or not is_preset_path(element.value):
        return suggest(element.value, known)
    return _similar_files(element.value, element.path, disk)


def _not_found(
    element: Element,
    suggestions: tuple[str, ...],
    folders: tuple[str, ...],
    start: PurePath,
    disk: Disk,
) -> PresetNotFound:
    entry = element.value
    setting = "presets"
    if element.location != element.assignment.location:
        setting = f"presets[{element.index}]"
    if not is_preset_path(entry):
        within = ["" if folder == "." else f"{folder.rstrip('/')}/" for folder in folders]
        searched = tuple(f"{folder}{entry}{suffix}" for folder in within for suffix in SUFFIXES)
        return PresetNotFound(entry, element.location, searched, suggestions, setting)
    searched = (display_path(disk.plain(element.path), start),)
    is_folder = disk.presence(element.path) == "folder"
    return PresetNotFound(
        entry, element.location, searched, suggestions, setting, is_path=True, is_folder=is_folder
    )


def _similar_files(written: str, path: PurePath, disk: Disk) -> tuple[str, ...]:
    """The preset files to suggest for a path, in its form: those in the folder, or
    similar names.
    """
    if disk.presence(path) == "folder":
        plain = [name for name in _preset_files(path, disk) if not name.startswith(".")]
        return _in_form(written.rstrip("/"), plain[:SUGGESTED])
    return _in_form(
        written.rpartition("/")[0], suggest(path.name, _preset_files(path.parent, disk))
    )


def _preset_files(folder: PurePath, disk: Disk) -> list[str]:
    """The names in a folder that a preset may have."""
    return [name for name in disk.names(folder) or () if _may_be(PurePath(name))]


def _in_form(prefix: str, names: Iterable[str]) -> tuple[str, ...]:
    """Paths with a folder as it was written before them."""
    if not prefix:
        return tuple(names)
    return tuple(f"{prefix}/{name}" for name in names)


def probed_files(
    presets: Decision, folders: Sequence[PurePath], used: Collection[PurePath]
) -> Iterator[tuple[PurePath, bool]]:
    """The files that are tried to detect presets and to find those given by name, and whether each
    is used.
    """
    given = (each.value for each in presets.elements if each not in presets.detected)
    names = [name for name in given if name not in BUNDLED and not is_preset_path(name)]
    if not presets.is_listed:
        names = ["default", *names]
    for name in names:
        for path in files_named(name, folders):
            yield path, path in used
            if path in used:
                break


def files_named(name: str, folders: Iterable[PurePath]) -> Iterator[PurePath]:
    """The files that are tried, in order, for a preset given by name that is not bundled."""
    return (folder / f"{name}{suffix}" for folder in folders for suffix in SUFFIXES if name)


def _files_listed(name: str, names: _Names) -> Iterator[PurePath]:
    """As `files_named`, without the files that their folder lacks; with all if the folder cannot
    be listed.
    """
    files = [(f"{name}{suffix}", _folded(f"{name}{suffix}")) for suffix in SUFFIXES]
    for folder, listed in names.items():
        yield from (folder / file for file, folded in files if listed is None or folded in listed)


def _all_folded(names: tuple[str, ...] | None) -> frozenset[str] | None:
    return None if names is None else frozenset(map(_folded, names))


def _folded(name: str) -> str:
    """A name as a disk compares it that ignores case and Unicode forms."""
    return normalize("NFD", name).casefold()


def _may_be(file: PurePath) -> bool:
    return file.suffix in SUFFIXES
