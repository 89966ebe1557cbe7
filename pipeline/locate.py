"""Locate: find the configuration file, or take the one that `--config` names.

Takes the start folder, the value of `--config` and a `Disk`; gives which candidate, if any, and every path that was
looked at. The rules are in `docs/discovery.md`.
"""

from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from returns.result import Failure, Success

from pipeline.config.disk import Disk, fetch
from pipeline.config.json_places import has_key, malformed
from pipeline.config.tree import Candidate, Form, form_of
from pipeline.report.notes import Note, ShadowedConfig
from pipeline.report.outcome import Outcome, value_of
from pipeline.report.paths import display_path
from pipeline.report.problems import ConfigNotFound, ConfigUnreadable
from pipeline.schema import PACKAGE_KEY

PACKAGE: Final = "package.json"
NAMES: Final[tuple[tuple[str, Form], ...]] = (
    ("tool.config.ts", "script"),
    ("tool.config.js", "script"),
    ("tool.config.json", "json"),
    (PACKAGE, "package"),
)
LEGACY: Final[tuple[tuple[str, Form], ...]] = ((".tool.json", "legacy"),)
_BY_NAME: Final[dict[str, Form]] = dict(NAMES[-1:] + LEGACY)
"""The files whose form depends on their name, wherever they are; that of any other depends on its suffix."""


Verdict: TypeAlias = Literal["taken", "shadowed", "missing", "not a file", "no key"]


class Probe(Struct, frozen=True):
    """One path that was looked at, and what it turned out to be."""

    file: str
    verdict: Verdict


EndReason: TypeAlias = Literal["named", "match", "git", "root"]
"""Why a search went no further: there was none, or it came to a configuration, a `.git`, or the root."""


class SearchEnd(Struct, frozen=True):
    """The last folder of a search, as shown, and why it is the last."""

    folder: str = ""
    reason: EndReason = "named"


class Located(Struct, frozen=True):
    """The candidate that is the configuration, if any, and how it was found."""

    candidate: Candidate | None
    probes: tuple[Probe, ...]
    end: SearchEnd = SearchEnd()

    @property
    def notes(self) -> tuple[Note, ...]:
        """A warning if there are candidates beside the one taken, which are not read."""
        names = tuple(probe.file for probe in self.probes if probe.verdict == "shadowed")
        return (ShadowedConfig(self.candidate.display_path, names),) if self.candidate and names else ()


def locate(start: PurePath, config: str | None, disk: Disk) -> Outcome[Located]:
    """Find the configuration.

    `start` is the absolute current folder. Problems: `ConfigNotFound`, `ConfigUnreadable`, and those of a
    `package.json` that is not JSON.
    """
    return _named(start, config, disk) if config is not None else _discovered(start, disk)


def find_legacy(start: PurePath, disk: Disk) -> Candidate | None:
    """Find the 0.x file, even if another configuration takes precedence."""
    for folder in _searched(start, disk):
        located = value_of(_beside(tuple(_candidates(folder, LEGACY, start)), disk))
        if located and located.candidate:
            return located.candidate
    return None


def _named(start: PurePath, config: str, disk: Disk) -> Outcome[Located]:
    path = start / config
    form = _BY_NAME.get(path.name) or form_of(path)
    candidate = Candidate(path=path, display_path=display_path(path, start), form=form)
    located = Success(Located(candidate, (Probe(candidate.display_path, "taken"),)))
    match disk.look(path) if config else "missing":
        case "missing":
            return Failure((ConfigNotFound(config),))
        case "folder":
            return Failure((ConfigUnreadable(config, "it is a folder"),))
        case "denied":
            return Failure((ConfigUnreadable(config, "permission denied"),))
        case _ if form != "package":
            return located
        case _:
            verdict = _holds_key(candidate, disk)
            return verdict.bind(lambda holds: located if holds else Failure((ConfigNotFound(config, lacks_key=True),)))


def _discovered(start: PurePath, disk: Disk) -> Outcome[Located]:
    folders = tuple(_searched(start, disk))
    probes: tuple[Probe, ...] = ()
    for names in (NAMES, LEGACY):
        for folder in folders:
            outcome = _beside(tuple(_candidates(folder, names, start)), disk)
            here = value_of(outcome)
            if here is None:
                return outcome
            probes += here.probes
            if here.candidate:
                return Success(Located(here.candidate, probes, SearchEnd(display_path(folder, start), "match")))
    reason: EndReason = "git" if _has_git(folders[-1], disk) else "root"
    return Success(Located(None, probes, SearchEnd(display_path(folders[-1], start), reason)))


def _searched(start: PurePath, disk: Disk) -> Iterator[PurePath]:
    """The folders upward from `start`, up to and including the first that holds `.git`."""
    for folder in (start, *start.parents):
        yield folder
        if _has_git(folder, disk):
            return


def _has_git(folder: PurePath, disk: Disk) -> bool:
    return disk.look(folder / ".git") in {"file", "folder"}


def _candidates(folder: PurePath, names: Iterable[tuple[str, Form]], start: PurePath) -> Iterator[Candidate]:
    for name, form in names:
        yield Candidate(path=folder / name, display_path=display_path(folder / name, start), form=form)


def _beside(candidates: tuple[Candidate, ...], disk: Disk) -> Outcome[Located]:
    """Take the first candidate in a folder that is a configuration; those after it are never an error."""
    first: Candidate | None = None
    probes: tuple[Probe, ...] = ()
    for candidate in candidates:
        outcome = _verdict(candidate, disk)
        verdict = value_of(outcome)
        if verdict is None and first is None:
            return outcome.map(lambda _: Located(None, ()))
        probes += (Probe(candidate.display_path, "shadowed" if first and verdict == "taken" else verdict or "no key"),)
        first = first or (candidate if verdict == "taken" else None)
    return Success(Located(first, probes))


def _verdict(candidate: Candidate, disk: Disk) -> Outcome[Verdict]:
    """What a candidate is by itself. A dangling link counts as a file: `read` reports that it cannot be read."""
    match disk.look(candidate.path):
        case "file" if candidate.form == "package":
            return _holds_key(candidate, disk).map(_of_key)
        case "dangling" if candidate.form == "package":
            return Success("missing")
        case "file" | "dangling":
            return Success("taken")
        case "folder" | "other":
            return Success("not a file")
        case _:
            return Success("missing")


def _of_key(holds: bool) -> Verdict:
    return "taken" if holds else "no key"


def _holds_key(candidate: Candidate, disk: Disk) -> Outcome[bool]:
    """Whether a `package.json` has the key `tool`."""
    content = fetch(candidate, disk)
    return content.bind(lambda text: has_key(text, PACKAGE_KEY).alt(malformed(candidate.display_path)))
