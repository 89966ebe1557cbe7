"""Themes: choose the one theme of a drop and those that it builds on, or none (`docs/archives.md`)."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from pathlib import PurePath
from typing import TypeAlias

from toolz import groupby, unique

from pipeline.archives.archive import Archive, ArchiveFile, Component
from pipeline.config.layers import Assignment, Settings
from pipeline.recognition.unmarked import unmarked
from pipeline.report.diagnostics import BuildError
from pipeline.report.diagnostics.archives import unbuilt_text
from pipeline.report.diagnostics.selection import ThemeAmbiguous, ThemeNotFound
from pipeline.report.wording import suggest
from pipeline.schema import AUTO, NONE, is_archive_name
from pipeline.selection.choices import Choice, Reason
from pipeline.selection.duplicates import Standing, highest
from pipeline.selection.hosting import NO_HOSTING, Hosting
from pipeline.selection.patterns import leaves_out

_Theme: TypeAlias = tuple[Archive, Component]


def choose_theme(
    settings: Settings,
    archives: tuple[Archive, ...],
    drop: str,
    names: Collection[str] = (),
    hosting: Hosting = NO_HOSTING,
) -> tuple[tuple[Choice, ...], tuple[BuildError, ...]]:
    """Choose among the themes; if that cannot be decided none is chosen, and the error says why.

    With `auto`, all those are chosen that the project has, by `hosting`; if it has none, the only one. The
    themes that the chosen ones build on are chosen as well. Where the setting leaves several to choose from, those
    are chosen that the run is about, by `names`. Where the setting names an archive that is refused, the refusal says
    why, and there is no error here.
    """
    known = tuple((archive, archive.component) for archive in archives if archive.component)
    out = tuple(_left_out(settings, known))
    gone = {choice.archive.file for choice in out}
    themes = tuple(pair for pair in known if pair[1].kind == "theme" and pair[0].file not in gone)
    setting = settings.decision("theme").winner
    wanted = str(setting.value)
    there = _names(themes)
    named = [pair for pair in themes if not {pair[1].name, pair[1].path}.isdisjoint(names)]
    by_setting = partial(Reason, setting="theme", word=wanted, location=setting.location)
    current = [pair for pair in themes if pair[1].name in hosting.themes]
    matching = _matching(themes, wanted, hosting.standing)
    other = Reason("undecided theme")
    why: dict[ArchiveFile, Reason] = {}
    errors: tuple[BuildError, ...] = ()
    if wanted == AUTO and current:
        why = _why(named, by_setting("named theme"))
        other = Reason("not here")
        why |= _why(current, Reason("theme here"))
    elif wanted == AUTO and len(_names(matching)) == 1:
        why = _why(matching, Reason("only theme" if len(there) == 1 else "last child"))
        other = Reason("no parent", word=matching[0][1].name)
    elif len(_names(matching)) == 1:
        why = _why(matching, by_setting("theme"))
        other = by_setting("other theme")
    elif wanted == NONE or (wanted == AUTO and not themes):
        other = by_setting("no theme")
    elif matching or wanted == AUTO:
        asked = [pair for pair in named if wanted == AUTO or pair in matching]
        why = _why(asked, by_setting("named theme"))
        errors = () if asked else (ThemeAmbiguous(tuple(sorted(_names(matching) or there)), setting.location),)
    else:
        unknown = [archive for archive in archives if archive.component is None]
        closed = ((archive, unmarked("theme", archive.file)) for archive in unknown if not archive.refusals)
        excluded = (*closed, *((choice.archive, choice.component) for choice in out))
        is_refused = any(archive.file.is_theme_setting and archive.refusals for archive in unknown)
        errors = () if is_refused else (_not_found(setting, known, themes, excluded, drop),)
    return (*_choices(themes, why, other, hosting.standing), *out), errors


def _left_out(settings: Settings, known: tuple[_Theme, ...]) -> Iterator[Choice]:
    """The themes left out by a pattern that names their files; the name of the file in the theme setting is exempt."""
    for archive, component in known:
        if component.kind == "theme" and (
            reason := leaves_out(settings, archive.file.names[archive.file.is_theme_setting :])
        ):
            yield Choice(archive, component, False, reason)


def _not_found(
    setting: Assignment, known: Iterable[_Theme], themes: tuple[_Theme, ...], excluded: Iterable[_Theme], drop: str
) -> ThemeNotFound:
    """Why there is no theme that the setting names."""
    wanted = str(setting.value)
    names = _names(themes)
    by_file = is_archive_name(wanted)
    left_out = tuple(archive.file.display_path for archive, component in excluded if _means(archive, component, wanted))
    named = by_file and not left_out and next((each for archive, each in known if archive.file.is_theme_setting), None)
    holds = (unbuilt_text(named.what, named.which) if named.what else "a module") if named else ""
    files = [PurePath(drop, archive.file.display_path).as_posix() for archive, _ in themes if not archive.file.member]
    suggestions = () if holds else suggest(wanted, files if by_file else names)
    return ThemeNotFound(wanted, setting.location, names, suggestions, holds, left_out)


def _why(themes: Iterable[_Theme], reason: Reason) -> dict[ArchiveFile, Reason]:
    return {archive.file: reason for archive, _ in themes}


def _choices(
    themes: tuple[_Theme, ...], why: Mapping[ArchiveFile, Reason], other: Reason, standing: Standing
) -> Iterator[Choice]:
    """Choices of themes, given why some are built, and why the others are not: unless one that is builds on them."""
    chosen = [pair for pair in themes if pair[0].file in why]
    parents = {**parents_of(themes, standing), **parents_of(chosen, standing)}
    lines = dict[str, str]()
    for name in sorted(_names(chosen)):
        lines |= _line_of(parents, name)
    for archive, component in themes:
        reason = why.get(archive.file)
        if reason is None and component.name in lines:
            reason = Reason("parent theme", word=lines[component.name])
        yield Choice(archive, component, reason is not None, reason or other)


def parents_of(themes: Iterable[_Theme], standing: Standing = lambda _: 0) -> dict[str, str | None]:
    """The parent of each theme; if it has several archives, of the one that is built."""
    groups: dict[str, list[_Theme]] = groupby(lambda pair: pair[1].name, themes)
    built = {name: highest([archive for archive, _ in group], standing) for name, group in groups.items()}
    return {
        name: next((each.parent for archive, each in group if archive is built[name]), group[0][1].parent)
        for name, group in groups.items()
    }


def _line_of(parents: Mapping[str, str | None], chosen: str) -> dict[str, str]:
    """The themes of the drop that the chosen one builds on, each with the theme that names it as its parent."""
    line: dict[str, str] = {}
    name = chosen
    while (parent := parents[name]) is not None and parent in parents and parent not in {chosen, *line}:
        line[parent] = name
        name = parent
    return line


def _matching(themes: tuple[_Theme, ...], wanted: str, standing: Standing) -> tuple[_Theme, ...]:
    """The themes that the setting means; with `auto`, those that no other theme builds on."""
    if wanted == NONE:
        return ()
    if wanted != AUTO:
        return tuple(pair for pair in themes if _means(*pair, wanted))
    parents = {parent for name, parent in parents_of(themes, standing).items() if parent != name}
    return tuple(pair for pair in themes if pair[1].name not in parents)


def _names(themes: Iterable[_Theme]) -> tuple[str, ...]:
    return tuple(unique(component.name for _, component in themes))


def _means(archive: Archive, component: Component, wanted: str) -> bool:
    """Whether the setting means this theme, by its file or by its name."""
    return archive.file.is_theme_setting if is_archive_name(wanted) else component.name == wanted
