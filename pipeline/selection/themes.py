"""Themes: choose the one theme of a drop and those that it builds on, or none (`docs/archives.md`)."""

from collections.abc import Collection, Iterable, Iterator
from pathlib import PurePath
from typing import TypeAlias

from toolz import groupby, unique

from pipeline.archives.archive import Archive, Component
from pipeline.archives.unmarked import unmarked
from pipeline.config.layers import Assignment, Settings
from pipeline.report.diagnostics import BuildError
from pipeline.report.diagnostics.archives import unbuilt_text
from pipeline.report.diagnostics.selection import ThemeAmbiguous, ThemeNotFound
from pipeline.report.wording import suggest
from pipeline.schema import AUTO, NONE, is_archive_name
from pipeline.selection.choices import Choice, Reason, SelectionRule
from pipeline.selection.duplicates import highest
from pipeline.selection.patterns import leaves_out

_Theme: TypeAlias = tuple[Archive, Component]


def choose_theme(
    settings: Settings,
    archives: tuple[Archive, ...],
    drop: str,
    names: Collection[str] = (),
    here: Collection[str] = (),
) -> tuple[tuple[Choice, ...], tuple[BuildError, ...]]:
    """Choose among the themes; if that cannot be decided none is chosen, and the error says why.

    With `auto`, all those are chosen that the project has, whose names are `here`; if it has none, the only one. The
    themes that the chosen ones build on are chosen as well. Where the setting leaves several to choose from, those
    are chosen that the run is about, by `names`. Where the setting names an archive that is refused, the refusal says
    why, and there is no error here.
    """
    known = tuple((archive, archive.component) for archive in archives if archive.component)
    out = tuple(_left_out(settings, known))
    gone = {choice.archive.file for choice in out}
    themes = tuple(pair for pair in known if pair[1].kind == "theme" and pair[0].file not in gone)
    setting = settings.decision("theme").winner
    if setting.value == AUTO and not set(_names(themes)).isdisjoint(here):
        return (*_kept_current(themes, here, names, setting), *out), ()
    unknown = tuple(archive for archive in archives if archive.component is None)
    closed = ((archive, unmarked("theme", archive.file)) for archive in unknown if not archive.refusals)
    excluded = (*closed, *((choice.archive, choice.component) for choice in out))
    found = _chosen(setting, known, themes, excluded, drop)
    if found is None or isinstance(found, str):
        return (*_choices(themes, found, setting), *out), ()
    choices = (*_named(themes, names, setting), *out)
    if isinstance(found, ThemeAmbiguous):
        is_settled = any(each.selected for each in choices)
    else:
        is_settled = any(archive.file.is_theme_setting and archive.refusals for archive in unknown)
    return choices, () if is_settled else (found,)


def _kept_current(
    themes: tuple[_Theme, ...], here: Collection[str], names: Collection[str], setting: Assignment
) -> Iterator[Choice]:
    """Choices of the themes that the project has, of those that are named, and of those that these build on."""
    named = {each.name for _, each in themes if not {each.name, each.path}.isdisjoint(names)}
    parents, lines = parents_of(themes), dict[str, str]()
    for name in sorted(named.union(here).intersection(parents)):
        lines |= _line_of(parents, name)
    for archive, component in themes:
        name = component.name
        if name in here:
            reason = Reason("theme here")
        elif name in named:
            reason = Reason("named theme", "theme", AUTO, setting.location)
        elif name in lines:
            reason = Reason("parent theme", word=lines[name])
        else:
            reason = Reason("not here")
        yield Choice(archive, component, reason.rule != "not here", reason)


def _left_out(settings: Settings, known: tuple[_Theme, ...]) -> Iterator[Choice]:
    """The themes left out by a pattern that names their files; the name of the file in the theme setting is exempt."""
    for archive, component in known:
        if component.kind == "theme" and (
            reason := leaves_out(settings, archive.file.names[archive.file.is_theme_setting :])
        ):
            yield Choice(archive, component, False, reason)


def _chosen(
    setting: Assignment, known: tuple[_Theme, ...], themes: tuple[_Theme, ...], excluded: tuple[_Theme, ...], drop: str
) -> str | ThemeAmbiguous | ThemeNotFound | None:
    """The name of the theme that the setting means, `None` for no theme; or why that cannot be decided."""
    wanted, names = str(setting.value), _names(themes)
    if wanted == NONE or (wanted == AUTO and not names):
        return None
    meant = _last_children(themes) if wanted == AUTO else _names(_meant(themes, wanted))
    if len(meant) == 1:
        return meant[0]
    if meant or wanted == AUTO:
        return ThemeAmbiguous(tuple(sorted(meant or names)), setting.location)
    by_file = is_archive_name(wanted)
    left_out = tuple(archive.file.display_path for archive, _ in _meant(excluded, wanted))
    named = by_file and not left_out and next((each for archive, each in known if archive.file.is_theme_setting), None)
    holds = (unbuilt_text(named.what, named.which) if named.what else "a module") if named else ""
    files = [PurePath(drop, archive.file.display_path).as_posix() for archive, _ in themes if not archive.file.member]
    suggestions = () if holds else suggest(wanted, files if by_file else names)
    return ThemeNotFound(wanted, setting.location, names, suggestions, holds, left_out)


def _choices(themes: tuple[_Theme, ...], chosen: str | None, setting: Assignment) -> tuple[Choice, ...]:
    wanted = str(setting.value)
    lines = _line_of({**parents_of(themes), **parents_of(_meant(themes, wanted))}, chosen)
    alone = len(_names(themes)) == 1

    def choice(archive: Archive, component: Component) -> Choice:
        if component.name in lines:
            return Choice(archive, component, True, Reason("parent theme", word=lines[component.name]))
        if wanted == AUTO and component.name == chosen:
            return Choice(archive, component, True, Reason("only theme" if alone else "last child"))
        selected = chosen is not None and _means(archive, component, wanted)
        if wanted == AUTO and chosen is not None:
            return Choice(archive, component, False, Reason("no parent", word=chosen))
        rule: SelectionRule = "no theme" if wanted == NONE else "theme" if selected else "other theme"
        return Choice(archive, component, selected, Reason(rule, "theme", wanted, setting.location))

    return tuple(choice(*pair) for pair in themes)


def _named(themes: tuple[_Theme, ...], names: Collection[str], setting: Assignment) -> Iterator[Choice]:
    """Choices where the setting decides nothing: those themes are chosen that are named, and that it may mean."""
    wanted = str(setting.value)
    for archive, component in themes:
        is_meant = wanted == AUTO or _means(archive, component, wanted)
        is_named = is_meant and not {component.name, component.path}.isdisjoint(names)
        reason = Reason("named theme", "theme", wanted, setting.location) if is_named else Reason("undecided theme")
        yield Choice(archive, component, is_named, reason)


def parents_of(themes: Iterable[_Theme]) -> dict[str, str | None]:
    """The parent of each theme; if it has several archives, of the one that is built."""
    groups: dict[str, list[_Theme]] = groupby(lambda pair: pair[1].name, themes)
    built = {name: highest(archive for archive, _ in group) for name, group in groups.items()}
    return {
        name: next((each.parent for archive, each in group if archive is built[name]), group[0][1].parent)
        for name, group in groups.items()
    }


def _line_of(parents: dict[str, str | None], chosen: str | None) -> dict[str, str]:
    """The themes of the drop that the chosen one builds on, each with the theme that names it as its parent."""
    line: dict[str, str] = {}
    name = chosen
    while name is not None and (parent := parents[name]) in parents and parent not in {chosen, *line}:
        line[str(parent)] = name
        name = parent
    return line


def _last_children(themes: tuple[_Theme, ...]) -> tuple[str, ...]:
    """The themes that no other theme builds on."""
    parents = {parent for name, parent in parents_of(themes).items() if parent != name}
    return tuple(name for name in _names(themes) if name not in parents)


def _meant(themes: tuple[_Theme, ...], wanted: str) -> tuple[_Theme, ...]:
    return tuple(pair for pair in themes if _means(*pair, wanted))


def _names(themes: Iterable[_Theme]) -> tuple[str, ...]:
    return tuple(unique(component.name for _, component in themes))


def _means(archive: Archive, component: Component, wanted: str) -> bool:
    """Whether the setting means this theme, by its file or by its name."""
    return archive.file.is_theme_setting if is_archive_name(wanted) else component.name == wanted
