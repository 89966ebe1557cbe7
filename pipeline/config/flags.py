"""Flags: the layer of the command line."""

from collections.abc import Mapping
from itertools import islice
from pathlib import PurePath

from returns.result import Failure, Success

from pipeline.config.layers import Layer, Origin, make_layer
from pipeline.config.leaf_values import faults
from pipeline.report.outcome import Outcome
from pipeline.report.source import Source
from pipeline.schema import LEAVES, Leaf, Value


def read_flags(values: Mapping[str, Value | None], start: PurePath) -> Layer:
    """Make the layer of the flags that were given, keyed by the names of their leaves; paths are relative to `start`.

    A repeatable flag given once with an empty value, `--exclude=`, sets the empty list; `--preset=auto` alone sets the
    default.
    """
    by_leaf = {leaf: values.get(leaf.name) for leaf in LEAVES}
    origins = {
        leaf: Origin("flag", Source(_spelled(leaf, value)), _meant(leaf, value))
        for leaf, value in by_leaf.items()
        if value is not None
    }
    return make_layer(origins, start)


def check_flags(layer: Layer) -> Outcome[Layer]:
    """Refuse what the command line cannot know to be wrong. Problems: `WrongType`, `RepeatedSplice`."""
    problems = tuple(
        fault(leaf.path, layer.origins[leaf.path][0].source)
        for leaf in LEAVES
        if leaf.type == "strings" and leaf.path in layer.origins
        for _, fault in islice(faults(leaf, list(layer.origins[leaf.path][0].strings)), 1)
    )
    return Failure(problems) if problems else Success(layer)


def _meant(leaf: Leaf, value: Value) -> Value:
    if value == ("",):
        return ()
    return leaf.default if value == (leaf.default,) else value


def _spelled(leaf: Leaf, value: Value) -> str:
    return leaf.negative if value is False else leaf.flag
