"""Shadows: what a new configuration hides from discovery, and what hides it (`docs/discovery.md`)."""

from pathlib import PurePath

from msgspec.structs import replace
from returns.result import Success

from pipeline.config.disk import Disk
from pipeline.config.tree import Candidate
from pipeline.locate import Located, locate
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.configuration import LegacyUnread, ShadowedConfig
from pipeline.report.outcome import Outcome


def shadows(
    before: Located, new: Candidate, content: bytes, start: PurePath, disk: Disk
) -> Outcome[tuple[WarningDiagnostic, ...]]:
    """Note what will not be read once a candidate in the folder `start` has this content.

    `before` is what is found there without it. Problems: those of `locate`.
    """
    return locate(start, None, _with(new, content, disk)).map(lambda after: _hidden(before.candidate, after, new))


def _hidden(old: Candidate | None, after: Located, new: Candidate) -> tuple[WarningDiagnostic, ...]:
    if after.candidate is None:
        return ()
    if old and old.form == "legacy":
        return (*after.notes, LegacyUnread(old.display_path, after.candidate.display_path))
    if old and old.path.parent != new.path.parent:
        return (*after.notes, ShadowedConfig(after.candidate.display_path, (old.display_path,)))
    return after.notes


def _with(new: Candidate, content: bytes, disk: Disk) -> Disk:
    return replace(
        disk,
        look=lambda path: "file" if path == new.path else disk.look(path),
        load=lambda path, limit: Success(content[:limit]) if path == new.path else disk.load(path, limit),
    )
