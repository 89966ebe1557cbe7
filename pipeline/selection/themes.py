"""Themes: choose the one theme of a drop and those that it builds on, or
none (`docs/archives.md`).
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from operator import attrgetter
from pathlib import PurePath

from msgspec import Struct
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


class _Theme(Struct, frozen=True):
    """A theme of the drop, with the archive that it is in."""

    archive: Archive
    component: Component

    @property
    def name(self) -> str:
        return self.component.name


class _Decision(Struct, frozen=True):
    """Which themes are chosen, and why the others are not."""

    why: Mapping[ArchiveFile, Reason]
    """Why the chosen ones were chosen."""
    other: Reason
    errors: tuple[BuildError, ...] = ()


def choose_theme(
    settings: Settings,
    archives: tuple[Archive, ...],
    drop: str,
    names: Collection[str] = (),
    hosting: Hosting = NO_HOSTING,
) -> tuple[tuple[Choice, ...], tuple[BuildError, ...]]:
    """Choose among the themes. If that cannot be decided, none is chosen, and the error says why.

    With `auto`, all themes that the project has are chosen, by `hosting`; if it has none, the only
    one. The themes that the chosen ones build on are also chosen. If the setting leaves several,
    `names`, the components that the run is about, decide. If the setting names a refused archive,
    the refusal is the error, and there is none here.
    """
    themes = list[_Theme]()
    out = list[Choice]()
    for archive in archives:
        component = archive.component
        if component is None or component.kind != "theme":
            continue
        reason = _why_left_out(settings, archive.file)
        if reason:
            out.append(Choice(archive, component, False, reason))
        else:
            themes.append(_Theme(archive, component))
    setting = settings.decision("theme").winner
    decision = _decided(setting, themes, names, hosting)
    if decision is None:
        errors = _not_found(setting, archives, themes, out, drop)
        decision = _Decision({}, Reason("undecided theme"), errors)
    return (*_choices(themes, decision, hosting.standing), *out), decision.errors


def _decided(
    setting: Assignment, themes: list[_Theme], names: Collection[str], hosting: Hosting
) -> _Decision | None:
    """The themes that the setting chooses; `None` if it names a theme that is not there."""
    wanted = str(setting.value)
    by_setting = partial(Reason, setting="theme", word=wanted, location=setting.location)
    if wanted == NONE or (wanted == AUTO and not themes):
        return _Decision({}, by_setting("no theme"))
    named = [theme for theme in themes if not {theme.name, theme.component.path}.isdisjoint(names)]
    current = [theme for theme in themes if theme.name in hosting.themes]
    if wanted == AUTO and current:
        why = _why(named, by_setting("named theme")) | _why(current, Reason("theme here"))
        return _Decision(why, Reason("not here"))
    matching = _matching(themes, wanted, hosting.standing)
    known = _names(matching)
    if wanted == AUTO and len(known) == 1:
        reason = Reason("last child")
        if len(_names(themes)) == 1:
            reason = Reason("only theme")
        return _Decision(_why(matching, reason), Reason("no parent", word=known[0]))
    if len(known) == 1:
        return _Decision(_why(matching, by_setting("theme")), by_setting("other theme"))
    if wanted != AUTO and not matching:
        return None
    asked = [theme for theme in named if wanted == AUTO or _means(theme, wanted)]
    if asked:
        return _Decision(_why(asked, by_setting("named theme")), Reason("undecided theme"))
    ambiguous = ThemeAmbiguous(tuple(sorted(known or _names(themes))), setting.location)
    return _Decision({}, Reason("undecided theme"), (ambiguous,))


def _why_left_out(settings: Settings, file: ArchiveFile) -> Reason | None:
    """The pattern that leaves a theme out by its file; a file that the theme setting names
    is exempt.
    """
    return leaves_out(settings, file.names[file.is_theme_setting :])


def _not_found(
    setting: Assignment,
    archives: Iterable[Archive],
    themes: Iterable[_Theme],
    out: Iterable[Choice],
    drop: str,
) -> tuple[ThemeNotFound, ...]:
    """The error that no theme matches the setting; `None` if the setting names a
    refused archive.
    """
    wanted = str(setting.value)
    excluded = list[_Theme]()
    for archive in archives:
        if archive.component is None and not archive.refusals:
            excluded.append(_Theme(archive, unmarked("theme", archive.file)))
        elif archive.component is None and archive.file.is_theme_setting:
            return ()
    excluded += (_Theme(choice.archive, choice.component) for choice in out)
    left_out = tuple(theme.archive.file.display_path for theme in excluded if _means(theme, wanted))
    names = _names(themes)
    known = names
    holds = ""
    if is_archive_name(wanted):
        files = [theme.archive.file for theme in themes if not theme.archive.file.member]
        known = tuple(PurePath(drop, file.display_path).as_posix() for file in files)
    if is_archive_name(wanted) and not left_out:
        holds = _held(archives)
    suggestions: tuple[str, ...] = ()
    if not holds:
        suggestions = suggest(wanted, known)
    return (ThemeNotFound(wanted, setting.location, names, suggestions, holds, left_out),)


def _held(archives: Iterable[Archive]) -> str:
    """The contents of the archive that the setting names, if it has no theme; empty if there is no
    such archive.
    """
    for archive in archives:
        component = archive.component
        if component and archive.file.is_theme_setting:
            if component.what:
                return unbuilt_text(component.what, component.which)
            return "a module"
    return ""


def _why(themes: Iterable[_Theme], reason: Reason) -> dict[ArchiveFile, Reason]:
    return {theme.archive.file: reason for theme in themes}


def _choices(themes: Iterable[_Theme], decision: _Decision, standing: Standing) -> Iterator[Choice]:
    """Choices for themes: those that were chosen, and those that they build on."""
    chosen = [theme for theme in themes if theme.archive.file in decision.why]
    parents = {**parents_of(themes, standing), **parents_of(chosen, standing)}
    lines = dict[str, str]()
    for name in sorted(_names(chosen)):
        lines |= _line_of(parents, name)
    for theme in themes:
        reason = decision.why.get(theme.archive.file)
        if reason is None and theme.name in lines:
            reason = Reason("parent theme", word=lines[theme.name])
        yield Choice(theme.archive, theme.component, reason is not None, reason or decision.other)


def parents_of(themes: Iterable[_Theme], standing: Standing = lambda _: 0) -> dict[str, str | None]:
    """The parent of each theme; of a theme with several archives, that of the one that is built."""
    parents = dict[str, str | None]()
    groups: dict[str, list[_Theme]] = groupby(attrgetter("name"), themes)
    for name, group in groups.items():
        built = highest([theme.archive for theme in group], standing)
        parents[name] = group[0].component.parent
        for theme in group:
            if theme.archive is built:
                parents[name] = theme.component.parent
    return parents


def _line_of(parents: Mapping[str, str | None], chosen: str) -> dict[str, str]:
    """The themes of the drop that the chosen one builds on, each with the theme that names it as
    its parent.
    """
    line = dict[str, str]()
    name = chosen
    parent = parents[name]
    while parent is not None and parent in parents and parent not in {chosen, *line}:
        line[parent] = name
        name = parent
        parent = parents[name]
    return line


def _matching(themes: Iterable[_Theme], wanted: str, standing: Standing) -> list[_Theme]:
    """The themes that the setting matches; with `auto`, those that no other theme builds on."""
    if wanted != AUTO:
        return [theme for theme in themes if _means(theme, wanted)]
    parents = {parent for name, parent in parents_of(themes, standing).items() if parent != name}
    return [theme for theme in themes if theme.name not in parents]


def _names(themes: Iterable[_Theme]) -> tuple[str, ...]:
    return tuple(unique(theme.name for theme in themes))


def _means(theme: _Theme, wanted: str) -> bool:
    """Whether the setting names this theme, by its file or by its name."""
    if is_archive_name(wanted):
        return theme.archive.file.is_theme_setting
    return theme.name == wanted
