"""Run log: the runs that changed a project, a line of JSON for each (`.tool/log.jsonl`), as `tool log` tells them."""

import shlex
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from pipeline.archives.entry_names import folders_above, last_part
from pipeline.building.names import canonical_name, near
from pipeline.building.stores.changes import Change, Entry
from pipeline.building.stores.journal import Journal
from pipeline.building.stores.kept import SHORTEST, KeptBuild
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.runs import not_logged
from pipeline.report.escape import to_json
from pipeline.report.layout import Row, Screen, Tone, paragraph, table
from pipeline.report.wording import listed
from pipeline.schema import LogFormat
from pipeline.values import replace

LINES: Final = 1_000
"""The most runs that are kept."""
_TONES: Final[dict[str, Tone]] = {"added": "added", "updated": "changed", "removed": "removed", "recorded": "changed"}
"""What a run does to components, as the log has them, and how it is shown."""


class LoggedComponent(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A component that a run changed, with its version after the run, and before it if it was updated or removed."""

    path: str
    version: str | None = None
    previous: str | None = None
    digest: str = ""
    """That of the archive that it was built from, or of one that was removed had been."""


class LoggedRun(Struct, frozen=True, kw_only=True):
    """A run that changed the project."""

    id: str
    time: str
    command: tuple[str, ...]
    added: tuple[LoggedComponent, ...] = ()
    updated: tuple[LoggedComponent, ...] = ()
    removed: tuple[LoggedComponent, ...] = ()
    recorded: tuple[LoggedComponent, ...] = ()
    """Components of which the record changed, and no file."""
    merged: tuple[str, ...] = ()
    """The files that were merged by lines, as paths in the project."""
    backup: str = ""
    """The folder in the project with what was moved aside, if anything was."""

    @property
    def components(self) -> tuple[LoggedComponent, ...]:
        """All components that it changed."""
        return (*self.added, *self.updated, *self.removed, *self.recorded)

    def about(self, names: Collection[str]) -> "LoggedRun":
        """What it did to these components alone, by name or path; without names, to all."""
        if not names:
            return self
        wanted = set(map(canonical_name, names))
        paths = {each.path for each in self.components if {each.path, last_part(each.path)} & wanted}

        def those(every: tuple[LoggedComponent, ...]) -> tuple[LoggedComponent, ...]:
            return tuple(each for each in every if each.path in paths)

        return replace(
            self,
            added=those(self.added),
            updated=those(self.updated),
            removed=those(self.removed),
            recorded=those(self.recorded),
            merged=tuple(file for file in self.merged if {*folders_above(file)} & paths),
        )


def logged(journal: Journal) -> LoggedRun:
    """What the log says of a run, given its changes that are done, in their order."""
    moves = journal.moves
    run = journal.run

    def logged(changes: Iterable[Change]) -> tuple[LoggedComponent, ...]:
        return tuple(
            LoggedComponent(
                path=each.path,
                version=_version(each.entry_after),
                previous=each.previous or _version(each.entry_before),
                digest=_digest(each.entry_after) or _digest(each.entry_before),
            )
            for each in changes
        )

    return LoggedRun(
        id=run.id,
        time=run.time,
        command=run.command,
        added=logged(each for each in moves if each.adds),
        updated=logged(each for each in moves if not (each.adds or each.removes)),
        removed=logged(each for each in moves if each.removes),
        recorded=logged(
            each
            for each in journal.changes
            if not each.slot and each.entry_before.recorded != each.entry_after.recorded
        ),
        merged=tuple(f"{each.path}/{name}" for each in moves for name in each.merged),
        backup=journal.backup if any(each.backed_up for each in moves) else "",
    )


def _version(entry: Entry) -> str | None:
    return entry.recorded.version if entry.recorded else None


def _digest(entry: Entry) -> str:
    return entry.recorded.digest if entry.recorded else ""


def archives_by_age(runs: Iterable[LoggedRun]) -> tuple[str, ...]:
    """The digests of the archives that runs built, that of the last run last."""
    last = dict[str, None]()
    for digest in (each.digest for run in runs for each in run.components if each.digest):
        last.pop(digest, None)
        last[digest] = None
    return tuple(last)


def read_log(data: bytes) -> tuple[LoggedRun, ...]:
    """Decode a log; lines that are torn or otherwise damaged are passed over."""
    runs = []
    for line in data.splitlines():
        try:
            runs.append(msgspec.json.decode(line, type=LoggedRun))
        except (ValueError, RecursionError):
            continue
    return tuple(runs)


def with_run(runs: tuple[LoggedRun, ...], run: LoggedRun) -> tuple[LoggedRun, ...]:
    """A log with one more run, unless it is there already; of too many, the oldest are left out."""
    return runs if run.id in {each.id for each in runs} else (*runs, run)[-LINES:]


def write_log(runs: Iterable[LoggedRun]) -> bytes:
    """Encode a log."""
    return b"".join(to_json(each).encode() + b"\n" for each in runs)


def log_lines(runs: Iterable[LoggedRun], log_format: LogFormat, screen: Screen) -> tuple[str, ...]:
    """The lines that tell runs: JSON, or the time and the command of each, and below what it changed."""
    if log_format == "json":
        return tuple(to_json(run) for run in runs)
    return tuple(line for run in runs for line in _lines(run, screen))


class VersionLine(Struct, frozen=True, kw_only=True, tag="version", tag_field="event"):
    """A version that is kept, as `tool log --log-format=json` prints it."""

    name: str
    """What builds it: `modules/m@1.0`."""
    path: str
    version: str | None
    archive: str
    digest: str
    damaged: bool


def versions_kept(builds: Iterable[KeptBuild], names: Collection[str]) -> tuple[VersionLine, ...]:
    """The versions that can be built again, the one that was built last at the end, with names or of all components.

    Those that have no version, or the same as another archive, go by the beginning of their digest.
    """
    wanted = set(map(canonical_name, names))
    those = [each for each in builds if not wanted or {each.built.path, last_part(each.built.path)} & wanted]
    count = Counter((each.built.path, each.built.version) for each in those)
    return tuple(
        VersionLine(
            name=f"{each.built.path}@{_version_of(each, count)}",
            path=each.built.path,
            version=each.built.version,
            archive=each.built.archive,
            digest=each.digest,
            damaged=each.is_damaged,
        )
        for each in sorted(those, key=lambda each: each.built.path)
    )


def _version_of(build: KeptBuild, count: Mapping[tuple[str, str | None], int]) -> str:
    version = build.built.version
    if version is None or count[build.built.path, version] > 1:
        return build.digest[:SHORTEST]
    return version


def version_lines(versions: Sequence[VersionLine], log_format: LogFormat, screen: Screen) -> tuple[str, ...]:
    """The lines that list kept versions."""
    if log_format == "json":
        return tuple(map(to_json, versions))
    rows = [Row((each.name, each.archive, "kept archive is damaged" if each.damaged else "kept")) for each in versions]
    return tuple(table(rows, screen))


def names_not_logged(runs: Iterable[LoggedRun], names: Iterable[str]) -> tuple[WarningDiagnostic, ...]:
    """The names of components that no run changed, each with names to suggest; none if there are no runs."""
    paths = tuple(sorted({each.path for run in runs for each in run.components}))
    known = {*paths, *(last_part(path) for path in paths)}
    strange = (name for name in names if paths and canonical_name(name) not in known)
    return tuple(not_logged(name, paths, near(name, sorted(known))) for name in strange)


def _lines(run: LoggedRun, screen: Screen) -> Iterator[str]:
    yield from paragraph(f"{run.time}  {shlex.join(run.command)}", screen)
    changed = ((did, tone, each) for did, tone in _TONES.items() for each in getattr(run, did))
    by_system = "" if run.command[1:2] in {("undo",), ("redo",)} else "recorded"
    rows = [Row((f"  {did}", each.path, _versions(each, did == by_system)), tone) for did, tone, each in changed]
    yield from table(rows, screen)
    if run.merged:
        yield from paragraph(listed(run.merged), screen, "  merged: ")
    if run.backup:
        yield from paragraph(f"`{run.backup}`", screen, "  backed up: ")


def _versions(component: LoggedComponent, is_by_system: bool) -> str:
    if component.previous in {None, component.version}:
        return component.version or ""
    if not component.version:
        return component.previous or ""
    return f"{component.previous} → {component.version}{', updated by the system' * is_by_system}"
