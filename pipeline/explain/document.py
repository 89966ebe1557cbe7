"""Document: what `tool explain` says, as values. `docs/reference/events.md` lists the fields.

A document is printed as one JSON object, and `text` lays it out for people. Without a name it has the whole run:

    settings    one part for each leaf, in the order of the schema: the rows of a table
      layers    who sets the leaf, the winner first: the columns of that table; there may be several presets
    config      every path that was probed, where the walk ended, which presets were tried and why
    archives    one part for each archive of the drop and each member of a bundle
    plan        what a run would do; null unless the whole run is explained
    problems    what would stop the run, as the `error` events of the log

With a name it has the parts that the name stands for, and the others are empty or null. Every place is spelled as in
the log (`docs/output.md`): a flag, a variable, `file:line:column`, `preset:ci` or `built-in`. Nothing in a document
is absolute but `project`, and no variable but `CI` and those of the tool is in it.
"""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from pipeline.config.layers import LayerName
from pipeline.config.tree import Reading
from pipeline.report.events import ComponentEvent, ComponentKind, ErrorEvent, HookEvent, SummaryEvent
from pipeline.schema import Value

StepKind: TypeAlias = Literal["delete", "add", "omit", "pass", "unset", "set"]
"""What one does: delete a value from a file, add one to it, leave out a flag, pass one, unset or set a variable."""


class Step(Struct, frozen=True):
    """One thing to do to what a run starts from. `place` is where: `file:line:column`, a flag or a variable."""

    do: StepKind
    place: str
    path: str = ""
    """The key that is deleted or added to, as it is written in the file."""
    value: Value | None = None
    """What is deleted, added, passed or set; null for a whole leaf that is deleted, left out or unset."""


class SettingEffect(Struct, frozen=True):
    """The value that a setting would have, who would set it, and where."""

    path: str
    value: Value
    layer: LayerName
    source: str


class ArchiveEffect(Struct, frozen=True):
    """Whether an archive would be built that is not, or the other way round."""

    archive: str
    selected: bool


class Change(Struct, frozen=True):
    """What could be done, and everything that would come of it. It was tried, by resolving once more in memory."""

    steps: tuple[Step, ...]
    """All of them are needed."""
    settings: tuple[SettingEffect, ...]
    """Every leaf whose effective value would differ; that of the part first."""
    archives: tuple[ArchiveEffect, ...] = ()
    """Every archive that would be selected or left out instead; that of the part first. Empty for a setting."""


class ElementRow(Struct, frozen=True):
    """One element of a list, and who wrote it."""

    value: str
    layer: LayerName
    source: str
    change: Change | None = None
    """What would take it out; null if nothing that was tried does."""


class LayerValue(Struct, frozen=True):
    """What one layer says about a setting, as written; `because` is why it lost, or empty if it did not."""

    layer: LayerName
    source: str
    value: Value
    wins: bool
    extended: bool = False
    """Whether the winner keeps its list, by the element `"..."`."""
    because: str = ""
    change: Change | None = None
    """What would let this layer decide; null for the winner, if nothing that was tried does, or if nothing changes."""


class SettingPart(Struct, frozen=True, kw_only=True, tag="setting", tag_field="part"):
    """One setting: the value that holds, and every layer that sets it, the winner first.

    The value is as written, with what each `"..."` in a list stands for in its place.
    """

    path: str
    value: Value
    meaning: str
    flag: str
    variable: str
    layers: tuple[LayerValue, ...]
    elements: tuple[ElementRow, ...] = ()
    """Of a list that is not empty: each element of the value, in order; of `presets` also those that were detected."""
    detected: tuple[str, ...] = ()
    """Of `presets`: those that were detected."""
    changes: tuple[Change, ...] = ()
    """What would give the leaf another value that no layer has."""


class ProbeRow(Struct, frozen=True):
    """A path that was looked at, and what was there."""

    file: str
    verdict: str


class PresetRow(Struct, frozen=True):
    """A preset that applies: its file or `preset:ci`, and what chose it (a place, `the variable CI`, a file name)."""

    name: str
    file: str
    chosen_by: str
    detected: bool


class ConfigPart(Struct, frozen=True, kw_only=True, tag="config", tag_field="part"):
    """Which file is the configuration, and how it was found; presets in the order in which they apply, lowest first."""

    file: str | None
    probes: tuple[ProbeRow, ...]
    ended_at: str
    """The folder where the search ended, relative to the current one; empty if there was no search."""
    ended_because: str
    shadowed: tuple[str, ...] = ()
    presets: tuple[PresetRow, ...] = ()
    preset_probes: tuple[ProbeRow, ...] = ()
    """What was looked at to detect presets, also the variable `CI`, and to find those that are listed by name."""
    readings: Mapping[str, Reading] = {}
    """How each of these files was read that is a script."""


class PatternRow(Struct, frozen=True):
    """A pattern that matches an archive, or a list of `modules.only` that does not, and what it says."""

    leaf: str
    pattern: str
    """Empty for a list that has no pattern that matches."""
    layer: LayerName
    source: str
    says: Literal["in", "out"]
    decides: bool


class ArchivePart(Struct, frozen=True, kw_only=True, tag="archive", tag_field="part"):
    """One archive: what it was recognised by, whether it is built and why, and what would turn that round.

    `field` is what in the marker identified it; `rule` names the rule of `docs/selection.md` that decides.
    """

    archive: str
    kind: ComponentKind
    name: str
    version: str | None = None
    system: str | None = None
    opened: bool = True
    """Whether it was looked into: not if a pattern leaves it out by its file name."""
    evidence: str | None = None
    field: str | None = None
    selected: bool
    rule: str
    reason: str
    patterns: tuple[PatternRow, ...] = ()
    """Every pattern that speaks about it, the one that decides first."""
    parent: str | None = None
    requires: tuple[str, ...] = ()
    needed_by: tuple[str, ...] = ()
    """The components of the drop that need it or build on it."""
    refusals: tuple[str, ...] = ()
    change: Change | None = None
    """The smallest change that would build it, or leave it out; null if nothing that was tried does."""


class ErrorPart(Struct, frozen=True, kw_only=True, tag="error", tag_field="part"):
    """What an error means, why it exists and what to do, in one paragraph of plain text."""

    error: str
    exit: int
    paragraph: str


class WarningPart(Struct, frozen=True, kw_only=True, tag="warning", tag_field="part"):
    """What a warning means and what to do, in one paragraph of plain text; `code` is that of its events."""

    code: str
    paragraph: str


class ExitPart(Struct, frozen=True, kw_only=True, tag="exit", tag_field="part"):
    """What an exit code says, in one sentence of plain text."""

    exit: int
    meaning: str


class PlanPart(Struct, frozen=True, kw_only=True, tag="plan", tag_field="part"):
    """What a run would do, as the events of a dry run."""

    components: tuple[ComponentEvent, ...]
    hooks: tuple[HookEvent, ...]
    summary: SummaryEvent


class Explanation(Struct, frozen=True, kw_only=True, tag="explanation", tag_field="event"):
    """What `tool explain --log-format=json` prints on standard output, as one document.

    `explanation` is the version of its shape: within one version fields are added, never renamed or removed.
    """

    explanation: int = 1
    tool: str
    name: str | None = None
    """What was asked for; null for the whole run."""
    drop: str | None = None
    """As the user wrote it; null if the drop was not looked at."""
    settings: tuple[SettingPart, ...] = ()
    config: ConfigPart | None = None
    archives: tuple[ArchivePart, ...] = ()
    exit: ExitPart | None = None
    errors: tuple[ErrorPart, ...] = ()
    """The error that is asked about, or all those with the exit code."""
    warnings: tuple[WarningPart, ...] = ()
    plan: PlanPart | None = None
    problems: tuple[ErrorEvent, ...] = ()
