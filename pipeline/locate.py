"""Locate: find the configuration file, or take the one that `--config` names.

Takes the start folder, the value of `--config` and a `Disk`; gives which file, if any, and every
path that was looked at. The rules are in `docs/configuration.md`.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from returns.result import Failure, Success

from pipeline.config.disk import Disk, fetch, presence_of
from pipeline.config.tree import LEGACY, PACKAGE, ConfigFile
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.configuration import (
    ConfigNotFound,
    ConfigUnreadable,
    shadowed_config,
    unread_config,
)
from pipeline.report.outcome import Outcome, errors_of, value_of
from pipeline.report.paths import display_path
from pipeline.report.wording import suggest
from pipeline.schema import PACKAGE_KEY

NAMES: Final = ("tool.config.ts", "tool.config.js", "tool.config.json", PACKAGE)
_NEAR: Final = r"(?i)tool\.config(\..+)?|tool\.json|\.tool\.json|\.?toolrc(\..*)?"
"""Names that resemble a configuration's."""
_FAR: Final = r"(?i)\.(bak|orig|example|sample|dist)(\.|$)|~$"
"""Parts of names that backups and examples have."""

ProbeVerdict: TypeAlias = Literal[
    "taken", "shadowed", "missing", "not a file", "no key", "unreadable"
]


class Probe(Struct, frozen=True):
    """One path that was looked at, and what was found there."""

    file: str
    verdict: ProbeVerdict


class Located(Struct, frozen=True):
    """The file that is the configuration, if any, and how it was found."""

    file: ConfigFile | None
    probes: tuple[Probe, ...]
    passed_over: tuple[WarningDiagnostic, ...] = ()
    """Files on the way that look like a configuration."""
    is_named: bool = False
    """Whether the user named the file, so that there was no search."""

    @property
    def warnings(self) -> tuple[WarningDiagnostic, ...]:
        """Warnings about files that are not read, on the way to the configuration and beside it."""
        names = tuple(probe.file for probe in self.probes if probe.verdict == "shadowed")
        if not (self.file and names):
            return self.passed_over
        return (*self.passed_over, shadowed_config(self.file.display_path, names))


def locate(start: PurePath, config: str | None, disk: Disk) -> Outcome[Located]:
    """Find the configuration. `start` is the absolute current folder.

    Errors: `ConfigNotFound`; `ConfigUnreadable`, also for a file out of reach; those of a
    `package.json` that is not JSON.
    """
    if config is None:
        return _discover(start, disk)
    if not config:
        return Failure((ConfigNotFound(config),))
    return _named(start, config, disk)


def locate_in(folder: PurePath, start: PurePath, disk: Disk) -> Outcome[Located]:
    """Find the configuration in one folder alone, the 0.x file included. Errors: those
    of `locate`.
    """
    return _beside(folder, (*NAMES, LEGACY), start, disk)


def unread_in(
    start: PurePath, project: PurePath, drop: PurePath, located: Located, disk: Disk
) -> tuple[WarningDiagnostic, ...]:
    """The configurations in the project, and at a drop below the current folder `start`, that the
    search did not find.
    """
    if located.is_named:
        return ()
    below = (each for each in (drop, drop.parent) if start in each.parents)
    folders = dict.fromkeys(each for each in (project, *below) if each != start)
    found = (value_of(locate_in(each, start, disk)) for each in folders)
    files = (each.file for each in found if each and each.file and each.file != located.file)
    return tuple(unread_config((file.display_path,), elsewhere=True) for file in files)


def _discover(start: PurePath, disk: Disk) -> Outcome[Located]:
    folders = tuple(_searched(start, disk))
    probes: tuple[Probe, ...] = ()
    passed_over: tuple[WarningDiagnostic, ...] = ()
    for names in (NAMES, (LEGACY,)):
        for number, each in enumerate(folders, 1):
            outcome = _beside(each, names, start, disk)
            here = value_of(outcome)
            if here is None:
                return outcome
            probes += here.probes
            if here.file:
                paths = (folder / LEGACY for folder in folders[:number] if names is NAMES)
                unused = (path for path in paths if disk.presence(path) == "file")
                probes += tuple(Probe(display_path(path, start), "shadowed") for path in unused)
                return Success(Located(here.file, probes, passed_over))
            if names is NAMES:
                passed_over += _near_names(each, start, disk)
    return Success(Located(None, probes, passed_over))


def _named(start: PurePath, config: str, disk: Disk) -> Outcome[Located]:
    path = disk.plain(start / config)
    file = ConfigFile.at(path, start)
    located = Located(file, (Probe(file.display_path, "taken"),), is_named=True)
    match disk.presence(path):
        case "missing":
            return Failure((ConfigNotFound(config, suggestions=_files_meant(config, path, disk)),))
        case "dangling":
            return Failure((ConfigNotFound(config, is_dangling=True),))
        case "folder":
            return Failure((ConfigUnreadable(config, why="folder"),))
        case "denied":
            return Failure((ConfigUnreadable(config, "permission denied"),))
        case _ if file.kind != "package":
            return Success(located)
        case _:
            holds_key = _holds_key(file, disk)
            if value_of(holds_key) is False:
                return Failure((ConfigNotFound(config, lacks_key=True),))
            return holds_key.map(lambda _: located)


def _files_meant(config: str, path: PurePath, disk: Disk) -> tuple[str, ...]:
    """Files beside a path that the user may have meant, written in the same form."""
    folder, slash, _ = config.rpartition("/")
    return tuple(
        f"{folder}{slash}{name}" for name in suggest(path.name, disk.names(path.parent) or ())
    )


def _searched(start: PurePath, disk: Disk) -> Iterator[PurePath]:
    """The folders upward from `start`, up to and including the first that holds `.git`.

    `.git` may be a folder, a file (in a worktree) or a link, even a broken one.
    """
    for folder in (start, *start.parents):
        yield folder
        if disk.presence(folder / ".git") in {"file", "folder", "dangling"}:
            return


def _near_names(folder: PurePath, start: PurePath, disk: Disk) -> tuple[WarningDiagnostic, ...]:
    """A warning about files whose names are nearly those of a configuration, in a folder that
    has none.
    """
    near = (
        name
        for name in disk.names(folder) or ()
        if re.fullmatch(_NEAR, name) and not re.search(_FAR, name)
    )
    files = tuple(name for name in near if disk.presence(folder / name) == "file")
    if not files or LEGACY in files:
        return ()
    return (unread_config(tuple(display_path(folder / name, start) for name in files)),)


def _beside(
    folder: PurePath, names: Iterable[str], start: PurePath, disk: Disk
) -> Outcome[Located]:
    """Take the first file in a folder that is a configuration. Those after it never cause
    an error.
    """
    first: ConfigFile | None = None
    probes: tuple[Probe, ...] = ()
    for file in (ConfigFile.at(folder / name, start) for name in names):
        outcome = _verdict(file, disk)
        if first is None and errors_of(outcome):
            return outcome.map(lambda _: Located(None, ()))
        verdict = value_of(outcome) or "unreadable"
        if first and verdict == "taken":
            verdict = "shadowed"
        if verdict == "taken":
            first = file
        probes += (Probe(file.display_path, verdict),)
    return Success(Located(first, probes))


def _verdict(file: ConfigFile, disk: Disk) -> Outcome[ProbeVerdict]:
    """What a file is, taken alone.

    A dangling link counts as a file: `read` reports that it cannot be read. A file out of reach is
    an error, unless its folder can be listed and does not have it.
    """
    match presence_of(file.path, disk), file.kind:
        case "file", "package":
            return _holds_key(file, disk).map(_verdict_by_key)
        case "denied", _:
            return Failure((ConfigUnreadable(file.display_path, "permission denied"),))
        case ("missing", _) | ("dangling", "package"):
            return Success("missing")
        case "file" | "dangling", _:
            return Success("taken")
        case _:
            return Success("not a file")


def _verdict_by_key(holds: bool) -> ProbeVerdict:
    if holds:
        return "taken"
    return "no key"


def _holds_key(file: ConfigFile, disk: Disk) -> Outcome[bool]:
    """Whether a `package.json` has the key `tool`."""
    # Costs start-up time, and many a project has no such file.
    from pipeline.config.json_reader import (
        has_key,
    )

    return fetch(file, disk).bind(lambda content: has_key(content, PACKAGE_KEY, file.display_path))
