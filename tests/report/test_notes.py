"""Warnings, run alone: those that are told together (`docs/reference/events.md`)."""

from msgspec.structs import replace

from pipeline.report.diagnostics.archives import NotBuilt
from pipeline.report.diagnostics.selection import UnmatchedPattern, together
from pipeline.report.location import Location


def unmatched(pattern: str, line: int, *near: str) -> UnmatchedPattern:
    """A pattern of a preset that matches no module."""
    return UnmatchedPattern("modules.exclude", pattern, Location("p.json", line, 1), near)


def test_patterns_of_one_list_are_told_together() -> None:
    """Those of one file and one list are one warning, at the place of the first; all others stay as they are."""
    elsewhere = replace(unmatched("d", 9), location=Location("q.json", 1, 1))
    flags = [replace(unmatched(name, 0), location=Location("--exclude")) for name in "xy"]
    only = replace(unmatched("e", 1), path="modules.only")
    warnings = [unmatched("a", 1), unmatched("b", 2), unmatched("c", 3), elsewhere, *flags, only]
    assert list(together(warnings)) == [replace(unmatched("a", 1), others=("b", "c")), elsewhere, *flags, only]


def test_a_pattern_with_a_near_name_is_told_alone() -> None:
    """Such a pattern is probably misspelt, and keeps its own line; so does anything that is no pattern."""
    warnings = [unmatched("a", 1), unmatched("b", 2, "bb"), unmatched("c", 3), NotBuilt("m.zip", "empty")]
    assert list(together(warnings)) == warnings
