"""Text: an explanation as lines for people, fitted to the width of a screen (`docs/explain.md`)."""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, assert_never

from pipeline.config.presets import CI
from pipeline.explain.document import (
    ArchivePart,
    Change,
    ConfigPart,
    ElementRow,
    ErrorPart,
    Explanation,
    LayerValue,
    PlanPart,
    ProbeRow,
    SettingPart,
    Step,
)
from pipeline.report.layout import Row, Screen, Tone, paragraph, table
from pipeline.report.values import value_text, word
from pipeline.schema import Value

_IN: Final = "  "
_VERDICTS: Final = {"taken": "the configuration", "shadowed": "not read: another comes first"}
_ENDS: Final = {
    "named": "It is named by `--config`, so nothing was searched.",
    "match": "The search ended in `{}`, with the first file that is one.",
    "git": "The search ended in `{}`, which has a `.git`.",
    "root": "The search ended in `{}`, the root of the file system.",
}


def lines(document: Explanation, screen: Screen) -> tuple[str, ...]:
    """The lines of a document, with an empty line between its parts; of the whole run, an overview."""
    if document.name is None:
        return tuple(_apart(_overview(document, screen)))
    parts = (
        *(_setting(part, screen) for part in document.settings),
        *([_config(document.config, screen)] if document.config else ()),
        *(_archive(part, screen) for part in document.archives),
        *(_error(part, screen) for part in document.errors),
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
    cells = part.archive, _called(part), "built" if part.selected else "left out", part.reason
    return Row(cells, tone="" if part.selected else "skipped")


def _plan(plan: PlanPart, screen: Screen) -> tuple[str, ...]:
    rows = [Row((each.action, each.path, each.version or "")) for each in plan.components]
    hooks = [Row(("run", f"{each.stage}/{each.script}", "")) for each in plan.hooks]
    return table([*rows, *hooks], screen) if rows or hooks else ("nothing would be done",)


def _setting(part: SettingPart, screen: Screen) -> Iterator[str]:
    yield from paragraph(f"{part.path} is {value_text(part.value)}", screen)
    yield from _indented([part.meaning], screen)
    yield ""
    yield from _rows([_layer_row(layer) for layer in part.layers], screen)
    if part.elements:
        yield from ("", "Its elements:")
        yield from _table([_element_cells(each, part) for each in part.elements], screen)
    changes = [(_layer_goal(part, index), each.change) for index, each in enumerate(part.layers) if each.change]
    taken_out = [(f"without {word(each.value)}", each.change) for each in part.elements if each.change]
    others = [(_goal(change, part.path), change) for change in part.changes]
    yield from _changes([*changes, *taken_out, *others], part.path, screen)
    yield ""
    names = f"`{part.flag}`, `{part.variable}` and the key `{part.path}` of a configuration set it"
    yield from paragraph(f"{names}, in this order of precedence.", screen)


def _layer_row(layer: LayerValue) -> Row:
    state = "holds" if layer.wins else "kept by `...`" if layer.extended else f"lost: {layer.because}"
    tone: Tone = "added" if layer.wins else "" if layer.extended else "skipped"
    return Row((layer.layer, layer.source, value_text(layer.value), state), tone)


def _element_cells(element: ElementRow, part: SettingPart) -> tuple[str, ...]:
    how = "detected" if element.value in part.detected and element.layer == "default" else element.layer
    return word(element.value), how, element.source


def _layer_goal(part: SettingPart, index: int) -> str:
    layer, change = part.layers[index], part.layers[index].change
    value = change.settings[0].value if change and change.settings else layer.value
    return (
        f"{value_text(value)}, as {layer.source} says"
        if layer.layer != "default"
        else f"{value_text(value)}, the default"
    )


def _goal(change: Change, path: str) -> str:
    return next((value_text(each.value) for each in change.settings if each.path == path), "")


def _changes(goals: Sequence[tuple[str, Change]], path: str, screen: Screen) -> Iterator[str]:
    """What would change it: each goal, and below it what to do and what else would come of it."""
    if not goals:
        return
    yield from ("", "What would change it:")
    for goal, change in goals:
        yield from (f"{_IN}{line}" for line in paragraph(f"{goal}:", _narrower(screen, 1)))
        yield from (f"{_IN * 2}{line}" for line in paragraph(_to_do(change, path), _narrower(screen, 2)))


def _to_do(change: Change, path: str) -> str:
    steps = " and ".join(step_text(step) for step in change.steps)
    also = [f"`{each.path}` would be {value_text(each.value)}" for each in change.settings if each.path != path]
    also += [f"{each.archive} would be {'built' if each.selected else 'left out'}" for each in change.archives[1:]]
    return f"{steps}; also, {', '.join(also)}" if also else steps


def step_text(step: Step) -> str:
    """A step in words, with what is to be typed in backquotes."""
    value = "" if step.value is None else value_text(step.value)
    match step.do:
        case "delete":
            return f"delete {f'{value} (`{step.path}`)' if value else f'`{step.path}`'} at {step.place}"
        case "add":
            return f"add {value} to `{step.path}` at {step.place}"
        case "omit":
            return f"leave out `{step.place if step.value is None else _typed(step.place, step.value)}`"
        case "pass":
            return f"pass `{_typed(step.place, step.value)}`"
        case "unset":
            return f"unset the variable `{step.place}`"
        case "set":
            return f"set the variable `{shlex.quote(f'{step.place}={step.value}')}`"
        case _:
            assert_never(step.do)


def _typed(flag: str, value: Value | None) -> str:
    """A flag with its value, as it is typed in a shell."""
    if value is None or isinstance(value, bool):
        return flag
    values = (value,) if isinstance(value, str) else value or ("",)
    return shlex.join(f"{flag}={each}" for each in values)


def _config(part: ConfigPart, screen: Screen) -> Iterator[str]:
    yield from _config_head(part, screen)
    yield ""
    yield from _table([(probe.file, _VERDICTS.get(probe.verdict, probe.verdict)) for probe in part.probes], screen)
    yield from paragraph(_ENDS[part.ended_because].format(part.ended_at), screen)
    yield from ("", "Presets, the later over the earlier:" if part.presets else "Presets: none apply.")
    if part.presets:
        how = ("listed at", "detected by")
        yield from _table(
            [
                (row.name, row.file, f"{how[row.detected]} {row.chosen_by}{_reading(row.file, part)}")
                for row in part.presets
            ],
            screen,
        )
    if part.preset_probes:
        yield from ("", "Looked for:")
        yield from _table([_preset_probe(probe) for probe in part.preset_probes], screen)


def _preset_probe(probe: ProbeRow) -> tuple[str, str]:
    is_taken = probe.verdict == "taken"
    if probe.file == CI:
        return f"the variable {CI}", "set" if is_taken else "neither `true` nor `1`"
    return probe.file, "applies" if is_taken else probe.verdict


def _config_head(part: ConfigPart, screen: Screen) -> tuple[str, ...]:
    if part.file is None:
        return paragraph("There is no configuration: the defaults hold.", screen)
    return paragraph(f"The configuration is {part.file}{_reading(part.file, part)}.", screen)


def _reading(file: str, part: ConfigPart) -> str:
    """How a file was read that is a script."""
    return {None: "", "literal": ", read as a literal", "evaluated": ", evaluated"}[part.readings.get(file)]


def _called(part: ArchivePart) -> str:
    return f"{part.kind} {part.name}" + (f" {part.version}" if part.version else "")


def _archive(part: ArchivePart, screen: Screen) -> Iterator[str]:
    yield from paragraph(f"{part.archive}: {_called(part)}, {'built' if part.selected else 'left out'}", screen)
    yield ""
    rows = (
        ("because", part.reason),
        ("recognised by", _evidence(part)),
        ("system", part.system or ""),
        ("builds on", part.parent or ""),
        ("needs", ", ".join(part.requires)),
        ("needed by", ", ".join(part.needed_by)),
        *(("refused", refusal) for refusal in part.refusals),
        *(("pattern", _pattern(part, index)) for index in range(len(part.patterns))),
    )
    yield from _table([row for row in rows if row[1]], screen)
    if part.change:
        goal = "leave it out" if part.selected else "build it"
        leaf = part.change.settings[0].path if part.change.settings else ""
        yield from _changes([(goal, part.change)], leaf, screen)


def _evidence(part: ArchivePart) -> str:
    if not part.opened:
        return "its file name; it was not opened"
    if not part.evidence:
        return "no marker: it goes by its name and place"
    return f"{part.evidence} ({part.field})" if part.field else part.evidence


def _pattern(part: ArchivePart, index: int) -> str:
    pattern = part.patterns[index]
    what = f"{word(pattern.pattern)} of {pattern.leaf}" if pattern.pattern else f"no pattern of {pattern.leaf}"
    return f"{what} ({pattern.source}) says {pattern.says}" + (", and decides" if pattern.decides else "")


def _error(part: ErrorPart, screen: Screen) -> Iterator[str]:
    yield f"{part.error}: exit code {part.exit}"
    yield ""
    yield from paragraph(part.paragraph, screen, hanging=0)


def _table(rows: Sequence[tuple[str, ...]], screen: Screen) -> Iterator[str]:
    yield from _rows([Row(cells) for cells in rows], screen)


def _rows(rows: Sequence[Row], screen: Screen) -> Iterator[str]:
    yield from (f"{_IN}{line}" for line in (table(rows, _narrower(screen, 1)) if rows else ()))


def _indented(texts: Iterable[str], screen: Screen) -> Iterator[str]:
    for text in texts:
        yield from (f"{_IN}{line}" for line in paragraph(text, _narrower(screen, 1), hanging=0))


def _narrower(screen: Screen, levels: int) -> Screen:
    return Screen(
        max(screen.columns - len(_IN) * levels, 0), screen.brief, screen.verbose, screen.colour, screen.spoken
    )
