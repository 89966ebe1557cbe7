"""A run that is killed, or refused something, at each call that changes the disk (`docs/reliability.md`)."""

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import Struct

from tests.support.crash_scenarios import SCENARIOS, Scenario
from tests.support.forks import TOOL, Forked, Forks
from tests.support.shim import REPLACED
from tests.support.sweep import Counted, Thinned, sample

ERRORS = ("ENOSPC", "EIO", "EACCES", "EMFILE", "ENOENT", "EEXIST")
REFUSED = ("add", "carry", "force, in three renames", "force in place", "mine", "prune what was edited")
Look = dict[str, str]


class Case(Struct, frozen=True):
    """A run with one call broken: the call, the exit code, what it left, and what the next run made of it."""

    call: str
    code: int
    left: Look
    healed: int
    final: Look


class Broken(Struct, frozen=True):
    """The project before, the calls of a run, the cases of those that were broken, and one in which none was."""

    before: Look
    calls: list[str]
    cases: list[Case]
    whole: Case


Breaking = Callable[[str, str], Broken]
"""Takes the name of a scenario and the way to break its calls."""
COPIED = ", copied"
"""Ends a way to break a run after which the project is copied: no folder has the inode that it had."""
Prepared = dict[str, tuple[Path, list[str], Case]]
"""The project before, the calls of a run and the case in which none was broken, by the name of the scenario."""


@pytest.fixture(scope="session")
def prepared() -> Prepared:
    """What is prepared once for all the ways to break a scenario."""
    return {}


@pytest.fixture
def broken(
    forks: Forks, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, prepared: Prepared, thinned: Thinned[int]
) -> Breaking:
    """Break a scenario in one way at its calls, one in each run."""
    work = tmp_path / "work"

    def run(scenario: Scenario, base: Path, way: str, number: int) -> tuple[Forked, Case]:
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(base, work, symlinks=True)
        breaks, is_copied = way.removesuffix(COPIED), way.endswith(COPIED)
        ran = forks.run(
            work, *scenario.args, number=number, way=breaks, exchange=scenario.exchange, in_place=scenario.in_place
        )
        left = look(work)
        if is_copied:
            shutil.copytree(work, other := tmp_path / "copy", symlinks=True)
            shutil.rmtree(work)
            other.rename(work)
        healed = (
            forks.run(work, *scenario.args, in_place=scenario.in_place).code
            if not number or breaks == "KILL" or breaks.endswith("+")
            else 0
        )
        return ran, Case(ran.broken, ran.code, left, healed, look(work))

    def broken(name: str, way: str) -> Broken:
        scenario = SCENARIOS[name]
        if name not in prepared:
            base = tmp_path_factory.mktemp("base")
            scenario.prepare(base, lambda: forks.run(base, "create").code)
            ran, whole = run(scenario, base, "KILL", 0)
            prepared[name] = base, ran.calls, whole
        base, calls, whole = prepared[name]
        numbers = thinned(range(1, len(calls) + 1))
        return Broken(look(base), calls, [run(scenario, base, way, number)[1] for number in numbers], whole)

    return broken


def look(root: Path) -> Look:
    """Every file and link below a folder by its path, and what it holds; folders that are empty, too; no archives."""
    found: Look = {}
    for path in root.rglob("*"):
        name = path.relative_to(root).as_posix()
        if path.is_symlink():
            found[name] = f"-> {path.readlink()}"
        elif path.is_file() and path.suffix != ".zip":
            found[name] = path.read_bytes().decode("latin-1")
        elif path.is_dir() and not any(path.iterdir()):
            found[name] = "an empty folder"
    return found


def components(look: Look) -> dict[str, Look]:
    """The files of each component, by its path."""
    found: dict[str, Look] = {}
    for name, content in look.items():
        if name.startswith(("themes/", "modules/")) and name.count("/") > 1:
            kind, component, rest = name.split("/", 2)
            found.setdefault(f"{kind}/{component}", {})[rest] = content
    return found


def without_state(look: Look) -> Look:
    """What a project holds, without times: no record and no cache, and the backup under one name."""
    kept = {name: content for name, content in look.items() if not name.startswith((".tool-manifest", ".tool-cache"))}
    return {re.sub(r"^\.tool-backup/[^/]+", ".tool-backup", name): content for name, content in kept.items()}


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_killed_run(broken: Breaking, scenario: str, counted: Counted) -> None:
    """Killed before any call, each component is whole, old or new; the next run ends as if nothing had been.

    Where files are replaced one by one, only that next run makes it whole.
    """
    runs = broken(scenario, "KILL")
    old, new = components(runs.before), components(runs.whole.left)
    for case in runs.cases:
        assert case.code == -9, case
        left = components(case.left)
        for path in () if "in place" in scenario else old.keys() | new.keys():
            allowed = [old.get(path), new.get(path), *([None] if "three renames" in scenario else [])]
            assert left.get(path) in allowed, (case.call, path)
        assert case.healed == 0, case.call
        assert without_state(case.final) == without_state(runs.whole.final), case.call
    counted("calls at which a run was killed", len(runs.cases))
    assert len(runs.calls) > 15


@pytest.mark.parametrize(
    "scenario", sample(["force", "update in three renames", "update", "prune", "force in place"], 1)
)
def test_a_killed_run_whose_project_was_copied(broken: Breaking, scenario: str, counted: Counted) -> None:
    """In a copy of the project, as from a backup, the next run ends as if nothing had been, too."""
    runs = broken(scenario, f"KILL{COPIED}")
    for case in runs.cases:
        assert (case.code, case.healed) == (-9, 0), case.call
        assert without_state(case.final) == without_state(runs.whole.final), case.call
    counted("calls at which a run was killed, and its project copied", len(runs.cases))


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("scenario", REFUSED)
def test_a_refused_call(broken: Breaking, scenario: str, error: str, counted: Counted) -> None:
    """Refused any call, a run ends with 74 and leaves all as it was; or, once all is in place, it cleans up."""
    runs = broken(scenario, error)
    done = without_state(runs.whole.left)
    for case in runs.cases:
        if case.code in {73, 74}:  # 73 if what is said to exist is where something was to be put
            assert case.left == runs.before, case.call
        else:
            stays = "journal" in case.call  # and with it what only the next run may remove
            left = {name: text for name, text in case.left.items() if not (stays and name.startswith(".tool-staging"))}
            assert case.code == 0, case.call
            assert without_state(left) == done, case.call
    counted(f"calls that were refused with {error}", len(runs.cases))
    assert runs.cases[0].code == 74
    assert runs.cases[-1].code == 0


@pytest.mark.parametrize("scenario", REFUSED)
def test_a_disk_that_refuses_everything(broken: Breaking, scenario: str, counted: Counted) -> None:
    """Refused every call from one on, a run can put nothing back; the next one ends as if nothing had been."""
    runs = broken(scenario, "EIO+")
    for case in runs.cases:
        assert case.code in {0, 74}, case
        assert case.healed == 0, case
        assert without_state(case.final) == without_state(runs.whole.final), case.call
    counted("calls from which on everything was refused", len(runs.cases))


@pytest.mark.parametrize("way", REPLACED)
@pytest.mark.parametrize("scenario", ["carry", "force, in three renames", "prune what was edited"])
def test_folders_that_are_replaced(broken: Breaking, scenario: str, way: str, counted: Counted) -> None:
    """Another process moves a staged or a finished folder away and puts its own there: no file of anyone is lost."""
    runs = broken(scenario, way)
    for case in runs.cases:
        was_replaced = any(name.startswith("moved") for name in case.left)
        for state in (case.left, case.final):
            texts = set(state.values())
            assert "mine" in texts, case.call
            assert not was_replaced or "stranger" in texts, case.call
        assert case.code in {0, 73, 74}, case.call
    assert any("stranger" in case.final.values() for case in runs.cases)
    counted("calls before which a folder was replaced", len(runs.cases))


@pytest.mark.parametrize("scenario", ["add", "force"])
def test_too_few_files(forks: Forks, tmp_path: Path, scenario: str) -> None:
    """However few files it may have open, a run ends with 74 and leaves all as it was, or it succeeds."""
    base, work = tmp_path / "base", tmp_path / "work"
    base.mkdir()
    codes: list[int] = []
    SCENARIOS[scenario].prepare(base, lambda: forks.run(base, "create").code)
    for files in range(3, 16):
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(base, work, symlinks=True)
        ran = forks.run(work, *SCENARIOS[scenario].args, files=files)
        assert ran.code in {0, 74}, ran.err
        assert ran.code == 0 or look(work) == look(base), files
        codes.append(ran.code)
    assert codes[0] == 74
    assert codes[-1] == 0
    assert codes == sorted(codes, reverse=True)


@pytest.mark.parametrize(("name", "code"), [("INT", 130), ("TERM", 143)])
@pytest.mark.parametrize("scenario", REFUSED)
def test_an_interrupted_run(broken: Breaking, scenario: str, name: str, code: int, counted: Counted) -> None:
    """Asked to end before any call, a run leaves no staging folder; all is as it was, or all is in place."""
    runs = broken(scenario, name)
    for case in runs.cases:
        assert case.code == code, case.call
        assert case.left == runs.before or without_state(case.left) == without_state(runs.whole.left), case.call
    counted("calls at which a run was interrupted", len(runs.cases))


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace, which tells the calls of a process, is missing")
def test_no_call_is_missed(forks: Forks, tmp_path: Path) -> None:
    """What is broken one by one is every call of the run that changes the disk, as the system itself counts them."""
    made, counted = tmp_path / "made", tmp_path / "counted"
    made.mkdir()
    SCENARIOS["force"].prepare(made, lambda: forks.run(made, "create").code)
    shutil.copytree(made, counted)
    ran = forks.run(counted, "create", "--force", way="EIO")
    calls = "mkdir,mkdirat,rename,renameat,renameat2,unlink,unlinkat,rmdir,symlinkat,linkat,mknodat"
    calls = f"{calls},fsync,syncfs,write,openat,chmod"
    traced = ["strace", "-f", "-qq", "-e", f"trace={calls}", "-o", str(tmp_path / "trace"), TOOL, "create", "--force"]
    quiet = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run(traced, cwd=made, check=True, capture_output=True, env=quiet)
    lines = [line.split(maxsplit=1)[1] for line in (tmp_path / "trace").read_text(encoding="utf-8").splitlines()]
    changing = [line for line in lines if not re.match(r"write\([12],|openat\((?!.*O_CREAT)", line)]
    names = ["rmdir" if "AT_REMOVEDIR" in line else line.partition("(")[0].removesuffix("at") for line in changing]
    assert [call.split()[0] for call in ran.calls] == names
