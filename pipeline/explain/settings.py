"""Settings: why a setting has its value, what would give it another, and where all came from (`docs/explain.md`).

Who won and who lost is read from the decision that `merge` made. Each change is tried before it is told.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from toolz import concat

from pipeline.config.layers import Assignment, Layer
from pipeline.config.presets import CI, files_named
from pipeline.explain.advice import Change
from pipeline.explain.changes import Act, Case, comparable, effects, pass_flag, silence
from pipeline.explain.document import ConfigPart, ElementRow, LayerValue, PresetRow, SettingPart
from pipeline.locate import Probe
from pipeline.merge import merge
from pipeline.report.paths import display_path
from pipeline.schema import BUNDLED, Setting, Value, is_preset_path

TRIED_LIMIT: Final = 100
"""For how many elements of a list a change is tried: each of them takes a resolution."""


def explain_setting(setting: Setting, case: Case) -> SettingPart:
    """Explain the value of one setting; of a very long list, changes are tried for the first elements only."""
    decision = case.decision(setting)
    return SettingPart(
        path=setting.path,
        value=decision.value,
        meaning=setting.meaning,
        flag=setting.flag,
        variable=setting.variable,
        layers=tuple(_layers(setting, case)),
        elements=tuple(_elements(setting, case)),
        detected=tuple(each.value for each in decision.detected),
        changes=tuple(_others(setting, case)),
    )


def _layers(setting: Setting, case: Case) -> Iterator[LayerValue]:
    """The winner, then every layer below it."""
    decision = case.decision(setting)
    winner = decision.winner
    for rank, assignment in enumerate(decision.assignments):
        kept = 0 < rank < len(decision.contributors)
        yield LayerValue(
            assignment.layer,
            str(assignment.location),
            assignment.value,
            wins=rank == 0,
            extended=kept,
            because=_because(winner, assignment) if rank and not kept else "",
            change=_change_to(setting, rank, case) if rank else None,
        )


def _because(winner: Assignment, loser: Assignment) -> str:
    """Why a layer lost."""
    if winner.layer == loser.layer:
        return f"a later preset overrides an earlier one, and `{winner.location.name}` comes later"
    return f"`{winner.layer}` overrides `{loser.layer}`"


def _change_to(setting: Setting, rank: int, case: Case) -> Change | None:
    """The smallest change by which a layer decides, given how many are above it.

    It is to take away what is above, or if that is less, to pass the value that would then hold as a flag.
    """
    stack = case.decision(setting).assignments
    removals = [silence(setting, assignment, case) for assignment in stack[:rank]]
    acts = tuple(concat(removals)) if all(removals) else ()
    settled = (acts and case.after(acts)) or merge((Layer({setting.path: stack[rank:]}),), case.request.start)
    decision, wanted = settled.decision(setting.path), comparable(settled, setting)
    if decision.winner != stack[rank] or wanted == comparable(case.settings, setting):
        return None
    return _first(sorted((acts, (pass_flag(setting, decision.value),)), key=len), setting, wanted, case)


def _first(ways: Iterable[tuple[Act, ...]], setting: Setting, wanted: object, case: Case) -> Change | None:
    """The first of several ways after which the value of a setting is the one that is wanted."""
    for acts in filter(None, ways):
        after = case.after(acts)
        if after and comparable(after, setting) == wanted:
            return Change(tuple(act.step for act in acts), effects(case.settings, after, setting.path))
    return None


def _elements(setting: Setting, case: Case) -> Iterator[ElementRow]:
    """The elements of a list, each with the change that takes it out and no other."""
    elements = case.decision(setting).elements
    known = comparable(case.settings, setting)
    for number, element in enumerate(elements):
        change = None
        if number < TRIED_LIMIT:
            others = [index for index, item in enumerate(known) if item != known[number]]
            flag = pass_flag(setting, tuple(elements[index].value for index in others))
            ways = silence(setting, element.assignment, case, element.value), (flag,)
            change = _first(ways, setting, tuple(known[index] for index in others), case)
        yield ElementRow(element.value, element.layer, str(element.location), change)


def _others(setting: Setting, case: Case) -> Iterator[Change]:
    """What gives a setting a value that no layer has, where there are only a few values."""
    known = {assignment.value for assignment in case.decision(setting).assignments}
    values: tuple[Value, ...] = (True, False) if setting.type == "boolean" else setting.choices
    for value in values:
        if value not in known and (change := _first(((pass_flag(setting, value),),), setting, value, case)):
            yield change


def explain_config(case: Case) -> ConfigPart:
    """Explain where the configuration and the presets came from."""
    located, decision = case.resolution.located, case.settings.decision("presets")
    applied = zip(decision.elements, case.resolution.presets, strict=True)
    return ConfigPart(
        file=located.file.display_path if located.file else None,
        probes=located.probes,
        ended_at=located.end.folder,
        ended_because=located.end.reason,
        shadowed=tuple(probe.file for probe in located.probes if probe.verdict == "shadowed"),
        presets=tuple(
            PresetRow(each.value, file.display_path, str(each.location), each in decision.detected)
            for each, file in applied
        ),
        preset_probes=tuple(_preset_probes(case)),
        readings=case.settings.readings,
    )


def _preset_probes(case: Case) -> Iterator[Probe]:
    """What was looked at to detect presets, and to find those that are listed by name, each up to what was taken."""
    decision = case.settings.decision("presets")
    if not decision.is_listed:
        yield from _probes("default", case)
        is_detected = any(str(element.location) == CI for element in decision.detected)
        yield Probe(CI, "taken" if is_detected else "missing")
    for element in decision.elements:
        name = element.value
        if element not in decision.detected and name not in BUNDLED and not is_preset_path(name):
            yield from _probes(name, case)


def _probes(name: str, case: Case) -> Iterator[Probe]:
    """The files that are looked for in the search path for a preset with a name, up to the one that is read."""
    files = {file.display_path for file in case.resolution.presets}
    for path in files_named(name, case.settings):
        file = display_path(case.disk.plain(path), case.request.start)
        yield Probe(file, "taken" if file in files else "missing")
        if file in files:
            break
