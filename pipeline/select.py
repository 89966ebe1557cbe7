"""Select: choose the theme and the modules of a drop, each with its reason.

Takes settings and the archives as they were found; gives a selection, with every problem that stops it.
The rules are in `docs/selection.md`.
"""

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import PurePath
from typing import assert_never

from msgspec import Struct
from returns.result import Failure, Result, Success
from toolz import groupby

from pipeline.archives import Archive, ArchiveFile
from pipeline.choices import Choice, Reason
from pipeline.layers import Settings
from pipeline.near import near_names
from pipeline.notes import DamagedArchive, DuplicateArchive, Note, NothingToBuild, UnmatchedPattern
from pipeline.patterns import judge, patterns_of
from pipeline.problems import ArchiveRejected, BuildProblem, ComponentAmbiguous, FileSystemProblem
from pipeline.recognise import unmarked
from pipeline.schema import NONE, is_theme_archive
from pipeline.themes import choose_theme

SUGGESTION_LIMIT = 50
"""Patterns without a match beyond which no near names are looked for."""


class Selection(Struct, frozen=True):
    """What is built, what was left out, and what stops the build."""

    choices: tuple[Choice, ...]
    notes: tuple[Note, ...] = ()
    problems: tuple[BuildProblem, ...] = ()

    @property
    def selected(self) -> Result[tuple[Choice, ...], tuple[BuildProblem, ...]]:
        """The choices that are built, the theme first, then the modules by name; or every problem."""
        chosen = (choice for choice in self.choices if choice.selected)
        order = sorted(chosen, key=lambda choice: (choice.component.kind != "theme", choice.component.name))
        return Failure(self.problems) if self.problems else Success(tuple(order))


def stays_closed(settings: Settings, file: ArchiveFile) -> bool:
    """Tell whether an archive is not even opened.

    `exclude` leaves it out by its file name, and the pattern names a file, or no theme could be in it that is wanted.
    """
    verdict, reason = judge(settings, (file.name,))
    theme = str(settings.decision("theme").winner.value)
    no_theme = theme == NONE or is_theme_archive(theme) or is_theme_archive(reason.word)
    return not verdict and reason.leaf == "modules.exclude" and no_theme and not file.named


def select(settings: Settings, archives: tuple[Archive, ...], drop: str) -> Selection:
    """Choose what is built. `drop` is the folder as the user wrote it.

    Problems: `ThemeNotFound`, `ThemeAmbiguous`, `ComponentAmbiguous`, `ArchiveRejected`; all of a drop at once.
    """
    modules = tuple(_modules(settings, archives))
    themes, undecided = choose_theme(settings, archives, drop)
    chosen = _merged(themes + modules)
    out = {choice.archive.file.path for choice in chosen if not choice.selected}
    notes = (*_notes(archives, chosen, out), *_unmatched(settings, modules))
    idle = () if any(choice.selected for choice in chosen) else (NothingToBuild(drop, len(archives)),)
    return Selection(
        chosen, notes=(*notes, *idle), problems=(*undecided, *_refusals(archives, out), *_ambiguous(chosen))
    )


def _modules(settings: Settings, archives: Iterable[Archive]) -> Iterator[Choice]:
    for archive in archives:
        file, component = archive.file, archive.component
        if component and component.kind == "module":
            yield Choice(archive, component, *judge(settings, (component.name, file.name)))
        elif not component and not file.named:
            verdict, reason = judge(settings, (file.name,))
            if reason.leaf == "modules.exclude" and not verdict:  # whatever is in it, the file's name is enough
                yield Choice(archive, unmarked("module", file), verdict, reason)


def _merged(choices: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """Of selected archives with one component and the same content, keep the first by name."""
    first: dict[tuple[str, str, str], ArchiveFile] = {}
    kept: list[Choice] = []
    for choice in sorted(choices, key=lambda choice: (choice.archive.file.shown, choice.archive.file.path)):
        file = choice.archive.file
        taken = first.setdefault(_content(choice), file) if choice.selected else file
        same = Reason("same content", word=taken.shown)
        kept.append(choice if taken == file else Choice(choice.archive, choice.component, False, same))
    return tuple(kept)


def _content(choice: Choice) -> tuple[str, str, str]:
    return choice.component.kind, choice.component.name, choice.archive.content


def _ambiguous(choices: tuple[Choice, ...]) -> Iterator[ComponentAmbiguous]:
    selected = (choice for choice in choices if choice.selected)
    by_component = groupby(lambda choice: (choice.component.kind, choice.component.name), selected)
    for (kind, name), same in by_component.items():
        if len(same) > 1:
            yield ComponentAmbiguous(kind, name, tuple(choice.archive.file.shown for choice in same))


def _refusals(archives: tuple[Archive, ...], out: set[PurePath]) -> Iterator[BuildProblem]:
    """What is wrong with archives that are not known to be left out."""
    for archive in archives:
        if archive.file.path not in out:
            yield from archive.refusals


def _notes(archives: tuple[Archive, ...], choices: tuple[Choice, ...], out: set[PurePath]) -> Iterator[Note]:
    for archive in archives:
        yield from archive.notes
        if archive.file.path in out:
            yield from map(_damage, archive.refusals[:1])
    for choice in choices:
        if choice.reason.rule == "same content":
            yield DuplicateArchive(choice.archive.file.shown, choice.reason.word)


def _damage(refusal: ArchiveRejected | FileSystemProblem) -> DamagedArchive:
    match refusal:
        case ArchiveRejected(archive, reason, entry):
            return DamagedArchive(archive, reason, entry)
        case FileSystemProblem(path, cause):
            return DamagedArchive(path, cause)
        case _:
            assert_never(refusal)


def _unmatched(settings: Settings, modules: tuple[Choice, ...]) -> Iterator[UnmatchedPattern]:
    names = {name for choice in modules for name in (choice.component.name, choice.archive.file.name)}
    known = {choice.component.name for choice in modules}
    told = 0
    for leaf in ("modules.include", "modules.exclude", "modules.only"):
        for pattern, source in patterns_of(settings.decision(leaf).winner):
            if not any(fnmatchcase(name, pattern) for name in names):
                told += 1
                near = near_names(pattern, known) if told <= SUGGESTION_LIMIT else ()
                yield UnmatchedPattern(leaf, pattern, source, near)
