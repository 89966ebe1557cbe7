"""Themes: choose the one theme of a drop, or none (`docs/selection.md`)."""

from collections.abc import Iterable
from pathlib import PurePath
from typing import TypeAlias

from returns.result import Failure, Result, Success
from toolz import unique

from pipeline.archives import Archive, Component
from pipeline.choices import Choice, Reason, Rule
from pipeline.layers import Origin, Settings
from pipeline.near import near_names
from pipeline.outcome import fold
from pipeline.problems import BuildProblem, ThemeAmbiguous, ThemeNotFound
from pipeline.schema import AUTO, NONE, is_theme_archive

_Theme: TypeAlias = tuple[Archive, Component]


def choose_theme(
    settings: Settings, archives: Iterable[Archive], drop: str
) -> tuple[tuple[Choice, ...], tuple[BuildProblem, ...]]:
    """Choose among the themes; where that cannot be decided none is chosen, and the problem says why."""
    known = tuple((archive, archive.component) for archive in archives if archive.component)
    themes = tuple(pair for pair in known if pair[1].kind == "theme")
    setting = settings.decision("theme").winner
    found = _chosen(setting, known, themes, drop)
    nothing: tuple[BuildProblem, ...] = ()
    return fold(
        found,
        lambda chosen: (tuple(_choice(pair, chosen, setting) for pair in themes), nothing),
        lambda problems: (tuple(Choice(*pair, False, Reason("undecided theme")) for pair in themes), problems),
    )


def _chosen(
    setting: Origin, known: tuple[_Theme, ...], themes: tuple[_Theme, ...], drop: str
) -> Result[str | None, tuple[BuildProblem, ...]]:
    """The name of the theme that the setting means; `None` for no theme."""
    wanted, names = str(setting.value), tuple(unique(component.name for _, component in themes))
    if wanted == NONE or (wanted == AUTO and not names):
        return Success(None)
    if wanted == AUTO:
        return Success(names[0]) if len(names) == 1 else Failure((ThemeAmbiguous(names, setting.source),))
    matches = [component.name for archive, component in themes if _means(archive, component, wanted)]
    if matches:
        return Success(matches[0])
    by_file = is_theme_archive(wanted)
    is_module = by_file and any(archive.file.named for archive, _ in known)
    files = [PurePath(drop, archive.file.shown).as_posix() for archive, _ in themes]
    near = () if is_module else near_names(wanted, files if by_file else names)
    return Failure((ThemeNotFound(wanted, setting.source, names, near, is_module),))


def _choice(theme: _Theme, chosen: str | None, setting: Origin) -> Choice:
    archive, component = theme
    wanted = str(setting.value)
    if wanted == AUTO:
        return Choice(archive, component, component.name == chosen, Reason("only theme"))
    selected = chosen is not None and _means(archive, component, wanted)
    rule: Rule = "no theme" if wanted == NONE else "theme" if selected else "other theme"
    return Choice(archive, component, selected, Reason(rule, "theme", wanted, setting.source))


def _means(archive: Archive, component: Component, wanted: str) -> bool:
    """Whether the setting means this theme, by its file or by its name."""
    return archive.file.named if is_theme_archive(wanted) else component.name == wanted
