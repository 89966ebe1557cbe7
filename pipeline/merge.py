"""Merge: lay the layers over one another.

Takes the layers, highest first, and the folder that the paths in the defaults, the fifth layer, are relative to;
gives complete settings, and for each leaf which layer won and what it overrode. A leaf is set by the highest layer
that mentions it. A list is one leaf: it replaces, it does not concatenate; an explicit `[]` is set, and wins
(`docs/precedence.md`).

Laws: `over` is associative, and `Layer()` is its identity.
"""

from collections.abc import Iterable
from functools import reduce
from pathlib import PurePath
from typing import Any

from toolz import concat, merge_with

from pipeline.config.layers import Decision, Layer, Origin, Settings, absolute_value, defaults
from pipeline.schema import LEAVES


def merge(layers: Iterable[Layer], start: PurePath) -> Settings:
    """Merge the layers above the defaults, highest first, over those of a run in the folder `start`."""
    merged = reduce(over, (*layers, defaults(start)))
    stacks = [(leaf, merged.origins[leaf.path]) for leaf in LEAVES]
    values: dict[str, Any] = {leaf.name: absolute_value(leaf, winner) for leaf, (winner, *_) in stacks}
    decisions = tuple(Decision(leaf.path, winner, tuple(losers)) for leaf, (winner, *losers) in stacks)
    return Settings(**values, decisions=decisions, notes=merged.notes)


def over(high: Layer, low: Layer) -> Layer:
    """Lay one layer over another."""
    return Layer(merge_with(_joined, high.origins, low.origins), high.notes + low.notes)


def _joined(parts: list[tuple[Origin, ...]]) -> tuple[Origin, ...]:
    return tuple(concat(parts))
