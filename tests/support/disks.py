"""The project's folder, and assignments in it, for tests that run a stage alone."""

from pathlib import PurePath

from pipeline.config.layers import Assignment, LayerName
from pipeline.report.location import Location
from pipeline.schema import Value

START = PurePath("/project")


def assignment(layer: LayerName, location: Location, value: Value, items: tuple[Location, ...] = ()) -> Assignment:
    """How a layer set a setting whose paths are relative to the current folder."""
    return Assignment(layer, location, value, items, START)
