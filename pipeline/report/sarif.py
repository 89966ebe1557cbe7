"""Sarif: findings as a log in SARIF 2.1.0, the format that code scanning services read (`docs/ci.md`)."""

from collections.abc import Iterable
from typing import Any, Final
from urllib.parse import quote

from pipeline.report.escape import escape
from pipeline.report.findings import Finding, Rule

VERSION: Final = "2.1.0"
SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def sarif(findings: Iterable[Finding], rules: tuple[Rule, ...], version: str) -> dict[str, Any]:
    """The log of one run, as plain data."""
    numbers = {rule.name: number for number, rule in enumerate(rules)}
    driver = {"name": "tool", "version": version, "semanticVersion": version, "rules": list(map(_rule, rules))}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, numbers.get(finding.name)) for finding in findings],
    }
    return {"$schema": SCHEMA, "version": VERSION, "runs": [run]}


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.name,
        "name": rule.name,
        "shortDescription": {"text": rule.meaning},
        "fullDescription": {"text": rule.help},
        "help": {"text": rule.help},
        "defaultConfiguration": {"level": rule.level},
    }


def _result(finding: Finding, number: int | None) -> dict[str, Any]:
    help_line = f"\nhelp: {escape(finding.help)}" if finding.help else ""
    location = _location(finding)
    return {
        "ruleId": finding.name,
        **({} if number is None else {"ruleIndex": number}),
        "level": finding.level,
        "message": {"text": finding.text + help_line},
        "locations": [location] if location else [],
    }


def _location(finding: Finding) -> dict[str, Any]:
    """Where it is: in a file; or under the name of a setting, a flag or a variable."""
    physical = {"physicalLocation": _in_file(finding)} if finding.file else {}
    name = finding.path or ("" if finding.file else finding.source)
    logical = {"logicalLocations": [{"fullyQualifiedName": escape(name)}]} if name else {}
    return {**physical, **logical}


def _in_file(finding: Finding) -> dict[str, Any]:
    """A place in a file, whose name is a URI: relative to the root of the repository, or absolute."""
    uri = quote(finding.file, errors="surrogateescape")
    artifact = {"uri": f"file://{uri}"} if uri.startswith("/") else {"uri": uri, "uriBaseId": "%SRCROOT%"}
    region = {"region": {"startLine": finding.line, "startColumn": max(1, finding.column)}} if finding.line else {}
    return {"artifactLocation": artifact, **region}
