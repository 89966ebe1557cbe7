"""Flags: the layer of the command line."""

from collections.abc import Mapping
from itertools import islice
from pathlib import PurePath

from returns.result import Failure, Success

from pipeline.config.layers import Assignment, Layer, make_layer
from pipeline.config.setting_values import faults
from pipeline.report.location import Location
from pipeline.report.outcome import Outcome
from pipeline.schema import SETTINGS, Setting, Value


def read_flags(values: Mapping[str, Value | None], start: PurePath) -> Layer:
    """Make the layer of the flags that were given, keyed by the names of their settings; paths are relative to `start`.

    A repeatable flag given once with an empty value, `--exclude=`, sets the empty list; `--preset=auto` alone sets the
    default.
    """
    by_setting = {setting: values.get(setting.name) for setting in SETTINGS}
    assignments = {
        setting: Assignment("flag", Location(_flag_name(setting, value)), _given(setting, value))
        for setting, value in by_setting.items()
        if value is not None
    }
    return make_layer(assignments, start)


def check_flags(layer: Layer) -> Outcome[Layer]:
    """Refuse what the command line cannot know to be wrong. Errors: `InvalidValue`."""
    errors = tuple(
        fault(setting.path, layer.assignments[setting.path][0].location)
        for setting in SETTINGS
        if setting.type == "strings" and setting.path in layer.assignments
        for _, fault in islice(faults(setting, list(layer.assignments[setting.path][0].strings)), 1)
    )
    return Failure(errors) if errors else Success(layer)


def _given(setting: Setting, value: Value) -> Value:
    if value == ("",):
        return ()
    return setting.default if value == (setting.default,) else value


def _flag_name(setting: Setting, value: Value) -> str:
    return setting.negative if value is False else setting.flag
