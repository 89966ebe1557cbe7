"""Flags: the layer of the command line."""

import re
from collections.abc import Mapping
from itertools import islice
from pathlib import PurePath
from typing import Final

from returns.result import Failure, Success
from toolz import concat

from pipeline.config.layers import Assignment, Layer, make_layer
from pipeline.config.setting_values import faults
from pipeline.report.location import Location
from pipeline.report.outcome import Outcome
from pipeline.schema import SETTINGS, Setting, Value

EMPTY_LIST: Final = "[]"
"""The value that sets a list to the empty list, if it is the only one that its flag is given."""
_LINE_BREAK: Final = r"[\r\n]"


def read_flags(values: Mapping[str, Value | None], start: PurePath) -> Layer:
    """Make the layer of the flags that were given, keyed by the names of their settings. Paths are
    relative to `start`.

    `--exclude='[]'` alone sets the empty list, and `--preset=auto` alone the default. A line break
    separates elements, for example in a column of names that was pasted.
    """
    by_setting = {setting: values.get(setting.name) for setting in SETTINGS}
    assignments = {
        setting: Assignment("flag", Location(_flag_name(setting, value)), _given(setting, value))
        for setting, value in by_setting.items()
        if value is not None
    }
    return make_layer(assignments, start)


def check_flags(layer: Layer) -> Outcome[Layer]:
    """Refuse values that are wrong but that the command line accepts. Errors: `InvalidValue`."""
    errors = tuple(
        fault(setting.path, layer.assignments[setting.path][0].location)
        for setting in SETTINGS
        if setting.type == "strings" and setting.path in layer.assignments
        for _, fault in islice(faults(setting, list(layer.assignments[setting.path][0].strings)), 1)
    )
    if errors:
        return Failure(errors)
    return Success(layer)


def flags_to_repeat(layer: Layer) -> tuple[str, ...]:
    """The flags of a run that a suggested command line repeats: those that decide about settings,
    except for the format of the log.
    """
    repeated = list[str]()
    for path, (assignment, *_) in layer.assignments.items():
        flag = assignment.location.name
        match assignment.value:
            case _ if path == "log.format":
                pass
            case bool():
                repeated.append(flag)
            case ():
                repeated.append(f"{flag}={EMPTY_LIST}")
            case str() as value:
                repeated.append(f"{flag}={value}")
            case values:
                repeated += [f"{flag}={value}" for value in values]
    return tuple(repeated)


def _given(setting: Setting, value: Value) -> Value:
    if not isinstance(value, tuple):
        return value
    if value == (EMPTY_LIST,):
        return ()
    if value == (setting.default,):
        return setting.default
    return tuple(concat(map(_elements, value)))


def _elements(text: str) -> list[str]:
    """The elements that one use of a flag gives: one a line."""
    if not re.search(_LINE_BREAK, text):
        return [text]
    return [line.strip() for line in re.split(_LINE_BREAK, text) if line.strip()]


def _flag_name(setting: Setting, value: Value) -> str:
    if value is False:
        return setting.negative
    return setting.flag
