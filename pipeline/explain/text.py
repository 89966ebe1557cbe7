"""Text: an explanation as lines for people, fitted to the width of a screen (`docs/explain.md`)."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from pipeline.explain.document import (
    ArchivePart,
    Change,
    ConfigPart,
    ElementRow,
    ErrorPart,
    ExitPart,
    Explanation,
    LayerValue,
    PlanPart,
    SettingPart,
    WarningPart,
)
from pipeline.explain.words import (
    archive_facts,
    archive_goal,
    called,
    chosen_text,
    element_by,
    ended_text,
    fate,
    goals,
    preset_verdict,
    reading_text,
    state_text,
    to_do,
    verdict_text,
)
from pipeline.report.layout import Row, Screen, Tone, paragraph, table
from pipeline.report.values import value_text, word

_IN: Final = "  "


def lines(document: Explanation, screen: Screen) -> tuple[str, ...]:
    """The lines of a document, with an empty line between its parts; of the whole run, an overview."""
    if document.name is None:
        return tuple(_apart(_overview(document, screen)))
    parts = (
        *(_setting(part, screen) for part in document.settings),
        *([_config(document.config, screen)] if document.config else ()),
        *(_archive(part, screen) for part in document.archives),
        *([_exit(document.exit, screen)] if document.exit else ()),
        *(_error(part, screen) for part in document.errors),
        *(_warning(part, screen) for part in document.warnings),
        *_problems(document, screen),
    )
    return tuple(_apart(parts))


def _apart(parts: Iterable[Iterable[str]]) -> Iterator[str]:
    first = True
    for part in parts:
        block = tuple(part)
        yield from block if first or not block else ("", *block)
        first = first and not block


def _overview(document: Explanation, screen: Screen) -> Iterator[Iterable[str]]:
    """Every part in as few lines as it takes; `tool explain NAME` has the rest."""
    if document.config:
        yield _config_head(document.config, screen)
    yield table([_setting_row(part) for part in document.settings], screen)
    if document.archives:
        yield table([_archive_row(part) for part in document.archives], screen)
    if document.plan:
        yield _plan(document.plan, screen)
    yield from _problems(document, screen)
    yield paragraph("`tool explain NAME` says why one of these is as it is, and what would change it.", screen)


def _problems(document: Explanation, screen: Screen) -> Iterator[Iterable[str]]:
    for problem in document.problems:
        yield paragraph(f"A run would stop: {problem.error}: {problem.message}", screen)


def _setting_row(part: SettingPart) -> Row:
    winner = part.layers[0]
    return Row((part.path, value_text(part.value), winner.layer, winner.source))


def _archive_row(part: ArchivePart) -> Row:
    cells = part.archive, called(part), fate(part), part.reason
    return Row(cells, tone="" if part.selected else "skipped")


def _plan(plan: PlanPart, screen: Screen) -> tuple[str, ...]:
    """What would be done, one by one, and how many components would stay as they are."""
    rows = [Row((each.action, each.path, each.version or "")) for each in plan.components if each.action != "keep"]
    hooks = [Row(("run", f"{each.stage}/{each.script}", "")) for each in plan.hooks]
    kept = sum(each.action == "keep" for each in plan.components)
    rest = (f"{kept} component{'' if kept == 1 else 's'} would stay as {'it is' if kept == 1 else 'they are'}",)
    done = table([*rows, *hooks], screen) if rows or hooks else ()
    return (*done, *(rest if kept else ())) or ("nothing would be done",)


def _setting(part: SettingPart, screen: Screen) -> Iterator[str]:
    yield from paragraph(f"{part.path} is {value_text(part.value)}", screen)
    yield from (f"{_IN}{line}" for line in paragraph(part.meaning, _narrower(screen, 1), hanging=0))
    yield ""
    yield from _rows([_layer_row(layer) for layer in part.layers], screen)
    if part.elements:
        yield from ("", "Its elements:")
        yield from _table([_element_cells(each, part) for each in part.elements], screen)
    yield from _changes(goals(part), part.path, screen)
    yield ""
    names = f"`{part.flag}`, `{part.variable}` and the key `{part.path}` of a configuration set it"
    yield from paragraph(f"{names}, in this order of precedence.", screen)


def _layer_row(layer: LayerValue) -> Row:
    tone: Tone = "added" if layer.wins else "" if layer.extended else "skipped"
    return Row((layer.layer, layer.source, value_text(layer.value), state_text(layer)), tone)


def _element_cells(element: ElementRow, part: SettingPart) -> tuple[str, ...]:
    return word(element.value), element_by(element, part), element.source


def _changes(goals: Sequence[tuple[str, Change]], path: str, screen: Screen) -> Iterator[str]:
    """What would change it: each goal, and below it what to do and what else would come of it."""
    if not goals:
        return
    yield from ("", "What would change it:")
    for goal, change in goals:
        yield from (f"{_IN}{line}" for line in paragraph(f"{goal}:", _narrower(screen, 1)))
        yield from (f"{_IN * 2}{line}" for line in paragraph(to_do(change, path), _narrower(screen, 2)))


def _config(part: ConfigPart, screen: Screen) -> Iterator[str]:
    yield from _config_head(part, screen)
    yield ""
    yield from _table([(probe.file, verdict_text(probe)) for probe in part.probes], screen)
    yield from paragraph(ended_text(part), screen)
    yield from ("", "Presets, the later over the earlier:" if part.presets else "Presets: none apply.")
    if part.presets:
        yield from _table([(row.name, row.file, chosen_text(row, part)) for row in part.presets], screen)
    if part.preset_probes:
        yield from ("", "Looked for:")
        yield from _table([preset_verdict(probe) for probe in part.preset_probes], screen)


def _config_head(part: ConfigPart, screen: Screen) -> tuple[str, ...]:
    if part.file is None:
        return paragraph("There is no configuration: the defaults hold.", screen)
    return paragraph(f"The configuration is {part.file}{reading_text(part.file, part)}.", screen)


def _archive(part: ArchivePart, screen: Screen) -> Iterator[str]:
    yield from paragraph(f"{part.archive}: {called(part)}, {fate(part)}", screen)
    yield ""
    yield from _table(archive_facts(part), screen)
    if part.change:
        leaf = part.change.settings[0].path if part.change.settings else ""
        yield from _changes([(archive_goal(part), part.change)], leaf, screen)


def _error(part: ErrorPart, screen: Screen) -> Iterator[str]:
    yield f"{part.error}: exit code {part.exit}"
    yield ""
    yield from paragraph(part.paragraph, screen, hanging=0)


def _exit(part: ExitPart, screen: Screen) -> Iterator[str]:
    yield from paragraph(f"Exit code {part.exit}: {part.meaning}", screen)


def _warning(part: WarningPart, screen: Screen) -> Iterator[str]:
    yield f"{part.code}: a warning"
    yield ""
    yield from paragraph(part.paragraph, screen, hanging=0)


def _table(rows: Sequence[tuple[str, ...]], screen: Screen) -> Iterator[str]:
    yield from _rows([Row(cells) for cells in rows], screen)


def _rows(rows: Sequence[Row], screen: Screen) -> Iterator[str]:
    yield from (f"{_IN}{line}" for line in (table(rows, _narrower(screen, 1)) if rows else ()))


def _narrower(screen: Screen, levels: int) -> Screen:
    return replace(screen, columns=max(screen.columns - len(_IN) * levels, 0))
