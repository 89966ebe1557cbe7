"""Findings for programs: annotations and JSON as pure texts (`docs/howto/git-and-ci.md`)."""

import json

from pipeline.report.findings import Finding, annotation, json_document
from tests.support.annotations import read_back

WRONG = Finding(
    level="error",
    name="SchemaValidationError",
    message="expected a string, found a number",
    help="100 % sure,\nis it?",
    path="theme",
    source="a b.json:3:12",
    file="sub/a b.json",
    line=3,
    column=12,
)
VARIABLE = Finding(level="warning", name="misspelt-variable", message="`TOOL_THEM` is not read", source="TOOL_THEM")
ABSENT = Finding(level="error", name="ConfigNotFound", message="no file", source="/x/é.json", file="/x/é.json")


def test_annotations() -> None:
    """A finding is one workflow command: what it is, where, and what to do; a place that is not known is left out."""
    assert [read_back(line) for line in map(annotation, (WRONG, VARIABLE, ABSENT))] == [
        (
            "error",
            {"file": "sub/a b.json", "line": "3", "col": "12", "title": "SchemaValidationError"},
            "theme: expected a string, found a number\nhelp: 100 % sure,\\nis it?",
        ),
        ("warning", {"title": "misspelt-variable"}, "`TOOL_THEM` is not read"),
        ("error", {"file": "/x/é.json", "title": "ConfigNotFound"}, "no file"),
    ]


def test_json() -> None:
    """The document has the valid files, and of each finding every field."""
    assert json.loads(json_document(("a.ts",), (VARIABLE,))) == {
        "valid": [{"file": "a.ts"}],
        "findings": [
            {
                "level": "warning",
                "name": "misspelt-variable",
                "message": "`TOOL_THEM` is not read",
                "help": "",
                "path": None,
                "source": "TOOL_THEM",
                "file": "",
                "line": 0,
                "column": 0,
            }
        ],
    }
