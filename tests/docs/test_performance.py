"""The page on performance has what `make bench` measures."""

import re

from tests.support.bench import report


def test_the_page_has_a_row_for_each_measure() -> None:
    """Each goal and each comparison is a row of the table, in this order, and none has been left from before."""
    measured = report.PAGE.read_text(encoding="utf-8").partition(report.BEGIN)[2].partition(report.END)[0]
    rows = re.findall(
        r"^\| ([^|]+) \| ([^|]+) \| (?:≤ ([\d.]+))? ?\| (?:[\d.]+ \([\d.]+ to [\d.]+\)|not measured yet) \|$",
        measured,
        re.MULTILINE,
    )
    goals = [(goal.subject, goal.peer, f"{goal.most:g}") for goal in report.GOALS]
    assert rows == [*goals, *((subject, peer, "") for subject, peer in report.COMPARED)]
