"""Layers and settings: the two shapes of a configuration, and where each value came from.

A layer is what one source sets; the rest is `UNSET`. Settings are complete. Defaults enter only as the fifth layer,
so that nothing is filled in early and masks a preset (`docs/precedence.md`).
"""

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any, Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType

from pipeline.report.notes import Note
from pipeline.report.source import BUILT_IN, Source
from pipeline.schema import (
    LEAVES,
    Leaf,
    LogFormat,
    OnFailure,
    Value,
    is_preset_path,
    is_theme_archive,
)

LayerName: TypeAlias = Literal["flag", "env", "config", "preset", "default"]
Auto: TypeAlias = Literal["auto"]


class Origin(Struct, frozen=True):
    """How one layer set a leaf: to which value, as written, and where."""

    layer: LayerName
    source: Source
    value: Value
    items: tuple[Source, ...] = ()
    """The place of each item of a list; empty if only the list as a whole has a place."""

    def item(self, index: int) -> Source:
        """The place of the item at an index."""
        return self.items[index] if index < len(self.items) else self.source


class Layer(Struct, frozen=True, kw_only=True):
    """A partial configuration. Its paths are already absolute, resolved against the folder each is relative to."""

    theme: str | UnsetType = UNSET
    modules_include: tuple[str, ...] | UnsetType = UNSET
    modules_exclude: tuple[str, ...] | UnsetType = UNSET
    modules_only: tuple[str, ...] | UnsetType = UNSET
    presets: tuple[str, ...] | Auto | UnsetType = UNSET
    presets_search_path: tuple[PurePath, ...] | UnsetType = UNSET
    hooks_init_scripts_dir: PurePath | UnsetType = UNSET
    hooks_post_scripts_dir: PurePath | UnsetType = UNSET
    hooks_on_failure: OnFailure | UnsetType = UNSET
    cache_file: PurePath | UnsetType = UNSET
    cache_enabled: bool | UnsetType = UNSET
    log_format: LogFormat | UnsetType = UNSET
    origins: Mapping[str, tuple[Origin, ...]] = {}
    """Who set each leaf, by its path, with the winner first; a leaf that is `UNSET` is absent."""
    notes: tuple[Note, ...] = ()


class Decision(Struct, frozen=True):
    """What was decided about one leaf: the winner, and everything that it overrode, highest first."""

    path: str
    winner: Origin
    overridden: tuple[Origin, ...]


class Settings(Struct, frozen=True, kw_only=True):
    """A complete configuration. The paths in it are absolute."""

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
    notes: tuple[Note, ...] = ()

    def decision(self, path: str) -> Decision:
        """The decision about the leaf at a path."""
        return next(decision for decision in self.decisions if decision.path == path)


def make_layer(origins: Mapping[Leaf, Origin], base: PurePath, notes: tuple[Note, ...] = ()) -> Layer:
    """Make the layer of one source, whose paths are relative to the folder `base`."""
    values: dict[str, Any] = {leaf.name: _rebase(leaf, origin.value, base) for leaf, origin in origins.items()}
    return Layer(**values, origins={leaf.path: (origin,) for leaf, origin in origins.items()}, notes=notes)


def defaults(start: PurePath) -> Layer:
    """The fifth layer: the built-in value of every leaf, its paths relative to the current folder."""
    return make_layer({leaf: Origin("default", BUILT_IN, leaf.default) for leaf in LEAVES}, start)


def _rebase(leaf: Leaf, value: Any, base: PurePath) -> Any:
    """Make the paths in a value absolute (`docs/configuration.md`, Paths)."""
    match leaf.paths:
        case "path":
            return base / value
        case "paths":
            return tuple(base / item for item in value)
        case "archive":
            return str(base / value) if is_theme_archive(value) else value
        case "presets" if value != leaf.default:
            return tuple(str(base / item) if is_preset_path(item) else item for item in value)
        case _:
            return value
