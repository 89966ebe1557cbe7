"""Plan: what a run will do to the project, as a value. A dry run prints it; a real run does exactly that.

Takes the selection, the record and what is in the project; gives the plan, or every conflict. The rules are in
`docs/building.md`.
"""

from collections.abc import Collection, Iterable, Iterator
from pathlib import PurePath
from typing import Literal, TypeAlias

from msgspec import Struct
from toolz import concat, unique

from pipeline.archives.entry_names import clashes
from pipeline.building.cache import KnownFiles
from pipeline.building.hooks import Hooks
from pipeline.building.layout import RECORD_FILE
from pipeline.building.ownership import Merge, Winner, merge_files, outcome, retire
from pipeline.building.record import Files, FileState, Record, RecordedComponent, as_recorded, kind_and_name
from pipeline.report.build_problems import ComponentAmbiguous, DisputedFile, OutOfDate, OutputConflict
from pipeline.report.events import Action, ComponentKind
from pipeline.report.problems import Problem
from pipeline.selection.choices import Choice

Standing: TypeAlias = Literal["absent", "present", "file", "link"]


class Target(Struct, frozen=True, kw_only=True):
    """What is already where a component goes, or on the way there."""

    standing: Standing = "absent"
    obstacle: str = ""
    """The path of the `file` or `link` that is in the way."""
    files: Files = {}
    """Every file of a component that is `present`, without junk."""
    known: KnownFiles = {}
    """Their digests, and what shows whether they are changed during the run."""


class Step(Struct, frozen=True, kw_only=True):
    """One component of the plan."""

    path: str
    """Where the component goes, relative to the project."""
    action: Action
    files: int
    """How many files the archive gives; for a component that is not built, how many are recorded."""
    target: Target = Target()
    merge: Merge = Merge()
    """What becomes of each file; nothing if the component is not built and is kept."""
    choice: Choice | None = None
    """The selected component; `None` for one that is only recorded."""
    recorded: RecordedComponent | None = None
    """What the record says before the run."""
    component: RecordedComponent | None = None
    """What it will say. Digests are missing of an archive that was not read yet, as nothing was in its place."""

    @property
    def kind(self) -> ComponentKind:
        """The kind of the component."""
        return kind_and_name(self.path)[0]

    @property
    def name(self) -> str:
        """The name of the component."""
        return kind_and_name(self.path)[1]

    @property
    def archive(self) -> str:
        """The archive that it is built from, as the record has it."""
        source = self.component or self.recorded
        return source.archive if source else ""

    @property
    def version(self) -> str | None:
        """The version after the run; of a component that is removed, before it."""
        source = self.component or self.recorded
        return source.version if source else None

    @property
    def previous(self) -> str | None:
        """The version before the run."""
        return self.recorded.version if self.recorded else None

    @property
    def edited(self) -> tuple[str, ...]:
        """The files that someone edited and that stay."""
        return self.merge.differing("edited")

    @property
    def added(self) -> tuple[str, ...]:
        """The files that someone added and that stay."""
        return self.merge.differing("added")

    @property
    def deleted(self) -> tuple[str, ...]:
        """The files that someone deleted and that are put back."""
        return self.merge.differing("restored")

    @property
    def conflicts(self) -> tuple[DisputedFile, ...]:
        """The files that both sides changed, if neither wins."""
        return tuple(DisputedFile(f"{self.path}/{name}", why) for name, why in self.merge.conflicts.items())

    @property
    def backed_up(self) -> tuple[str, ...]:
        """The files that go to the backup: the user's, or with `--mine` the archive's."""
        return (*self.merge.backed_up("disk"), *self.merge.backed_up("archive"))

    @property
    def outcome(self) -> dict[str, FileState]:
        """Every file that is there after the run."""
        return outcome(self.merge)


class Plan(Struct, frozen=True, kw_only=True):
    """Everything that a run will do: first init hooks, then components, then post hooks."""

    project: PurePath
    steps: tuple[Step, ...]
    record: Record = Record()
    """The record as it will be if no component changes: up to date with what was found in the project."""
    refused: tuple[Problem, ...] = ()
    """Why selected components are not built: refused archives, and with `--keep-going` conflicts."""
    hooks: Hooks = Hooks()

    @property
    def changes(self) -> tuple[Step, ...]:
        """The steps that change the project."""
        return tuple(step for step in self.steps if step.action != "keep")

    @property
    def is_idle(self) -> bool:
        """Whether nothing is to be done: no component changes, and no hook runs."""
        return not (self.changes or self.hooks.init or self.hooks.post)


def build_step(
    choice: Choice, target: Target, archive_files: Files, recorded: RecordedComponent | None, wins: Winner
) -> Step:
    """Decide what is done about a selected component, given the files that its archive gives."""
    merged = merge_files(recorded.files if recorded else {}, target.files, archive_files, wins)
    return Step(
        path=choice.component.path,
        action="add" if target.standing == "absent" else "update" if merged.changes else "keep",
        files=choice.archive.files,
        target=target,
        merge=merged,
        choice=choice,
        recorded=recorded,
        component=as_recorded(choice.archive, archive_files),
    )


def removal_step(path: str, target: Target, recorded: RecordedComponent) -> Step:
    """The step for a recorded component that is removed."""
    merged = retire(recorded.files, target.files)
    files = len(target.files)
    return Step(path=path, action="remove", files=files, target=target, merge=merged, recorded=recorded)


def kept_step(path: str, recorded: RecordedComponent) -> Step:
    """The step for a recorded component that is not built and is kept."""
    return Step(path=path, action="keep", files=len(recorded.files), recorded=recorded)


def updated_record(record: Record, steps: Iterable[Step], absent: Collection[str]) -> Record:
    """The record with what is kept as it is said to be from now on, and without components that are absent."""
    kept = {path: each for path, each in record.components.items() if path not in absent}
    return Record({**kept, **{step.path: step.component for step in steps if step.component and step.action == "keep"}})


def conflicts(steps: Iterable[Step]) -> tuple[OutputConflict, ...]:
    """What keeps steps from being done: files that both sides changed, and what is in the way."""
    return tuple(unique(concat(map(_conflicts, steps))))


def _conflicts(step: Step) -> Iterator[OutputConflict]:
    if step.conflicts:
        yield OutputConflict(step.path, disputed=step.conflicts)
    if step.target.standing in {"file", "link"}:
        yield OutputConflict(step.target.obstacle, reason=step.target.standing)


def out_of_date(plan: Plan, before: Record) -> tuple[OutOfDate, ...]:
    """What a run would change, a problem for each component; `before` is the record that is there."""
    changes = tuple(OutOfDate(step.path, step.action) for step in plan.changes)
    return changes or ((OutOfDate(RECORD_FILE, "update"),) if plan.record != before else ())


def case_clashes(steps: Iterable[Step]) -> Iterator[ComponentAmbiguous]:
    """Components that would be in each other's place on a disk that ignores case."""
    built = {step.path: step.choice for step in steps if step.choice}
    for one, other in clashes(built):
        archives = (built[path].archive.file.display_path for path in (one, other) if path in built)
        yield ComponentAmbiguous(built[other].component.kind, built[other].component.name, tuple(archives))
