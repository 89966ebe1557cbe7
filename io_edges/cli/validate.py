"""Validate: the command that checks configurations and presets (`docs/howto/git-and-ci.md`)."""

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter
from returns.result import Failure, Result, Success
from toolz import concat, unique

from io_edges.cli.flags import LOG, CommonFlags, FilePath, as_typed, not_empty
from io_edges.cli.session import RunConsole, disk_of, probes_of, read_request
from io_edges.report.console import Console, print_line
from io_edges.system.stop import Stop
from pipeline.archives.places import USUAL
from pipeline.building.stores.cache import misplaced_cache_warnings
from pipeline.building.stores.layout import RECORD_FILE
from pipeline.config.disk import Disk
from pipeline.config.presets import SUFFIXES
from pipeline.config.tree import LEGACY, ConfigFile, kind_of
from pipeline.config.variables import read_variables
from pipeline.locate import NAMES, locate
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics import Error
from pipeline.report.diagnostics.configuration import ConfigNotFound, ConfigUnreadable
from pipeline.report.diagnostics.settings import UsageError
from pipeline.report.escape import escape
from pipeline.report.outcome import errors_of, value_of
from pipeline.report.paths import display_path
from pipeline.resolve import Request, Resolution, find_presets, load, load_located, resolve
from pipeline.schema import SETTINGS
from pipeline.values import replace

if TYPE_CHECKING:
    from io_edges.disk import Outcomes

_CANDIDATES: Final = (*NAMES, LEGACY)
_PASSED_OVER: Final = frozenset({"node_modules", "vendor", USUAL.themes, USUAL.modules})
"""The folders that are not searched, besides hidden, linked, built and ignored ones."""
_Checked = Result[tuple[WarningDiagnostic, ...], tuple[Error, ...]]


class ValidateFlags(CommonFlags, of=[(SETTINGS[-1], LOG)]):
    """The flags of `tool config validate`; the log format is its only setting."""


def validate(
    *files: Annotated[
        FilePath,
        Parameter(
            converter=as_typed,
            validator=not_empty,
            name="FILE|FOLDER",
            help="Check these files with their presets, or all configurations below these folders.",
        ),
    ],
    flags: ValidateFlags = ValidateFlags(),
    console: RunConsole,
) -> None:
    """Check the configuration and its presets, or the given files.

    Examples:
      Check the configuration and its presets:
        tool config validate
      Check every configuration of a repository:
        tool config validate .

    Documentation: docs/howto/git-and-ci.md
    """
    if files and flags.config is not None:
        advice = "to check several files, name each as FILE"
        raise Stop(
            UsageError(f"--config and FILE contradict each other: {advice}", "tool config validate")
        )
    request = read_request(flags, flags, console)
    checked = _check(request, files, console)
    console.warn(unique(concat(value_of(outcome) or () for outcome in checked.values())))
    for file, outcome in checked.items():
        if not errors_of(outcome):
            print_line(escape(f"{file}: valid"))
    errors = tuple(unique(concat(map(errors_of, checked.values()))))
    if errors:
        raise Stop(*errors)
    if not checked:
        console.print_text(f"no configuration in {request.start} or above it: the defaults hold")


def _check(request: Request, files: tuple[str, ...], console: Console) -> dict[str, _Checked]:
    """Check the named files, or without names those that a run would read."""
    if files:
        return dict(_files(request, files, console))
    return _run(request, console)


def _run(request: Request, console: Console) -> dict[str, _Checked]:
    """Check the configuration that a run would read, and its presets."""
    resolution = resolve(request, disk_of(request, console))
    found = value_of(resolution)
    if found is None:
        return {"": Failure(errors_of(resolution))}
    console.report_probes(probes_of(found, request.start))
    return dict.fromkeys(found.files, Success(_warnings(request.start, found)))


def _files(
    request: Request, words: tuple[str, ...], console: Console
) -> Iterator[tuple[str, _Checked]]:
    """Check each file by itself: a preset, or a configuration with its presets."""
    files: list[str] = []
    for word in words:
        below = [word]
        if os.path.isdir(word):  # noqa: PTH112 - a path of any length
            below = _configurations_in(word, request, console)
        if not below:
            yield word, Failure((ConfigNotFound(word, in_folder=True),))
        files += below
    outcomes: Outcomes = {}
    # Each has its own time budget for scripts.
    disks = {file: disk_of(request, console, outcomes) for file in files}
    around = disk_of(request, console, outcomes)
    preset_files, preset_folders = _presets_known(request, disks, around)
    for file, own in disks.items():
        path = own.plain(request.start / file)
        if own.presence(path) == "folder":
            yield file, Failure((ConfigUnreadable(file, "permission denied"),))
            continue
        in_search_path = (
            path.parent in preset_folders
            and path.suffix in SUFFIXES
            and path.name not in _CANDIDATES
        )
        try:
            if path in preset_files or in_search_path or _is_by_definition(path, own):
                preset = replace(ConfigFile.at(file, request.start), layer="preset")
                yield file, load(preset, own).map(lambda layer: layer.warnings)
            else:
                resolution = resolve(replace(request, config=file), own)
                yield file, resolution.map(partial(_warnings, path.parent))
        except Stop as stop:
            yield file, Failure(stop.errors)


def _warnings(project: PurePath, resolved: Resolution) -> tuple[WarningDiagnostic, ...]:
    """The warnings about the settings of a project."""
    return (*resolved.settings.warnings, *misplaced_cache_warnings(resolved.settings, project))


def _presets_known(
    request: Request, disks: Mapping[str, Disk], around: Disk
) -> tuple[frozenset[PurePath], frozenset[PurePath]]:
    """The presets that configurations list or detect, and the folders in which they search
    for presets.

    The configurations are the files of `disks`, and those that a run in their folders would find.
    """
    variables = value_of(read_variables(request.environ, request.start))
    found = set[PurePath]()
    folders = set[PurePath]()
    paths = {around.plain(request.start / file): disk for file, disk in disks.items()}
    places: list[tuple[PurePath, str | None, Disk]] = []
    for path, disk in paths.items():
        places.append((request.start, str(path), disk))
    for folder in sorted({path.parent for path in paths}):
        places.append((folder, None, around))
    for start, config, disk in places:
        located = value_of(locate(start, config, disk))
        if located is None:
            continue
        layer = value_of(load_located(located, disk))
        if layer is None or variables is None:
            continue
        presets = find_presets(request, disk, (variables, layer))
        folders.update(map(disk.plain, presets.searched))
        for file in value_of(presets.files) or ():
            if file.bundled is None:
                found.add(disk.plain(file.path))
    return frozenset(found), frozenset(folders)


def _is_by_definition(path: PurePath, disk: Disk) -> bool:
    """Whether a script exports what `definePreset` returns."""
    if disk.evaluate is None or kind_of(path) != "script" or disk.refuses(path):
        return False
    exported = value_of(disk.evaluate(path))
    return exported is not None and exported.is_preset


def _configurations_in(word: str, request: Request, console: Console) -> list[str]:
    """The configurations in a folder and below it: in each folder, the one that a run
    there would find.

    A folder that cannot be listed is returned in place of its files.
    """
    # These cost start-up time, and most runs search no folder.
    from io_edges.building.git import ignored
    from io_edges.building.store import OWN_LIMIT
    from pipeline.building.stores.record import read_record

    disk = disk_of(request, console)
    found = list[str]()
    built = set[str]()
    closed = list[OSError]()
    for folder, names, files in os.walk(word, onerror=closed.append):
        if RECORD_FILE in files:
            record = read_record(
                disk.load(PurePath(request.start, folder, RECORD_FILE), OWN_LIMIT).value_or(b"")
            )
            places = USUAL
            if record:
                places = record.places
            built.add(os.path.join(folder, places.themes))  # noqa: PTH118 - as walked
            built.add(os.path.join(folder, places.modules))  # noqa: PTH118
        below = (name for name in names if not name.startswith(".") and name not in _PASSED_OVER)
        others = (name for name in below if os.path.join(folder, name) not in built)  # noqa: PTH118
        names[:] = sorted(others)
        configuration = _configuration_in(folder, files, request, disk)
        if configuration:
            found.append(os.path.join(folder, configuration))  # noqa: PTH118 - as it was written
    found += [str(error.filename) for error in closed]
    shown = [display_path(disk.plain(request.start / path), request.start) for path in found]
    if not any(
        os.path.lexists(folder / ".git") for folder in (request.start, *request.start.parents)
    ):
        return shown
    left_out = ignored(request.start, shown)
    if isinstance(left_out, Failure):
        console.print_text(
            f"git could not say what it ignores, so that nothing is left out: {left_out.failure()}"
        )
        return shown
    return [path for path in shown if path not in left_out.unwrap()]


def _configuration_in(
    folder: str, files: Sequence[str], request: Request, disk: Disk
) -> str | None:
    """The name of the configuration in a folder with these files; `None` if it has none.

    If the first candidate cannot be read, or is a broken `package.json`, that is the one, so that
    it is reported.
    """
    candidates = [name for name in files if name in _CANDIDATES and not _is_link(folder, name)]
    if not candidates:
        return None
    path = disk.plain(request.start / folder)
    located = value_of(locate(path, None, disk))
    if located is None:
        return min(candidates, key=_CANDIDATES.index)
    winner = located.file
    if winner and winner.path.name in candidates and winner.path.parent == path:
        return winner.path.name
    return None


def _is_link(folder: str, name: str) -> bool:
    return os.path.islink(os.path.join(folder, name))  # noqa: PTH114, PTH118 - for many names
