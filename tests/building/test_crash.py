"""A run that is killed, or refused something, at each call that changes the disk (`docs/reliability.md`)."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from msgspec import Struct

from tests.support.crash_scenarios import SCENARIOS
from tests.support.forks import TOOL, Forks
from tests.support.sweep import Counted

ERRORS = ("ENOSPC", "EIO", "EACCES", "EMFILE")
Look = dict[str, str]


class Case(Struct, frozen=True):
    """A run with one call broken: the call, the exit code, what it left, and what the next run made of it."""

    call: str
    code: int
    left: Look
    healed: int
    final: Look


def cases(folder: Path, name: str, way: str) -> tuple[Look, list[Case], Case]:
    """Break a scenario at each call; give the project before, every case, and the run in which nothing was broken."""
    scenario, base, work = SCENARIOS[name], folder / "base", folder / "work"
    base.mkdir()
    found: list[Case] = []
    with Forks(folder) as forks:
        scenario.prepare(base, lambda: forks.run(base, "create").code)
        while not found or found[-1].call:
            shutil.rmtree(work, ignore_errors=True)
            shutil.copytree(base, work, symlinks=True)
            ran = forks.run(work, *scenario.args, number=len(found) + 1, way=way, exchange=scenario.exchange)
            left = look(work)
            healed = forks.run(work, *scenario.args).code if way == "KILL" else 0
            found.append(Case(ran.broken, ran.code, left, healed, look(work)))
    return look(base), found[:-1], found[-1]


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
def test_a_killed_run(tmp_path: Path, scenario: str, counted: Counted) -> None:
    """Killed before any call, each component is whole, old or new; the next run ends as if nothing had been."""
    before, found, whole = cases(tmp_path, scenario, "KILL")
    old, new = components(before), components(whole.left)
    for case in found:
        assert case.code == -9, case
        left = components(case.left)
        for path in old.keys() | new.keys():
            allowed = [old.get(path), new.get(path), *([None] if "three renames" in scenario else [])]
            assert left.get(path) in allowed, (case.call, path)
        assert (case.healed, without_state(case.final)) == (0, without_state(whole.final)), case.call
    counted("calls at which a run was killed", len(found))
    assert len(found) > 15


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("scenario", ["add", "force, in three renames", "remove with force"])
def test_a_refused_call(tmp_path: Path, scenario: str, error: str, counted: Counted) -> None:
    """Refused any call, a run ends with 74 and leaves all as it was; or, once all is in place, it cleans up."""
    before, found, whole = cases(tmp_path, scenario, error)
    done = without_state(whole.left)
    for case in found:
        if case.code == 74:
            assert case.left == before, case.call
        else:
            stays = "journal" in case.call  # and with it what only the next run may remove
            left = {name: text for name, text in case.left.items() if not (stays and name.startswith(".tool-staging"))}
            assert (case.code, without_state(left)) == (0, done), case.call
    failed = [case for case in found if case.code == 74]
    counted(f"calls that were refused with {error}", len(found))
    assert len(failed) > 15


@pytest.mark.parametrize("scenario", ["add", "force"])
def test_too_few_files(tmp_path: Path, scenario: str) -> None:
    """However few files it may have open, a run ends with 74 and leaves all as it was, or it succeeds."""
    base, work = tmp_path / "base", tmp_path / "work"
    base.mkdir()
    codes: list[int] = []
    with Forks(tmp_path) as forks:
        SCENARIOS[scenario].prepare(base, lambda: forks.run(base, "create").code)
        for files in range(3, 16):
            shutil.rmtree(work, ignore_errors=True)
            shutil.copytree(base, work, symlinks=True)
            ran = forks.run(work, *SCENARIOS[scenario].args, files=files)
            assert ran.code in {0, 74}, ran.err
            assert ran.code == 0 or look(work) == look(base), files
            codes.append(ran.code)
    assert (codes[0], codes[-1], codes) == (74, 0, sorted(codes, reverse=True))


@pytest.mark.parametrize(("name", "code"), [("INT", 130), ("TERM", 143)])
@pytest.mark.parametrize("scenario", ["add", "force, in three renames", "remove with force"])
def test_an_interrupted_run(tmp_path: Path, scenario: str, name: str, code: int, counted: Counted) -> None:
    """Asked to end before any call, a run leaves no staging folder; all is as it was, or all is in place."""
    before, found, whole = cases(tmp_path, scenario, name)
    for case in found:
        assert case.code == code, case.call
        assert case.left == before or without_state(case.left) == without_state(whole.left), case.call
    counted("calls at which a run was interrupted", len(found))


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace, which tells the calls of a process, is missing")
def test_no_call_is_missed(tmp_path: Path) -> None:
    """What is broken one by one is every call of the run that changes the disk, as the system itself counts them."""
    _, found, _ = cases(tmp_path, "force", "EIO")
    made = tmp_path / "made"
    made.mkdir()
    with Forks(tmp_path) as forks:
        SCENARIOS["force"].prepare(made, lambda: forks.run(made, "create").code)
    calls = "mkdir,mkdirat,rename,renameat,renameat2,unlink,unlinkat,rmdir,symlinkat,fsync,syncfs,write,openat,chmod"
    traced = ["strace", "-f", "-qq", "-e", f"trace={calls}", "-o", str(tmp_path / "trace"), TOOL, "create", "--force"]
    quiet = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run(traced, cwd=made, check=True, capture_output=True, env=quiet)
    lines = [line.split(maxsplit=1)[1] for line in (tmp_path / "trace").read_text(encoding="utf-8").splitlines()]
    changing = [line for line in lines if not re.match(r"write\([12],|openat\((?!.*O_CREAT)", line)]
    names = ["rmdir" if "AT_REMOVEDIR" in line else line.partition("(")[0].removesuffix("at") for line in changing]
    assert names == [case.call.split()[0] for case in found]
