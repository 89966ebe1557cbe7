"""Shadow: what a new configuration hides from discovery, and what hides it (`docs/discovery.md`)."""

from pathlib import PurePath

from msgspec.structs import replace
from returns.result import Success

from pipeline.disk import Disk
from pipeline.locate import Located, locate
from pipeline.notes import LegacyUnread, Note, ShadowedConfig
from pipeline.outcome import value_of
from pipeline.tree import Candidate


def shadows(new: Candidate, content: bytes, start: PurePath, disk: Disk) -> tuple[Note, ...]:
    """Say what will not be read once a candidate in the folder `start` has this content; the disk is as before."""
    before = value_of(locate(start, None, disk)) or Located(None, ())
    after = value_of(locate(start, None, _with(new, content, disk)))
    if after is None or after.candidate is None:
        return ()
    old = before.candidate
    if old and old.form == "legacy":
        return (*after.notes, LegacyUnread(old.shown, after.candidate.shown))
    if old and old.path.parent != new.path.parent:
        return (*after.notes, ShadowedConfig(after.candidate.shown, (old.shown,)))
    return after.notes


def _with(new: Candidate, content: bytes, disk: Disk) -> Disk:
    return replace(
        disk,
        look=lambda path: "file" if path == new.path else disk.look(path),
        load=lambda path, limit: Success(content[:limit]) if path == new.path else disk.load(path, limit),
    )
