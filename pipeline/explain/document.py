"""Document: what `tool explain` reports, as values (`docs/configuration.md`).

A document is printed as one JSON object, and `text` lays it out for people. It has the parts that the name stands for,
and the others are empty or null. Every location is formatted as in the log (`docs/reference/events.md`): a flag, a
variable, `file:line:column`, `preset:ci` or `built-in`. No variable but `CI` and those of the tool is in it.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

from pipeline import __version__
from pipeline.config.layers import LayerName
from pipeline.locate import EndReason, Probe
from pipeline.report.events import ArchiveKind, ErrorEvent, ListElement, WarningEvent
from pipeline.schema import Value

FileOnDisk: TypeAlias = Literal["built", "edited", "added", "deleted", "mode", "unrecorded", "absent"]
NextRun: TypeAlias = Literal["stays", "added", "changed", "removed", "stops"]


class LayerValue(Struct, frozen=True):
    """The value that one layer assigns to a setting, as written; `because` is what overrides it, or empty.

    `extended` says whether the winner keeps its list, by the element `"..."`.
    """

    layer: LayerName
    source: str
    value: Value
    wins: bool
    extended: bool = False
    because: str = ""


class SettingPart(Struct, frozen=True, kw_only=True, tag="setting", tag_field="part"):
    """One setting: its value, and every layer that assigns one, the winner first.

    The value is as written, with what each `"..."` in a list stands for in its place. `elements` are those of a list in
    order, also the presets that were `detected`. `advice` says how to change the value.
    """

    path: str
    value: Value
    meaning: str
    flag: str
    variable: str
    layers: tuple[LayerValue, ...]
    elements: tuple[ListElement, ...] = ()
    detected: tuple[str, ...] = ()
    advice: str


class PresetRow(Struct, frozen=True):
    """A preset that applies: its file or `preset:ci`, and what chose it (a place, `the variable CI`, a file name)."""

    name: str
    file: str
    chosen_by: str
    detected: bool


class ConfigPart(Struct, frozen=True, kw_only=True, tag="config", tag_field="part"):
    """Which file is the configuration, and how it was found; presets in the order in which they apply, lowest first.

    `ended_at` is the folder where the search ended, empty if there was none. `preset_probes` are what was looked at to
    detect presets, also the variable `CI`, and to find those that are listed by name.
    """

    file: str | None
    probes: tuple[Probe, ...]
    ended_at: str
    ended_because: EndReason
    shadowed: tuple[str, ...] = ()
    presets: tuple[PresetRow, ...] = ()
    preset_probes: tuple[Probe, ...] = ()


class PatternRow(Struct, frozen=True):
    """A pattern that matches an archive, or a list of `modules.only` that does not, then empty; and what it says."""

    leaf: str
    pattern: str
    layer: LayerName
    source: str
    says: Literal["in", "out"]
    decides: bool


class ArchivePart(Struct, frozen=True, kw_only=True, tag="archive", tag_field="part"):
    """One archive: what it was recognised by, whether it is built, why, and how to change that (`advice`).

    `opened` is false if a pattern leaves it out by its file name; `field` is what in the marker identified it;
    `named_by`, `guessed` and `version_by` are as in an `inspection`; `built` says whether the project has it, from this
    archive; `rule` names the rule of `docs/archives.md` that decides. The pattern that decides
    is the first of `patterns`; `needed_by` are components of the drop.
    """

    archive: str
    kind: ArchiveKind
    name: str
    named_by: str | None = None
    guessed: bool = False
    version: str | None = None
    version_by: str | None = None
    system: str | None = None
    opened: bool = True
    evidence: str | None = None
    field: str | None = None
    selected: bool
    built: bool = False
    rule: str
    reason: str
    patterns: tuple[PatternRow, ...] = ()
    parent: str | None = None
    requires: tuple[str, ...] = ()
    needed_by: tuple[str, ...] = ()
    refusals: tuple[str, ...] = ()
    advice: str


class FilePart(Struct, frozen=True, kw_only=True, tag="file", tag_field="part"):
    """A file of the project, and what the next run does with it; paths are relative to the project.

    `archive` and `version` are what its component was built from; `state` is how it differs from that: not at all
    (`built`), by the executable bit alone (`mode`), it is `absent` here as there, or no run built it (`unrecorded`).
    `next_archive` and `next_version` are what the next run builds, null if it builds nothing, as where it `stops`.
    `advice` says how to change that.
    """

    path: str
    component: str
    archive: str | None
    version: str | None
    state: FileOnDisk
    next_run: NextRun
    next_archive: str | None
    next_version: str | None
    advice: str


class Meaning(Struct, frozen=True):
    """One meaning of an error or a warning, as a paragraph of plain text, and an example; null if there is none."""

    paragraph: str
    example: ErrorEvent | WarningEvent | None = None


class ErrorPart(Struct, frozen=True, kw_only=True, tag="error", tag_field="part"):
    """What an error means: a paragraph and an example for each diagnostic that is reported by this name."""

    error: str
    exit: int
    meanings: tuple[Meaning, ...]


class WarningPart(Struct, frozen=True, kw_only=True, tag="warning", tag_field="part"):
    """What a warning means, with an example; `code` is that of its events."""

    code: str
    meanings: tuple[Meaning, ...]


class ExitPart(Struct, frozen=True, kw_only=True, tag="exit", tag_field="part"):
    """What an exit code says, in one sentence of plain text."""

    exit: int
    meaning: str


class Explanation(Struct, frozen=True, kw_only=True, tag="explanation", tag_field="event"):
    """What `tool explain --log-format=json` prints on standard output, as one document.

    `explanation` is the version of its shape: within one version fields are added, never renamed or removed. `drop` is
    null if it was not looked at; `problems` are the errors that would stop a run, as in its log.
    """

    explanation: int = 1
    tool: str = __version__
    name: str
    drop: str | None = None
    settings: tuple[SettingPart, ...] = ()
    config: ConfigPart | None = None
    archives: tuple[ArchivePart, ...] = ()
    files: tuple[FilePart, ...] = ()
    exit: ExitPart | None = None
    errors: tuple[ErrorPart, ...] = ()
    warnings: tuple[WarningPart, ...] = ()
    problems: tuple[ErrorEvent, ...] = ()
