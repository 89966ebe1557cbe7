"""Presets: which partial configurations apply, and their layers.

Takes what the other layers say about `presets` and `presetsSearchPath`; gives the candidates, in the order in
which they apply. The rules are in `docs/presets.md`.
"""

from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Final, get_args

from returns.result import Failure, Success

from pipeline.config.disk import Disk, Presence
from pipeline.config.layers import Element, Origin, Settings
from pipeline.config.tree import Candidate, form_of
from pipeline.report.near import NEAR_LIMIT, near_names
from pipeline.report.outcome import Outcome, collect
from pipeline.report.paths import display_path
from pipeline.report.problems import PresetNotFound
from pipeline.report.source import Source
from pipeline.schema import is_preset_path

BUNDLED: Final = {
    "none": b"{}",
    "ci": b'{"hooks": {"onFailure": "fail"}, "cache": {"enabled": false}}',
}
SUFFIXES: Final = (".ts", ".js", ".json")
"""The suffixes tried, in order, for a name in the search path."""

CI: Final = "CI"
"""The variable that the preset `ci` is detected by."""
_OTHERS: Final = frozenset(get_args(Presence)) - {"file"}
"""What is passed over where a preset is detected; of one that is listed, anything that may be a file is opened."""


def detect_presets(settings: Settings, environ: Mapping[str, str], start: PurePath, disk: Disk) -> tuple[Element, ...]:
    """Find the presets that apply where no layer lists any, lowest first: `default`, then `ci` if there is `CI`.

    `settings` are those of the other layers; where they list the presets nothing is looked for. The source of each
    is the file or the variable that it is detected by.
    """
    decision = settings.decision("presets")
    if decision.is_listed:
        return ()
    file = next((path for path in files_named("default", settings) if disk.look(path) == "file"), None)
    signs = {
        "default": display_path(disk.plain(file), start) if file else "",
        "ci": CI if environ.get(CI) in {"true", "1"} else "",
    }
    return tuple(Element(Origin("default", Source(by), (name,)), 0) for name, by in signs.items() if by)


def choose_presets(settings: Settings, start: PurePath, disk: Disk) -> Outcome[tuple[Candidate, ...]]:
    """Find every preset that applies, lowest first.

    `settings` are those of the other layers, with what was detected. Problems: `PresetNotFound`, one for each preset.
    """
    return collect(_find(element, settings, start, disk) for element in settings.decision("presets").elements)


def _find(element: Element, settings: Settings, start: PurePath, disk: Disk) -> Outcome[Candidate]:
    """Find one entry of `presets`: a path, a bundled name, or a name in the search path."""
    entry, origin = element.value, element.origin
    if entry in BUNDLED:
        return Success(_bundled(entry, start))
    is_path = is_preset_path(entry)
    paths = (origin.base / entry,) if is_path else tuple(files_named(entry, settings))
    passed_over = _OTHERS if origin.layer == "default" else ("missing", "folder")
    for path in paths:
        if disk.look(path) not in passed_over:
            return Success(_candidate(disk.plain(path), start))
    searched = tuple(display_path(disk.plain(path), start) for path in paths)
    is_folder = is_path and disk.look(paths[0]) == "folder"
    near = _near_files(entry, paths[0], disk, inside=is_folder) if is_path else _near_names(entry, settings, disk)
    spelled = "presets" if element.source == origin.source else f"presets[{element.index}]"
    return Failure((PresetNotFound(entry, element.source, searched, near, spelled, is_path, is_folder),))


def _near_files(written: str, path: PurePath, disk: Disk, *, inside: bool) -> tuple[str, ...]:
    """The preset files that may have been meant by a path, spelled as it is: those in the folder, or near names."""
    folder, spelled = (path, written.rstrip("/")) if inside else (path.parent, written.rpartition("/")[0])
    names = tuple(name for name in disk.names(folder) if PurePath(name).suffix in SUFFIXES)
    plain = tuple(name for name in names if not name.startswith("."))
    near = plain[:NEAR_LIMIT] if inside else near_names(path.name, names)
    return tuple(f"{spelled}/{name}" if spelled else name for name in near)


def _near_names(written: str, settings: Settings, disk: Disk) -> tuple[str, ...]:
    """The names that may have been meant, of those that would be found."""
    files = (PurePath(name) for folder in settings.presets_search_path for name in disk.names(folder))
    return near_names(written, {*BUNDLED, *(file.stem for file in files if file.suffix in SUFFIXES)})


def files_named(name: str, settings: Settings) -> Iterator[PurePath]:
    """The files that are looked for, in order, for a preset that is given by name and not bundled."""
    for folder in settings.presets_search_path if name else ():
        for suffix in SUFFIXES:
            yield folder / f"{name}{suffix}"


def _candidate(path: PurePath, start: PurePath) -> Candidate:
    return Candidate(path=path, display_path=display_path(path, start), form=form_of(path), layer="preset")


def _bundled(name: str, start: PurePath) -> Candidate:
    return Candidate(
        path=start / "preset", display_path=f"preset:{name}", form="json", layer="preset", bundled=BUNDLED[name]
    )
