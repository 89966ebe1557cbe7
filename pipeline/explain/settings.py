"""Settings: why a setting has its value; where configuration and presets came from (`docs/configuration.md`)."""

from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Final

from pipeline.config.disk import Disk
from pipeline.config.layers import Assignment, Decision, LayerName
from pipeline.config.presets import CI, files_named
from pipeline.emit import list_element
from pipeline.explain.document import ConfigPart, LayerValue, PresetRow, SettingPart
from pipeline.locate import Probe
from pipeline.report.paths import display_path
from pipeline.resolve import Resolution
from pipeline.schema import BUNDLED, Setting, is_preset_path

_ADVICE: Final[Mapping[LayerName, str]] = {
    "flag": "pass another value, or leave out `{source}`",
    "env": "set `{variable}` to another value or unset it; `{flag}` overrides it",
    "config": "edit {source}; `{flag}` and `{variable}` override it for one run",
    "preset": "set `{path}` in the configuration file; `{flag}` and `{variable}` override it for one run",
    "default": "set `{path}` in the configuration file; `{flag}` and `{variable}` override it for one run",
}
"""How to change a value, by the layer that it comes from."""


def explain_setting(setting: Setting, decision: Decision) -> SettingPart:
    """Explain the value of one setting."""
    winner = decision.winner
    flag = f"{setting.flag}` or `{setting.negative}" if setting.negative else setting.flag
    return SettingPart(
        path=setting.path,
        value=decision.value,
        meaning=setting.meaning,
        flag=setting.flag,
        variable=setting.variable,
        layers=tuple(_layers(decision)),
        elements=tuple(map(list_element, decision.elements)),
        detected=tuple(each.value for each in decision.detected),
        advice=_ADVICE[winner.layer].format(
            path=setting.path, flag=flag, variable=setting.variable, source=winner.location
        ),
    )


def _layers(decision: Decision) -> Iterator[LayerValue]:
    """The winner, then every layer below it."""
    for rank, assignment in enumerate(decision.assignments):
        is_kept = 0 < rank < len(decision.contributors)
        because = _because(decision.winner, assignment) if rank and not is_kept else ""
        yield LayerValue(assignment.layer, str(assignment.location), assignment.value, rank == 0, is_kept, because)


def _because(winner: Assignment, loser: Assignment) -> str:
    """What overrides a layer."""
    if winner.layer == loser.layer:
        return f"the later preset `{winner.location.name}` overrides it"
    return f"`{winner.layer}` overrides `{loser.layer}`"


def explain_config(resolution: Resolution, start: PurePath, disk: Disk) -> ConfigPart:
    """Explain where the configuration and the presets came from."""
    located, decision = resolution.located, resolution.settings.decision("presets")
    applied = zip(decision.elements, resolution.presets, strict=True)
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
        preset_probes=tuple(_preset_probes(resolution, start, disk)),
    )


def _preset_probes(resolution: Resolution, start: PurePath, disk: Disk) -> Iterator[Probe]:
    """What was probed to detect presets and to find those that are listed by name, each up to the file that is read."""
    decision, files = resolution.settings.decision("presets"), {file.display_path for file in resolution.presets}

    def probes(name: str) -> Iterator[Probe]:
        for path in files_named(name, resolution.settings.presets_search_path):
            file = display_path(disk.plain(path), start)
            yield Probe(file, "taken" if file in files else "missing")
            if file in files:
                break

    if not decision.is_listed:
        yield from probes("default")
        is_detected = any(str(element.location) == CI for element in decision.detected)
        yield Probe(CI, "taken" if is_detected else "missing")
    for element in decision.elements:
        name = element.value
        if element not in decision.detected and name not in BUNDLED and not is_preset_path(name):
            yield from probes(name)
