"""A component's needs and requirements, as the code of its system reads them: each row names that
code, which was run on the row's own files in the named version, or only read.
"""

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
    """A marker is read as its system reads it; what the system would not see, or could not read, is
    reported.
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
    """The versions that a component asks for are judged by its system's own comparison."""
    assert system_called(system).accepts(version, runs_on) is is_accepted, source


@pytest.mark.parametrize(
    "files",
    [
        {
            "a/a.php": f"<?php class A extends Module {{ public $version = '1'; "
            f"public $ps_versions_compliancy = ['min' => '1{'0' * 5000}', 'max' => '{'9' * 5000}'];"
            " }"
        },
        {
            "a/Module.php": "<?php namespace A; class Module extends AbstractModule {}",
            "a/config/module.ini": '[info]\nname = "A"\nversion = "1"\n'
            f'omeka_version_constraint = "^{"9" * 5000}"\n',
        },
    ],
    ids=["PrestaShop", "Omeka S"],
)
def test_a_version_with_thousands_of_digits(files: Files) -> None:
    """A component that asks for a version with thousands of digits runs on no system; the rest is
    not read.
    """
    (recognition,) = recognitions_of(files, "a.zip")
    component = recognition.component
    assert component is not None
    assert len(component.runs_on) < 500
    assert system_called(component.system).accepts("4.1.0", component.runs_on) is not True
