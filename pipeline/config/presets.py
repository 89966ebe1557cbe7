"""Presets: which partial configurations apply, and their layers.

Takes what the other layers say about `presets` and `presetsSearchPath`; gives the candidates, in the order in
which they apply. The rules are in `docs/presets.md`.
"""

from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Final

from returns.result import Failure, Success

from pipeline.config.disk import Disk
from pipeline.config.layers import Settings
from pipeline.config.tree import Candidate, form_of
from pipeline.report.near import near_names
from pipeline.report.outcome import Outcome, collect
from pipeline.report.paths import display_path
from pipeline.report.problems import PresetNotFound
from pipeline.schema import AUTO, is_preset_path

BUNDLED: Final = {
    "none": b"{}",
    "ci": b'{"hooks": {"onFailure": "fail"}, "cache": {"enabled": false}}',
}
SUFFIXES: Final = (".ts", ".js", ".json")
"""The suffixes tried, in order, for a name in the search path."""


def choose_presets(
    settings: Settings, environ: Mapping[str, str], start: PurePath, disk: Disk
) -> Outcome[tuple[Candidate, ...]]:
    """Find every preset that applies, lowest first.

    `settings` are those of the other layers. Problems: `PresetNotFound`, one for each preset.
    """
    if settings.presets == AUTO:
        return Success(tuple(_detected(settings, environ, start, disk)))
    return collect(_find(index, settings, start, disk) for index in range(len(settings.presets)))


def _detected(settings: Settings, environ: Mapping[str, str], start: PurePath, disk: Disk) -> Iterator[Candidate]:
    """Auto-detect presets: one named `default`, then `ci` if the environment has `CI`."""
    for path in _named("default", settings):
        if disk.look(path) == "file":
            yield _candidate(path, start)
            break
    if environ.get("CI") in {"true", "1"}:
        yield _bundled("ci", start)


def _find(index: int, settings: Settings, start: PurePath, disk: Disk) -> Outcome[Candidate]:
    """Find one entry of `presets`: a path, a bundled name, or a name in the search path."""
    entry, origin = settings.presets[index], settings.decision("presets").winner
    written = str(origin.value[index]) if isinstance(origin.value, tuple) else entry
    if entry in BUNDLED:
        return Success(_bundled(entry, start))
    paths = (PurePath(entry),) if is_preset_path(written) else tuple(_named(entry, settings))
    for path in paths:
        if disk.look(path) not in {"missing", "folder"}:
            return Success(_candidate(path, start))
    searched, source = tuple(display_path(path, start) for path in paths), origin.item(index)
    spelled = "presets" if source == origin.source else f"presets[{index}]"
    return Failure((PresetNotFound(written, source, searched, near_names(written, _known(settings, disk)), spelled),))


def _known(settings: Settings, disk: Disk) -> set[str]:
    """The names that would be found."""
    files = (PurePath(name) for folder in settings.presets_search_path for name in disk.names(folder))
    return {*BUNDLED, *(file.stem for file in files if file.suffix in SUFFIXES)}


def _named(name: str, settings: Settings) -> Iterator[PurePath]:
    for folder in settings.presets_search_path if name else ():
        for suffix in SUFFIXES:
            yield folder / f"{name}{suffix}"


def _candidate(path: PurePath, start: PurePath) -> Candidate:
    return Candidate(path=path, display_path=display_path(path, start), form=form_of(path), layer="preset")


def _bundled(name: str, start: PurePath) -> Candidate:
    return Candidate(
        path=start / "preset", display_path=f"preset:{name}", form="json", layer="preset", bundled=BUNDLED[name]
    )
