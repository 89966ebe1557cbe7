"""Steps: what a run does, as values (`docs/building.md`).

    Step      what a run does about a surveyed component, and what becomes of each of its files
    Plan      the steps, hooks and warnings of a run, and the stores as they will be

The stages of `pipeline/plan.py` make them. A dry run reports the plan; a real run does exactly
what it says.
"""

from collections.abc import Mapping
from operator import attrgetter
from pathlib import PurePath

from msgspec import Struct

from pipeline.archives.archive import Archive
from pipeline.building.hooks import Hooks
from pipeline.building.merging.lines import Unmerged
from pipeline.building.merging.outcomes import Merge
from pipeline.building.patching.patch import Patch
from pipeline.building.patching.payload import Payload
from pipeline.building.stores.changes import FileMove
from pipeline.building.stores.record import (
    Files,
    Record,
    RecordedComponent,
    version_of,
    without_folders,
)
from pipeline.building.stores.state import State
from pipeline.building.survey import Survey, Target
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics import ComponentError, Error
from pipeline.report.diagnostics.bases import DropBehind, UnknownBase
from pipeline.report.diagnostics.building import NothingToUndo
from pipeline.report.diagnostics.disk import FileSystemProblem
from pipeline.report.diagnostics.patches import PatchConflict, PatchError
from pipeline.report.diagnostics.updates import PartialArchive
from pipeline.report.events import Action, ComponentKind
from pipeline.selection.choices import Choice
from pipeline.values import replace


class Step(Struct, frozen=True, kw_only=True):
    """What a run does about one component that is selected, recorded, or both.

        action    what happens               `component`           `version`
        add       all files are written      the new entry         that of the entry
        update    files are replaced         the new entry         that of the entry
        keep      no file changes            the entry, or none    that of the entry, or on disk
        remove    the files are removed      none                  that before the run

    A stage that learns more about a component replaces its step, and may give it another action.
    """

    survey: Survey
    action: Action = "keep"
    base: RecordedComponent | None = None
    """What the component on disk was made from; `None` if that is unknown, or if nothing of
    it is on disk or was built.
    """
    component: RecordedComponent | None = None
    """The entry of the component in the record after the run, if the run builds or undoes it; files
    that were not read have no digest.
    """
    payload: Payload = Payload()
    """The files that the component is built of; empty if it is not built, or not read before
    staging.
    """
    merge: Merge = Merge()
    """The outcome of each file; empty if the component stays as it is without a build."""
    texts: Mapping[str, bytes] = {}
    """The contents of files that were merged by lines, by path."""
    unmerged: Mapping[str, Unmerged] = {}
    """Why other conflicting files were not merged by lines, by path."""
    waived_conflicts: tuple[PatchConflict, ...] = ()
    """The conflicts with the patch that a flag waives: the file is built without the patch."""
    patch_errors: tuple[PatchError | FileSystemProblem, ...] = ()
    """The conflicts with the patch that no flag waives, and why it cannot be read."""
    errors: tuple[PartialArchive | NothingToUndo | UnknownBase | DropBehind, ...] = ()
    """Why the step cannot be done, apart from its files and its patch."""
    forced: Merge | None = None
    """What `--force` would do to a component with an unknown base."""

    @property
    def kind(self) -> ComponentKind:
        """`theme` or `module`."""
        return self.survey.kind

    @property
    def path(self) -> str:
        """The path of the component, relative to the project."""
        return self.survey.path

    @property
    def target(self) -> Target:
        """What is on disk at the path of the component."""
        return self.survey.target

    @property
    def disk(self) -> Files:
        """The files on disk; where the disk keeps no executable bits, with those of the base."""
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
        """How many files the archive has; without an archive, how many are recorded or on disk."""
        if self.choice:
            return self.choice.archive.file_count
        source = self.component
        if self.action == "keep" and not self.survey.is_replaced:
            source = source or self.survey.written
        files = self.target.files
        if source:
            files = source.files
        return len(without_folders(files))

    @property
    def is_recorded_only(self) -> bool:
        """Whether only the record changes: the tool takes the component over, or the
        system updated it.
        """
        before = self.survey.written
        after = self.component
        if self.action != "keep" or after is None:
            return False
        return before is None or (before.version != after.version and before.files != after.files)

    @property
    def marker(self) -> str:
        """The marker of the component on disk, as a path in it; empty if it was not recognised."""
        if self.survey.found:
            return self.survey.found.marker
        return ""

    @property
    def version_on_disk(self) -> str:
        """The version that the marker on disk states; empty if it states none."""
        if self.survey.found:
            return self.survey.found.version or ""
        return ""

    @property
    def edited_version(self) -> str:
        """The version that an edited marker still states after the run; empty if the marker
        is not edited.
        """
        if self.marker in self.merge.edited:
            return self.version_on_disk
        return ""

    @property
    def name(self) -> str:
        """The name of the component's folder."""
        return self.path.rpartition("/")[2]

    @property
    def archive(self) -> str:
        """The archive that the component is or was built from, as the record names it; empty if
        there is none.
        """
        source = self.component or self._entry_before
        if source:
            return source.archive
        return ""

    @property
    def version(self) -> str | None:
        """The version after the run; if the component is removed, the version before."""
        if self.action == "keep" and not self.component:
            return self.survey.version
        if self.action == "update":
            return version_of(self.component)
        return version_of(self.component or self._entry_before)

    @property
    def previous(self) -> str | None:
        """The version before the run, even if no run built it or somebody replaced
        the component.
        """
        if self.survey.is_replaced and not self.is_recorded_only:
            return self.version_on_disk or None
        before = self._entry_before or self.base
        if before:
            return before.version
        return self.version_on_disk or None

    @property
    def _entry_before(self) -> RecordedComponent | None:
        """The entry of the component before the run; for a removal the base, which the system may
        have written.
        """
        if self.action == "remove" and self.base:
            return self.base
        return self.survey.written

    @property
    def is_built_again(self) -> bool:
        """Whether the same archive was built with the same patch before."""
        return (
            self.base is not None
            and self.component is not None
            and self.base.built_alike(self.component)
        )

    @property
    def dropped(self) -> tuple[str, ...]:
        """The files that the patch changes and the archive lacks, which a flag accepted."""
        return tuple(
            conflict.name for conflict in self.waived_conflicts if conflict.why == "absent"
        )

    @property
    def backed_up(self) -> tuple[str, ...]:
        """The files that go to the backup: the user's, or with `--mine` the archive's."""
        return (*self.merge.backed_up, *self.merge.archive_backed_up)


class Plan(Struct, frozen=True, kw_only=True):
    """Everything that a run will do: first init hooks, then components, then post hooks."""

    project: PurePath
    steps: tuple[Step, ...]
    """The steps of the run; one that keeps its component changes at most the record."""
    skipped: tuple[Step, ...] = ()
    """The steps that the run skips: an error stops them, or nothing selects or removes the
    component.
    """
    record: Record = Record()
    """The record without the changes of the steps, brought up to date with the project."""
    state: State = State()
    """The state without the changes of the steps, brought up to date with the project."""
    refused: tuple[Error, ...] = ()
    """Why selected components are not built: refused archives, conflicts, and other errors
    of components.
    """
    hooks: Hooks = Hooks()
    warnings: tuple[WarningDiagnostic, ...] = ()
    """The warnings of the plan, except those in `missing`."""
    patches: Mapping[str, Patch] = {}
    """The patches of components, by the path of the component."""
    patch_states: Files = {}
    """The patch files when the plan was made, by their paths below `patches/`."""
    patch_moves: tuple[FileMove, ...] = ()
    """The patch files that an undo restores or removes."""
    missing: tuple[WarningDiagnostic, ...] = ()
    """Warnings of needs that neither the drop nor the project satisfies after the run."""

    @property
    def surveyed(self) -> dict[str, Step]:
        """The step of every surveyed component, by its path."""
        return {step.path: step for step in (*self.steps, *self.skipped)}

    @property
    def sources(self) -> tuple[Archive | Patch, ...]:
        """The archives, then the patches, that the components in `steps` are built from."""
        archives = list[Archive]()
        patches = list[Patch]()
        for step in self.steps:
            if step.choice:
                archives.append(step.choice.archive)
                if step.path in self.patches:
                    patches.append(self.patches[step.path])
        return (*archives, *patches)

    @property
    def changes(self) -> tuple[Step, ...]:
        """The steps that change the project."""
        return tuple(step for step in self.steps if step.action != "keep")

    @property
    def component_errors(self) -> tuple[ComponentError, ...]:
        """The errors of single components that the plan skips, in the order of
        their paths.
        """
        errors = (error for error in self.refused if isinstance(error, ComponentError))
        return tuple(sorted(errors, key=attrgetter("path")))

    @property
    def stopping(self) -> tuple[Error, ...]:
        """The errors in `refused` that stop a run without `--keep-going`."""
        return tuple(error for error in self.refused if error.stops)

    @property
    def is_idle(self) -> bool:
        """Whether the run has nothing to do: no component or patch changes, and no hook runs."""
        return not (self.changes or self.patch_moves or self.hooks.running)


def with_merge(step: Step, merged: Merge) -> Step:
    """A step that builds its component, with the action that the merge of its files
    makes necessary.
    """
    action: Action = "update"
    if step.target.occupancy == "absent":
        action = "add"
    elif merged.is_idle:
        action = "keep"
    return replace(step, action=action, merge=merged)
