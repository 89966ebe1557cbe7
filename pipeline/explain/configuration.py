"""Configuration: which file it is and how it was found, and which presets apply and why (`docs/explain.md`)."""

from collections.abc import Iterator

from pipeline.config.presets import CI, files_named
from pipeline.explain.changes import Case
from pipeline.explain.document import ConfigPart, PresetRow
from pipeline.locate import Probe
from pipeline.report.paths import display_path
from pipeline.schema import BUNDLED, is_preset_path


def explain_config(case: Case) -> ConfigPart:
    """Explain where the configuration and the presets came from."""
    located, decision = case.resolution.located, case.settings.decision("presets")
    applied = zip(decision.elements, case.resolution.presets, strict=True)
    return ConfigPart(
        file=located.candidate.display_path if located.candidate else None,
        probes=located.probes,
        ended_at=located.end.folder,
        ended_because=located.end.reason,
        shadowed=tuple(probe.file for probe in located.probes if probe.verdict == "shadowed"),
        presets=tuple(
            PresetRow(each.value, file.display_path, str(each.source), each in decision.detected)
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
        is_detected = any(str(element.source) == CI for element in decision.detected)
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
