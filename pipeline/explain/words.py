"""Words: what a document says, in clauses that a screen and a page share (`docs/explain.md`)."""

import shlex
from typing import Final, assert_never

from pipeline.config.presets import CI
from pipeline.config.tree import READING_CLAUSES
from pipeline.explain.document import (
    ArchivePart,
    Change,
    ConfigPart,
    ElementRow,
    LayerValue,
    PatternRow,
    PresetRow,
    ProbeRow,
    SettingPart,
    Step,
)
from pipeline.report.values import value_text, word
from pipeline.schema import Value

_VERDICTS: Final = {"taken": "the configuration", "shadowed": "not read: another comes first"}
_ENDS: Final = {
    "named": "It is named by `--config`, so nothing was searched.",
    "match": "The search ended in `{}`, with the first file that is one.",
    "git": "The search ended in `{}`, which has a `.git`.",
    "root": "The search ended in `{}`, the root of the file system.",
}


def goals(part: SettingPart) -> tuple[tuple[str, Change], ...]:
    """What could be reached for a setting, and by which change: for each layer, each element, and other values."""
    layers = tuple((_layer_goal(layer), layer.change) for layer in part.layers)
    elements = tuple((f"without {word(element.value)}", element.change) for element in part.elements)
    others = tuple((_goal(change, part.path), change) for change in part.changes)
    return tuple((goal, change) for goal, change in (*layers, *elements, *others) if change)


def state_text(layer: LayerValue) -> str:
    """Whether the value of a layer holds, or why not."""
    return "holds" if layer.wins else "kept by `...`" if layer.extended else f"lost: {layer.because}"


def element_by(element: ElementRow, part: SettingPart) -> str:
    """Who brought an element into a list: a layer, or detection."""
    return "detected" if element.value in part.detected and element.layer == "default" else element.layer


def _layer_goal(layer: LayerValue) -> str:
    value = layer.change.settings[0].value if layer.change and layer.change.settings else layer.value
    return f"{value_text(value)}, {'the default' if layer.layer == 'default' else f'as {layer.source} says'}"


def _goal(change: Change, path: str) -> str:
    return next((value_text(each.value) for each in change.settings if each.path == path), "")


def to_do(change: Change, path: str) -> str:
    """What is to be done, and what else would come of it than another value of the leaf at a path."""
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


def verdict_text(probe: ProbeRow) -> str:
    """What was at a path where a configuration was looked for."""
    return _VERDICTS.get(probe.verdict, probe.verdict)


def preset_verdict(probe: ProbeRow) -> tuple[str, str]:
    """What was looked at for presets, and what was there."""
    is_taken = probe.verdict == "taken"
    if probe.file == CI:
        return f"the variable {CI}", "set" if is_taken else "neither `true` nor `1`"
    return probe.file, "applies" if is_taken else probe.verdict


def ended_text(part: ConfigPart) -> str:
    """Where the search for a configuration ended, and why there."""
    return _ENDS[part.ended_because].format(part.ended_at)


def chosen_text(preset: PresetRow, part: ConfigPart) -> str:
    """What chose a preset, and how it was read if it is a script."""
    how = "detected by" if preset.detected else "listed at"
    return f"{how} {preset.chosen_by}{reading_text(preset.file, part)}"


def reading_text(file: str, part: ConfigPart) -> str:
    """How a file was read that is a script."""
    return READING_CLAUSES[part.readings.get(file)]


def called(part: ArchivePart) -> str:
    """What an archive holds: kind, name and version."""
    return f"{part.kind} {part.name}" + (f" {part.version}" if part.version else "")


def fate(part: ArchivePart) -> str:
    """Whether an archive is built; one that is not left out and is refused stops the run."""
    if part.refusals and (part.selected or part.rule == "refused"):
        return "refused"
    return "built" if part.selected else "left out"


def archive_facts(part: ArchivePart) -> tuple[tuple[str, str], ...]:
    """What there is to say about an archive, each fact after what it is about."""
    facts = (
        ("because", part.reason),
        ("recognised by", _evidence(part)),
        ("system", part.system or ""),
        ("builds on", part.parent or ""),
        ("needs", ", ".join(part.requires)),
        ("needed by", ", ".join(part.needed_by)),
        *(("refused", refusal) for refusal in part.refusals),
        *(("pattern", _pattern(pattern)) for pattern in part.patterns),
    )
    return tuple((about, text) for about, text in facts if text)


def archive_goal(part: ArchivePart) -> str:
    """What the change of an archive would reach."""
    return "leave it out" if part.selected else "build it"


def _evidence(part: ArchivePart) -> str:
    if not part.opened:
        return "its file name; it was not opened"
    if not part.evidence:
        return "no marker: it goes by its name and place"
    return f"{part.evidence} ({part.field})" if part.field else part.evidence


def _pattern(pattern: PatternRow) -> str:
    what = f"{word(pattern.pattern)} of {pattern.leaf}" if pattern.pattern else f"no pattern of {pattern.leaf}"
    return f"{what} ({pattern.source}) says {pattern.says}" + (", and decides" if pattern.decides else "")
