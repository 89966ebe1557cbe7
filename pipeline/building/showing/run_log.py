"""Run log: the runs that changed a project, one line of JSON each (`.tool/log.jsonl`), as
`tool log` shows them.
"""

import shlex
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct
from toolz import concat

from pipeline.archives.entry_names import folders_above, last_part
from pipeline.building.names import canonical_name, suggest_names
from pipeline.building.stores.changes import Change
from pipeline.building.stores.journal import Journal
from pipeline.building.stores.kept import SHORTEST, KeptBuild
from pipeline.building.stores.record import version_of
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.runs import not_logged
from pipeline.report.escape import to_json
from pipeline.report.layout import Row, Screen, Tone, paragraph, table
from pipeline.report.wording import listed
from pipeline.schema import LogFormat
from pipeline.values import replace

LINES: Final = 1_000
"""The most runs that the log holds."""
Did: TypeAlias = Literal["added", "updated", "removed", "recorded"]
"""What a run did to a component; `recorded` if its record alone changed."""
_TONES: Final[dict[Did, Tone]] = {
    "added": "added",
    "updated": "changed",
    "removed": "removed",
    "recorded": "changed",
}


class LoggedComponent(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A component that a run changed, with its version after the run, and before it if it was
    updated or removed.
    """

    path: str
    version: str | None = None
    previous: str | None = None
    digest: str = ""
    """The digest of the archive that the component, even if it was removed, was built from."""


class LoggedRun(Struct, frozen=True, kw_only=True):
    """A run that changed the project: after the versions, a line
    of `tool log --log-format=json`.
    """

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
    """The folder in the project with the run's backup; empty without one."""

    @property
    def components(self) -> tuple[LoggedComponent, ...]:
        """All components that the run changed."""
        return (*self.added, *self.updated, *self.removed, *self.recorded)

    def restricted_to(self, names: Collection[str]) -> "LoggedRun":
        """The part of the run that changed the named components; without names, the whole run."""
        if not names:
            return self
        wanted = set(map(canonical_name, names))
        paths = {
            component.path
            for component in self.components
            if {component.path, last_part(component.path)} & wanted
        }

        def in_scope(components: tuple[LoggedComponent, ...]) -> tuple[LoggedComponent, ...]:
            return tuple(component for component in components if component.path in paths)

        return replace(
            self,
            added=in_scope(self.added),
            updated=in_scope(self.updated),
            removed=in_scope(self.removed),
            recorded=in_scope(self.recorded),
            merged=tuple(file for file in self.merged if {*folders_above(file)} & paths),
        )


def log_entry(journal: Journal) -> LoggedRun:
    """The entry of a run in the log, given its journal."""
    run = journal.run
    done: dict[Did, list[LoggedComponent]] = {
        "added": [],
        "updated": [],
        "removed": [],
        "recorded": [],
    }
    merged = list[str]()
    backup = ""
    for change in journal.changes:
        did = _did(change)
        if did is None:
            continue
        done[did].append(_component(change))
        if did != "recorded":
            merged += (f"{change.path}/{name}" for name in change.merged)
        if did != "recorded" and change.backed_up:
            backup = journal.backup
    components = {did: tuple(changed) for did, changed in done.items()}
    return LoggedRun(
        id=run.id,
        time=run.time,
        command=run.command,
        **components,
        merged=tuple(merged),
        backup=backup,
    )


def _did(change: Change) -> Did | None:
    """What a change did to its component; `None` if it only updated the state."""
    if change.has_files and change.adds:
        return "added"
    if change.has_files and change.removes:
        return "removed"
    if change.has_files:
        return "updated"
    if change.entry_before.recorded != change.entry_after.recorded:
        return "recorded"
    return None


def _component(change: Change) -> LoggedComponent:
    before = change.entry_before.recorded
    after = change.entry_after.recorded
    source = after or before
    return LoggedComponent(
        path=change.path,
        version=version_of(after),
        previous=change.previous or version_of(before),
        digest=source.digest if source else "",
    )


def archives_by_age(runs: Iterable[LoggedRun]) -> tuple[str, ...]:
    """The digests of the archives that the runs built, the last built last."""
    last = dict[str, None]()
    for run in runs:
        for component in run.components:
            last.pop(component.digest, None)
            last[component.digest] = None
    last.pop("", None)
    return tuple(last)


def read_log(data: bytes) -> tuple[LoggedRun, ...]:
    """Decode a log. Damaged lines are ignored."""
    runs = []
    for line in data.splitlines():
        try:
            runs.append(msgspec.json.decode(line, type=LoggedRun))
        except (ValueError, RecursionError):
            continue
    return tuple(runs)


def with_run(runs: tuple[LoggedRun, ...], run: LoggedRun) -> tuple[LoggedRun, ...]:
    """The log with one more run, unless it has the run already. The oldest runs beyond `LINES`
    are dropped.
    """
    if any(known.id == run.id for known in runs):
        return runs
    return (*runs, run)[-LINES:]


def write_log(runs: Iterable[LoggedRun]) -> bytes:
    """Encode a log."""
    return b"".join(to_json(each).encode() + b"\n" for each in runs)


def log_lines(runs: Iterable[LoggedRun], log_format: LogFormat, screen: Screen) -> tuple[str, ...]:
    """The lines that show runs: JSON, or the time and the command of each run, and
    what it changed.
    """
    if log_format == "json":
        return tuple(map(to_json, runs))
    return tuple(concat(_lines(run, screen) for run in runs))


class VersionLine(Struct, frozen=True, kw_only=True, tag="version", tag_field="event"):
    """A kept version, as `tool log --log-format=json` prints it on standard output.

    `name` is the argument that builds it: `modules/m@1.0`. `damaged` is true if its archive can no
    longer be read.
    """

    name: str
    """The argument of `tool create` that builds the version: `modules/m@1.0`."""
    path: str
    version: str | None
    archive: str
    digest: str
    damaged: bool

    @property
    def state(self) -> str:
        """Whether the kept archive can be read, in words."""
        if self.damaged:
            return "kept archive is damaged"
        return "kept"


def versions_kept(builds: Iterable[KeptBuild], names: Collection[str]) -> tuple[VersionLine, ...]:
    """The kept versions of the named components, or of all components, the last built last.

    An archive without a version, or with the version of another archive, is named by the beginning
    of its digest.
    """
    wanted = set(map(canonical_name, names))
    in_scope = [
        build
        for build in builds
        if not wanted or {build.built.path, last_part(build.built.path)} & wanted
    ]
    count = Counter((build.built.path, build.built.version) for build in in_scope)
    lines = list[VersionLine]()
    for build in sorted(in_scope, key=lambda build: build.built.path):
        built = build.built
        version = built.version
        if version is None or count[built.path, version] > 1:
            version = build.digest[:SHORTEST]
        line = VersionLine(
            name=f"{built.path}@{version}",
            path=built.path,
            version=built.version,
            archive=built.archive,
            digest=build.digest,
            damaged=build.is_damaged,
        )
        lines.append(line)
    return tuple(lines)


def version_lines(
    versions: Sequence[VersionLine], log_format: LogFormat, screen: Screen
) -> tuple[str, ...]:
    """The lines that list kept versions."""
    if log_format == "json":
        return tuple(map(to_json, versions))
    rows = [Row((line.name, line.archive, line.state)) for line in versions]
    return tuple(table(rows, screen))


def names_not_logged(
    runs: Iterable[LoggedRun], names: Iterable[str]
) -> tuple[WarningDiagnostic, ...]:
    """Warn of names of components that no run changed, with suggestions; without runs there
    is no warning.
    """
    components = concat(run.components for run in runs)
    paths = tuple(sorted({component.path for component in components}))
    known = {*paths, *map(last_part, paths)}
    strange = (name for name in names if paths and canonical_name(name) not in known)
    return tuple(not_logged(name, paths, suggest_names(name, sorted(known))) for name in strange)


def _lines(run: LoggedRun, screen: Screen) -> Iterator[str]:
    yield from paragraph(f"{run.time}  {shlex.join(run.command)}", screen)
    is_by_system = run.command[1:2] not in {("undo",), ("redo",)}
    rows = list[Row]()
    for did, tone in _TONES.items():
        for component in getattr(run, did):
            versions = _versions(component, is_by_system and did == "recorded")
            rows.append(Row((f"  {did}", component.path, versions), tone))
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
