"""Layers and settings: the two shapes of a configuration, and where each value came from.

A layer holds what one location sets, and nothing about the rest. Settings are complete.
Defaults enter only as the fifth layer; if they were filled in earlier, they would mask a
preset (`docs/configuration.md`).
"""

from collections.abc import Mapping
from functools import cached_property
from itertools import takewhile
from pathlib import PurePath
from typing import Any, Final, Literal, TypeAlias, get_args

from msgspec import UNSET, Struct, UnsetType

from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.location import BUILT_IN, Location
from pipeline.schema import (
    SETTINGS,
    SPLICE,
    LogFormat,
    OnFailure,
    Setting,
    Value,
    is_archive_name,
    is_preset_path,
)
from pipeline.values import replace

LayerName: TypeAlias = Literal["flag", "env", "config", "preset", "default"]
LAYERS: Final[tuple[LayerName, ...]] = get_args(LayerName)
"""The layers, highest first. No other place has their order."""
Auto: TypeAlias = Literal["auto"]


class Assignment(Struct, frozen=True):
    """One layer's value for a setting, as written, and where it was written."""

    layer: LayerName
    location: Location
    value: Value
    items: tuple[Location, ...] = ()
    """The place of each item of a list; empty if only the whole list has a place."""
    folder: PurePath = PurePath()
    """The absolute folder that the paths in the value are relative to."""

    @property
    def strings(self) -> tuple[str, ...]:
        """The strings of a list; none if the value is no list."""
        return self.value if isinstance(self.value, tuple) else ()

    @property
    def splices(self) -> bool:
        """Whether the value is a list with the element `"..."`, which keeps the lists of
        lower layers.
        """
        return SPLICE in self.strings


class Element(Struct, frozen=True):
    """One string of the list that was decided: the assignment that wrote it, and its
    index there.
    """

    assignment: Assignment
    index: int

    @property
    def value(self) -> str:
        """The string as written."""
        return self.assignment.strings[self.index]

    @property
    def path(self) -> PurePath:
        """The string as a path. It is relative to the folder of the file that wrote it."""
        return self.assignment.folder / self.value

    @property
    def layer(self) -> LayerName:
        """The layer that wrote it."""
        return self.assignment.layer

    @property
    def location(self) -> Location:
        """The place of the string, or that of its list if it has none of its own."""
        if not self.assignment.items:
            return self.assignment.location
        return self.assignment.items[self.index]


class Layer(Struct, frozen=True):
    """A partial configuration: an assignment for each setting that it sets. Merged layers are a
    layer as well.
    """

    assignments: Mapping[str, tuple[Assignment, ...]] = {}
    """Who set each setting, by its path, with the winner first; a setting that nobody
    sets is absent.
    """
    warnings: tuple[WarningDiagnostic, ...] = ()

    def value(self, path: str) -> Value | UnsetType:
        """The value of the setting at a path, as written; `UNSET` if the layer does not set it."""
        assignments = self.assignments.get(path)
        if not assignments:
            return UNSET
        return assignments[0].value


class Decision(Struct, frozen=True, dict=True):
    """The decision about one setting: the assignment that won, and those that it overrode,
    highest first.
    """

    path: str
    winner: Assignment
    overridden: tuple[Assignment, ...]
    elements: tuple[Element, ...] = ()
    """The strings of a list that apply, in order: those of the winner, and those that its `"..."`
    stands for.
    """
    detected: tuple[Element, ...] = ()
    """For `presets`, if no layer lists any: the presets that were detected, each with its file
    or variable.
    """

    @property
    def value(self) -> Value:
        """The value that applies, as written."""
        if isinstance(self.winner.value, tuple):
            return tuple(element.value for element in self.elements)
        return self.winner.value

    @cached_property
    def by_layer(self) -> Mapping[LayerName, Mapping[str, Element]]:
        """The elements by the layer that wrote them, highest first, and by their strings."""
        lists: dict[LayerName, dict[str, Element]] = {layer: {} for layer in LAYERS}
        for element in self.elements:
            lists[element.layer].setdefault(element.value, element)
        return {layer: own for layer, own in lists.items() if own}

    @property
    def assignments(self) -> tuple[Assignment, ...]:
        """All assignments of the setting, highest first."""
        return (self.winner, *self.overridden)

    @property
    def contributors(self) -> tuple[Assignment, ...]:
        """The winner and, highest first, those whose list its element `"..."` keeps."""
        kept = takewhile(lambda assignment: assignment.splices, self.assignments)
        return self.assignments[: len(tuple(kept)) + 1]

    @property
    def is_listed(self) -> bool:
        """Whether the layers give the whole list, so that nothing is detected."""
        return isinstance(self.contributors[-1].value, tuple)


class Settings(Struct, frozen=True, kw_only=True):
    """A complete configuration, made by `merge`: a field for each setting. The paths in it
    are absolute.
    """

    theme: str
    modules_include: tuple[str, ...]
    modules_exclude: tuple[str, ...]
    modules_only: tuple[str, ...]
    presets: tuple[str, ...] | Auto
    presets_search_path: tuple[PurePath, ...]
    hooks_init_scripts_dir: PurePath
    hooks_post_scripts_dir: PurePath
    hooks_on_failure: OnFailure
    cache_file: PurePath
    cache_enabled: bool
    log_format: LogFormat
    decisions: tuple[Decision, ...]
    warnings: tuple[WarningDiagnostic, ...] = ()

    def decision(self, path: str) -> Decision:
        """The decision about the setting at a path."""
        return next(decision for decision in self.decisions if decision.path == path)

    @property
    def lists_below(self) -> frozenset[str]:
        """The flags that must begin with `...` to add to the list that applies: no flag set it, and
        it is not empty.
        """
        lists = (
            (setting.flag, self.decision(setting.path))
            for setting in SETTINGS
            if setting.type == "strings"
        )
        return frozenset(
            flag for flag, each in lists if each.elements and each.winner.layer != "flag"
        )


def make_layer(
    assignments: Mapping[Setting, Assignment],
    folder: PurePath,
    warnings: tuple[WarningDiagnostic, ...] = (),
) -> Layer:
    """Make the layer of one location, whose paths are relative to `folder`."""
    return Layer(
        {
            setting.path: (replace(assignment, folder=folder),)
            for setting, assignment in assignments.items()
        },
        warnings,
    )


def defaults(start: PurePath) -> Layer:
    """The fifth layer: the built-in value of every setting, its paths relative to the
    current folder.
    """
    return make_layer(
        {setting: Assignment("default", BUILT_IN, setting.default) for setting in SETTINGS}, start
    )


def absolute_value(setting: Setting, decision: Decision) -> Any:
    """The value that was decided for a setting, with every path made absolute
    (`docs/configuration.md`, Paths).
    """
    value: Any = decision.value
    folder = decision.winner.folder
    if isinstance(value, tuple):
        return tuple(absolute_item(setting, each) for each in decision.elements)
    if setting.paths == "path":
        return folder / value
    if setting.paths == "archive" and is_archive_name(value):
        return str(folder / value)
    return value


def absolute_item(setting: Setting, element: Element) -> Any:
    """One string of a list; if it is a path, it is made absolute from the folder of its file."""
    match setting.paths:
        case "paths":
            return element.path
        case "presets" if is_preset_path(element.value):
            return str(element.path)
        case _:
            return element.value
