"""Difference: two configurations, leaf by leaf (`docs/explain.md`)."""

from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import Any

from msgspec import Struct

from pipeline.config.layers import LayerName, Origin, Settings
from pipeline.explain.changes import changed_leaves, comparable_value
from pipeline.report.layout import Row, Screen, table
from pipeline.report.paths import display_path
from pipeline.report.values import value_text
from pipeline.schema import Leaf, Value


class Side(Struct, frozen=True):
    """What one of two configurations says about a setting: the value, who sets it, and where."""

    value: Value
    layer: LayerName
    source: str


class LeafDifference(Struct, frozen=True):
    """A setting that two configurations give different values."""

    path: str
    a: Side
    b: Side


class Comparison(Struct, frozen=True, tag="comparison", tag_field="event"):
    """What `tool config diff --log-format=json` prints on standard output. `a` and `b` say what is compared."""

    a: str
    b: str
    differences: tuple[LeafDifference, ...]


def differences(a: Settings, b: Settings, start: PurePath) -> tuple[LeafDifference, ...]:
    """The leaves whose values differ. A value is told as written, or where that is alike, as paths from `start`."""
    return tuple(_difference(leaf, a, b, start) for leaf in changed_leaves(a, b))


def lines(leaves: Iterable[LeafDifference], screen: Screen) -> tuple[str, ...]:
    """Differences for people: each leaf, and below it one line for each side."""
    return tuple(line for each in leaves for line in (each.path, *_sides(each, screen)))


def _sides(difference: LeafDifference, screen: Screen) -> Iterator[str]:
    sides = (("-", difference.a), ("+", difference.b))
    rows = [Row((sign, value_text(side.value), side.layer, side.source)) for sign, side in sides]
    yield from (f"  {line}" for line in table(rows, screen))


def _difference(leaf: Leaf, a: Settings, b: Settings, start: PurePath) -> LeafDifference:
    decisions = a.decision(leaf.path), b.decision(leaf.path)
    values = tuple(decision.effective for decision in decisions)
    if values[0] == values[1]:
        values = tuple(_from(start, comparable_value(settings, leaf)) for settings in (a, b))
    winners = (decision.winner for decision in decisions)
    return LeafDifference(leaf.path, *map(_side, values, winners))


def _side(value: Value, winner: Origin) -> Side:
    return Side(value, winner.layer, str(winner.source))


def _from(start: PurePath, value: Any) -> Value:
    """A value with the paths in it as seen from a folder."""
    if isinstance(value, tuple):
        return tuple(str(_from(start, each)) for each in value)
    return display_path(PurePath(value), start) if PurePath(value).is_absolute() else str(value)
