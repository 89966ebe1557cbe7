"""Events: what is reported on standard error, one struct per kind. `docs/reference/events.md`
lists the fields.
"""

from typing import Final, Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType

from pipeline.schema import Value

ComponentKind: TypeAlias = Literal["theme", "module"]
ArchiveKind: TypeAlias = Literal["theme", "module", "profile", "layout", "mu-plugin", "other"]
"""The content of an archive. Only themes and modules are built."""
Action: TypeAlias = Literal["add", "update", "keep", "remove"]
InDrop: TypeAlias = Literal[
    "same",
    "repacked",
    "other",
    "newer",
    "older",
    "changed",
    "new",
    "unselected",
    "gone",
    "ambiguous",
    "unknown",
]
BaseCertainty: TypeAlias = Literal["unknown", "behind"]
Foreign: TypeAlias = Literal["component", "folder", "file", "link"]
"""The kinds of entries in the folders of themes and modules that the tool did not build."""
HookStatus: TypeAlias = Literal["planned", "skipped", "ok", "failed"]
Becoming: TypeAlias = Literal["added", "removed", "changed"]
Incomparable: TypeAlias = Literal["binary", "large", "unkept"]
RunOutcome: TypeAlias = Literal["done", "planned", "unchanged", "stopped"]
LOG_VERSION: Final = 1
"""Within one version of the log, fields may be added, but never renamed or
removed (`docs/reference/events.md`).
"""


class StartEvent(Struct, frozen=True, tag="start", tag_field="event"):
    """The first line of a JSON log: the versions of the log and of the tool."""

    log: int
    tool: str


class Placed(Struct, frozen=True, kw_only=True):
    """An event with a place: the file, relative to the current folder, and line and column, counted
    from 1.
    """

    file: str | UnsetType = UNSET
    line: int | UnsetType = UNSET
    column: int | UnsetType = UNSET


class Overridden(Placed, frozen=True, omit_defaults=True):
    """A lower layer that sets the same setting; `extended` is true if a `"..."` keeps its list,
    otherwise absent.
    """

    layer: str
    source: str
    value: Value
    extended: bool = False


class ListElement(Placed, frozen=True):
    """One string of a list from several layers, and the layer that wrote it."""

    value: str
    layer: str
    source: str


class DecisionEvent(Placed, frozen=True, omit_defaults=True, tag="decision", tag_field="event"):
    """One setting: its value, the layer that set it, and the layers that it overrides, highest
    first.

    If a list has a `"..."`, `value` is the whole list, `written` the list as written, and
    `elements` has each string with its layer. `detected` lists detected presets, and `elements` the
    file or variable of each. Otherwise these three are absent.
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
    """The system that was found in a project without components, by the file `evidence`.

    `themes` and `modules` are the folders into which components are built.
    """

    system: str
    evidence: str
    themes: str
    modules: str


class UndoEvent(Struct, frozen=True, tag="undo", tag_field="event"):
    """The run that `tool undo` or `tool redo` reverses: when it began, and its command line."""

    time: str
    command: tuple[str, ...]


class ArchiveEvent(Struct, frozen=True, tag="archive", tag_field="event"):
    """One archive of the drop, or one member of a bundle; only a `theme` or a `module` is built.

    `kind` and `name` are null if it was refused before it was recognised. If `refused` is true, an
    error follows.
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

    `previous` and `version` are the versions before and after the run; `downgrade` is true if the
    new one is lower. `edited` and `added` count your files, which stay. `restored` counts missing
    files that an update restores, `merged` counts files with merged changes, and `patched` counts
    files that its patch changes. `changes` lists the files, relative to the component, that an
    update writes or removes, and `removed` counts the latter. `recorded` is true if only the record
    changes, because the system has updated the component by itself, or because that is undone.
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
    patched: int | UnsetType = UNSET
    changes: tuple[str, ...] | UnsetType = UNSET
    removed: int | UnsetType = UNSET
    recorded: bool | UnsetType = UNSET


class Obstacle(Struct, frozen=True):
    """A file or a link where a folder is needed; `path` is relative to the project."""

    path: str
    kind: Literal["file", "link"]


class StatusEvent(Struct, frozen=True, kw_only=True, tag="status", tag_field="event"):
    """One component that is built or selected; `path` is relative to the project, file paths to the
    component.

    The record has `version`; the files on disk were made from `archive`, with which the lists
    compare; the drop has the version `available`. `drop` compares the archives: `same`, `repacked`
    (other bytes, the same files), `newer`, `older`, `changed` (equal or incomparable versions),
    `other` (the files on disk were made from an archive that is not here), `new` (not in the
    record), `unselected`, `gone` (not in the drop) or `unknown` (a refused archive may have it).
    `mode` lists files whose executable bit changed.

    These are absent unless they apply: `missing` is true if a built component is not on disk;
    `obstacle` is what occupies its path; `conflicts` are the files at which the next run would
    stop; `installed` is the version on disk, if the tool did not build it; `base` is why the next
    run leaves that version as it is: `unknown` (it is not known what it was made from) or `behind`
    (the archive is older); `patched` are the files with the changes of the patch; `alike` is, for a
    component that is taken over, the number of files that equal its archive's; `changes` are the
    files that another archive or patch writes or removes, and `removed` is the number of removed
    files; `state` is `interrupted` if a run was interrupted while it changed the component, and
    then nothing is compared.

    With `--all`, `foreign` is the kind of anything else in the folders of themes and modules, which
    is not compared either: `component`, `folder` (without a marker), `file` or `link` (a broken
    link). `installed` and `system` come from its marker; `archive` is empty, unless the drop has an
    archive of it; `kept` are its versions in kept archives, or the beginnings of their digests.
    """

    kind: ComponentKind
    name: str
    path: str
    version: str | None
    archive: str
    drop: InDrop
    available: str | None = None
    edited: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    mode: tuple[str, ...] = ()
    alike: int | UnsetType = UNSET
    obstacle: Obstacle | UnsetType = UNSET
    missing: bool | UnsetType = UNSET
    conflicts: tuple[str, ...] | UnsetType = UNSET
    installed: str | UnsetType = UNSET
    base: BaseCertainty | UnsetType = UNSET
    changes: tuple[str, ...] | UnsetType = UNSET
    removed: int | UnsetType = UNSET
    patched: tuple[str, ...] | UnsetType = UNSET
    state: Literal["interrupted"] | UnsetType = UNSET
    foreign: Foreign | UnsetType = UNSET
    system: str | UnsetType = UNSET
    kept: tuple[str, ...] | UnsetType = UNSET


class DiffEvent(Struct, frozen=True, tag="diff", tag_field="event"):
    """One file that differs, in `tool diff`; `path` is relative to the project, `added` and
    `removed` count lines.

    If lines cannot be compared, `incomparable` says why: `binary`, `large` (more than 2 MiB) or
    `unkept` (the archive that the file was built from is not kept).
    """

    path: str
    change: Becoming
    added: int
    removed: int
    binary: bool
    incomparable: Incomparable | UnsetType = UNSET


class ForcedEvent(Struct, frozen=True, tag="forced", tag_field="event"):
    """One component with an unknown base, in `tool diff`: what `--force NAME` would do to its
    files.

    `replaces` and `moves` are files that would go to the backup: the archive has a different file,
    or none. `leaves` are files that would stay.
    """

    path: str
    replaces: tuple[str, ...]
    leaves: tuple[str, ...]
    moves: tuple[str, ...]


class HookEvent(Struct, frozen=True, tag="hook", tag_field="event"):
    """One hook script; `exit` and `seconds` are null if it did not run.

    If it is skipped, `reason` is the flag or variable that forbids it, such as `--no-hooks`.
    """

    stage: str
    script: str
    status: HookStatus
    exit: int | None = None
    seconds: float | None = None
    reason: str | UnsetType = UNSET


class ScriptsEvent(Struct, frozen=True, tag="scripts", tag_field="event"):
    """The hook scripts that will run, and are new or changed since the last run in this copy of the
    project.
    """

    new: tuple[str, ...]


class NextEvent(Struct, frozen=True, tag="next", tag_field="event"):
    """The steps that the system in the project still needs after the run; in a dry run, the steps
    to take before it.
    """

    system: str
    steps: tuple[str, ...]


class OutputEvent(Struct, frozen=True, tag="output", tag_field="event"):
    """One line that a script printed."""

    source: str
    stream: Literal["stdout", "stderr"]
    line: str


class WarningEvent(Placed, frozen=True, tag="warning", tag_field="event"):
    """A warning, which does not stop the run; `help` says what to do, or is null."""

    code: str
    message: str
    source: str | None
    help: str | None = None

    @property
    def identity(self) -> str:
        """A text that is equal for the same warning in another run."""
        return " ".join(filter(None, (self.code, self.source, self.message)))


class ErrorEvent(Placed, frozen=True, tag="error", tag_field="event"):
    """An error with its exit code; `help` says what to do, or is null."""

    error: str
    exit: int
    path: str | None
    message: str
    source: str | None
    help: str | None = None


class SummaryEvent(Struct, frozen=True, tag="summary", tag_field="event"):
    """The last line of a run, however it ended; `project` is an absolute path.

    `outcome` is `done`, `planned` (a dry run), `unchanged` (the run failed before it changed
    anything) or `stopped` (it failed later, or after it had finished a killed run). With
    `--keep-going`, `refused` counts refused archives, and `conflicts` components that were skipped.
    `not_built` counts components that an error leaves as they are while the others are built.
    `record` is true if the record changed, or would in a dry run. `drop` is the drop of an earlier
    run, if none was named. `rest` is the command line that builds the other components, if the run
    stopped and they can be built.
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
    not_built: int | UnsetType = UNSET
    drop: str | UnsetType = UNSET
    rest: str | UnsetType = UNSET
    record: bool = False


_OfPlan: TypeAlias = (
    StartEvent | DecisionEvent | SystemEvent | UndoEvent | ArchiveEvent | ComponentEvent
)
_OfFiles: TypeAlias = (
    StatusEvent | DiffEvent | ForcedEvent | ScriptsEvent | HookEvent | OutputEvent | NextEvent
)
Event: TypeAlias = _OfPlan | _OfFiles | WarningEvent | ErrorEvent | SummaryEvent
