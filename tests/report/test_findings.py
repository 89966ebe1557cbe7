"""Findings for programs: annotations, SARIF and JSON as pure texts (`docs/ci.md`)."""

import json

from msgspec.structs import replace

from pipeline.report.findings import Finding, Rule, annotations, code_quality, json_document
from pipeline.report.sarif import SCHEMA, sarif
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
RULES = (
    Rule("ConfigNotFound", "error", "No file.", "No file. Look."),
    Rule("SchemaValidationError", "error", "A value is wrong.", "A value is wrong. Mend it."),
    Rule("misspelt-variable", "warning", "A variable.", "A variable."),
)


def test_annotations() -> None:
    """A finding is one workflow command: what it is, where, and what to do; a place that is not known is left out."""
    assert [read_back(line) for line in annotations((WRONG, VARIABLE, ABSENT))] == [
        (
            "error",
            {"file": "sub/a b.json", "line": "3", "col": "12", "title": "SchemaValidationError"},
            "theme: expected a string, found a number\nhelp: 100 % sure,\\nis it?",
        ),
        ("warning", {"title": "misspelt-variable"}, "`TOOL_THEM` is not read"),
        ("error", {"file": "/x/é.json", "title": "ConfigNotFound"}, "no file"),
    ]
    assert annotations(()) == ()


def test_code_quality() -> None:
    """Each finding is an issue at its line, or at the pipeline, and stays the same one when it moves."""
    moved, other = replace(WRONG, line=9), replace(WRONG, path="cache.file")
    issues = json.loads(code_quality((WRONG, WRONG, VARIABLE, ABSENT)))
    fingerprints = [each.pop("fingerprint") for each in issues]
    wrong = {
        "check_name": "SchemaValidationError",
        "description": "theme: expected a string, found a number; 100 % sure,\\nis it?",
        "severity": "critical",
        "location": {"path": "sub/a b.json", "lines": {"begin": 3}},
    }
    assert issues == [
        wrong,
        wrong,
        {
            "check_name": "misspelt-variable",
            "description": "`TOOL_THEM` is not read",
            "severity": "minor",
            "location": {"path": ".gitlab-ci.yml", "lines": {"begin": 1}},
        },
        {
            "check_name": "ConfigNotFound",
            "description": "no file",
            "severity": "critical",
            "location": {"path": "/x/é.json", "lines": {"begin": 1}},
        },
    ]
    assert len(set(fingerprints)) == 4
    assert json.loads(code_quality((moved,)))[0]["fingerprint"] == fingerprints[0]
    assert json.loads(code_quality((other, WRONG)))[1]["fingerprint"] == fingerprints[0]
    assert json.loads(code_quality(())) == []


def test_sarif() -> None:
    """Each finding is a result with its rule, and the place as a URI, relative to the repository if it is in it."""
    log = sarif((WRONG, VARIABLE, ABSENT), RULES, "1.2.3")
    assert log["runs"][0]["results"] == [
        {
            "ruleId": "SchemaValidationError",
            "ruleIndex": 1,
            "level": "error",
            "message": {"text": "theme: expected a string, found a number\nhelp: 100 % sure,\\nis it?"},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": "sub/a%20b.json", "uriBaseId": "%SRCROOT%"},
                        "region": {"startLine": 3, "startColumn": 12},
                    },
                    "logicalLocations": [{"fullyQualifiedName": "theme"}],
                }
            ],
        },
        {
            "ruleId": "misspelt-variable",
            "ruleIndex": 2,
            "level": "warning",
            "message": {"text": "`TOOL_THEM` is not read"},
            "locations": [{"logicalLocations": [{"fullyQualifiedName": "TOOL_THEM"}]}],
        },
        {
            "ruleId": "ConfigNotFound",
            "ruleIndex": 0,
            "level": "error",
            "message": {"text": "no file"},
            "locations": [{"physicalLocation": {"artifactLocation": {"uri": "file:///x/%C3%A9.json"}}}],
        },
    ]


def test_sarif_without_findings() -> None:
    """A log without results is complete: code scanning then knows that everything is fixed."""
    assert sarif((), RULES[:1], "1.2.3") == {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "tool",
                        "version": "1.2.3",
                        "semanticVersion": "1.2.3",
                        "rules": [
                            {
                                "id": "ConfigNotFound",
                                "name": "ConfigNotFound",
                                "shortDescription": {"text": "No file."},
                                "fullDescription": {"text": "No file. Look."},
                                "help": {"text": "No file. Look."},
                                "defaultConfiguration": {"level": "error"},
                            }
                        ],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [],
            }
        ],
    }


def test_a_finding_without_place_or_rule() -> None:
    """What is nowhere in particular has no location, and what has no rule has its name alone."""
    nowhere = Finding(level="error", name="FileSystemProblem", message="x")
    assert sarif((nowhere,), RULES, "1")["runs"][0]["results"] == [
        {"ruleId": "FileSystemProblem", "level": "error", "message": {"text": "x"}, "locations": []}
    ]


def test_json() -> None:
    """The document has the valid files, and of each finding every field."""
    assert json.loads(json_document((("a.ts", "literal"),), (VARIABLE,))) == {
        "valid": [{"file": "a.ts", "reading": "literal"}],
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
