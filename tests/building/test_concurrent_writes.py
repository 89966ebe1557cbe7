"""What is written into a component while it is exchanged (`docs/reliability.md`)."""

from collections.abc import Callable
from pathlib import Path

import pytest

from io_edges.building import carry
from io_edges.building.carry import Side, carry_writes
from io_edges.system.folder import Folder
from io_edges.system.trees import survey


def carried_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, interfere: Callable[[Path], object]) -> list[str]:
    """Carry an edit of `f` from `old` to `new` while another process interferes; what could not be carried."""
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "f").write_text("planned", encoding="utf-8")
    exchange = Folder.exchange
    interferences = iter([interfere])

    def interrupted(folder: Folder, name: str, other: Folder, new: str) -> bool:
        for each in interferences:
            each(tmp_path / "new/f")
        return exchange(folder, name, other, new)

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
