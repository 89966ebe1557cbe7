"""Draft: a plan in the making, and what it is made from. `pipeline/plan.py` composes the stages that complete it."""

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import PurePath
from typing import Protocol

from msgspec import Struct

from pipeline.archives.archive import Archive, ArchiveFile, Component
from pipeline.archives.places import FolderProbe
from pipeline.building.hooks import HookFolder, Script
from pipeline.building.merging.lines import Git
from pipeline.building.merging.preference import Preference
from pipeline.building.patching.patch import Patch
from pipeline.building.steps import Plan, Step
from pipeline.building.stores.record import Files, Record, RecordedComponent
from pipeline.building.stores.state import State
from pipeline.building.survey import Target
from pipeline.report.diagnostic import NamedVersions, WarningDiagnostic
from pipeline.report.diagnostics import Error
from pipeline.report.diagnostics.bases import Command
from pipeline.report.diagnostics.disk import FileSystemProblem
from pipeline.report.events import ComponentKind, Foreign
from pipeline.report.outcome import BuildOutcome
from pipeline.selection.choices import Choice
from pipeline.selection.select import Selection
from pipeline.values import replace


class FindArchives(Protocol):
    """List the archives of a drop, and the one that the theme setting names, if that is elsewhere."""

    def __call__(self, theme: str, /) -> tuple[ArchiveFile, ...]: ...


class ExamineArchives(Protocol):
    """Say what each archive is, or each member of a bundle. What is wrong is in the refusals."""

    def __call__(self, files: Sequence[ArchiveFile], /) -> Sequence[tuple[Archive, ...]]: ...


class Drop(Struct, frozen=True):
    """What is asked of a folder of archives, as a record of functions. `name` is the folder as the user wrote it.

    Each may raise `Stop`, the edge's way out, which passes through the pipeline: the folder is missing or cannot be
    read, or a process that helps is killed.
    """

    name: str
    find: FindArchives
    examine: ExamineArchives


class ReadDisk(Protocol):
    """Read files of the component that is on disk at a path of the project."""

    def __call__(self, path: str, names: Collection[str], /) -> Mapping[str, bytes]: ...


class ReadArchive(Protocol):
    """Read files that building a component gives."""

    def __call__(self, choice: Choice, names: Collection[str], /) -> Mapping[str, bytes]: ...


class ReadKept(Protocol):
    """Read files of the archive that a component was built from; `None` if it is not kept."""

    def __call__(self, recorded: RecordedComponent, names: Collection[str], /) -> Mapping[str, bytes] | None: ...


class ReadPatch(Protocol):
    """Read the patch with a digest that the component at a path was built with; `None` if it is not kept."""

    def __call__(self, path: str, digest: str, /) -> Patch | None: ...


class Contents(Struct, frozen=True):
    """What is asked of files, as a record of functions: their contents by their paths in the component.

    Contents that are too large to be compared are cut off; missing files are left out. Each may raise `Stop`: an
    archive turns out to be damaged, the system refuses to read, or git is missing.
    """

    read_disk: ReadDisk
    read_archive: ReadArchive
    read_kept: ReadKept
    read_patch: ReadPatch
    git: Git
    """Merges and compares them."""


class PatchFiles(Struct, frozen=True):
    """The patches that are there."""

    home: PurePath = PurePath()
    """The folder that `patches/` is in: the project, or the current folder."""
    names: tuple[str, ...] = ()
    """The paths of all files below `patches/`, relative to it."""
    read: Callable[[str], bytes | FileSystemProblem | None] = lambda _: None
    """The content of one of them, why it cannot be read, or `None` if it is not a file; nothing if it is not there."""
    is_closed: bool = False
    """Whether there may be others, as a folder below `patches/` cannot be looked into."""
    links: tuple[str, ...] = ()
    """The links to folders below `patches/`, which are not followed."""
    beside: tuple[str, ...] = ()
    """The patches of the current folder, if that is another one and they are not used."""


class Theme(Struct, frozen=True):
    """A theme of the project, whoever built it, and the paths of its files."""

    component: Component
    files: frozenset[str]


class Occupant(Struct, frozen=True):
    """What lies in a folder of themes or modules, whoever put it there."""

    kind: Foreign
    component: Component | None = None
    """What its marker says, if it has one of a component of its folder."""
    file_count: int = 0


class ViewTargets(Protocol):
    """Look at what is on disk at the paths of components."""

    def __call__(self, paths: Sequence[str], /) -> dict[str, Target]: ...


class ListContents(Protocol):
    """List the files that building each component gives, with digests.

    An archive may be refused, as damage in its contents shows only when they are read.
    """

    def __call__(self, choices: Sequence[Choice], /) -> Sequence[BuildOutcome[Files]]: ...


class RecogniseInstalled(Protocol):
    """Recognise components on disk, by their paths, given their files."""

    def __call__(self, components: Mapping[str, Files], /) -> Mapping[str, Component | None]: ...


class FindNamed(Protocol):
    """Find the files and folders in some folders of the project that have some names, by their paths.

    Names are in lower case, and those on disk may be in any. Paths that are `removed` do not count. If `is_deep`, the
    folders in the folders are looked into as well. Never fails: `None` if a folder cannot be read, or has too much in
    it, so that anything may be there.
    """

    def __call__(
        self, folders: Sequence[str], names: frozenset[str], removed: frozenset[str], is_deep: bool, /
    ) -> Sequence[str] | None: ...


class ListScripts(Protocol):
    """List the files of a hook folder, or why it cannot be read; `None` if there is no folder."""

    def __call__(self, folder: PurePath, /) -> BuildOutcome[tuple[Script, ...] | None]: ...


class RecogniseThemes(Protocol):
    """Recognise the themes in some folders of the project, by their paths.

    Never fails: a folder that cannot be read has no theme.
    """

    def __call__(self, folders: Sequence[str], /) -> Mapping[str, Theme]: ...


class Found(Struct, frozen=True):
    """The project and the archives that it is compared with: functions that look at them, and what is known already.

    Looking takes time, so each function takes everything that is to be looked at. Unless its docstring says that it
    never fails, it may raise `Stop`, the edge's way out, which passes through the pipeline: the system refuses to read.
    """

    project: PurePath
    view_targets: ViewTargets
    """With the files of each component."""
    view_occupancies: ViewTargets
    """Without the files."""
    list_contents: ListContents
    recognise_installed: RecogniseInstalled
    find_named: FindNamed
    list_scripts: ListScripts
    texts: Contents
    """What is in files. It is asked for only of conflicts."""
    recognise_themes: RecogniseThemes = lambda _: {}
    recognise_occupants: Callable[[Mapping[str, ComponentKind]], Mapping[str, Occupant]] = lambda _: {}
    """What lies at some paths in the folders of themes and modules, given the kind of each. Never fails."""
    output: str = "."
    """The project, as the user wrote it."""
    patches: PatchFiles = PatchFiles()
    """The patches for its components."""
    interrupted: frozenset[str] = frozenset()
    """The paths of the components that a killed run has begun with."""
    list_kept: Callable[[], tuple[Archive, ...]] = tuple
    """The archives that are kept of earlier builds."""
    ignores_case: Callable[[], bool] = lambda: False
    """Whether the disk does not tell names apart that differ only in case."""
    drop: str = ""
    """The folder of archives, as the user wrote it; empty if none are looked at."""
    probe: FolderProbe = FolderProbe("", lambda _: False, lambda path: path)
    unused: tuple[WarningDiagnostic, ...] = ()
    """What is in the drop and is not read."""
    named_versions: NamedVersions = ()
    """The components of which the command line names the version."""

    @property
    def patches_apart(self) -> PurePath | None:
        """The folder that `patches/` is in, if it is not the project."""
        home = self.patches.home
        if home == self.project:
            return None
        return home

    @property
    def command(self) -> Command:
        """What a command line begins with that a message advises."""
        return Command(self.drop, self.output, self.named_versions)


class PlanOptions(Struct, frozen=True, kw_only=True):
    """What a caller wants of a plan."""

    prefer: Preference = Preference()
    merge: bool = False
    """Whether what both sides changed is merged by lines, where that can be done, before anybody wins."""
    frozen: bool = False
    """Whether drop and selection have to be what the record says."""
    prune: bool = False
    """Whether components are removed that are recorded and not built."""
    keep_going: bool = False
    """Whether refused archives and conflicts are passed over."""
    names: frozenset[str] | None = None
    """The paths of the components that are looked at, if it is not all of them."""
    versions: Mapping[str, str] = {}
    """The kept patches of components of which the version is named, by the paths of these; empty if there is none."""
    hooks: tuple[HookFolder, ...] = ()
    no_hooks: str = ""
    """The flag or variable that keeps hook scripts from running, if any."""

    @property
    def consents(self) -> bool:
        """Whether components are built whatever speaks against it: `--force`, with their names."""
        return self.prefer.whole == "theirs" and self.names is not None


class Draft(Struct, frozen=True):
    """A plan in the making."""

    selection: Selection
    record: Record
    state: State
    found: Found
    options: PlanOptions
    plan: Plan
    choices: tuple[Choice, ...] = ()
    """What is to be built."""

    def with_plan(self, plan: Plan) -> "Draft":
        """The draft with another plan."""
        return replace(self, plan=plan)

    def with_warnings(self, *warnings: WarningDiagnostic) -> "Draft":
        """The draft with more to warn of."""
        return self.with_plan(replace(self.plan, warnings=(*self.plan.warnings, *warnings)))

    def passing_over(self, steps: Collection[Step], *errors: Error) -> "Draft":
        """The draft in which nothing is done about some components, for these reasons, if it takes any."""
        paths = {step.path for step in steps}
        plan = self.plan
        without = replace(
            plan,
            steps=tuple(step for step in plan.steps if step.path not in paths),
            passed_over=(*plan.passed_over, *steps),
            refused=(*plan.refused, *errors),
        )
        return self.with_plan(without)
