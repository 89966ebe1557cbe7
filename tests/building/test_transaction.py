"""Commit, run alone: what is left of a run that can neither go on nor go back
(`docs/building.md`).
"""

import errno
import os
from contextlib import nullcontext
from pathlib import Path

import pytest

from io_edges.building.in_place import Workspace, install, take_back
from io_edges.building.local import staging_in
from io_edges.building.store import Store
from io_edges.building.transaction import Transaction, held_run
from io_edges.report.console import Console
from io_edges.system.folder import Folder
from io_edges.system.stop import Stop
from io_edges.system.trees import survey
from pipeline.building.stores.changes import Change, Run
from pipeline.building.stores.journal import Journal
from pipeline.building.stores.layout import MARKS
from pipeline.building.stores.record import FileState, Record
from pipeline.building.stores.state import State
from pipeline.report.diagnostics.building import backed_up, changed_meanwhile


def journal_of(change: Change) -> Journal:
    """The journal of a run that makes a change."""
    return Journal(run=Run(id="1", time="", command=()), changes=(change,), backup=".tool/backup/1")


def write(root: Path, text: str, *names: str) -> None:
    """Write files with a text."""
    for path in (root / name for name in names):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def files_in(root: Path) -> dict[str, str]:
    """The files below a folder, without the marks of the local one."""
    files = (file for file in root.rglob("*") if file.is_file() and file.name not in MARKS)
    return {file.relative_to(root).as_posix(): file.read_text(encoding="utf-8") for file in files}


@pytest.mark.parametrize("is_mounted", [False, True])
def test_an_emptied_folder_that_stays_busy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_mounted: bool
) -> None:
    """A folder that cannot be removed fails the run, and everything is put back; a mounted folder
    stays.
    """
    write(tmp_path, "old", "modules/m/d/a", "modules/m/b")
    real = os.rmdir

    def busy(name: str, **at: int) -> None:
        if name == "d":
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        real(name, **at)

    monkeypatch.setattr(os, "rmdir", busy)
    mounts = ("d",) if is_mounted else ()
    monkeypatch.setattr("io_edges.building.file_moves.mounts_below", lambda _: mounts)
    with Folder.at(str(tmp_path)) as project, staging_in(project, Console()) as staging:
        (tmp_path / ".tool/staging/0").mkdir()
        before = survey(project, "modules/m").files
        change = Change(path="modules/m", slot="0", before=before, after={"b": before["b"]})
        transaction = Transaction(project, staging, journal_of(change), project)
        with nullcontext() if is_mounted else pytest.raises(Stop):
            transaction.commit(Store(Record(), State()), State())
        left = survey(project, "modules/m").files
    assert left == ({"b": before["b"], "d": FileState(kind="folder")} if is_mounted else before)


@pytest.mark.parametrize("what", ["nothing", "the folder", "a file", "an edit"])
def test_a_run_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    """Everything is put back, except what somebody has changed since; then a replaced edit stays in
    the backup.
    """
    component = tmp_path / "modules/m"
    write(component, "old", "a")

    def refused(*_: object) -> None:
        if what == "the folder":
            component.rename(tmp_path / "moved")
            component.mkdir()
            (component / "stranger").touch()
        if what in {"a file", "an edit"}:
            (component / "a").write_text("mine", encoding="utf-8")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("io_edges.building.transaction.save_record", refused)
    with Folder.at(str(tmp_path)) as project, staging_in(project, Console()) as staging:
        write(tmp_path / ".tool/staging", "new", "0/a")
        write(tmp_path / ".tool/staging", "old", "backup/modules/m/a")
        before, after = (survey(project, name).files for name in ("modules/m", ".tool/staging/0"))
        users = ("a",) if what == "an edit" else ()
        transaction = Transaction(
            project,
            staging,
            journal_of(
                Change(path="modules/m", slot="0", before=before, after=after, backed_up=users)
            ),
            project,
        )
        with pytest.raises(OSError, match="No space left"):
            transaction.commit(Store(Record(), State()), State())
    assert (
        files_in(tmp_path)
        == {
            "nothing": {"modules/m/a": "old"},
            "the folder": {"moved/a": "new", "modules/m/stranger": "", "modules/m/a": "old"},
            "a file": {"modules/m/a": "mine"},
            "an edit": {"modules/m/a": "mine", ".tool/backup/1/modules/m/a": "old"},
        }[what]
    )
    expected = (
        (backed_up("modules/m", ("a",), ".tool/backup/1/modules/m"),) if what == "an edit" else ()
    )
    assert tuple(transaction.warnings) == expected


@pytest.mark.parametrize("written", [False, True])
def test_an_added_component_that_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: bool
) -> None:
    """If a failing run takes back a component that it added, files that somebody has written into
    it since stay.
    """

    def refused(*_: object) -> None:
        if written:
            (tmp_path / "modules/m/own").touch()
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("io_edges.building.transaction.save_record", refused)
    (tmp_path / "modules").mkdir()
    with Folder.at(str(tmp_path)) as project, staging_in(project, Console()) as staging:
        (tmp_path / ".tool/staging/0").mkdir()
        (tmp_path / ".tool/staging/0/a").touch()
        after = survey(project, ".tool/staging/0").files
        change = Change(path="modules/m", slot="0", adds=True, after=after)
        transaction = Transaction(project, staging, journal_of(change), project)
        with pytest.raises(OSError, match="No space left"):
            transaction.commit(Store(Record(), State()), State())
    assert files_in(tmp_path) == ({"modules/m/own": ""} if written else {})
    assert (tmp_path / "modules/m").exists() is written


def test_a_file_that_changes_while_others_are_replaced(tmp_path: Path) -> None:
    """A file that has changed when its turn comes stays and is named; the others are replaced."""
    write(tmp_path / "modules/m", "old", "a", "b", "c")
    with Folder.at(str(tmp_path)) as project, staging_in(project, Console()) as staging:
        write(tmp_path / ".tool/staging/0", "new", "a", "b")
        before, after = (survey(project, name).files for name in ("modules/m", ".tool/staging/0"))
        write(tmp_path / "modules/m", "mine", "b", "c")
        change = Change(path="modules/m", slot="0", before=before, after=after)
        transaction = Transaction(project, staging, journal_of(change), project)
        transaction.commit(Store(Record(), State()), State())
    there = {name: text for name, text in files_in(tmp_path).items() if name.startswith("modules")}
    assert there == {"modules/m/a": "new", "modules/m/b": "mine", "modules/m/c": "mine"}
    assert transaction.warnings == [changed_meanwhile("modules/m", ("b", "c"))]


@pytest.mark.parametrize("is_whole", [True, False])
def test_the_bar_counts_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_whole: bool
) -> None:
    """Each file that is put in place, put back or removed is counted, also in a component that is
    renamed as a whole.
    """
    counted: list[tuple[str, int | None, int]] = []

    def refused(folder: Folder, _: Record | None) -> None:
        counted.append((bar.title, bar.total, bar.done))
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    if not is_whole:
        write(tmp_path / "modules/m", "old", "a", "b")
    with Folder.at(str(tmp_path)) as project, staging_in(project, Console()) as staging:
        write(tmp_path / ".tool/staging/0", "new", "a", "b", "c")
        before = survey(project, "modules/m").files if not is_whole else {}
        after = survey(project, ".tool/staging/0").files
        journal = journal_of(
            Change(path="modules/m", slot="0", adds=is_whole, before=before, after=after)
        )
        with held_run(journal, Console()) as bar:
            transaction = Transaction(project, staging, journal, project, bar=bar)
            with monkeypatch.context() as broken, pytest.raises(OSError, match="No space left"):
                broken.setattr("io_edges.building.transaction.save_record", refused)
                transaction.commit(Store(Record(), State()), State())
            counted.append((bar.title, bar.total, bar.done))
            bar.restart("putting in place", 3)
            write(tmp_path / ".tool/previous/0.undo", "older", "d", "e/f")
            transaction.commit(Store(Record(), State()), State())
            counted.append((bar.title, bar.total, bar.done))
    assert counted == [
        ("putting in place", 3, 3),
        ("putting back", 3, 0 if is_whole else 3),
        ("removing what is no longer needed", None, 4),
    ]


def test_files_replaced_in_place_are_moved(tmp_path: Path) -> None:
    """A replaced file is linked and the staged one renamed over it, back and forth as often as
    needed.
    """
    write(tmp_path, "old", "modules/m/a")
    write(tmp_path / "staging/0", "new", "a", "deep/b")
    old, new = ((tmp_path / name).stat().st_ino for name in ("modules/m/a", "staging/0/a"))
    with Folder.at(str(tmp_path)) as project, project.child("staging") as staging:
        before, after = (survey(project, name).files for name in ("modules/m", "staging/0"))
        change = Change(path="modules/m", slot="0", before=before, after=after)
        at = Workspace(project, staging)
        for _ in range(2):
            assert install(change, at) == install(change, at, is_again=True) == ()
            assert survey(project, change.path).files == after
            take_back(change, at)
            assert survey(project, change.path).files == before
            assert [(tmp_path / name).stat().st_ino for name in ("modules/m/a", "staging/0/a")] == [
                old,
                new,
            ]
