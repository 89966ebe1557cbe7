"""Events: what is reported on standard error, one struct per kind. `docs/output.md` lists the fields."""

from typing import Final, Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType

from pipeline.schema import Value

ComponentKind: TypeAlias = Literal["theme", "module"]
ArchiveKind: TypeAlias = Literal["theme", "module", "profile", "layout", "mu-plugin", "other"]
"""What an archive may hold. Only themes and modules are built."""
Action: TypeAlias = Literal["add", "update", "keep", "remove"]
InDrop: TypeAlias = Literal[
    "same", "repacked", "adopted", "newer", "older", "changed", "new", "unselected", "gone", "unknown"
]
HookStatus: TypeAlias = Literal["planned", "skipped", "ok", "failed"]
Becoming: TypeAlias = Literal["added", "removed", "changed"]
Incomparable: TypeAlias = Literal["binary", "large", "unkept"]
RunOutcome: TypeAlias = Literal["done", "planned", "unchanged", "stopped"]
LOG_VERSION: Final = 1
"""Within one version of the log, fields are added, never renamed or removed (`docs/output.md`)."""


class StartEvent(Struct, frozen=True, tag="start", tag_field="event"):
    """The first line of a JSON log: the version of the log, and that of the tool."""

    log: int
    tool: str


class Overridden(Struct, frozen=True, omit_defaults=True):
    """A layer that set it as well and did not win; `extended` is there, and true, if a `"..."` keeps its list."""

    layer: str
    source: str
    value: Value
    extended: bool = False


class ListElement(Struct, frozen=True):
    """One string of a list that layers wrote together: who wrote it, and where."""

    value: str
    layer: str
    source: str


class DecisionEvent(Struct, frozen=True, omit_defaults=True, tag="decision", tag_field="event"):
    """One setting: its value, who set it and where, and what was overridden, highest first.

    If a list had a `"..."`, `value` has in its place what that stands for, `written` is the list as written, and
    `elements` has the assignment of each string. `detected` are the presets that were detected, and `elements` says by
    which file or variable. Otherwise these three are absent.
    """

    path: str
    value: Value
    layer: str
    source: str
    overridden: tuple[Overridden, ...]
    written: tuple[str, ...] = ()
    elements: tuple[ListElement, ...] = ()
    detected: tuple[str, ...] = ()


class SystemEvent(Struct, frozen=True, tag="system", tag_field="event"):
    """The system that lives in a project in which nothing is built yet, and the file that shows it.

    `themes` and `modules` are the folders of the project that components go into.
    """

    system: str
    evidence: str
    themes: str
    modules: str


class ArchiveEvent(Struct, frozen=True, tag="archive", tag_field="event"):
    """One archive of the drop: what it is, and whether it is built.

    `kind` and `name` are null if it was refused before it was recognised. Only a `theme` or a `module` is ever built.
    `refused` says whether an error is reported for it.
    """

    archive: str
    kind: ArchiveKind | None
    name: str | None
    version: str | None
    selected: bool
    reason: str
    evidence: str | None
    refused: bool = False


class ComponentEvent(Struct, frozen=True, tag="component", tag_field="event"):
    """One component of the plan; `path` is relative to the project, `archive` to the drop.

    `version` and `previous` are what is there after the run and before it. `edited` and `added` count files of the user
    that stay; `restored`, which is there if there are any, those that were missing and are put back by an update, and
    `merged` likewise those in which the changes of both sides were put together. `changes`, of an update, are the paths
    in the component of the files that are others after the run, or gone.
    `downgrade` says whether a version is replaced by a lower one.
    """

    kind: ComponentKind
    name: str
    action: Action
    path: str
    files: int
    version: str | None = None
    previous: str | None = None
    archive: str = ""
    edited: int = 0
    added: int = 0
    downgrade: bool = False
    restored: int | UnsetType = UNSET
    merged: int | UnsetType = UNSET
    changes: tuple[str, ...] | UnsetType = UNSET


class Obstacle(Struct, frozen=True):
    """A file or a link where a folder is needed; `path` is relative to the project."""

    path: str
    kind: Literal["file", "link"]


class StatusEvent(Struct, frozen=True, kw_only=True, tag="status", tag_field="event"):
    """One component that is built or selected, and what differs; `path` is relative to the project.

    `version` and `archive` are those that it was built from, `available` is the version in the drop. `drop` says how
    the archive in the drop stands to it: `same`, `repacked` (the same content), `adopted` (taken over, against it),
    `newer`, `older` or `changed` (versions that are equal or cannot be compared), `new` (not built yet), `unselected`,
    `gone` (not in the drop) or `unknown` (a refused archive may hold it).
    The lists have paths in the component; `mode` are those whose executable bit changed.
    `obstacle` is there if something else is in the component's place, or on the way there; then nothing is compared.
    `missing` is there, and true, if nothing is in the place of a component that was built. `conflicts` is there if the
    next run would stop at the component: it has the paths that both somebody and the archive changed. `installed` is
    there if another version than the one that was built, or else than the archive's, is in its place. `declined` is
    there if files of an archive were declined with `--mine`: it has the version of each. `alike` is there if the
    component is here and was never built: it counts the files that are as in the archive, and the lists compare with
    that.
    """

    kind: ComponentKind
    name: str
    path: str
    version: str | None
    archive: str
    drop: InDrop
    available: str | None
    edited: tuple[str, ...]
    added: tuple[str, ...]
    deleted: tuple[str, ...]
    mode: tuple[str, ...]
    alike: int | UnsetType = UNSET
    obstacle: Obstacle | UnsetType = UNSET
    missing: bool | UnsetType = UNSET
    conflicts: tuple[str, ...] | UnsetType = UNSET
    installed: str | UnsetType = UNSET
    declined: dict[str, str] | UnsetType = UNSET


class DiffEvent(Struct, frozen=True, tag="diff", tag_field="event"):
    """One file that differs, as `tool diff` compares it; `path` is relative to the project.

    `added` and `removed` count lines. `incomparable` is there if there is no diff of lines: `binary`, `large` (more
    than 2 MiB), or `unkept` (the archive that the file was built from is not kept).
    """

    path: str
    change: Becoming
    added: int
    removed: int
    binary: bool
    incomparable: Incomparable | UnsetType = UNSET


class HookEvent(Struct, frozen=True, tag="hook", tag_field="event"):
    """One hook script; `exit` and `seconds` are null for one that did not run.

    `reason` is there for one that is skipped: the flag or variable that forbids it, as `--no-hooks`.
    """

    stage: str
    script: str
    status: HookStatus
    exit: int | None = None
    seconds: float | None = None
    reason: str | UnsetType = UNSET


class OutputEvent(Struct, frozen=True, tag="output", tag_field="event"):
    """One line that a script printed."""

    source: str
    stream: Literal["stdout", "stderr"]
    line: str


class WarningEvent(Struct, frozen=True, tag="warning", tag_field="event"):
    """Something that does not stop the run; `help` says what to do, if anything has to be done."""

    code: str
    message: str
    source: str | None
    help: str | None = None

    @property
    def identity(self) -> str:
        """What is the same for the same warning in another run."""
        return " ".join(filter(None, (self.code, self.source, self.message)))


class ErrorEvent(Struct, frozen=True, tag="error", tag_field="event"):
    """One problem; `exit` is the exit code that it calls for, `help` says what to do."""

    error: str
    exit: int
    path: str | None
    message: str
    source: str | None
    help: str | None = None


class SummaryEvent(Struct, frozen=True, tag="summary", tag_field="event"):
    """The last line of a run, however it ended; `project` is an absolute path.

    `outcome` is `done`, `planned` (nothing was to be written), `unchanged` (the run ended before it changed a
    component) or `stopped` (it ended after that, but before everything was done). With `--keep-going`, `refused` counts
    the refused archives, and `conflicts` the components that were passed over because of one. `drop` is there if
    nobody named the drop, and it is that of an earlier run. `rest` is there if the run stopped although something can
    be built: the command line that builds it. `themes` are those that it could name, if the drop has several.
    """

    project: str
    outcome: RunOutcome
    added: int
    updated: int
    kept: int
    removed: int
    refused: int
    seconds: float
    conflicts: int = 0
    drop: str | UnsetType = UNSET
    rest: str | UnsetType = UNSET
    themes: tuple[str, ...] | UnsetType = UNSET


Event: TypeAlias = (
    StartEvent
    | DecisionEvent
    | SystemEvent
    | ArchiveEvent
    | ComponentEvent
    | StatusEvent
    | DiffEvent
    | HookEvent
    | OutputEvent
    | WarningEvent
    | ErrorEvent
    | SummaryEvent
)
