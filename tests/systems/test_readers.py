"""What a component needs and runs on, as the code of its system reads it: each row names the code,
which was run on the row's own files in the version that is named, or only read."""

from typing import Any

import msgspec
import pytest

from pipeline.systems.table import system_called
from tests.support.miniatures import Files
from tests.support.recognition import recognitions_of
from tests.support.tables import lists, rows

FIELDS = ("kind", "name", "system", "version", "requires", "parent", "runs_on", "unusable")


@pytest.mark.parametrize(("source", "files", "expected"), lists("systems", "components"))
def test_components(source: str, files: Files, expected: dict[str, Any]) -> None:
    """A marker is read as its system reads it; what that does not see, or cannot read, is said of
    the component.
    """
    (recognition,) = recognitions_of(files, "a.zip")
    facts = msgspec.json.decode(msgspec.json.encode(recognition.component))
    unusable = [[each["what"], each["why"]] for each in facts["unusable"]]
    seen = {field: unusable if field == "unusable" else facts[field] for field in FIELDS}
    assert {field: value for field, value in seen.items() if value} == expected, source


@pytest.mark.parametrize(
    ("source", "system", "version", "runs_on", "is_accepted"), rows("systems", "accepts")
)
def test_versions_that_a_component_runs_on(
    source: str, system: str, version: str, runs_on: str, is_accepted: bool
) -> None:
    """What a component asks for is judged by the comparison that its system makes."""
    assert system_called(system).accepts(version, runs_on) is is_accepted, source
