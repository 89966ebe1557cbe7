"""Commit, run alone: what stays of a run that can neither go on nor go back (`docs/building.md`)."""

import errno
import os
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest

from io_edges.building.backups import salvage
from io_edges.building.in_place import install, undo
from io_edges.building.staging import staging_in
from io_edges.building.store import Store
from io_edges.building.transaction import Transaction, commit
from io_edges.report.console import Console
from io_edges.system.folder import Folder
from io_edges.system.trees import survey
from pipeline.building.journal import Change, Journal, Run
from pipeline.building.record import Record
from pipeline.building.state import State
from pipeline.report.diagnostics.building import backed_up


@pytest.mark.parametrize("replaced", [False, True])
def test_the_journal_stays_in_doubt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, replaced: bool) -> None:
    """Where another process has replaced the component, the journal stays with the old folder; else all is put back."""
    component = tmp_path / "modules/m"
    component.mkdir(parents=True)
    (component / "a").write_text("old", encoding="utf-8")

    def refused(*_: object) -> None:
        if replaced:
            component.rename(tmp_path / "moved")
            component.mkdir()
            (component / "stranger").touch()
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("io_edges.building.transaction.save_record", refused)
    with Folder.at(str(tmp_path)) as project, staging_in(project, Console()) as staging:
        with staging.make("0"):
            (tmp_path / ".tool/staging/0/a").write_text("new", encoding="utf-8")
        before, after = (survey(project, name).files for name in ("modules/m", ".tool/staging/0"))
        old, new = component.stat().st_ino, (tmp_path / ".tool/staging/0").stat().st_ino
        change = Change(path="modules/m", slot="0", new=new, old=old, before=before, after=after)
        journal = Journal(run=Run(id="1", time="", command=()), changes=(change,), backup=".tool/backup/1")
        with pytest.raises(OSError, match="No space left"):
            commit(Transaction(project, staging, journal), Store(Record(), State()), State())
    files = {file.relative_to(tmp_path).as_posix(): file for file in tmp_path.rglob("*") if file.is_file()}
    texts = {name: file.read_text(encoding="utf-8") for name, file in files.items() if name.endswith("/a")}
    assert texts == ({".tool/staging/0/a": "old", "moved/a": "new"} if replaced else {"modules/m/a": "old"})
    assert (".tool/staging/run.json" in files) is replaced


@pytest.mark.parametrize("written", [False, True])
def test_an_added_component_that_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: bool) -> None:
    """What somebody has written into a component that a failing run added stays with the journal for the next run."""

    def refused(*_: object) -> None:
        if written:
            (tmp_path / "modules/m/own").touch()
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("io_edges.building.transaction.save_record", refused)
    (tmp_path / "modules").mkdir()
    with Folder.at(str(tmp_path)) as project, staging_in(project, Console()) as staging:
        with staging.make("0"):
            (tmp_path / ".tool/staging/0/a").touch()
        new, after = (tmp_path / ".tool/staging/0").stat().st_ino, survey(project, ".tool/staging/0").files
        change = Change(path="modules/m", slot="0", new=new, after=after)
        journal = Journal(run=Run(id="1", time="", command=()), changes=(change,), backup=".tool/backup/1")
        with pytest.raises(OSError, match="No space left"):
            commit(Transaction(project, staging, journal), Store(Record(), State()), State())
    left = {file.relative_to(tmp_path).as_posix() for file in tmp_path.rglob("*") if file.is_file()}
    kept = {".tool/staging/0/a", ".tool/staging/0/own", ".tool/staging/run.json"}
    assert left - {".tool/.gitignore", ".tool/.htaccess"} == (kept if written else set())


@pytest.mark.parametrize("number", range(3))
def test_a_staged_folder_whose_status_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Whichever query of a status is refused while a folder is staged, the run removes the folder at its end."""
    status, queries = os.fstat, count()

    def fstat(descriptor: int) -> os.stat_result:
        if next(queries) == number:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return status(descriptor)

    with Folder.at(str(tmp_path)) as project, staging_in(project, Console()) as staging, suppress(OSError):
        monkeypatch.setattr(os, "fstat", fstat)
        staging.make("0").close()
    assert next(queries) > number
    assert not (tmp_path / ".tool/staging").exists()


def test_what_is_saved_twice(tmp_path: Path) -> None:
    """What is saved once more goes to the same backup, and another version of a file to a further one."""
    mine, change, told = tmp_path / "staging/0/mine", Change(path="modules/m", slot="0"), []
    mine.parent.mkdir(parents=True)
    (tmp_path / ".tool").mkdir()
    backup = ".tool/backup/1"
    with Folder.at(str(tmp_path)) as project, project.child("staging") as staging:
        for text in ("1", "1", "2", "2"):
            mine.unlink(missing_ok=True)
            mine.write_text(text, encoding="utf-8")
            told.append(salvage(change, ("mine",), backup, project, staging))
    places = (f"{backup}-late/modules/m", f"{backup}-late-2/modules/m")
    assert told == [backed_up("modules/m", ("mine",), place) for place in places for _ in range(2)]
    assert [(tmp_path / place / "mine").read_text(encoding="utf-8") for place in places] == ["1", "2"]


def test_files_replaced_in_place_are_moved(tmp_path: Path) -> None:
    """A file that is replaced is linked, and the staged one renamed, there and back as often as it takes."""
    for name, text in (("modules/m/a", "old"), ("staging/0/a", "new"), ("staging/0/deep/b", "new")):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    old, new = ((tmp_path / name).stat().st_ino for name in ("modules/m/a", "staging/0/a"))
    with Folder.at(str(tmp_path)) as project, project.child("staging") as staging:
        before, after = (survey(project, name).files for name in ("modules/m", "staging/0"))
        change = Change(path="modules/m", slot="0", new=new, old=old, before=before, after=after, in_place="mounted")
        for _ in range(2):
            assert install(change, project, staging) == install(change, project, staging) == ()
            assert survey(project, change.path).files == after
            undo(change, project, staging)
            assert survey(project, change.path).files == before
            assert [(tmp_path / name).stat().st_ino for name in ("modules/m/a", "staging/0/a")] == [old, new]
