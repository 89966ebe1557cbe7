"""Steps: what a run does, as values (`docs/building.md`).

    Step      what a run does about a component that was surveyed, and what becomes of each of its files
    Plan      the steps, hooks and warnings of a run, and the stores as they will be

The stages of `pipeline/plan.py` make them. A dry run reports the plan; a real run does exactly what it says.
"""

from collections.abc import Mapping
from operator import attrgetter
from pathlib import PurePath
from typing import TypeAlias

from msgspec import Struct

from pipeline.building.hooks import Hooks
from pipeline.building.merging.lines import Unmerged
from pipeline.building.merging.outcomes import Merge
from pipeline.building.patching.given import Given
from pipeline.building.patching.patch import Patch
from pipeline.building.stores.changes import FileMove
from pipeline.building.stores.record import Files, Record, RecordedComponent, version_of
from pipeline.building.stores.state import State
from pipeline.building.survey import Survey, Target
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics import Error
from pipeline.report.diagnostics.bases import DropBehind, UnknownBase
from pipeline.report.diagnostics.building import NothingToUndo
from pipeline.report.diagnostics.conflicts import OutputConflict
from pipeline.report.diagnostics.disk import FileSystemProblem
from pipeline.report.diagnostics.patches import PatchConflict, PatchError
from pipeline.report.diagnostics.updates import BuiltElsewhere, PartialArchive, UnmetRequirement
from pipeline.report.events import Action, ComponentKind
from pipeline.selection.choices import Choice
from pipeline.values import replace

NotBuilt: TypeAlias = BuiltElsewhere | UnmetRequirement | UnknownBase | DropBehind
"""Errors that leave their component as it is, while the others are built. The run ends with them."""
Conflict: TypeAlias = OutputConflict | PartialArchive | PatchConflict | NotBuilt


class Step(Struct, frozen=True, kw_only=True):
    """What is done about a component that was surveyed: selected, recorded, or both."""

    survey: Survey
    action: Action = "keep"
    base: RecordedComponent | None = None
    """What is on disk was made from, as far as that is known."""
    component: RecordedComponent | None = None
    """What the record will say, if it is built, or an undo restores it; without digests of what was not read."""
    given: Given = Given()
    """What building it gives; nothing if it is not built, or that was not read yet, as nothing was in its place."""
    merge: Merge = Merge()
    """What becomes of each file; nothing if the component is not built and is kept."""
    texts: Mapping[str, bytes] = {}
    """What was merged by lines, by paths."""
    unmerged: Mapping[str, Unmerged] = {}
    """Why other conflicts were not."""
    waived_conflicts: tuple[PatchConflict, ...] = ()
    """Where the patch does not fit, and a flag builds the file without it."""
    patch_errors: tuple[PatchError | FileSystemProblem, ...] = ()
    """What is wrong with the patch otherwise."""
    errors: tuple[PartialArchive | NothingToUndo | UnknownBase | DropBehind, ...] = ()
    """What keeps it from being done, besides its files and its patch."""
    forced: Merge | None = None
    """What `--force` would do, if its base is not known."""

    @property
    def kind(self) -> ComponentKind:
        """Whether the component is a theme."""
        return self.survey.kind

    @property
    def path(self) -> str:
        """Where the component goes, relative to the project."""
        return self.survey.path

    @property
    def target(self) -> Target:
        """What is there."""
        return self.survey.target

    @property
    def disk(self) -> Files:
        """What is there, with the executable bits of its base where the disk keeps none."""
        if self.base:
            return self.target.with_bits_of(self.base.files).files
        return self.target.files

    @property
    def choice(self) -> Choice | None:
        """The archive that the component is built from; `None` if it is not built."""
        if self.component:
            return self.survey.choice
        return None

    @property
    def file_count(self) -> int:
        """How many files the archive gives; of a component that is not built, how many are recorded or there."""
        if self.choice:
            return self.choice.archive.file_count
        source = self.component
        if self.action == "keep" and not self.survey.is_replaced:
            source = source or self.survey.written
        if source:
            return len(source.files)
        return len(self.target.files)

    @property
    def is_recorded_only(self) -> bool:
        """Whether nothing but the record changes: a component is taken over, or the system has updated it by itself."""
        before = self.survey.written
        after = self.component
        if self.action != "keep" or after is None:
            return False
        return before is None or (before.version != after.version and before.files != after.files)

    @property
    def marker(self) -> str:
        """The file on disk that says the version."""
        if self.survey.found:
            return self.survey.found.marker
        return ""

    @property
    def version_on_disk(self) -> str:
        """That version."""
        if self.survey.found:
            return self.survey.found.version or ""
        return ""

    @property
    def edited_version(self) -> str:
        """The version that its marker says after the run, if that stays the user's."""
        if self.marker in self.merge.edited:
            return self.version_on_disk
        return ""

    @property
    def name(self) -> str:
        """The name of the component."""
        return self.path.rpartition("/")[2]

    @property
    def archive(self) -> str:
        """The archive that it is built from, as the record has it."""
        source = self.component or self._built
        if source:
            return source.archive
        return ""

    @property
    def version(self) -> str | None:
        """The version after the run; of a component that is removed, before it."""
        if self.action == "keep" and not self.component:
            return self.survey.version
        if self.action == "update":
            return version_of(self.component)
        return version_of(self.component or self._built)

    @property
    def previous(self) -> str | None:
        """The version before the run, also of a component that no run has built, or that another version replaced."""
        if self.survey.is_replaced and not self.is_recorded_only:
            return self.version_on_disk or None
        before = self._built or self.base
        if before:
            return before.version
        return self.version_on_disk or None

    @property
    def _built(self) -> RecordedComponent | None:
        """What was written here before the run; of what is removed, what that was made from, also by the system."""
        if self.action == "remove" and self.base:
            return self.base
        return self.survey.written

    @property
    def is_built_again(self) -> bool:
        """Whether the same archive was built with the same patch before."""
        return self.base is not None and self.component is not None and self.base.built_alike(self.component)

    @property
    def dropped(self) -> tuple[str, ...]:
        """The files that the patch changes, and the archive does not have any more: somebody decided without them."""
        return tuple(conflict.name for conflict in self.waived_conflicts if conflict.why == "absent")

    @property
    def backed_up(self) -> tuple[str, ...]:
        """The files that go to the backup: the user's, or with `--mine` the archive's."""
        return (*self.merge.backed_up, *self.merge.archive_backed_up)


class Plan(Struct, frozen=True, kw_only=True):
    """Everything that a run will do: first init hooks, then components, then post hooks."""

    project: PurePath
    steps: tuple[Step, ...]
    """What is done."""
    passed_over: tuple[Step, ...] = ()
    """Of the other components that were surveyed, nothing is done about these."""
    record: Record = Record()
    """The record as it will be if no component changes: up to date with what was found in the project."""
    state: State = State()
    """The state, likewise."""
    refused: tuple[Error, ...] = ()
    """Why selected components are not built: refused archives, what leaves one of them alone, passed over conflicts."""
    hooks: Hooks = Hooks()
    warnings: tuple[WarningDiagnostic, ...] = ()
    """What there is to warn of."""
    patches: Mapping[str, Patch] = {}
    """The patches in the project, by the paths of their components."""
    patch_states: Files = {}
    """The files below `patches/` that these were read from, as they were then."""
    patch_moves: tuple[FileMove, ...] = ()
    """Of these files, those that an undo brings back, or removes again."""
    missing: tuple[WarningDiagnostic, ...] = ()
    """What is needed, and not there when the run is done."""

    @property
    def surveyed(self) -> dict[str, Step]:
        """Every component that was looked at, by its path."""
        return {step.path: step for step in (*self.steps, *self.passed_over)}

    @property
    def changes(self) -> tuple[Step, ...]:
        """The steps that change the project."""
        return tuple(step for step in self.steps if step.action != "keep")

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """The conflicts that are passed over, in the order of their paths."""
        conflicts = (error for error in self.refused if isinstance(error, Conflict))
        return tuple(sorted(conflicts, key=attrgetter("path")))

    @property
    def stopping(self) -> tuple[Error, ...]:
        """Those of the reasons that stop a run unless it keeps going."""
        return tuple(error for error in self.refused if not isinstance(error, NotBuilt))

    @property
    def is_idle(self) -> bool:
        """Whether nothing is to be done: no component and no patch changes, and no hook runs."""
        return not (self.changes or self.patch_moves or self.hooks.running)


def decided(step: Step, merged: Merge) -> Step:
    """A step for a component that is built, with what becomes of its files."""
    action: Action = "update"
    if step.target.occupancy == "absent":
        action = "add"
    elif merged.is_idle:
        action = "keep"
    return replace(step, action=action, merge=merged)
