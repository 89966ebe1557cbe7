"""What is written into a component while it is exchanged (`docs/reliability.md`)."""

from collections.abc import Callable
from pathlib import Path

import pytest

from io_edges.building import carry
from io_edges.building.carry import Side, carry_writes
from io_edges.system.folder import Folder
from io_edges.system.trees import survey


def carried_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *interferences: Callable[[Path], object], has_exchange: bool = True
) -> list[str]:
    """Carry an edit of `f` from `old` to `new`; what could not be carried. Before each exchange, one interferes."""
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "f").write_text("planned", encoding="utf-8")
    exchange, coming = Folder.exchange, iter(interferences)

    def interrupted(folder: Folder, name: str, other: Folder, new: str) -> bool:
        next(coming, lambda _: None)(tmp_path / "new/f")
        return has_exchange and exchange(folder, name, other, new)

    monkeypatch.setattr(carry.Folder, "exchange", interrupted)
    with Folder.at(str(tmp_path)) as top:
        planned, standing = survey(top, "old").files, survey(top, "new").files
        (tmp_path / "old/f").write_text("edited late", encoding="utf-8")
        carried = carry_writes(Side(top, "old", planned), Side(top, "new", standing))
    return list(carried.newer)


def contents(folder: Path) -> dict[str, str]:
    """Every file of a folder."""
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}


def test_a_late_edit_is_carried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An edit of the old folder replaces what the new one has, and nothing is left beside it."""
    assert carried_while(tmp_path, monkeypatch, lambda _: None) == []
    assert contents(tmp_path / "new") == {"f": "edited late"}


def test_a_later_edit_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written into the new folder at the last moment stays, and the earlier edit is told as not carried."""
    assert carried_while(tmp_path, monkeypatch, lambda path: path.write_text("later", encoding="utf-8")) == ["f"]
    assert contents(tmp_path / "new") == {"f": "later"}
    assert contents(tmp_path / "old") == {"f": "edited late"}


def test_a_file_that_is_removed_at_the_last_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that someone removes meanwhile does not come back; the edit of the old one is told as not carried."""
    assert carried_while(tmp_path, monkeypatch, lambda path: path.unlink()) == ["f"]
    assert contents(tmp_path / "new") == {}
    assert contents(tmp_path / "old") == {"f": "edited late"}


def test_a_file_that_is_moved_away_while_it_is_put_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A newer file that came out of its place goes back, although somebody has emptied the place meanwhile."""

    def later(path: Path) -> None:
        path.write_text("later", encoding="utf-8")

    def rotated(path: Path) -> None:
        path.rename(path.with_name("f.1"))

    assert carried_while(tmp_path, monkeypatch, later, rotated) == ["f"]
    assert contents(tmp_path / "new") == {"f": "later", "f.1": "edited late"}


def test_a_file_that_goes_on_changing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a file that somebody changes before each of 16 exchanges, the newest version stays, and nothing beside it."""

    def changes(number: int) -> Callable[[Path], object]:
        return lambda path: path.write_text(f"later {number}", encoding="utf-8")

    assert carried_while(tmp_path, monkeypatch, *(changes(number) for number in range(20))) == ["f"]
    assert contents(tmp_path / "new") == {"f": "later 15"}


def test_two_names_of_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where somebody makes the new file another name of the old one, nothing is left beside it."""

    def linked(path: Path) -> None:
        path.unlink()
        path.hardlink_to(tmp_path / "old/f")

    carried_while(tmp_path, monkeypatch, linked, has_exchange=False)
    assert contents(tmp_path / "new") == {"f": "edited late"}
