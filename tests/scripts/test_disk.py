"""How a run evaluates its scripts."""

import errno
import os
from pathlib import Path

import pytest
from returns.result import Failure

from io_edges.disk import real_disk
from io_edges.report.console import Console
from io_edges.system.stop import Stop
from pipeline.report.diagnostics.configuration import ConfigUnreadable
from pipeline.report.diagnostics.disk import FileSystemProblem
from pipeline.report.outcome import fold
from tests.support.scripts import here, lay


def test_a_script_is_evaluated_once_in_a_run(
    project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A preset that is listed twice, even in another spelling, is evaluated once and its output
    reported once.
    """
    script = lay(
        project,
        here("presets/a.ts", 'console.log("once"); export default { n: performance.now() }'),
    )
    disk = real_disk(project, Console())
    assert disk.evaluate
    paths = (script, project / "presets" / ".." / "presets" / "a.ts")
    first, second = (fold(disk.evaluate(path), lambda each: each.content, tuple) for path in paths)
    assert first == second
    assert capfd.readouterr().err == "presets/a.ts: once\n"


def test_the_scripts_of_a_run_share_their_time(project: Path) -> None:
    """All scripts of a run share one time budget."""
    scripts = [lay(project, here(name, "export default {}")) for name in ("a.ts", "b.ts")]
    spent = []
    disk = real_disk(project, Console())
    assert disk.evaluate
    for script in scripts:
        disk.evaluate(script)
        run = disk.evaluate.__self__  # type: ignore[attr-defined]
        spent.append(run.time_budget.spent)
    assert 0 < spent[0] < spent[1]


def test_a_pipe_that_took_the_place_of_a_file(project: Path) -> None:
    """A pipe that has taken the place of a file is not waited for."""
    os.mkfifo(project / "a.ts")
    disk = real_disk(project, Console())
    assert disk.load(project / "a.ts", 1) == Failure("it is not a file")
    assert disk.refuses(project / "a.ts") == ConfigUnreadable("a.ts", "it is not a file")


def test_a_file_for_which_no_descriptor_is_left(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the system has run out of something, the run ends and names the file, since no other file
    can be read instead.
    """

    def refuse(path: Path) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr("io_edges.disk.open_regular", refuse)
    with pytest.raises(Stop) as stopped:
        real_disk(project, Console()).load(project / "a.json", 1)
    assert stopped.value.errors == (
        FileSystemProblem(str(project / "a.json"), "too many open files", "open files"),
    )


def test_a_file_that_the_system_hides(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file in a folder that may not be entered is not taken for a missing one."""

    def refuse(path: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "stat", refuse)
    presence = real_disk(project, Console()).presence(project / "a.json")
    monkeypatch.undo()
    assert presence == "denied"


@pytest.mark.parametrize("name", ["a.json", "a.json/b", "a" * 300, "a\0"])
def test_a_file_that_cannot_exist(project: Path, name: str) -> None:
    """A file that is not there, or whose name the system takes for none, is missing."""
    assert real_disk(project, Console()).presence(project / name) == "missing"


def test_what_is_there(project: Path) -> None:
    """A link is what it leads to, and one that leads nowhere is not a missing file."""
    (project / "file").touch()
    (project / "folder").mkdir()
    os.mkfifo(project / "other")
    (project / "dangling").symlink_to("nowhere")
    presence = real_disk(project, Console()).presence
    for name in ("file", "folder", "other"):
        (project / f"link to {name}").symlink_to(name)
        assert (presence(project / name), presence(project / f"link to {name}")) == (name, name)
    assert presence(project / "dangling") == "dangling"
