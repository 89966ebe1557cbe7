"""Text: an explanation as lines for people, fitted to the width of a screen (`docs/explain.md`)."""

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from msgspec.structs import replace
from toolz import concat, groupby, interpose

from pipeline.archives.naming import name_told, version_told
from pipeline.config.presets import CI
from pipeline.config.tree import READING_CLAUSES
from pipeline.explain.advice import Change
from pipeline.explain.document import (
    ArchivePart,
    ConfigPart,
    ErrorPart,
    Explanation,
    FilePart,
    LayerValue,
    NextRun,
    PatternRow,
    SettingPart,
    WarningPart,
)
from pipeline.locate import EndReason, Probe
from pipeline.report.layout import Row, Screen, Tone, paragraph, table
from pipeline.report.tables import ALIKE
from pipeline.report.text import in_text
from pipeline.report.values import value_text, word
from pipeline.report.wording import counted

_Block: TypeAlias = Sequence[str]
"""Lines that no empty line divides."""
_IN: Final = "  "
_ENDS: Final[Mapping[EndReason, str]] = {
    "named": "It is named by `--config`, so nothing was searched.",
    "match": "The search ended in `{}`, with the first configuration that was found.",
    "git": "The search ended in `{}`, which has a `.git`.",
    "root": "The search ended in `{}`, the root of the file system.",
}
_NEXT_RUNS: Final[Mapping[NextRun, str]] = {
    "stays": "leaves it as it is",
    "added": "puts it there, from {}",
    "changed": "changes it, to that of {}",
    "removed": "removes it, as it is not in {}",
    "stops": "would stop",
}
_FATES: Final = ("built", "selected", "left out", "refused")


def lines(document: Explanation, screen: Screen) -> tuple[str, ...]:
    """The lines of a document, with an empty line between its blocks."""
    blocks = (
        *concat(_setting(part, screen) for part in document.settings),
        *(_config(document.config, screen) if document.config else ()),
        *_archives(document, screen),
        *concat(_file(part, screen) for part in document.files),
        *((paragraph(f"Exit code {part.exit}: {part.meaning}", screen),) if (part := document.exit) else ()),
        *concat(_told(f"{part.error}: exit code {part.exit}", part, screen) for part in document.errors),
        *concat(_told(f"{part.code}: a warning", part, screen) for part in document.warnings),
        *(paragraph(f"A run would stop: {each.error}: {each.message}", screen) for each in document.problems),
    )
    return tuple(concat(interpose(("",), filter(None, blocks))))


def _setting(part: SettingPart, screen: Screen) -> Iterator[_Block]:
    yield (*paragraph(f"{part.path} is {value_text(part.value)}", screen), *_below(part.meaning, screen))
    yield _rows("", map(_layer_row, part.layers), screen)
    by = {("default", value): "detected" for value in part.detected}
    rows = (
        Row((word(each.value), by.get((each.layer, each.value), each.layer), each.source)) for each in part.elements
    )
    yield _rows("Its elements:", rows, screen)
    yield _changes(_goals(part), screen)
    names = f"`{part.flag}`, `{part.variable}` and the key `{part.path}` of a configuration set it"
    yield paragraph(f"{names}, in this order of precedence.", screen)


def _layer_row(layer: LayerValue) -> Row:
    tone: Tone = "added" if layer.wins else "" if layer.extended else "skipped"
    state = "holds" if layer.wins else "kept by `...`" if layer.extended else f"lost: {layer.because}"
    return Row((layer.layer, layer.source, value_text(layer.value), state), tone)


def _goals(part: SettingPart) -> Iterator[tuple[str, Change]]:
    """What could be reached for a setting, and by which change: for each layer, each element, and other values."""
    for layer in part.layers:
        if layer.change:
            by = "the default" if layer.layer == "default" else f"as {layer.source} says"
            yield f"{_reached(layer.change)}, {by}", layer.change
    for element in part.elements:
        if element.change:
            yield f"without {word(element.value)}", element.change
    for change in part.changes:
        yield _reached(change), change


def _reached(change: Change) -> str:
    return value_text(change.settings[0].value)


def _changes(goals: Iterable[tuple[str, Change]], screen: Screen) -> _Block:
    """What would change it: each goal, and below it what to do and what else would come of it."""
    told = tuple(concat((*_below(f"{goal}:", screen), *_below(str(change), screen, 2)) for goal, change in goals))
    return ("What would change it:", *told) if told else ()


def _config(part: ConfigPart, screen: Screen) -> Iterator[_Block]:
    def read(file: str) -> str:
        """How a file was read that is a script."""
        return READING_CLAUSES[part.readings.get(file)]

    file = part.file
    found = f"The configuration is {file}{read(file)}." if file else "There is no configuration: the defaults hold."
    yield paragraph(found, screen)
    looked_at = _rows("", (_probe(each, "the configuration") for each in part.probes), screen)
    yield (*looked_at, *paragraph(_ENDS[part.ended_because].format(part.ended_at), screen))
    chosen = (f"{'detected by' if each.detected else 'listed at'} {each.chosen_by}" for each in part.presets)
    presets = [Row((each.name, each.file, by + read(each.file))) for each, by in zip(part.presets, chosen, strict=True)]
    yield _rows("Presets, the later over the earlier:", presets, screen) or ("Presets: none apply.",)
    yield _rows("Looked at for presets:", (_probe(each, "found") for each in part.preset_probes), screen)


def _probe(probe: Probe, taken: str) -> Row:
    """What was looked at, and what was there."""
    name, missing = (f"the variable {CI}", "neither `true` nor `1`") if probe.file == CI else (probe.file, "missing")
    verdicts = {"taken": taken, "shadowed": "not read: another comes first", "missing": missing}
    return Row((name, verdicts.get(probe.verdict, probe.verdict)))


def _archives(document: Explanation, screen: Screen) -> Iterator[_Block]:
    """Archives one by one; of many, those that share a fate and a reason together."""
    parts = document.archives
    if len(parts) <= ALIKE:
        yield from concat(_archive(part, screen) for part in parts)
        return
    groups = groupby(lambda part: (_fate(part), "archive" if part.refusals else part.kind, _why(part)), parts)
    for (fate, kind, why), group in sorted(groups.items(), key=lambda each: _FATES.index(each[0][0])):
        is_one = len(group) == 1
        reason = why if is_one else re.sub(r"\bit( out)?$", r"them\1", why.replace("matches", "match", 1))
        names = (
            part.archive if part.refusals or part.rule in {"older", "same content"} else part.name for part in group
        )
        yield (*paragraph(f"{counted(len(group), kind)} {fate}: {reason}", screen), *_below(", ".join(names), screen))
    drop = f" {shlex.quote(document.drop)}" if document.drop else ""
    yield paragraph(f"`tool explain NAME{drop}` says of one of them what would change it.", screen)


def _fate(part: ArchivePart) -> str:
    is_refused = part.refusals and (part.selected or part.rule == "refused")  # else it does not stop the run
    built, selected, left_out, refused = _FATES
    return refused if is_refused else left_out if not part.selected else built if part.built else selected


def _why(part: ArchivePart) -> str:
    """Why an archive has its fate: of a refused one, what is wrong with it."""
    return part.refusals[0] if _fate(part) == "refused" else part.reason


def _archive(part: ArchivePart, screen: Screen) -> Iterator[_Block]:
    what = "" if part.rule == "refused" else " ".join(filter(None, (part.kind, part.name, part.version))) + ", "
    yield paragraph(f"{part.archive}: {what}{_fate(part)}", screen)
    yield _rows("", (Row((about, text)) for about, text in _facts(part) if text), screen)
    changes = sorted(filter(None, (part.change, part.alternative)), key=lambda change: change.steps[0].is_for_good)
    goal = "leave it out" if part.selected else "build it"
    goals = ((f"{goal}, for {'good' if each.steps[0].is_for_good else 'this run'}", each) for each in changes)
    yield _changes(goals, screen)


def _file(part: FilePart, screen: Screen) -> Iterator[_Block]:
    yield paragraph(f"{part.path}: a file of {part.component}, {part.state}", screen)
    built = " ".join(filter(None, (part.archive, part.version))) if part.state != "added" else ""
    builds = " ".join(filter(None, (part.next_archive, part.next_version)))
    fate = _NEXT_RUNS[part.next_run].format(builds)
    if part.next_run == "stays" and not builds:
        fate += ": nothing of its component is built"
    yield _rows("", (Row(row) for row in (("built from", built), ("next run", fate)) if row[1]), screen)


def _facts(part: ArchivePart) -> Iterator[tuple[str, str | None]]:
    """What there is to say about an archive, each fact after what it is about."""
    if part.rule != "refused":  # else nobody knows what it is
        yield "because", part.reason
        yield "recognised by", _evidence(part)
    yield "named by", name_told(part.named_by, is_guessed=part.guessed)
    yield "version", version_told(part.version, part.version_by) if part.version_by else None
    yield "system", part.system
    yield "builds on", part.parent
    yield "needs", ", ".join(part.requires)
    yield "needed by", ", ".join(part.needed_by)
    yield from (("refused", refusal) for refusal in part.refusals)
    yield from (("pattern", _pattern(pattern)) for pattern in part.patterns)


def _evidence(part: ArchivePart) -> str:
    if not part.opened:
        return "its file name; it was not opened"
    if not part.evidence:
        return "no marker: it goes by its name and place"
    return f"{part.evidence} ({part.field})" if part.field else part.evidence


def _pattern(pattern: PatternRow) -> str:
    what = f"{word(pattern.pattern)} of {pattern.leaf}" if pattern.pattern else f"no pattern of {pattern.leaf}"
    return f"{what} ({pattern.source}) says {pattern.says}" + (", and decides" if pattern.decides else "")


def _told(title: str, part: ErrorPart | WarningPart, screen: Screen) -> Iterator[_Block]:
    """What an error or a warning means, and what is said of it."""
    yield (title,)
    yield paragraph(part.paragraph, screen, hanging=0)
    if part.examples:
        yield ("For example:",)
        yield tuple(in_text(part.examples, screen))


def _rows(title: str, rows: Iterable[Row], screen: Screen) -> _Block:
    """Rows below a title, if there is one; nothing without rows."""
    told = table(every, _narrower(screen, 1)) if (every := tuple(rows)) else ()
    return (*([title] if title and told else ()), *(f"{_IN}{line}" for line in told))


def _below(text: str, screen: Screen, level: int = 1) -> _Block:
    """A text that belongs to what is above it."""
    return tuple(f"{_IN * level}{line}" for line in paragraph(text, _narrower(screen, level)))


def _narrower(screen: Screen, levels: int) -> Screen:
    return replace(screen, columns=max(screen.columns - len(_IN) * levels, 0))
