"""Frozen: whether drop and selection are exactly what the record says, as `--frozen` demands (`docs/everyday.md`)."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from pipeline.building.record import Files, Record, RecordedComponent, archive_name, as_recorded
from pipeline.report.build_problems import NotAsRecorded
from pipeline.report.run_notes import Repacked
from pipeline.selection.choices import Choice


class FrozenCheck(Struct, frozen=True):
    """What is not as the record says, and archives that were packed again with the same content."""

    problems: tuple[NotAsRecorded, ...]
    notes: tuple[Repacked, ...]


def check_frozen(record: Record, selected: Iterable[Choice], contents: Mapping[str, Files]) -> FrozenCheck:
    """Compare what is selected with the record.

    `contents` has, by the paths of components, the files of archives that are not the recorded ones, with digests.
    """
    choices = {choice.component.path: choice for choice in selected}
    problems: list[NotAsRecorded] = []
    notes: list[Repacked] = []
    for path in sorted({*record.components, *choices}):
        recorded, choice = record.components.get(path), choices.get(path)
        digest = choice.archive.digest if choice else ""
        archive = archive_name(choice.archive.file) if choice else recorded.archive if recorded else ""
        if recorded and choice and recorded.digest != digest and _is_repacked(recorded, choice, contents):
            notes.append(Repacked(archive, path))
        elif recorded is None or recorded.digest != digest:
            problems.append(NotAsRecorded(path, archive, recorded.digest if recorded else "", digest))
    return FrozenCheck(tuple(problems), tuple(notes))


def _is_repacked(recorded: RecordedComponent, choice: Choice, contents: Mapping[str, Files]) -> bool:
    """Whether an archive gives the recorded files, compared by their digests, modes and targets."""
    files = contents.get(choice.component.path)
    return files is not None and as_recorded(choice.archive, files).files == recorded.files
