"""The counts that `docs/reliability.md` gives of what is tried."""

from pathlib import Path

from tests.support.benign import shapes
from tests.support.crash_scenarios import SCENARIOS
from tests.support.hostile import bombs, refused_at_sight, refused_when_read

PAGE = Path(__file__).parent.parent.parent / "docs" / "reliability.md"


def test_the_counts_are_those_of_the_tables() -> None:
    """How many archives, bombs and scenarios the page names is how many there are."""
    hostile = len(refused_at_sight(b"m")) + len(refused_when_read(b"m"))
    counts = (
        f"| {hostile} archives |",
        f"| {len(shapes())} archives |",
        f"{len(tuple(bombs(b'm')))} bombs",
        f"{len(SCENARIOS)} scenarios, ",
    )
    text = PAGE.read_text(encoding="utf-8")
    assert [count for count in counts if count not in text] == []
