"""Merge: lay the layers over one another.

Takes the layers, highest first, and the folder that the paths in the defaults, the fifth layer, are
relative to; gives complete settings, and for each setting which layer won and what it overrode. The
highest layer that mentions a setting sets it. A list is one setting: it replaces, it does not
concatenate; an explicit `[]` is set, and overrides. Its element `"..."` keeps, in its place, what
lower layers list (`docs/configuration.md`).

Laws: `over` is associative, and `Layer()` is its identity; the list `["..."]` alone does not change
the value of its setting.
"""

from collections.abc import Callable, Iterable
from functools import partial, reduce
from pathlib import PurePath
from typing import Any, TypeAlias

from toolz import compose, concat, merge_with, unique

from pipeline.config.layers import (
    Assignment,
    Decision,
    Element,
    Layer,
    Settings,
    absolute_item,
    absolute_value,
    defaults,
)
from pipeline.report.paths import without_detours
from pipeline.schema import SETTINGS, Setting, splice_at
from pipeline.values import replace

Plain: TypeAlias = Callable[[PurePath], PurePath]
"""Gives a path without a `..` in it, as `Disk.plain` does."""


def merge(
    layers: Iterable[Layer],
    start: PurePath,
    detected: tuple[Element, ...] = (),
    plain: Plain = without_detours,
) -> Settings:
    """Merge the layers above the defaults, highest first, over those of a run in the
    folder `start`.

    `detected` are the presets that apply where no layer lists any; `plain` tells which paths
    are the same.
    """
    merged = reduce(over, (*layers, defaults(start)))
    decisions = tuple(
        _decision(setting, merged.assignments[setting.path], detected, plain)
        for setting in SETTINGS
    )
    values: dict[str, Any] = {
        setting.name: absolute_value(setting, each)
        for setting, each in zip(SETTINGS, decisions, strict=True)
    }
    return Settings(**values, decisions=decisions, warnings=merged.warnings)


def decide(
    path: str,
    layers: Iterable[Layer],
    start: PurePath,
    detected: tuple[Element, ...] = (),
    plain: Plain = without_detours,
) -> Decision:
    """Decide one setting alone, as `merge` does."""
    setting = next(setting for setting in SETTINGS if setting.path == path)
    stack = concat(layer.assignments.get(path, ()) for layer in (*layers, defaults(start)))
    return _decision(setting, tuple(stack), detected, plain)


def over(high: Layer, low: Layer) -> Layer:
    """Lay one layer over another."""
    joined = merge_with(compose(tuple, concat), high.assignments, low.assignments)
    return Layer(joined, high.warnings + low.warnings)


def _decision(
    setting: Setting, stack: tuple[Assignment, ...], detected: tuple[Element, ...], plain: Plain
) -> Decision:
    """Decide a setting by the assignments that set it, highest first."""
    winner, *losers = stack
    decision = Decision(setting.path, winner, tuple(losers))
    if setting.type != "strings":
        return decision
    *upper, lowest = decision.contributors
    if decision.is_listed:
        elements = _without_equal(setting, _spliced(upper, _elements(lowest)), plain)
        return replace(decision, elements=elements)
    elements = _without_equal(setting, _spliced(upper, detected), plain)
    return replace(decision, elements=elements, detected=detected)


def _spliced(upper: Iterable[Assignment], low: tuple[Element, ...]) -> tuple[Element, ...]:
    """Put a list in the place of the `"..."` of those above it, highest first."""
    before: list[Element] = []
    after: list[Element] = []
    for assignment in upper:
        elements = _elements(assignment)
        at = splice_at([element.value for element in elements])
        before += elements[:at]
        after[:0] = elements[at + 1 :]
    return (*before, *low, *after)


def _without_equal(
    setting: Setting, elements: tuple[Element, ...], plain: Plain
) -> tuple[Element, ...]:
    """Keep the first of equal elements; in `presets`, where the later overrides the
    earlier, the last.
    """
    identity = partial(_identity, setting, plain)
    if setting.paths != "presets":
        return tuple(unique(elements, key=identity))
    last = tuple(unique(reversed(elements), key=identity))
    return last[::-1]


def _identity(setting: Setting, plain: Plain, element: Element) -> object:
    """What makes elements equal: the pattern or name, or the path without detours."""
    item = absolute_item(setting, element)
    if setting.paths == "no":
        return item
    return plain(PurePath(item))


def _elements(assignment: Assignment) -> tuple[Element, ...]:
    return tuple(Element(assignment, index) for index in range(len(assignment.strings)))
