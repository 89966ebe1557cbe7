"""Odd paths: paths in settings that are valid, but probably a mistake
(`docs/configuration.md`, Paths).
"""

from collections.abc import Iterator

from pipeline.config.disk import Disk
from pipeline.config.layers import Decision, Settings
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.settings import missing_presets_folder, unexpanded_path
from pipeline.report.location import Location
from pipeline.schema import SETTINGS, Setting, is_archive_name, is_preset_path


def odd_paths(settings: Settings, disk: Disk) -> Iterator[WarningDiagnostic]:
    """Warn about each path with a `~` or `$` that is not expanded, and each missing folder
    of presets.
    """
    for setting, decision in zip(SETTINGS, settings.decisions, strict=True):
        for text, location in _strings(decision):
            if _is_path(setting, text) and (text.startswith("~") or "$" in text):
                yield unexpanded_path(setting.path, text, location)
    for folder in settings.decision("presetsSearchPath").elements:
        if disk.presence(disk.plain(folder.path)) not in {"folder", "denied"}:
            yield missing_presets_folder(folder.value, folder.location)


def _strings(decision: Decision) -> Iterator[tuple[str, Location]]:
    """Each string of the decided value, with its place."""
    if isinstance(decision.winner.value, str):
        yield decision.winner.value, decision.winner.location
    yield from ((element.value, element.location) for element in decision.elements)


def _is_path(setting: Setting, text: str) -> bool:
    match setting.paths:
        case "archive":
            return "/" in text or is_archive_name(text)
        case "presets":
            return is_preset_path(text)
        case kind:
            return kind != "no"
