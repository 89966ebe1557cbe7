"""Configuration: which file it is and how it was found, and which presets apply and why (`docs/explain.md`)."""

from collections.abc import Iterator
from pathlib import PurePath

from pipeline.config.disk import Disk
from pipeline.config.presets import BUNDLED, CI, files_named
from pipeline.explain.document import ConfigPart, PresetRow, ProbeRow
from pipeline.report.paths import display_path
from pipeline.resolve import Resolution
from pipeline.schema import is_preset_path


def explain_config(resolution: Resolution, start: PurePath, disk: Disk) -> ConfigPart:
    """Explain where the configuration and the presets came from. `start` is the absolute current folder."""
    located = resolution.located
    return ConfigPart(
        file=located.candidate.display_path if located.candidate else None,
        probes=tuple(ProbeRow(probe.file, probe.verdict) for probe in located.probes),
        ended_at=located.end.folder,
        ended_because=located.end.reason,
        shadowed=tuple(probe.file for probe in located.probes if probe.verdict == "shadowed"),
        presets=tuple(_presets(resolution)),
        preset_probes=tuple(_preset_probes(resolution, start, disk)),
        readings=resolution.settings.readings,
    )


def _presets(resolution: Resolution) -> Iterator[PresetRow]:
    """The presets that apply, lowest first, each with what lists it or what it was detected by."""
    decision = resolution.settings.decision("presets")
    for element, file in zip(decision.elements, resolution.presets, strict=True):
        yield PresetRow(element.value, file.display_path, str(element.source), element in decision.detected)


def _preset_probes(resolution: Resolution, start: PurePath, disk: Disk) -> Iterator[ProbeRow]:
    """What was looked at to detect presets, and to find those that are listed by name, each up to what was taken."""
    decision = resolution.settings.decision("presets")
    if not decision.is_listed:
        yield from _probes("default", resolution, start, disk)
        is_detected = any(str(element.source) == CI for element in decision.detected)
        yield ProbeRow(CI, "taken" if is_detected else "missing")
    for element in decision.elements:
        name = element.value
        if element not in decision.detected and name not in BUNDLED and not is_preset_path(name):
            yield from _probes(name, resolution, start, disk)


def _probes(name: str, resolution: Resolution, start: PurePath, disk: Disk) -> Iterator[ProbeRow]:
    """The files that are looked for in the search path for a preset with a name, up to the one that is read."""
    files = {file.display_path for file in resolution.presets}
    for path in files_named(name, resolution.settings):
        file = display_path(disk.plain(path), start)
        yield ProbeRow(file, "taken" if file in files else "missing")
        if file in files:
            break
