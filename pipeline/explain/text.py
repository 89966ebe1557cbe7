"""Text: an explanation as lines for people, fitted to the width of a screen (`docs/configuration.md`)."""

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from msgspec.structs import replace
from toolz import concat, groupby, interpose

from pipeline.archives.naming import name_text, version_text
from pipeline.config.presets import CI
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
from pipeline.report.events import Event
from pipeline.report.layout import Row, Screen, Tone, paragraph, table
from pipeline.report.tables import ALIKE
from pipeline.report.text import in_text
from pipeline.report.values import value_text, word
from pipeline.report.wording import counted

_Block: TypeAlias = Sequence[str]
"""Lines without an empty line between them."""
_IN: Final = "  "
_ENDS: Final[Mapping[EndReason, str]] = {
    "named": "It is named by `--config`, so nothing was searched.",
    "match": "The search ended in `{}`, with the first configuration that was found.",
    "git": "The search ended in `{}`, which has a `.git`.",
    "root": "The search ended in `{}`, the root of the file system.",
}
_NEXT_RUNS: Final[Mapping[NextRun, str]] = {
    "stays": "keeps it as it is",
    "added": "adds it from {}",
    "changed": "changes it to the file of {}",
    "removed": "removes it: {} does not have it",
    "stops": "would stop",
}
_OUTCOMES: Final = ("built", "selected", "left out", "refused")


def lines(document: Explanation, screen: Screen) -> tuple[str, ...]:
    """The lines of a document, with an empty line between its blocks."""
    blocks = (
        *concat(_setting(part, screen) for part in document.settings),
        *(_config(document.config, screen) if document.config else ()),
        *_archives(document, screen),
        *concat(_file(part, screen) for part in document.files),
        *((paragraph(f"Exit code {part.exit}: {part.meaning}", screen),) if (part := document.exit) else ()),
        *concat(_meanings(f"{part.error}: exit code {part.exit}", part, screen) for part in document.errors),
        *concat(_meanings(f"{part.code}: a warning", part, screen) for part in document.warnings),
        *(("A run would stop:", *_example(each, screen)) for each in document.problems),
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
    yield _advice(part.advice, screen)


def _layer_row(layer: LayerValue) -> Row:
    tone: Tone = "added" if layer.wins else "" if layer.extended else "skipped"
    state = "used" if layer.wins else "kept by `...`" if layer.extended else layer.because
    return Row((layer.layer, layer.source, value_text(layer.value), state), tone)


def _advice(text: str, screen: Screen) -> _Block:
    return paragraph(f"To change it: {text}.", screen)


def _config(part: ConfigPart, screen: Screen) -> Iterator[_Block]:
    file = part.file
    found = f"The configuration file is {file}." if file else "No configuration file: defaults are used."
    yield paragraph(found, screen)
    probed = _rows("", (_probe(each, "used") for each in part.probes), screen)
    yield (*probed, *paragraph(_ENDS[part.ended_because].format(part.ended_at), screen))
    chosen = (f"{'detected by' if each.detected else 'listed at'} {each.chosen_by}" for each in part.presets)
    presets = [Row((each.name, each.file, by)) for each, by in zip(part.presets, chosen, strict=True)]
    yield _rows("Presets, lowest first:", presets, screen) or ("No preset is used.",)
    yield _rows("Searched for presets:", (_probe(each, "found") for each in part.preset_probes), screen)


def _probe(probe: Probe, taken: str) -> Row:
    """What was searched, and what was found."""
    name, missing = (f"the variable {CI}", "neither `true` nor `1`") if probe.file == CI else (probe.file, "missing")
    verdicts = {"taken": taken, "shadowed": "not read: an earlier one is used", "missing": missing}
    return Row((name, verdicts.get(probe.verdict, probe.verdict)))


def _archives(document: Explanation, screen: Screen) -> Iterator[_Block]:
    """Archives one by one; of many, those with the same outcome and reason together."""
    parts = document.archives
    if len(parts) <= ALIKE:
        yield from concat(_archive(part, screen) for part in parts)
        return
    groups = groupby(lambda part: (_outcome(part), "archive" if part.refusals else part.kind, _why(part)), parts)
    for (outcome, kind, why), group in sorted(groups.items(), key=lambda each: _OUTCOMES.index(each[0][0])):
        is_one = len(group) == 1
        reason = why if is_one else re.sub(r"\bit( out)?$", r"them\1", why.replace("matches", "match", 1))
        names = (
            part.archive if part.refusals or part.rule in {"older", "same content"} else part.name for part in group
        )
        yield (
            *paragraph(f"{counted(len(group), kind)} {outcome}: {reason}", screen),
            *_below(", ".join(names), screen),
        )
    drop = f" {shlex.quote(document.drop)}" if document.drop else ""
    yield paragraph(f"`tool explain NAME{drop}` explains one of them.", screen)


def _outcome(part: ArchivePart) -> str:
    is_refused = part.refusals and (part.selected or part.rule == "refused")  # else it does not stop the run
    built, selected, left_out, refused = _OUTCOMES
    return refused if is_refused else left_out if not part.selected else built if part.built else selected


def _why(part: ArchivePart) -> str:
    """The reason of an outcome: of a refused archive, what is wrong with it."""
    return part.refusals[0] if _outcome(part) == "refused" else part.reason


def _archive(part: ArchivePart, screen: Screen) -> Iterator[_Block]:
    what = "" if part.rule == "refused" else " ".join(filter(None, (part.kind, part.name, part.version))) + ", "
    yield paragraph(f"{part.archive}: {what}{_outcome(part)}", screen)
    yield _rows("", (Row((about, text)) for about, text in _facts(part) if text), screen)
    yield _advice(part.advice, screen)


def _file(part: FilePart, screen: Screen) -> Iterator[_Block]:
    yield paragraph(f"{part.path}: a file of {part.component}, {part.state}", screen)
    built = " ".join(filter(None, (part.archive, part.version))) if part.state != "added" else ""
    builds = " ".join(filter(None, (part.next_archive, part.next_version)))
    outcome = _NEXT_RUNS[part.next_run].format(builds)
    if part.next_run == "stays" and not builds:
        outcome += ": its component is not built"
    yield _rows("", (Row(row) for row in (("built from", built), ("next run", outcome)) if row[1]), screen)
    yield _advice(part.advice, screen)


def _facts(part: ArchivePart) -> Iterator[tuple[str, str | None]]:
    """The facts about an archive, each after its name."""
    if part.rule != "refused":  # else nobody knows what it is
        yield "because", part.reason
        yield "recognised by", _evidence(part)
    yield "named by", name_text(part.named_by, is_guessed=part.guessed)
    yield "version", version_text(part.version, part.version_by) if part.version_by else None
    yield "system", part.system
    yield "builds on", part.parent
    yield "needs", ", ".join(part.requires)
    yield "needed by", ", ".join(part.needed_by)
    yield from (("refused", refusal) for refusal in part.refusals)
    yield from (("overrides", _overridden(pattern)) for pattern in part.patterns if not pattern.decides)


def _evidence(part: ArchivePart) -> str:
    if not part.opened:
        return "its file name: it was not opened"
    if not part.evidence:
        return "no marker: it goes by its name and place"
    return f"{part.evidence} ({part.field})" if part.field else part.evidence


def _overridden(pattern: PatternRow) -> str:
    what = word(pattern.pattern) if pattern.pattern else "no pattern"
    verdict = "selects it" if pattern.says == "in" else "leaves it out"
    return f"{what} of {pattern.leaf} ({pattern.source}), which {verdict}"


def _meanings(title: str, part: ErrorPart | WarningPart, screen: Screen) -> Iterator[_Block]:
    """What an error or a warning means, each meaning with its example."""
    yield (title,)
    for each in part.meanings:
        yield paragraph(each.paragraph, screen, hanging=0)
        yield _example(each.example, screen) if each.example else ()


def _example(event: Event, screen: Screen) -> _Block:
    """An event, indented, as a run prints it."""
    return tuple(f"{_IN}{line}" for line in in_text((event,), _narrower(screen)))


def _rows(title: str, rows: Iterable[Row], screen: Screen) -> _Block:
    """Rows below a title, if there is one; nothing without rows."""
    lines = table(every, _narrower(screen)) if (every := tuple(rows)) else ()
    return (*([title] if title and lines else ()), *(f"{_IN}{line}" for line in lines))


def _below(text: str, screen: Screen) -> _Block:
    """A text that belongs to what is above it."""
    return tuple(f"{_IN}{line}" for line in paragraph(text, _narrower(screen)))


def _narrower(screen: Screen) -> Screen:
    return replace(screen, columns=max(screen.columns - len(_IN), 0))
