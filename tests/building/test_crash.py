"""A run that is killed, or refused something, at each call that changes the disk (`docs/reliability.md`)."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from io_edges.system.whole_file import FRESH
from pipeline.building.layout import MARKS
from pipeline.building.record import FileState, Record, read_record, write_record
from tests.support.crash_scenarios import SCENARIOS, Scenario
from tests.support.forks import TOOL, Forked, Forks
from tests.support.shim import CLEARED, LIVE, REPLACED
from tests.support.sweep import Counted, Thinned, sample

ERRORS = ("ENOSPC", "EIO", "EACCES", "EMFILE", "ENOENT", "EEXIST")
REFUSED = (
    "add",
    "add in WordPress",
    "carry",
    "force in place, without exchange",
    "force in place",
    "mine",
    "packed again",
    "prune what was edited",
    "undo",
    "undo of packed again",
)
SETTLED = ("carry", "force in place", "force in place, without exchange", "prune what was edited")
TWICE = (
    *("add", "carry", "update two", "prune what was edited", "undo"),
    *("carry in place", "force in place", "update in place, without exchange", "undo in place, without exchange"),
)
UNASKED = ("force", "force in place", "force in place, without exchange", "prune what was edited")
CARRYING = ("carry", "carry in place, without exchange", "carry in place")
Look = dict[str, str]
_STATE = re.compile(r"\.tool-(manifest|cache)|\.tool(/\.(gitignore|htaccess)|/archives|/\.?(state|log|previous).*)?$")
"""What a run may leave in other bytes, or not at all: record and cache, what it keeps, and its folder alone."""


_PULLED = sha256(b"pulled").hexdigest()


class Case(Struct, frozen=True):
    """A run with one call broken: the call, the exit code, what it left, and what the next run made of it.

    After a kill, what `--check`, or a dry run of undo, said before that run, too.
    """

    call: str
    code: int
    left: Look
    checked: int
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
        check = "--check" if scenario.args[0] == "create" else "--dry-run"
        checked = forks.run(work, *scenario.args, check).code if way == "KILL" and number else 0
        healed = (
            forks.run(work, *scenario.args, in_place=scenario.in_place).code
            if (not number and scenario.args[0] == "create") or (number and breaks.endswith(("KILL", "+")))
            else 0
        )
        return ran, Case(ran.broken, ran.code, left, checked, healed, look(work))

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
        if split := re.fullmatch(r"((?:wp-content/)?(?:themes|modules|plugins)/[^/]+)/(.*)", name):
            found.setdefault(split[1], {})[split[2]] = content
    return found


def without_state(look: Look) -> Look:
    """What a project holds, without times: no record and no cache, and the backup under one name."""
    kept = {name: content for name, content in look.items() if not _STATE.match(name)}
    return {re.sub(r"^\.tool(/|-)backup/[^/]+", ".tool/backup", name): content for name, content in kept.items()}


def remembered(look: Look) -> dict[str, Any]:
    """What the state of a project says was written last, by the paths of components."""
    components = json.loads(look.get(".tool/state.json", '{"content": {}}'))["content"].get("components", {})
    return {path: last["component"] for path, last in components.items()}


def logged(look: Look) -> list[tuple[str, str]]:
    """What the log of a project tells of its components, in runs of which one may have completed another."""
    runs = map(json.loads, look.get(".tool/log.jsonl", "").splitlines())
    did = ("added", "updated", "removed", "recorded")
    return sorted((each, component["path"]) for run in runs for each in did for component in run[each])


def consists_of(look: Look) -> tuple[dict[str, Look], str | None]:
    """The components of a project, and its record."""
    return components(look), look.get(".tool-manifest.json")


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
            assert left.get(path) in [old.get(path), new.get(path)], (case.call, path)
        is_done = consists_of(case.left) == consists_of(runs.whole.final)  # then what was removed has no name any more
        assert case.healed == (68 if "by name" in scenario and is_done else 0), case.call
        assert without_state(case.final) == without_state(runs.whole.final), case.call
        assert remembered(case.final) == remembered(runs.whole.final), case.call
        assert logged(case.final) == logged(runs.whole.final), case.call
        todo = 0 if scenario.startswith("undo") else 80
        assert case.checked == ((68 if "by name" in scenario else 0) if is_done else todo), case.call
    counted("calls at which a run was killed", len(runs.cases))
    assert len(runs.calls) > 15


@pytest.mark.parametrize(
    "scenario", sample(["force", "update in place, without exchange", "update", "prune", "force in place"], 1)
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
            stays = "run.json" in case.call  # and with it what only the next run may remove
            left = {name: text for name, text in case.left.items() if not (stays and name.startswith(".tool/staging"))}
            assert case.code == 0, case.call
            assert without_state(left) == done, case.call
    counted(f"calls that were refused with {error}", len(runs.cases))
    assert runs.cases[0].code == 74
    assert runs.cases[-1].code == 0


@pytest.mark.parametrize(("scenario", "error"), [*product(REFUSED, ("EIO", "ENFILE", "EIO+"))])
def test_a_refused_read(forks: Forks, tmp_path: Path, scenario: str, error: str, thinned: Thinned[int]) -> None:
    """Refused any read, or all from one on, a run says what the disk says: all is as it was, or done, or to be settled.

    What is to be settled, the next run completes.
    """
    chosen, base, work = SCENARIOS[scenario], tmp_path / "base", tmp_path / "work"
    base.mkdir()
    chosen.prepare(base, lambda: forks.run(base, "create").code)
    before = look(base)

    def run(number: int = 0, way: str = "") -> Forked:
        return forks.run(work, *chosen.args, number=number, way=way, exchange=chosen.exchange, in_place=chosen.in_place)

    def broken(number: int) -> Forked:
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(base, work, symlinks=True)
        return run(number, f"READ {error}")

    def tidied() -> Look:
        """What there is; where everything is refused, what was staged or kept may have to stay for a later run."""
        may_stay = re.compile(rf"\.tool/(staging|{FRESH})") if error.endswith("+") else None
        return {name: text for name, text in look(work).items() if not (may_stay and may_stay.match(name))}

    may_stay = {f".tool/{name}" for name in MARKS} - before.keys() if error.endswith("+") else set[str]()
    calls = broken(0).calls
    done = without_state(look(work))
    for number in thinned(range(1, len(calls) + 1)):
        ran = broken(number)
        ending = json.loads(ran.err.splitlines()[-1])
        assert (ending["event"], ran.code == 0) == ("summary", ending["outcome"] == "done"), ran.broken
        if ending["outcome"] == "unchanged":
            assert {name: text for name, text in tidied().items() if name not in may_stay} == before, ran.broken
        if ending["outcome"] != "done":
            assert run().code == 0, ran.broken
        assert without_state(tidied()) == done, ran.broken
    assert len(calls) > 50


@pytest.mark.parametrize("scenario", REFUSED)
def test_a_disk_that_refuses_everything(broken: Breaking, scenario: str, counted: Counted) -> None:
    """Refused every call from one on, a run can put nothing back; the next one ends as if nothing had been."""
    runs = broken(scenario, "EIO+")
    for case in runs.cases:
        assert case.code in {0, 74}, case
        assert case.healed == 0, case
        if scenario.startswith("undo") and case.code == 0:
            continue  # all is done: undoing has begun anew
        assert without_state(case.final) == without_state(runs.whole.final), case.call
    counted("calls from which on everything was refused", len(runs.cases))


@pytest.mark.parametrize("way", REPLACED)
@pytest.mark.parametrize("scenario", ["carry", "force in place, without exchange", "prune what was edited"])
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


@pytest.mark.parametrize("way", ["KILL", "EIO", "EBUSY", "ENOENT"])
@pytest.mark.parametrize("scenario", SETTLED)
def test_a_run_that_settles_and_is_broken(
    forks: Forks, tmp_path: Path, scenario: str, way: str, thinned: Thinned[int]
) -> None:
    """What settles a killed run is killed or refused, and again; in the end all is well.

    Wherever a run was killed, what settles it is broken at two or three of its calls, of which each has its turn.
    """
    chosen, base, work = SCENARIOS[scenario], tmp_path / "base", tmp_path / "work"
    exchange, in_place = chosen.exchange, chosen.in_place
    base.mkdir()
    chosen.prepare(base, lambda: forks.run(base, "create").code)

    def run(number: int = 0, how: str = "KILL") -> Forked:
        return forks.run(work, *chosen.args, number=number, way=how, exchange=exchange, in_place=in_place)

    def broken(*breaks: tuple[int, str]) -> list[Forked]:
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(base, work, symlinks=True)
        return [run(*each) for each in breaks]

    whole = broken((0, "KILL"))[0].calls
    wanted = without_state(look(work))
    for killed in thinned(range(1, len(whole) + 1), 1):
        calls = broken((killed, "KILL"), (0, "KILL"))[1].calls
        stride = max(1, len(calls) // 2)
        for number in range(1 + killed % stride, len(calls) + 1, stride):
            broken((killed, "KILL"), (number, way), (number, way))
            assert run().code == 0, (killed, number)
            assert without_state(look(work)) == wanted, (killed, number)


@pytest.mark.parametrize("scenario", TWICE)
def test_two_faults_in_a_row(
    forks: Forks, tmp_path: Path, scenario: str, thinned: Thinned[int], counted: Counted
) -> None:
    """Refused a call, and killed while it puts everything back, a run is settled by the next one."""
    chosen, base, work = SCENARIOS[scenario], tmp_path / "base", tmp_path / "work"
    base.mkdir()
    chosen.prepare(base, lambda: forks.run(base, "create").code)

    def ran(number: int = 0, then: int = 0) -> Forked:
        if number:
            shutil.rmtree(work, ignore_errors=True)
            shutil.copytree(base, work, symlinks=True)
        fault = {"exchange": chosen.exchange, "in_place": chosen.in_place}
        return forks.run(work, *chosen.args, number=number, then=then, way="EIO", **fault)

    assert ran(10_000).code == 0
    wanted, pairs = without_state(look(work)), 0
    for number in thinned(range(1, len(ran(10_000).calls) + 1), 4):
        for then in thinned(range(1, len(ran(number).calls) - number + 1), 2):
            run = ran(number, then)
            if run.code == 0:
                continue
            pairs += 1
            assert ran().code == 0, (number, then)
            assert without_state(look(work)) == wanted, (number, then)
    counted("pairs of calls, of which one was refused and one killed", pairs)


def _pull(root: Path) -> None:
    """A colleague has built one component more."""
    record = read_record((root / ".tool-manifest.json").read_bytes()) or Record()
    pulled = replace(record.components["modules/m"], archive="p.zip", files={"p.php": FileState(digest=_PULLED)})
    components = {**record.components, "modules/p": pulled}
    (root / ".tool-manifest.json").write_bytes(write_record(replace(record, components=components)))
    (root / "modules/p").mkdir()
    (root / "modules/p/p.php").write_text("pulled", encoding="utf-8")


def _edit(root: Path, *names: str) -> None:
    for path in (root / f"modules/{each}/{name.format(each)}" for each in ("m", "n") for name in names):
        path.write_text("mine", encoding="utf-8")


SINCE: dict[str, tuple[Callable[[Path], None], Look]] = {
    "a record is pulled": (_pull, {"modules/p/p.php": "pulled"}),
    "files are edited": (
        lambda root: _edit(root, "same", "added"),
        {f"modules/{each}/{name}": "mine" for each in ("m", "n") for name in ("same", "added")},
    ),
    "files are edited that the run changes": (
        lambda root: _edit(root, "{}.php"),
        {f"modules/{each}/{each}.php": "mine" for each in ("m", "n")},
    ),
    "a component is removed": (lambda root: shutil.rmtree(root / "modules/m"), {}),
}
"""What happens between a kill and the next run, and the files that are there then."""


@pytest.mark.parametrize("since", SINCE)
@pytest.mark.parametrize("scenario", ["update two", "update two in place"])
def test_what_happens_after_a_kill(
    forks: Forks, tmp_path: Path, scenario: str, since: str, thinned: Thinned[int]
) -> None:
    """Whatever happens between a kill and the next run, that run loses none of it, and completes each component.

    Where both it and the user changed a file, the run stops, as any would.
    """
    chosen, base, work = SCENARIOS[scenario], tmp_path / "base", tmp_path / "work"
    do, there = SINCE[since]
    base.mkdir()
    chosen.prepare(base, lambda: forks.run(base, "create").code)

    def ran(number: int = 0) -> Forked:
        return forks.run(work, "create", number=number, way="KILL", in_place=chosen.in_place)

    def begin(number: int) -> Forked:
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(base, work, symlinks=True)
        return ran(number)

    calls = begin(0).calls
    whole = without_state(look(work))
    for number in thinned(range(1, len(calls) + 1)):
        begin(number)
        do(work)
        code = ran().code
        final = without_state(look(work))
        if code == 73 and "changes" in since:
            assert final.items() >= there.items(), number
            continue
        assert code == 0, number
        assert final == {**whole, **there}, number
        record = read_record((work / ".tool-manifest.json").read_bytes())
        assert record and record.components.keys() == components(final).keys(), number
        assert forks.run(work, "create", "--check").code == 0, number


@pytest.mark.parametrize("scenario", ["prune", "update two", "update two in place"])
def test_a_look_at_undoing_a_killed_run(forks: Forks, tmp_path: Path, scenario: str, thinned: Thinned[int]) -> None:
    """Wherever a run was killed, a dry run of undo says what undo does: it takes that run back, or the one before."""
    chosen, base, work = SCENARIOS[scenario], tmp_path / "base", tmp_path / "work"
    base.mkdir()
    chosen.prepare(base, lambda: forks.run(base, "create").code)

    def ran(*args: str, number: int = 0) -> Forked:
        return forks.run(work, *args, number=number, way="KILL", in_place=chosen.in_place)

    def begin(number: int) -> Forked:
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(base, work, symlinks=True)
        return ran(*chosen.args, number=number)

    def told(run: Forked) -> tuple[int, list[str]]:
        return run.code, [line for line in run.err.splitlines() if line.startswith('{"event":"component"')]

    before = components(look(base))
    for number in thinned(range(1, len(begin(0).calls) + 1), 8):
        begin(number)
        foreseen, done = told(ran("undo", "--dry-run")), told(ran("undo"))
        assert foreseen == done, number
        assert components(look(work)) in (before, {}), number


@pytest.mark.parametrize("scenario", UNASKED)
def test_a_killed_run_that_has_changed_nothing(
    forks: Forks, tmp_path: Path, scenario: str, thinned: Thinned[int], counted: Counted
) -> None:
    """Of `--force` and `--prune`, killed before the first component is changed, a run without them does nothing."""
    chosen, base, work = SCENARIOS[scenario], tmp_path / "base", tmp_path / "work"
    base.mkdir()
    chosen.prepare(base, lambda: forks.run(base, "create").code)
    before, tried = components(look(base)), 0
    for number in thinned(range(1, 200), 40):
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(base, work, symlinks=True)
        forks.run(work, *chosen.args, number=number, way="KILL", in_place=chosen.in_place)
        if components(look(work)) != before:
            break
        forks.run(work, *(each for each in chosen.args if each not in {"--force", "--prune"}))
        assert components(look(work)) == before, number
        tried += 1
    counted("kills before the first change", tried)
    assert tried > 2


@pytest.mark.parametrize("way", ["KILL", "EIO"])
def test_a_run_that_settles_what_a_system_wrote(forks: Forks, tmp_path: Path, way: str, thinned: Thinned[int]) -> None:
    """Where a system wrote around the exchange and the run was killed, what settles it can be broken again and again.

    The newest version is in place in the end, whatever was saved by the run that was broken.
    """
    base, work = tmp_path / "base", tmp_path / "work"
    base.mkdir()
    SCENARIOS["carry"].prepare(base, lambda: forks.run(base, "create").code)

    def broken(*breaks: tuple[int, str]) -> list[Forked]:
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(base, work, symlinks=True)
        return [forks.run(work, "create", number=number, way=how) for number, how in breaks]

    (whole,) = broken((0, "KILL"))
    wanted, names = without_state(look(work)), [call.split(" ")[0] for call in whole.calls]
    killed = len(names) - names[::-1].index("renameat2") + 4
    calls = broken((killed, f"{LIVE} KILL"), (0, "KILL"))[1].calls
    for number in thinned(range(1, len(calls) + 1), 5):
        broken((killed, f"{LIVE} KILL"), (number, way), (number, way))
        assert forks.run(work, "create").code == 0, number
        newest = dict.fromkeys(("modules/m/live", "newest"), (work / "newest").read_text(encoding="utf-8"))
        assert without_state(look(work)) == {**wanted, **newest}, number


@pytest.mark.parametrize("way", [LIVE, f"{LIVE} EIO", f"{LIVE} KILL"])
@pytest.mark.parametrize("scenario", CARRYING)
def test_a_system_that_goes_on_writing(broken: Breaking, scenario: str, way: str, counted: Counted) -> None:
    """A file that the system replaces before every call stands in its newest version, in one place; no run stops."""
    runs = broken(scenario, way)
    for case in runs.cases:
        end = case.final if "KILL" in way else case.left
        newest = dict.fromkeys(("modules/m/live", "newest"), end["newest"])
        assert case.code in ({0, 74} if "EIO" in way else {-9 if "KILL" in way else 0}), case
        assert case.healed == 0, case.call
        whole = runs.before if case.code == 74 else runs.whole.left
        assert without_state(end) == without_state({**whole, **newest}), case.call
    counted("calls while a system wrote", len(runs.cases))


@pytest.mark.parametrize("way", [CLEARED, f"{CLEARED} EIO"])
@pytest.mark.parametrize("scenario", CARRYING)
def test_a_system_that_clears_its_cache(broken: Breaking, scenario: str, way: str, counted: Counted) -> None:
    """What the system deletes before any call of a run is not put back, also if the run puts everything back."""
    runs = broken(scenario, way)
    for case in runs.cases:
        assert case.code in ({0, 74} if "EIO" in way else {0}), case
        whole = without_state(runs.before if case.code == 74 else runs.whole.left)
        assert {**without_state(case.left), "modules/m/cache/x": "mine"} == whole, case.call
        assert "modules/m/cache/x" not in case.left, case.call
    counted("calls before which a system deleted", len(runs.cases))


@pytest.mark.parametrize("scenario", ["add", "force"])
def test_too_few_files(forks: Forks, tmp_path: Path, scenario: str) -> None:
    """However few files it may have open, a run ends with 74 and leaves all as it was, or it succeeds."""
    base, work = tmp_path / "base", tmp_path / "work"
    base.mkdir()
    codes: list[int] = []
    SCENARIOS[scenario].prepare(base, lambda: forks.run(base, "create").code)
    for files in range(3, 20):
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
