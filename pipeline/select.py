"""Select: choose the theme and the modules of a drop, each with its reason.

Takes settings and the archives as they were found; gives a selection, or every problem. The rules are in
`docs/selection.md`.
"""

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from typing import TypeAlias, assert_never

from msgspec import Struct
from returns.result import Failure, Result, Success
from toolz import groupby, unique

from pipeline.archives import Archive, ArchiveFile, Component
from pipeline.layers import Settings
from pipeline.near import near_names
from pipeline.notes import DamagedArchive, DuplicateArchive, Note, NothingToBuild, UnmatchedPattern
from pipeline.outcome import fold
from pipeline.patterns import Reason, Rule, judge, patterns_of
from pipeline.problems import (
    ArchiveRejected,
    BuildProblem,
    ComponentAmbiguous,
    FileSystemProblem,
    ThemeAmbiguous,
    ThemeNotFound,
)
from pipeline.recognise import unmarked
from pipeline.schema import AUTO, NONE, is_theme_archive


class Choice(Struct, frozen=True):
    """One archive, whether it is built, and why."""

    archive: Archive
    component: Component
    selected: bool
    reason: Reason


class Selection(Struct, frozen=True):
    """What is built, and what was left out."""

    choices: tuple[Choice, ...]
    notes: tuple[Note, ...]

    @property
    def selected(self) -> tuple[Choice, ...]:
        """The choices that are built, the theme first, then the modules by name."""
        chosen = (choice for choice in self.choices if choice.selected)
        return tuple(sorted(chosen, key=lambda choice: (choice.component.kind != "theme", choice.component.name)))


Selected: TypeAlias = Result[Selection, tuple[BuildProblem, ...]]


def stays_closed(settings: Settings, file: ArchiveFile) -> bool:
    """Tell whether an archive need not be opened: its file name leaves it out, and it cannot be the theme either."""
    verdict, reason = judge(settings, (file.name,))
    theme = str(settings.decision("theme").winner.value)
    no_theme = theme == NONE or (is_theme_archive(theme) and not file.named)
    return not verdict and reason.leaf == "modules.exclude" and no_theme


def select(settings: Settings, archives: tuple[Archive, ...], drop: str) -> Selected:
    """Choose what is built.

    Problems: `ThemeNotFound`, `ThemeAmbiguous`, `ComponentAmbiguous`, `ArchiveRejected`; all of a drop at
    once. `drop` is the folder as the user wrote it.
    """
    modules = tuple(_modules(settings, archives))
    nothing: tuple[Choice, ...] = ()
    themes, failures = fold(_themes(settings, archives), lambda found: (found, ()), lambda failed: (nothing, failed))
    chosen = _merged(themes + modules)
    problems = (*failures, *_refusals(archives, chosen), *_ambiguous(chosen))
    if problems:
        return Failure(problems)
    notes = (*_notes(archives, chosen), *_unmatched(settings, modules))
    idle = () if any(choice.selected for choice in chosen) else (NothingToBuild(drop, len(archives)),)
    return Success(Selection(chosen, (*notes, *idle)))


def _modules(settings: Settings, archives: Iterable[Archive]) -> Iterator[Choice]:
    for archive in archives:
        file, component = archive.file, archive.component
        if component and component.kind == "module":
            yield Choice(archive, component, *judge(settings, (component.name, file.name)))
        elif not component and not file.named:
            verdict, reason = judge(settings, (file.name,))
            if reason.leaf == "modules.exclude" and not verdict:  # whatever is in it, the file's name is enough
                yield Choice(archive, unmarked("module", file), verdict, reason)


def _themes(settings: Settings, archives: Iterable[Archive]) -> Result[tuple[Choice, ...], tuple[BuildProblem, ...]]:
    themes = [(each, each.component) for each in archives if each.component and each.component.kind == "theme"]
    names = tuple(unique(component.name for _, component in themes))
    decision = settings.decision("theme").winner
    wanted, source = str(decision.value), decision.source
    if wanted == NONE:
        chosen = None
    elif wanted == AUTO:
        if len(names) > 1:
            return Failure((ThemeAmbiguous(names, source),))
        chosen = names[0] if names else None
    elif is_theme_archive(wanted):
        chosen = next((component.name for archive, component in themes if archive.file.named), None)
    else:
        chosen = wanted if wanted in names else None
    if chosen is None and wanted not in {AUTO, NONE}:
        return Failure((ThemeNotFound(wanted, source, names, _near_theme(wanted, themes)),))
    by_file = is_theme_archive(wanted)
    return Success(
        tuple(_theme_choice(pair, chosen, by_file, Reason("theme", "theme", wanted, source)) for pair in themes)
    )


def _near_theme(wanted: str, themes: list[tuple[Archive, Component]]) -> tuple[str, ...]:
    known = [archive.file.shown if is_theme_archive(wanted) else component.name for archive, component in themes]
    return near_names(wanted, known)


def _theme_choice(pair: tuple[Archive, Component], chosen: str | None, by_file: bool, reason: Reason) -> Choice:
    archive, component = pair
    selected = archive.file.named if by_file else component.name == chosen
    rule: Rule = "no theme" if reason.word == NONE else "theme" if selected else "other theme"
    if reason.word == AUTO:
        return Choice(archive, component, selected, Reason("only theme"))
    return Choice(archive, component, selected, Reason(rule, reason.leaf, reason.word, reason.source))


def _merged(choices: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """Of selected archives with one component and the same content, keep the first by name."""
    first: dict[tuple[str, str, frozenset[object]], str] = {}
    kept: list[Choice] = []
    for choice in sorted(choices, key=lambda choice: choice.archive.file.shown):
        shown = choice.archive.file.shown
        taken = first.setdefault(_content(choice), shown) if choice.selected else shown
        same = Reason("same content", word=taken)
        kept.append(choice if taken == shown else Choice(choice.archive, choice.component, False, same))
    return tuple(kept)


def _content(choice: Choice) -> tuple[str, str, frozenset[object]]:
    root = len(choice.component.root)
    files = frozenset((each.name[root:], each.size, each.crc, each.target) for each in choice.archive.files)
    return choice.component.kind, choice.component.name, files


def _ambiguous(choices: tuple[Choice, ...]) -> Iterator[ComponentAmbiguous]:
    selected = (choice for choice in choices if choice.selected)
    by_component = groupby(lambda choice: (choice.component.kind, choice.component.name), selected)
    for (kind, name), same in by_component.items():
        if len(same) > 1:
            yield ComponentAmbiguous(kind, name, tuple(choice.archive.file.shown for choice in same))


def _out(archives: Iterable[Archive], choices: tuple[Choice, ...]) -> set[str]:
    """The archives that are known to be left out."""
    return {choice.archive.file.shown for choice in choices if not choice.selected}


def _refusals(archives: tuple[Archive, ...], choices: tuple[Choice, ...]) -> Iterator[BuildProblem]:
    out = _out(archives, choices)
    for archive in archives:
        if archive.file.shown not in out:
            yield from archive.refusals


def _notes(archives: tuple[Archive, ...], choices: tuple[Choice, ...]) -> Iterator[Note]:
    out = _out(archives, choices)
    for archive in archives:
        yield from archive.notes
        if archive.file.shown in out:
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
    for leaf in ("modules.include", "modules.exclude", "modules.only"):
        for pattern, source in patterns_of(settings.decision(leaf).winner):
            if not any(fnmatchcase(name, pattern) for name in names):
                near = near_names(pattern, {choice.component.name for choice in modules})
                yield UnmatchedPattern(leaf, pattern, source, near)
