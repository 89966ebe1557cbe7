"""Places: where something is, relative to the current folder, whatever it was relative to (`docs/output.md`)."""

from pathlib import PurePath
from typing import Final

from msgspec import Struct

from pipeline.report import build_problems, drop_notes, run_notes
from pipeline.report.notes import Note
from pipeline.report.problems import Problem

_IN_DROP: Final = (
    build_problems.ArchiveRejected,
    drop_notes.UnrecognisedArchive,
    drop_notes.UnreadMarker,
    drop_notes.PassedOver,
    drop_notes.LeftAlone,
    drop_notes.OlderArchive,
    drop_notes.DamagedArchive,
    drop_notes.DuplicateArchive,
    drop_notes.EmptyArchive,
    run_notes.Repacked,
)
"""What has an archive as its place, relative to the drop."""
_IN_PROJECT: Final = (
    build_problems.OutputConflict,
    build_problems.OutOfDate,
    build_problems.NotAsRecorded,
    build_problems.RecordUnreadable,
    run_notes.BackedUp,
    run_notes.InPlace,
    run_notes.LeftOver,
)
"""What has a place relative to the project."""
_ELSEWHERE: Final = ("./", "../", "/")
"""How the place of a theme's archive begins that is not in the drop: it is relative to the current folder already."""


class Bases(Struct):
    """What a run starts from: the drop and the project as they were written, the current folder, and its lists."""

    drop: str = "."
    project: str = "."
    start: PurePath | None = None
    lists_below: frozenset[str] | None = None
    """As in the settings; `None` if they are not known."""

    def place(self, subject: Problem | Note, place: str) -> str:
        """The place of a problem or a note as a path from the current folder; of what is no path, as it is."""
        if isinstance(subject, _IN_DROP) and not place.startswith(_ELSEWHERE):
            place = PurePath(self.drop, place).as_posix()
        elif isinstance(subject, _IN_PROJECT):
            place = PurePath(self.project, place).as_posix()
        if self.start and place.startswith("/") and PurePath(place).is_relative_to(self.start):
            return PurePath(place).relative_to(self.start).as_posix()
        return place
