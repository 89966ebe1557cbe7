"""Shadows: what a new configuration hides from discovery, and what hides it (`docs/discovery.md`)."""

from pathlib import PurePath

from msgspec.structs import replace
from returns.result import Success

from pipeline.config.disk import Disk
from pipeline.config.tree import ConfigFile
from pipeline.locate import Located, locate
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.configuration import ShadowedConfig
from pipeline.report.outcome import Outcome


def shadows(
    before: Located, new: ConfigFile, content: bytes, start: PurePath, disk: Disk
) -> Outcome[tuple[WarningDiagnostic, ...]]:
    """Note what will not be read once a file in the folder `start` has this content.

    `before` is what is found there without it. Problems: those of `locate`.
    """
    return locate(start, None, _with(new, content, disk)).map(lambda after: _hidden(before.file, after, new))


def _hidden(old: ConfigFile | None, after: Located, new: ConfigFile) -> tuple[WarningDiagnostic, ...]:
    if after.file is None:
        return ()
    if old and (old.kind == "legacy" or old.path.parent != new.path.parent):
        return (*after.notes, ShadowedConfig(after.file.display_path, (old.display_path,)))
    return after.notes


def _with(new: ConfigFile, content: bytes, disk: Disk) -> Disk:
    return replace(
        disk,
        look=lambda path: "file" if path == new.path else disk.look(path),
        load=lambda path, limit: Success(content[:limit]) if path == new.path else disk.load(path, limit),
    )
