"""Steps: what a run does about each component, and the plan of them. A dry run prints it; a real run does exactly that.

Takes the selection, the record and what is in the project; gives the plan, or every conflict. The rules are in
`docs/building.md`.
"""

from collections.abc import Mapping
from operator import attrgetter
from pathlib import PurePath
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pipeline.archives.archive import Component
from pipeline.archives.prestashop import is_rewritten
from pipeline.building.hooks import Hooks
from pipeline.building.merging.files_merge import Merge, merge_files, retire
from pipeline.building.merging.lines import Unmerged
from pipeline.building.merging.preference import Preference, Preferred
from pipeline.building.patching.given import Given
from pipeline.building.patching.patch_file import Patch, patch_path
from pipeline.building.stores.record import Files, Record, RecordedComponent
from pipeline.building.stores.tree import Tree
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics import Error
from pipeline.report.diagnostics.bases import DropBehind, UnknownBase
from pipeline.report.diagnostics.building import NothingToUndo
from pipeline.report.diagnostics.conflicts import Dispute, DisputedFile, OutputConflict
from pipeline.report.diagnostics.disk import FileSystemProblem
from pipeline.report.diagnostics.patches import PatchConflict, PatchError
from pipeline.report.diagnostics.updates import BuiltElsewhere, PartialArchive, UnmetRequirement
from pipeline.report.events import Action, ComponentKind
from pipeline.selection.choices import Choice

NotBuilt: TypeAlias = BuiltElsewhere | UnmetRequirement | UnknownBase | DropBehind
"""Errors that leave their component as it is, while the others are built. The run ends with them."""
Conflict: TypeAlias = OutputConflict | PartialArchive | PatchConflict | NotBuilt
Occupancy: TypeAlias = Literal["absent", "present", "file", "link"]


class Target(Struct, frozen=True, kw_only=True):
    """What is already where a component goes, or on the way there."""

    occupancy: Occupancy = "absent"
    obstacle: str = ""
    """The path of the `file` or `link` that is in the way."""
    leads_to: str = ""
    """The absolute path that the target folder leads to, if that is the link."""
    tree: Tree = Tree()
    """What is in a component that is `present`."""
    mounts: tuple[str, ...] = ()
    """The paths in it at which something is mounted; an empty one is the component itself."""
    is_closed: bool = False
    """Whether this user may not look into a component that is `present`."""
    has_modes: bool = True
    """Whether its disk keeps the executable bits of files."""

    @property
    def files(self) -> Files:
        """Every file of a component that is `present`."""
        return self.tree.files

    def with_bits_of(self, others: Files) -> "Target":
        """The same with the executable bits of other files of the same paths, if its disk keeps none."""
        if self.has_modes:
            return self
        given = {
            name: replace(state, executable=others[name].executable)
            for name, state in self.files.items()
            if name in others and state.kind == others[name].kind
        }
        return replace(self, tree=replace(self.tree, files={**self.files, **given}))


class Step(Struct, frozen=True, kw_only=True):
    """One component of the plan."""

    kind: ComponentKind
    path: str
    """Where the component goes, relative to the project."""
    action: Action
    files: int
    """How many files the archive gives; for a component that is not built, how many are recorded."""
    target: Target = Target()
    merge: Merge = Merge()
    """What becomes of each file; nothing if the component is not built and is kept."""
    texts: Mapping[str, bytes] = {}
    """What was merged by lines, by paths."""
    patched: Mapping[str, bytes] = {}
    """The contents that come from a patch, likewise."""
    taken_out: tuple[str, ...] = ()
    """The files that a patch removes."""
    unmerged: Mapping[str, Unmerged] = {}
    """Why other conflicts were not."""
    choice: Choice | None = None
    """The selected component; `None` for one that is only recorded."""
    recorded: RecordedComponent | None = None
    """What the record says before the run."""
    base: RecordedComponent | None = None
    """What is on disk was made from, as far as that is known."""
    component: RecordedComponent | None = None
    """What it will say. Digests are missing of an archive that was not read yet, as nothing was in its place."""
    left_out: tuple[PatchConflict, ...] = ()
    """Where the patch does not fit, and a flag builds the file without it."""
    unfit: tuple[PatchError | FileSystemProblem, ...] = ()
    """What is wrong with the patch otherwise."""
    wrong: tuple[PartialArchive | NothingToUndo | UnknownBase | DropBehind, ...] = ()
    """What keeps it from being done, besides its files and its patch."""
    forced: Merge | None = None
    """What `--force` would do, if its base is not known."""
    found: Component | None = None
    """What the component on disk says that it is, if it was looked for."""
    is_foreign: bool = False
    """Whether something is on disk that the tool did not write."""

    @property
    def is_recorded_alone(self) -> bool:
        """Whether nothing but the record changes: a component is taken over, or the system has updated it by itself."""
        before, after = self.recorded, self.component
        if self.action != "keep" or after is None:
            return False
        return before is None or (before.version != after.version and before.files != after.files)

    @property
    def marker(self) -> str:
        """The file on disk that says the version."""
        return self.found.marker if self.found else ""

    @property
    def there(self) -> str:
        """That version."""
        return (self.found.version if self.found else None) or ""

    @property
    def shown(self) -> str:
        """The version that its marker says after the run, if that stays the user's."""
        return self.there if self.marker in self.merge.edited else ""

    @property
    def name(self) -> str:
        """The name of the component."""
        return self.path.rpartition("/")[2]

    @property
    def archive(self) -> str:
        """The archive that it is built from, as the record has it."""
        source = self.component or self.recorded
        return source.archive if source else ""

    @property
    def version(self) -> str | None:
        """The version after the run; of a component that is removed, before it."""
        source = self.component or (None if self.action == "update" else self.recorded)
        return source.version if source else None

    @property
    def previous(self) -> str | None:
        """The version before the run, also of a component that no run has built."""
        before = self.recorded or self.base
        return before.version if before else self.there or None

    @property
    def conflicts(self) -> tuple[DisputedFile, ...]:
        """The files that both sides changed, if neither wins."""
        return tuple(self._disputed(name, why) for name, why in self.merge.disputes.items())

    def _disputed(self, name: str, why: Dispute) -> DisputedFile:
        unmerged = self.unmerged.get(name)
        said = DisputedFile(f"{self.path}/{name}", why, patch=patch_path(self.path) if name in self.patched else "")
        return replace(said, unmerged=unmerged.why, lines=unmerged.lines) if unmerged else said

    @property
    def known(self) -> frozenset[str]:
        """Every file of it that is on the disk, was built or is in archive or patch, by their paths in the project."""
        unfit = {each.name for each in (*self.unfit, *self.left_out) if isinstance(each, PatchConflict)}
        files = {*self.merge.disk, *self.merge.base, *self.merge.archive, *unfit}
        return frozenset(f"{self.path}/{name}" for name in files)

    @property
    def is_built_again(self) -> bool:
        """Whether the same archive was built with the same patch before."""
        return self.base is not None and self.component is not None and self.base.built_alike(self.component)

    @property
    def decided(self) -> tuple[str, ...]:
        """The files about which a preference of this run decided, by their paths in the project."""
        left_out = () if self.is_built_again else (each.name for each in self.left_out)
        return tuple(f"{self.path}/{name}" for name in (*self.merge.of("forced", "declined"), *left_out))

    @property
    def backed_up(self) -> tuple[str, ...]:
        """The files that go to the backup: the user's, or with `--mine` the archive's."""
        return (*self.merge.backed_up, *self.merge.put_by)


class Plan(Struct, frozen=True, kw_only=True):
    """Everything that a run will do: first init hooks, then components, then post hooks."""

    project: PurePath
    steps: tuple[Step, ...]
    record: Record = Record()
    """The record as it will be if no component changes: up to date with what was found in the project."""
    refused: tuple[Error, ...] = ()
    """Why selected components are not built: refused archives, what leaves one of them alone, passed over conflicts."""
    passed_over: tuple[Step, ...] = ()
    """The steps that are not done for these reasons."""
    hooks: Hooks = Hooks()
    warnings: tuple[WarningDiagnostic, ...] = ()
    """What there is to warn of."""
    patches: Mapping[str, Patch] = {}
    """The patches in the project, by the paths of their components."""
    rewritten: frozenset[str] = frozenset()
    """Those of them that the run writes anew."""
    missing: tuple[WarningDiagnostic, ...] = ()
    """What is needed, and not there when the run is done."""
    places: Mapping[str, Target] = {}
    """What is in the place of each component that was looked at."""
    before: Record = Record()
    """What these were made from, as far as that is known: what was written here, or an archive."""
    absent: frozenset[str] = frozenset()
    """The components that were built once, are not built now, and of which nothing is there."""

    @property
    def changes(self) -> tuple[Step, ...]:
        """The steps that change the project."""
        return tuple(step for step in self.steps if step.action != "keep")

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """The conflicts that are passed over, in the order of their paths."""
        wrong = (each for each in self.refused if isinstance(each, Conflict))
        return tuple(sorted(wrong, key=attrgetter("path")))

    @property
    def stopping(self) -> tuple[Error, ...]:
        """Those of the reasons that stop a run unless it keeps going."""
        return tuple(each for each in self.refused if not isinstance(each, NotBuilt))

    @property
    def is_idle(self) -> bool:
        """Whether nothing is to be done: no component changes, and no hook runs."""
        return not (self.changes or self.hooks.running)


def build_step(
    choice: Choice, target: Target, given: Given, base: RecordedComponent | None, prefer: Preference
) -> Step:
    """Decide what is done about a selected component, given what building it gives, and what it was made from.

    Of what the system writes anew, the archive's is built.
    """

    def preferred(name: str) -> Preferred:
        path = f"{choice.path}/{name}"
        if is_rewritten(choice.component, name) and not prefer.spells(path):
            return "theirs"
        return prefer.of(path)

    merged = merge_files(
        given.as_written(base.files if base else {}, target.files), target.files, given.files, preferred
    )
    step = Step(
        kind=choice.component.built_kind,
        path=choice.path,
        action="keep",
        files=choice.archive.files,
        target=target,
        choice=choice,
        recorded=base,
        base=base,
        component=given.recorded(choice.archive),
        patched=given.texts,
        taken_out=given.removed,
    )
    return decided(step, merged)


def decided(step: Step, merged: Merge) -> Step:
    """A step for a component that is built, with what becomes of its files."""
    action: Action = "add" if step.target.occupancy == "absent" else "keep" if merged.is_idle else "update"
    return replace(step, action=action, merge=merged)


def removal_step(kind: ComponentKind, path: str, target: Target, recorded: RecordedComponent) -> Step:
    """The step for a recorded component that is removed."""
    merged = retire(recorded.files, target.files, target.mounts)
    files = len(target.files)
    return Step(kind=kind, path=path, action="remove", files=files, target=target, merge=merged, recorded=recorded)


def kept_step(kind: ComponentKind, path: str, recorded: RecordedComponent) -> Step:
    """The step for a recorded component that is not built and is kept."""
    return Step(kind=kind, path=path, action="keep", files=len(recorded.files), recorded=recorded)
