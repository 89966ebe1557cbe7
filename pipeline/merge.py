"""Merge: lay the layers over one another.

Takes the layers, highest first, the last of them the defaults; gives complete settings, and for each leaf which
layer won and what it overrode. A leaf is set by the highest layer that mentions it. A list is one leaf: it
replaces, it does not concatenate; an explicit `[]` is set, and wins (`docs/precedence.md`).

Laws: `over` is associative, and `Layer()` is its identity.
"""

from collections.abc import Iterable
from functools import reduce
from typing import Any

from msgspec import UNSET
from toolz import concat, merge_with

from pipeline.config.layers import Decision, Layer, Settings
from pipeline.schema import LEAVES


def merge(layers: Iterable[Layer]) -> Settings:
    """Merge layers, highest first; the last must set every leaf."""
    merged = reduce(over, layers, Layer())
    values: dict[str, Any] = {leaf.name: getattr(merged, leaf.name) for leaf in LEAVES}
    decisions = tuple(
        Decision(leaf.path, merged.origins[leaf.path][0], merged.origins[leaf.path][1:]) for leaf in LEAVES
    )
    return Settings(**values, decisions=decisions, notes=merged.notes)


def over(high: Layer, low: Layer) -> Layer:
    """Lay one layer over another."""
    values = {leaf.name: _first(getattr(high, leaf.name), getattr(low, leaf.name)) for leaf in LEAVES}
    origins = merge_with(lambda found: tuple(concat(found)), high.origins, low.origins)
    return Layer(**values, origins=origins, notes=high.notes + low.notes)


def _first(high: Any, low: Any) -> Any:
    return high if high is not UNSET else low
