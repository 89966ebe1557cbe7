"""Names: what the name that `tool explain` is asked about stands for (`docs/configuration.md`).

A setting comes before an archive of the same name; this goes by `modules/NAME`, too. An archive that has several
components stands for all of them.
"""

from collections.abc import Iterable
from pathlib import PurePath
from typing import Final

from toolz import concat

from pipeline.config.tree import LEGACY
from pipeline.locate import NAMES
from pipeline.report.escape import escape
from pipeline.report.wording import suggest
from pipeline.schema import OBJECTS, SETTINGS, Setting
from pipeline.selection.choices import Choice

CONFIG: Final = "config"
"""The name of the part about the configuration."""


def settings_named(name: str) -> tuple[Setting, ...]:
    """The settings that a name stands for: by path, flag or variable, by the last key, or all of an object."""
    exact = tuple(
        setting
        for setting in SETTINGS
        if name in {setting.path, setting.flag, setting.negative or setting.flag, setting.variable}
    )
    last = exact or tuple(setting for setting in SETTINGS if setting.keys[-1] == name)
    return last or tuple(setting for setting in SETTINGS if name in OBJECTS and setting.keys[0] == name)


def choices_named(name: str, choices: Iterable[Choice], drop: str) -> tuple[Choice, ...]:
    """The archives that a name stands for: by the component, with or without its folder, or by the file.

    A name that cannot be shown as it is goes by what is shown, too.
    """
    spellings = {name, PurePath(name).as_posix()}
    return tuple(choice for choice in choices if spellings & _names(choice, drop))


def _names(choice: Choice, drop: str) -> set[str]:
    file, component = choice.archive.file, choice.component
    whole = {file.whole, file.name} if file.member else {file.name}
    in_drop = (PurePath(drop, each).as_posix() for each in (file.display_path, file.whole))
    names = (component.name, component.path, choice.path, file.display_path, *in_drop, *whole, *file.names)
    return {*names, *map(escape, names)}


def suggest_for(name: str, choices: Iterable[Choice], others: Iterable[str]) -> tuple[str, ...]:
    """The known names that are most similar to one that stands for nothing; for a configuration file `config`."""
    if PurePath(name).name in {*NAMES, LEGACY}:
        return (CONFIG,)
    settings = concat((setting.path, setting.keys[-1], setting.variable) for setting in SETTINGS)
    components = (choice.component.name for choice in choices)
    return suggest(name, {CONFIG, *OBJECTS, *settings, *components, *others})
