"""What a person sees of typical runs, on a terminal of 80 columns (`docs/reference/events.md`).

After an intended change, `python -m tests.support.screens` writes the screens again.
"""

from pathlib import Path

import pytest

from tests.support.screens import COLUMNS, SCENES, SCREENS, screen_of


@pytest.mark.parametrize("name", SCENES)
def test_a_typical_run(name: str, tmp_path: Path) -> None:
    """The screen is the kept one, to the letter, and no line is wider than the terminal."""
    screen = screen_of(SCENES[name], tmp_path)
    assert screen == (SCREENS / f"{name}.txt").read_text(encoding="utf-8")
    assert [line for line in screen.splitlines() if len(line) > COLUMNS] == []
