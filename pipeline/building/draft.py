"""Draft: an unfinished plan, and what it is made from. `pipeline/plan.py` composes the stages that
complete it.

    Draft           what a plan is made from, and a plan without steps
    PickedDraft     also the archives that the run builds
    SourcedDraft    also the patches of the components in scope
    ComparedDraft   also a step for each component in scope
    MergedDraft     files that both sides changed are merged by lines
    JudgedDraft     without the steps that must not be done, and with the removals

All states have the same fields. They let the type checker catch the grossest mistakes in the
order of stages; stages within one state can still change places.

`Drop`, `Contents` and `ProjectReader` hold the functions with which the stages read the disk. The
edge passes real ones, tests pass functions of values. A function of the edge may raise `Stop`,
which ends the run; no stage catches it.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import PurePath
from typing import Protocol, Self, TypeVar

from msgspec import Struct
from msgspec.structs import astuple

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
from pipeline.report.diagnostic import Command, WarningDiagnostic
from pipeline.report.diagnostics import Error
from pipeline.report.diagnostics.disk import FileSystemProblem
from pipeline.report.events import ComponentKind, Foreign
from pipeline.report.outcome import BuildOutcome
from pipeline.selection.choices import Choice
from pipeline.selection.select import Selection
from pipeline.values import replace

_State = TypeVar("_State", bound="Draft")


class FindArchives(Protocol):
    """List the archives of a drop, and the archive that the theme setting names if it
    is elsewhere.
    """

    def __call__(self, theme: str, /) -> tuple[ArchiveFile, ...]: ...


class ExamineArchives(Protocol):
    """Say what each archive, or each member of a bundle, is; its refusals say what is
    wrong with it.
    """

    def __call__(self, files: Sequence[ArchiveFile], /) -> Sequence[tuple[Archive, ...]]: ...


class Drop(Struct, frozen=True):
    """The functions that read a folder of archives.

    They may raise `Stop`: the folder is missing or cannot be read, or a helper process is killed.
    """

    name: str
    """The folder as the user wrote it."""
    find: FindArchives
    examine: ExamineArchives


class ReadDisk(Protocol):
    """Read files of the component on disk at a path of the project."""

    def __call__(self, path: str, names: Collection[str], /) -> Mapping[str, bytes]: ...


class ReadArchive(Protocol):
    """Read files that building a component gives."""

    def __call__(self, choice: Choice, names: Collection[str], /) -> Mapping[str, bytes]: ...


class ReadKept(Protocol):
    """Read files of the archive that a component was built from; `None` if no run kept
    that archive.
    """

    def __call__(
        self, recorded: RecordedComponent, names: Collection[str], /
    ) -> Mapping[str, bytes] | None: ...


class ReadPatch(Protocol):
    """Read the patch with this digest that a component was built with; `None` if no run kept it."""

    def __call__(self, path: str, digest: str, /) -> Patch | None: ...


class Contents(Struct, frozen=True):
    """The functions that read the contents of files, by their paths in the component.

    Contents that are too large to be compared are cut off; missing files are left out. The
    functions may raise `Stop`: an archive is damaged, the disk refuses to read, or git is missing.
    """

    read_disk: ReadDisk
    read_archive: ReadArchive
    read_kept: ReadKept
    read_patch: ReadPatch
    git: Git
    """The functions that merge and compare contents."""


class PatchFiles(Struct, frozen=True):
    """The patch files of a project."""

    home: PurePath = PurePath()
    """The folder that `patches/` is in: the project, or the current folder."""
    names: tuple[str, ...] = ()
    """The paths of all files below `patches/`, relative to it."""
    read: Callable[[str], bytes | FileSystemProblem | None] = lambda _: None
    """Read a patch file: its content, which is empty if it is missing; an error; or `None` if
    it is no file.
    """
    is_closed: bool = False
    """Whether there may be more patches, because a folder below `patches/` cannot be read."""
    links: tuple[str, ...] = ()
    """The links to folders below `patches/`; the tool does not follow them."""
    beside: tuple[str, ...] = ()
    """The patches in the current folder, if the tool uses those of another folder."""


class Theme(Struct, frozen=True):
    """A theme in the project, built by anybody, with the paths of its files."""

    component: Component
    files: frozenset[str]


class Occupant(Struct, frozen=True):
    """Anything in a folder of themes or modules, put there by anybody."""

    kind: Foreign
    component: Component | None = None
    """The component that its marker describes; `None` without a marker for a component of
    this folder.
    """
    file_count: int = 0


class ViewTargets(Protocol):
    """View what is on disk at the paths of components."""

    def __call__(self, paths: Sequence[str], /) -> dict[str, Target]: ...


class ListContents(Protocol):
    """List the files that building each component gives, with their digests.

    Errors: an archive turns out to be damaged when its contents are read.
    """

    def __call__(self, choices: Sequence[Choice], /) -> Sequence[BuildOutcome[Files]]: ...


class RecogniseInstalled(Protocol):
    """Recognise components on disk, given their files by the paths of the components."""

    def __call__(self, components: Mapping[str, Files], /) -> Mapping[str, Component | None]: ...


class FindNamed(Protocol):
    """Find the paths of files and folders with given names in some folders of the project.

    The names are in lower case and match any case on disk. Paths in `removed` do not count. With
    `is_deep`, the search includes the folders inside. Never fails: returns `None` if a folder
    cannot be read or is too large to search, so that anything may be in it.
    """

    def __call__(
        self,
        folders: Sequence[str],
        names: frozenset[str],
        removed: frozenset[str],
        is_deep: bool,
        /,
    ) -> Sequence[str] | None: ...


class ListScripts(Protocol):
    """List the files of a hook folder; `None` if it does not exist. Errors: it cannot be read."""

    def __call__(self, folder: PurePath, /) -> BuildOutcome[tuple[Script, ...] | None]: ...


class RecogniseThemes(Protocol):
    """Recognise the themes in some folders of the project, by the paths of the themes.

    Never fails: a folder that cannot be read counts as empty.
    """

    def __call__(self, folders: Sequence[str], /) -> Mapping[str, Theme]: ...


class ProjectReader(Struct, frozen=True):
    """The functions that read a project and its archives, and what is already known of both.

    Reading takes time, so each function takes all paths at once. A function may raise `Stop` if the
    disk refuses to read, unless its docstring says that it never fails.
    """

    project: PurePath
    view_targets: ViewTargets
    """View components on disk with their files."""
    view_occupancies: ViewTargets
    """View components on disk without their files, which is cheaper."""
    list_contents: ListContents
    recognise_installed: RecogniseInstalled
    find_named: FindNamed
    list_scripts: ListScripts
    texts: Contents
    """The contents of files; stages read them only for conflicts, patches and diffs."""
    recognise_themes: RecogniseThemes = lambda _: {}
    recognise_occupants: Callable[[Mapping[str, ComponentKind]], Mapping[str, Occupant]] = (
        lambda _: {}
    )
    """Recognise what lies at paths in the folders of themes and modules, given each path's kind.
    Never fails.
    """
    command: Command = Command()
    """What suggested command lines repeat."""
    patches: PatchFiles = PatchFiles()
    """The patch files of the project's components."""
    interrupted: frozenset[str] = frozenset()
    """The paths of the components that a killed run began to change."""
    list_kept: Callable[[], tuple[Archive, ...]] = tuple
    """List the archives that earlier builds kept."""
    ignores_case: Callable[[], bool] = lambda: False
    """Whether the disk ignores the case of names."""
    probe: FolderProbe = FolderProbe("", lambda _: False, lambda path: path)
    unused: tuple[WarningDiagnostic, ...] = ()
    """Warnings of files in the drop that the tool does not read."""

    @property
    def patches_apart(self) -> PurePath | None:
        """The folder that `patches/` is in; `None` if that is the project."""
        home = self.patches.home
        if home == self.project:
            return None
        return home


class PlanOptions(Struct, frozen=True, kw_only=True):
    """What a command asks of a plan."""

    prefer: Preference = Preference()
    merge: bool = False
    """Whether files that both sides changed are merged by lines; only the rest is a matter
    of preference.
    """
    frozen: bool = False
    """Whether the result has to be what the record says."""
    prune: bool = False
    """Whether recorded components that are no longer built are removed."""
    keep_going: bool = False
    """Whether the run skips refused archives and conflicts."""
    names: frozenset[str] | None = None
    """The paths of the components in scope; `None` for all components."""
    kept_patches: Mapping[str, str | None] = {}
    """For each component whose version the command line names, by path: the kept patch that the
    version was built with, as a path in the project; `None` without a patch.
    """
    hooks: tuple[HookFolder, ...] = ()
    hooks_forbidden_by: str = ""
    """The flag or variable that forbids hook scripts; empty if they may run."""

    @property
    def forces_named(self) -> bool:
        """Whether the named components are built in spite of objections: `--force` with names."""
        return self.prefer.whole == "theirs" and self.names is not None

    def names_version(self, path: str) -> bool:
        """Whether the command line names the version of a component."""
        return path in self.kept_patches


class Draft(Struct, frozen=True):
    """An unfinished plan, and what it is made from."""

    selection: Selection
    record: Record
    state: State
    reader: ProjectReader
    options: PlanOptions
    plan: Plan
    choices: tuple[Choice, ...] = ()
    """The archives that the run builds."""

    def with_plan(self, plan: Plan) -> Self:
        """The draft with this plan."""
        return replace(self, plan=plan)

    def with_warnings(self, *warnings: WarningDiagnostic) -> Self:
        """The draft with these warnings added."""
        return self.with_plan(replace(self.plan, warnings=(*self.plan.warnings, *warnings)))

    def skipping(self, steps: Collection[Step], *errors: Error) -> Self:
        """The draft in which these steps are skipped, with the errors that explain it."""
        paths = {step.path for step in steps}
        plan = self.plan
        without = replace(
            plan,
            steps=tuple(step for step in plan.steps if step.path not in paths),
            skipped=(*plan.skipped, *steps),
            refused=(*plan.refused, *errors),
        )
        return self.with_plan(without)

    def become(self, state: type[_State]) -> _State:
        """The draft in another state."""
        return state(*astuple(self))


class PickedDraft(Draft, frozen=True):
    """A draft with the archives that the run builds."""


class SourcedDraft(PickedDraft, frozen=True):
    """A draft that also has the patches of the components in scope."""


class ComparedDraft(SourcedDraft, frozen=True):
    """A draft that also has a step for each component in scope, with the outcome of each file."""


class MergedDraft(ComparedDraft, frozen=True):
    """A draft in which files are merged by lines, as far as that is asked and possible."""


class JudgedDraft(MergedDraft, frozen=True):
    """A draft without the steps that must not be done, and with the removals."""
