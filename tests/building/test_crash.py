"""A run that is killed, or refused something, at each call that changes the
disk (`docs/reliability.md`).
"""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Unpack

import pytest
from msgspec import Struct
from msgspec.structs import replace

from io_edges.system.folder import FRESH
from pipeline.building.stores.layout import MARKS
from pipeline.building.stores.record import FileState, Record, read_record, write_record
from tests.support.crash_scenarios import SCENARIOS, Scenario, pack
from tests.support.forks import FORKS, TOOL, Fault, Forked, Forks
from tests.support.shim import REPLACED
from tests.support.sweep import Counted, TakeTurns, Thinned, nested, sample, some

ERRORS = ("ENOSPC", "EIO", "EACCES", "EMFILE", "ENOENT", "EEXIST")
PATCHES = (
    "merge a patch",
    "merge a patch away",
    "undo a merged patch",
    "undo a patch that was merged away",
    "redo a merged patch",
    "redo a patch that was merged away",
    "patch three",
)
"""Scenarios in which a run writes patches."""
REFUSED = (
    "add",
    "add in WordPress",
    "carry",
    "force",
    "mine",
    "packed again",
    "prune file by file",
    "prune what was edited",
    "undo",
    "undo of packed again",
)
"""Scenarios in which one call is refused."""
SETTLED = ("carry", "force", "prune file by file", "prune what was edited")
"""Scenarios in which the run that completes a killed one is broken, too."""
TWICE = (
    "add",
    "add file by file",
    "carry",
    "force",
    "update two",
    "prune what was edited",
    "undo",
    "undo file by file",
    *PATCHES,
)
"""Scenarios in which one call is refused, and the run is then killed."""
UNSETTLED = (
    "force",
    "prune file by file",
    "prune what was edited",
    "undo",
    "undo two with --force",
)
"""Scenarios in which a run is killed, and all components are changed before the next one."""
KILLED: Final[Fault] = {"way": "KILL"}
REFUSED_CALL: Final[Fault] = {"way": "EIO"}
UNASKED = ("force", "prune file by file", "prune what was edited")
"""Scenarios in which a run with flags is killed, and the next one has none."""
Look = dict[str, str]
_STATE = re.compile(
    r"\.tool-(manifest|cache)|\.tool(/\.(gitignore|htaccess)|/archives(/.*)?|/\.?(state|drop|log|previous).*)?$"
)
"""What a run may leave in other bytes, or not at all: record and cache, what it keeps, and its
folder alone.
"""


_OF_THE_DROP = {f".tool/{name}" for name in ("drop.json", *MARKS)}
"""What a run leaves that fails, as its drop is remembered."""
_PATCH = re.compile(r"patches/.*\.patch$")
_PULLED = sha256(b"pulled").hexdigest()


class Case(Struct, frozen=True):
    """A run with one call broken: the call, how, the exit code, what it left, and what the next
    run made of it.

    After a kill, what `--check`, or a dry run of undo, said before that run, too.
    """

    call: str
    fault: Fault
    code: int
    left: Look
    checked: int
    healed: int
    final: Look


class Broken(Struct, frozen=True):
    """The project before, the calls of a run, the cases of those that were broken, and one in
    which none was.
    """

    before: Look
    calls: list[str]
    cases: list[Case]
    whole: Case


class Stage:
    """A scenario in a folder: the project is prepared once, and copied for each run that is
    to be broken.
    """

    def __init__(self, forks: Forks, scenario: Scenario, folder: Path) -> None:
        self.forks, self.scenario = forks, scenario
        self.base, self.work = folder / "base", folder / "work"
        self.base.mkdir()
        scenario.prepare(self.base, lambda *args: forks.run(self.base, *args).code)
        self.before = look(self.base)

    def begin(self) -> None:
        """Make the project as it was before the run."""
        shutil.rmtree(self.work, ignore_errors=True)
        shutil.copytree(self.base, self.work, symlinks=True)

    def run(self, *args: str, **fault: Unpack[Fault]) -> Forked:
        """Run the command of the scenario, unless another is given, on what there is."""
        fault["apart"] = self.scenario.apart
        return self.forks.run(self.work, *(args or self.scenario.args), **fault)

    def begun(self, number: int = 0, fault: Fault = KILLED) -> Forked:
        """Begin anew, and break the run at a call; without a number, list its calls."""
        self.begin()
        broken: Fault = {**fault, "number": number}
        return self.run(**broken)

    def look(self) -> Look:
        """What the project holds."""
        return look(self.work)

    def case(self, number: int, fault: Fault, is_copied: bool = False) -> tuple[Forked, Case]:
        """Break the run at a call, look, and do what comes after, in a copy of the project if that
        is asked for: no folder has the inode that it had.
        """
        args, kills = self.scenario.args, fault.get("way") == "KILL"
        ran, left = self.begun(number, fault), self.look()
        if is_copied:
            shutil.copytree(self.work, other := self.work.with_name("copy"), symlinks=True)
            shutil.rmtree(self.work)
            other.rename(self.work)
        check = "--check" if args[0] == "create" else "--dry-run"
        checked = self.run(*args, check).code if fault == KILLED and number else 0
        heals = (kills or "lasts" in fault) if number else args[0] == "create"
        healed = self.run().code if heals else 0
        return ran, Case(ran.broken, fault, ran.code, left, checked, healed, self.look())


Staging = Callable[[str], Stage]
"""Takes the name of a scenario."""
Breaking = Callable[..., Broken]
"""Takes the name of a scenario, the faults of its calls, which take turns, how many calls are
broken, and whether the project is copied then.
"""


@pytest.fixture(scope="session")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Staging:
    """Prepare each scenario once."""
    return cache(lambda name: Stage(FORKS, SCENARIOS[name], tmp_path_factory.mktemp("stage")))


@pytest.fixture(scope="session")
def unbroken(staged: Staging) -> Callable[[str], tuple[list[str], Case]]:
    """The calls of the run of a scenario, and the case in which none is broken."""

    def unbroken(name: str) -> tuple[list[str], Case]:
        ran, case = staged(name).case(0, KILLED)
        return ran.calls, case

    return cache(unbroken)


@pytest.fixture
def broken(
    staged: Staging,
    unbroken: Callable[[str], tuple[list[str], Case]],
    take_turns: TakeTurns[int, Fault],
) -> Breaking:
    """Break a scenario at its calls, one in each run."""

    def broken(name: str, *faults: Fault, at_most: int = 5, is_copied: bool = False) -> Broken:
        stage, (calls, whole) = staged(name), unbroken(name)
        turns = take_turns(range(1, len(calls) + 1), faults, at_most)
        cases = [stage.case(number, fault, is_copied)[1] for number, fault in turns]
        return Broken(stage.before, calls, cases, whole)

    return broken


def look(root: Path) -> Look:
    """Every file and link below a folder by its path, and what it holds; folders that are empty,
    too; no archives.
    """
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
    """What a project holds, without times: no record and no cache, and the backup
    under one name.
    """
    kept = {name: content for name, content in look.items() if not _STATE.match(name)}
    return {
        re.sub(r"^\.tool(/|-)backup/[^/]+", ".tool/backup", name): content
        for name, content in kept.items()
    }


def remembered(look: Look) -> dict[str, Any]:
    """What the state of a project says was written last, by the paths of components."""
    components = json.loads(look.get(".tool/state.json", '{"content": {}}'))["content"].get(
        "components", {}
    )
    return {path: last["component"] for path, last in components.items()}


def logged(look: Look) -> list[tuple[str, str]]:
    """What the log of a project says of its components, in runs of which one may have
    completed another.
    """
    runs = map(json.loads, look.get(".tool/log.jsonl", "").splitlines())
    did = ("added", "updated", "removed", "recorded")
    return sorted(
        (each, component["path"]) for run in runs for each in did for component in run[each]
    )


def is_as_before(look: Look, before: Look, whole: Look) -> bool:
    """Whether a run has changed nothing, but that its drop is remembered, as the whole run left
    that, or not at all.
    """
    new = {
        f".tool/{name}": whole[f".tool/{name}"]
        for name in ("drop.json", *MARKS)
        if f".tool/{name}" not in before
    }
    return look in (before, {**before, **new})


def consists_of(look: Look) -> tuple[dict[str, Look], str | None]:
    """The components of a project, and its record."""
    return components(look), look.get(".tool-manifest.json")


@pytest.mark.parametrize("scenario", some([*SCENARIOS], 5))
def test_a_killed_run(broken: Breaking, scenario: str, counted: Counted) -> None:
    """If a run is killed before any call, every file is whole, old or new, and the next run ends as
    if nothing had happened.

    An added or removed component is on disk whole, or not at all. An updated component never names
    the new version before it has all of its files.
    """
    runs, facts = broken(scenario, KILLED, at_most=3), SCENARIOS[scenario]
    old, new = components(runs.before), components(runs.whole.left)
    todo = {"create": 80, "undo": 0, "redo": 0, "patch": 73}[facts.args[0]]
    for case in runs.cases:
        assert case.code == -9, case
        left = components(case.left)
        for path in () if facts.apart else old.keys() ^ new.keys():
            assert left.get(path) in [old.get(path), new.get(path)], (case.call, path)
        for path in old.keys() | new.keys():
            for name, text in left.get(path, {}).items():
                states = (
                    old.get(path, {}).get(name),
                    new.get(path, {}).get(name),
                    "an empty folder",
                )
                assert text in states, (case.call, path, name)
            if facts.is_update:
                marker = f"{path.rpartition('/')[2]}.php"
                is_new = left[path][marker] == new[path][marker] != old[path][marker]
                assert not is_new or left[path].items() >= new[path].items(), (case.call, path)
        for name in filter(_PATCH.match, {**case.left, **runs.whole.left}):
            assert case.left.get(name) in (runs.before.get(name), runs.whole.left.get(name)), (
                case.call,
                name,
            )
        is_done = consists_of(case.left) == consists_of(runs.whole.final)
        assert case.healed in {0, facts.code_again}, case.call
        assert without_state(case.final) == without_state(runs.whole.final), case.call
        assert remembered(case.final) == remembered(runs.whole.final), case.call
        assert logged(case.final) == logged(runs.whole.final), case.call
        is_interrupted = ".tool/staging/run.json" in case.left
        is_left_to_do = is_interrupted or not is_done
        assert case.checked == (todo if is_left_to_do else facts.code_again), case.call
    counted("calls at which a run was killed", len(runs.cases))
    assert len(runs.calls) >= 15


@pytest.mark.parametrize(
    "scenario", sample(["force", "update", "add file by file", "prune", "undo"], 1)
)
def test_a_killed_run_whose_project_was_copied(
    broken: Breaking, scenario: str, counted: Counted
) -> None:
    """If the project of a killed run is copied, as from a backup, the next run in the copy ends as
    if nothing had happened.
    """
    runs = broken(scenario, KILLED, is_copied=True)
    for case in runs.cases:
        assert (case.code, case.healed) == (-9, 0), case.call
        assert without_state(case.final) == without_state(runs.whole.final), case.call
    counted("calls at which a run was killed, and its project copied", len(runs.cases))


@pytest.mark.parametrize("scenario", some([*REFUSED, *PATCHES, "patch"], 3))
def test_a_refused_call(broken: Breaking, scenario: str, counted: Counted) -> None:
    """If any call is refused, a run ends with 74 and everything is as before; or, if all is already
    in place, it cleans up and succeeds.
    """
    runs = broken(scenario, *({"way": error} for error in ERRORS), at_most=6)
    done = without_state(runs.whole.left)
    for case in runs.cases:
        if case.code in {73, 74}:  # 73 if what is said to exist is where something was to be put
            assert is_as_before(case.left, runs.before, runs.whole.left), case.call
        else:
            stays = "run.json" in case.call  # and with it what only the next run may remove
            left = {
                name: text
                for name, text in case.left.items()
                if not (stays and name.startswith(".tool/staging"))
            }
            assert case.code == 0, case.call
            assert without_state(left) == done, case.call
    counted("calls that were refused", len(runs.cases))
    assert 74 in {case.code for case in runs.cases}
    assert runs.cases[-1].code == 0


@pytest.mark.parametrize("scenario", some(REFUSED, 2))
def test_a_refused_read(
    staged: Staging, scenario: str, take_turns: TakeTurns[int, Fault], counted: Counted
) -> None:
    """If any read is refused, or all from one on, the last line of a run says truly whether nothing
    was changed, all is done, or the next run has to complete it.

    The next run completes it.
    """
    stage = staged(scenario)
    one: Fault = {"way": "EIO", "reads": True}
    other: Fault = {"way": "ENFILE", "reads": True}
    all_from_one_on: Fault = {"way": "EIO", "reads": True, "lasts": True}
    calls, whole = stage.begun(fault=one).calls, stage.look()
    done = without_state(whole)
    turns = take_turns(range(1, len(calls) + 1), (one, other, all_from_one_on), 6)
    for number, fault in turns:
        ran, refuses_all = stage.begun(number, fault), "lasts" in fault
        may_stay = (
            {f".tool/{name}" for name in MARKS} - stage.before.keys() if refuses_all else set[str]()
        )
        ending = json.loads(ran.err.splitlines()[-1])
        assert (ending["event"], ran.code == 0) == ("summary", ending["outcome"] == "done"), (
            ran.broken
        )
        if ending["outcome"] == "unchanged":
            left = {name: text for name, text in stage.look().items() if name not in may_stay}
            before, after = (_tidied(each, refuses_all) for each in (stage.before, left))
            assert is_as_before(after, before, whole), (ran.broken, fault)
        if ending["outcome"] != "done":
            assert stage.run().code == 0, ran.broken
        assert without_state(_tidied(stage.look(), refuses_all)) == done, ran.broken
    counted("reads that were refused", len(turns))
    assert len(calls) > 50


def _tidied(look: Look, refuses_all: bool) -> Look:
    """The look without what may have to stay for a later run if everything is refused."""
    return _without(rf"staging|archives|{FRESH}", look) if refuses_all else look


def _without(names: str, look: Look) -> Look:
    """The look without some names in `.tool/`."""
    return {name: text for name, text in look.items() if not re.match(rf"\.tool/({names})", name)}


@pytest.mark.parametrize("scenario", some([*REFUSED, *PATCHES], 2))
def test_a_disk_that_refuses_everything(broken: Breaking, scenario: str, counted: Counted) -> None:
    """If every call from one on is refused, a run cannot put anything back; the next one ends as if
    nothing had happened.
    """
    runs = broken(scenario, {"way": "EIO", "lasts": True}, at_most=3)
    for case in runs.cases:
        assert case.code in {0, 74}, case
        if SCENARIOS[scenario].args[0] in {"undo", "redo"} and case.code == 0:
            continue  # all is done, and is undone no second time
        assert case.healed == 0, case
        assert without_state(case.final) == without_state(runs.whole.final), case.call
    counted("calls from which on everything was refused", len(runs.cases))


@pytest.mark.parametrize("way", REPLACED)
@pytest.mark.parametrize("scenario", some(["carry", "force", "prune what was edited"], 2))
def test_folders_that_are_replaced(
    broken: Breaking, scenario: str, way: str, counted: Counted
) -> None:
    """If another process replaces a staged or a finished folder, no file of the project is lost.

    The files that it puts into the staging folder are never built, and are removed with it.
    """
    runs = broken(scenario, {"way": way}, at_most=3)
    for case in runs.cases:
        was_replaced = way == "FINISHED" and any(name.startswith("moved") for name in case.left)
        for state in (case.left, case.final):
            texts = set(state.values())
            assert "mine" in texts, case.call
            assert ("stranger" in components(state).get("modules/m", {})) is was_replaced, case.call
        assert case.code in {0, 73, 74}, case.call
        if way == "STAGED":
            assert components(case.left) == components(
                runs.before if case.code else runs.whole.left
            ), case.call
    counted("calls before which a folder was replaced", len(runs.cases))


@pytest.mark.parametrize("scenario", some(SETTLED, 1))
def test_a_run_that_settles_and_is_broken(
    staged: Staging, scenario: str, take_turns: TakeTurns[int, str]
) -> None:
    """If the runs that complete a killed run are killed or refused in turn, the last one completes
    it.

    Wherever a run was killed, the next one is broken at two or three of its calls, each in its
    turn.
    """
    stage = staged(scenario)
    whole, wanted = stage.begun().calls, without_state(stage.look())
    for killed, way in take_turns(range(1, len(whole) + 1), ("KILL", "EIO", "EBUSY", "ENOENT"), 4):
        stage.begun(killed)
        calls = stage.run(way="KILL").calls
        stride = max(1, len(calls) // 2)
        for number in range(1 + killed % stride, len(calls) + 1, stride):
            stage.begun(killed)
            for _ in range(2):
                stage.run(number=number, way=way)
            assert stage.run().code == 0, (killed, number)
            assert without_state(stage.look()) == wanted, (killed, number)


@pytest.mark.parametrize("scenario", some(TWICE, 1))
def test_two_faults_in_a_row(
    staged: Staging, scenario: str, thinned: Thinned[int], counted: Counted
) -> None:
    """If a call is refused and the run is killed while it puts everything back, the next run
    completes it.
    """
    stage, pairs = staged(scenario), 0
    calls, wanted = stage.begun().calls, without_state(stage.look())
    for number in thinned(range(1, len(calls) + 1), 3):
        for then in nested(range(1, len(stage.begun(number, REFUSED_CALL).calls) - number + 1), 2):
            stage.begin()
            if stage.run(number=number, way="EIO", then=then).code == 0:
                continue
            pairs += 1
            assert stage.run().code == 0, (number, then)
            assert without_state(stage.look()) == wanted, (number, then)
    counted("pairs of calls, of which one was refused and one killed", pairs)


@pytest.mark.parametrize("scenario", some(PATCHES, 1))
def test_two_refusals_in_a_row(
    staged: Staging, scenario: str, thinned: Thinned[int], counted: Counted
) -> None:
    """If a call is refused, and another one while the run puts everything back, all is as before,
    or the next run completes it.

    The last line says which.
    """
    stage, pairs = staged(scenario), 0
    calls, wanted = stage.begun().calls, without_state(stage.look())
    for number in thinned(range(1, len(calls) + 1), 3):
        after = range(1, min(6, len(calls) - number) + 1)
        for then in nested(after, 2):
            stage.begin()
            ran = stage.run(number=number, way="EIO", then=then, fails_again=True)
            if ran.code == 0:
                continue
            pairs += 1
            ending = json.loads(ran.err.splitlines()[-1])
            if ending["outcome"] == "unchanged":
                left = _tidied(stage.look(), refuses_all=True)
                assert consists_of(left) == consists_of(stage.before), (number, then)
                assert patches(left) == patches(stage.before), (number, then)
            assert stage.run().code == 0, (number, then)
            assert without_state(stage.look()) == wanted, (number, then)
    counted("pairs of calls that were refused", pairs)


@pytest.mark.parametrize("scenario", some(PATCHES, 1))
def test_what_comes_after_a_killed_run(
    staged: Staging, scenario: str, thinned: Thinned[int], counted: Counted
) -> None:
    """If a run is killed while it writes patches, a build completes it, and it can be undone as a
    whole.

    Every command that looks before says that it was interrupted; no edit is lost at any moment.
    """
    stage, tried = staged(scenario), 0
    command = stage.scenario.args[0]
    number_of_calls = len(stage.begun().calls)
    whole = patches(stage.look())
    for number in thinned(range(1, number_of_calls + 1), 4):
        stage.begun(number)
        status = stage.run("status")
        assert (status.code, "unused-patch" in status.err) == (0, False), number
        assert ".tool/staging/run.json" not in stage.look() or "interrupted-run" in status.err, (
            number
        )
        assert stage.run("create", "--merge").code == 0, number
        assert stage.run("create", "--check").code == 0, number
        if command == "create":
            assert patches(stage.look()) == whole, number
            assert stage.run("create", "--frozen").code == 0, number
            assert stage.run("undo").code == 0, number
            assert patches(stage.look()) == patches(stage.before), number
            assert components(stage.look()) == components(stage.before), number
        tried += 1
    counted("calls at which a run was killed that wrote patches, and what came after it", tried)


def patches(look: Look) -> Look:
    """The patches of components."""
    return {name: text for name, text in look.items() if _PATCH.match(name)}


def _pull(root: Path) -> None:
    """A colleague has built one component more."""
    record = read_record((root / ".tool-manifest.json").read_bytes()) or Record()
    pulled = replace(
        record.components["modules/m"], archive="p.zip", files={"p.php": FileState(digest=_PULLED)}
    )
    components = {**record.components, "modules/p": pulled}
    (root / ".tool-manifest.json").write_bytes(write_record(replace(record, components=components)))
    (root / "modules/p").mkdir()
    (root / "modules/p/p.php").write_text("pulled", encoding="utf-8")


def _edit(root: Path, *names: str) -> None:
    for path in (
        root / f"modules/{each}/{name.format(each)}" for each in ("m", "n") for name in names
    ):
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
@pytest.mark.parametrize("scenario", ["update two"])
def test_what_happens_after_a_kill(
    staged: Staging, scenario: str, since: str, thinned: Thinned[int]
) -> None:
    """Whatever happens between a kill and the next run, that run loses none of it, and completes
    each component.

    If both it and the user changed a file, the run stops at a conflict, as any run would.
    """
    stage = staged(scenario)
    do, there = SINCE[since]
    calls, whole = stage.begun().calls, without_state(stage.look())
    for number in thinned(range(1, len(calls) + 1), 3):
        stage.begun(number)
        do(stage.work)
        code, final = stage.run().code, without_state(stage.look())
        if code == 73 and "changes" in since:
            assert final.items() >= there.items(), number
            continue
        assert code == 0, number
        assert final == {**whole, **there}, number
        record = read_record((stage.work / ".tool-manifest.json").read_bytes())
        assert record and record.components.keys() == components(final).keys(), number
        assert stage.run("create", "--check").code == 0, number


def test_another_drop_after_a_kill(staged: Staging, thinned: Thinned[int]) -> None:
    """Archives that arrive after a kill are built whole, whatever the killed run was building."""
    stage = staged("update two")
    for number in thinned(range(1, len(stage.begun().calls) + 1), 3):
        stage.begun(number)
        for name in ("m", "n"):
            pack(
                stage.work,
                name,
                {f"{name}/{name}.php": "newest", f"{name}/same": "same\n", f"{name}/newest": "1"},
            )
        assert stage.run().code == 0, number
        newest = {
            name: {f"{name}.php": "newest", "same": "same\n", "newest": "1"} for name in ("m", "n")
        }
        newest["m"]["same"] = "ours\n"
        assert components(stage.look()) == {
            f"modules/{name}": files for name, files in newest.items()
        }, number


def test_what_is_deleted_after_a_kill(staged: Staging, thinned: Thinned[int]) -> None:
    """A user's file that is deleted between a kill and the next run does not come back."""
    stage, own = staged("update two"), ("modules/m/own", "modules/n/own")
    wanted = without_state((stage.begun(), stage.look())[1])

    def begun(number: int = 0) -> list[str]:
        stage.begin()
        for name in own:
            (stage.work / name).write_text("mine", encoding="utf-8")
        return stage.run(number=number, way="KILL").calls

    calls = begun()
    marks = [
        number
        for number, call in enumerate(calls, 1)
        if call.startswith(("link ('m.php", "link ('n.php"))
    ]
    for number in thinned(range(marks[0], marks[-1] + 3), 5):
        begun(number)
        for name in own:
            (stage.work / name).unlink()
        assert stage.run().code == 0, number
        assert without_state(stage.look()) == wanted, number


def _every(root: Path) -> list[Path]:
    """Every component that is there."""
    return [
        path
        for folder in ("modules", "themes")
        if (root / folder).is_dir()
        for path in (root / folder).iterdir()
    ]


def _edit_all(root: Path) -> None:
    for path in [
        file for component in _every(root) for file in component.rglob("*") if file.is_file()
    ]:
        path.unlink()
        path.write_text(f"since {path.relative_to(root)}", encoding="utf-8")


def _remove_all(root: Path) -> None:
    for component in _every(root):
        shutil.rmtree(component)


def _link_all(root: Path) -> None:
    for component in _every(root):
        component.rename(elsewhere := root / f"elsewhere-{component.name}")
        component.symlink_to(elsewhere)


@pytest.mark.parametrize("since", [_edit_all, _remove_all, _link_all])
@pytest.mark.parametrize("scenario", some(UNSETTLED, 1))
def test_what_a_killed_run_had_taken(
    staged: Staging, scenario: str, since: Callable[[Path], None], thinned: Thinned[int]
) -> None:
    """Whatever happens to all components after a kill, no edit is lost, not even one that the
    killed run had moved.

    The next run completes it, or stops at a conflict or a link.
    """
    stage = staged(scenario)
    edits = {
        text
        for files in components(stage.before).values()
        for text in files.values()
        if "mine" in text
    }
    for number in thinned(range(1, len(stage.begun().calls) + 1), 3):
        stage.begun(number)
        taken = edits - {
            text for files in components(stage.look()).values() for text in files.values()
        }
        since(stage.work)
        there = {
            text
            for name, text in stage.look().items()
            if text.startswith("since ") or "elsewhere" in name
        }
        code = stage.run("create").code
        assert code in {0, 73}, number
        found = stage.look().items()
        assert taken | there <= {
            text for name, text in found if code or ".tool/staging" not in name
        }, number


@pytest.mark.parametrize("scenario", ["prune", "update two"])
def test_a_look_at_undoing_a_killed_run(
    staged: Staging, scenario: str, thinned: Thinned[int]
) -> None:
    """A dry run of undo plans nothing while a killed run is not completed; undo completes it and
    takes it back.

    If that run has changed no file yet, undo takes back the one before.
    """
    stage = staged(scenario)

    def planned(*args: str) -> tuple[int, list[str]]:
        run = stage.run("undo", *args)
        return run.code, [
            line for line in run.err.splitlines() if line.startswith('{"event":"component"')
        ]

    for number in thinned(range(1, len(stage.begun().calls) + 1)):
        stage.begun(number)
        is_interrupted = (stage.work / ".tool/staging/run.json").exists()
        looked, done = planned("--dry-run"), planned()
        assert looked == ((0, []) if is_interrupted else done), number
        assert done[0] == 0, number
        assert components(stage.look()) in (components(stage.before), {}), number


@pytest.mark.parametrize("scenario", ["undo one of two", "redo one of two"])
def test_what_can_still_be_undone_after_a_kill(
    staged: Staging, scenario: str, thinned: Thinned[int]
) -> None:
    """Wherever the undo of a part is killed, the rest of the run can be undone after that is
    completed.
    """
    stage = staged(scenario)
    calls = stage.begun().calls
    stage.run("undo")
    whole = components(stage.look())
    for number in thinned(range(1, len(calls) + 1), 5):
        stage.begun(number)
        assert [stage.run().code, stage.run("undo").code] == [0, 0], number
        assert components(stage.look()) == whole, number


def test_an_undo_that_keeps_nothing(staged: Staging, thinned: Thinned[int]) -> None:
    """If an undo that keeps nothing is killed, the next call completes it.

    Files that it was about to delete may stay in `.tool/` until the next run that changes
    something.
    """
    stage = staged("undo")

    def ran(number: int = 0) -> Forked:
        return stage.forks.run(
            stage.work, "undo", number=number, way="KILL", env={"TOOL_KEEP": "none"}
        )

    stage.begin()
    calls = ran().calls
    whole = without_state(stage.look())
    for number in thinned(range(1, len(calls) + 1)):
        stage.begin()
        ran(number)
        is_done = (
            not (stage.work / ".tool/staging").exists()
            and without_state(_without(FRESH, stage.look())) == whole
        )
        assert is_done or ran().code == 0, number
        assert components(stage.look()) == components(whole), number


@pytest.mark.parametrize("scenario", some(UNASKED, 1))
def test_a_killed_run_that_has_changed_nothing(
    staged: Staging, scenario: str, thinned: Thinned[int], counted: Counted
) -> None:
    """A run with `--force` or `--prune` that is killed before its first change leaves nothing to do
    for a run without these flags.
    """
    stage, tried = staged(scenario), 0
    unasked = (each for each in stage.scenario.args if each not in {"--force", "--prune"})
    before, plain = components(stage.before), (*unasked,)
    for number in thinned(range(1, 200), 20):
        stage.begun(number)
        if components(stage.look()) != before:
            break
        stage.run(*plain)
        assert components(stage.look()) == before, number
        tried += 1
    counted("kills before the first change", tried)
    assert tried


@pytest.mark.parametrize("way", ["KILL", "EIO"])
def test_a_run_that_settles_what_a_system_wrote(
    staged: Staging, way: str, thinned: Thinned[int]
) -> None:
    """If a system wrote a file around a rename and the run was killed, the runs that complete it
    can be broken again and again.

    In the end the newest version is in place, whatever the broken runs saved.
    """
    stage = staged("carry")
    whole, wanted = stage.begun().calls, without_state(stage.look())
    killed = next(
        number for number, call in enumerate(whole, 1) if call.startswith("rename ('m.php")
    )
    stage.begun(killed, {"way": "KILL", "meanwhile": "writes"})
    for number in thinned(range(1, len(stage.run(way="KILL").calls) + 1), 3):
        stage.begun(killed, {"way": "KILL", "meanwhile": "writes"})
        for _ in range(2):
            stage.run(number=number, way=way)
        assert stage.run().code == 0, number
        newest = dict.fromkeys(
            ("modules/m/live", "newest"), (stage.work / "newest").read_text(encoding="utf-8")
        )
        assert without_state(stage.look()) == {**wanted, **newest}, number


def test_a_system_that_goes_on_writing(broken: Breaking, counted: Counted) -> None:
    """A file that the system replaces before every call ends in its newest version, in one place,
    and the run does not stop.
    """
    codes = {"": {0}, "EIO": {0, 74}, "KILL": {-9}}
    faults: list[Fault] = [{"way": way, "meanwhile": "writes"} for way in codes]
    runs = broken("carry", *faults, at_most=9)
    for case in runs.cases:
        end = case.final if case.fault["way"] == "KILL" else case.left
        newest = dict.fromkeys(("modules/m/live", "newest"), end["newest"])
        assert case.code in codes[case.fault["way"]], case
        assert case.healed == 0, case.call
        whole = runs.before if case.code == 74 else runs.whole.left
        assert without_state(end) == without_state({**whole, **newest}), case.call
    counted("calls while a system wrote", len(runs.cases))


def test_a_system_that_clears_its_cache(broken: Breaking, counted: Counted) -> None:
    """A file that the system deletes before any call of a run does not come back, even if the run
    puts everything else back.
    """
    codes = {"": {0}, "EIO": {0, 74}}
    faults: list[Fault] = [{"way": way, "meanwhile": "deletes"} for way in codes]
    runs = broken("carry", *faults, at_most=6)
    for case in runs.cases:
        assert case.code in codes[case.fault["way"]], case
        whole = without_state(runs.before if case.code == 74 else runs.whole.left)
        assert {**without_state(case.left), "modules/m/cache/x": "mine"} == whole, case.call
        assert "modules/m/cache/x" not in case.left, case.call
    counted("calls before which a system deleted", len(runs.cases))


@pytest.mark.parametrize("scenario", ["add", "force"])
def test_too_few_files(forks: Forks, staged: Staging, scenario: str, thinned: Thinned[int]) -> None:
    """However few files it may have open, a run succeeds, or ends with 74 and everything as
    before.
    """
    stage, codes = staged(scenario), list[int]()
    for files in thinned(range(3, 20), 6):
        stage.begin()
        ran = forks.run(stage.work, *stage.scenario.args, files=files)
        assert ran.code in {0, 74}, ran.err
        left = stage.look()
        assert ran.code == 0 or left.keys() - stage.before.keys() <= _OF_THE_DROP, files
        assert ran.code == 0 or left.items() >= stage.before.items(), files
        codes.append(ran.code)
    assert codes[0] == 74
    assert codes[-1] == 0
    assert codes == sorted(codes, reverse=True)


@pytest.mark.parametrize("scenario", some(REFUSED, 2))
def test_an_interrupted_run(broken: Breaking, scenario: str, counted: Counted) -> None:
    """A run that is asked to end before any call leaves no staging folder; everything is as before,
    or in place.
    """
    codes = {"INT": 130, "TERM": 143}
    runs = broken(scenario, *({"way": way} for way in codes), at_most=4)
    for case in runs.cases:
        assert case.code == codes[case.fault["way"]], case.call
        is_done = without_state(case.left) == without_state(runs.whole.left)
        assert is_done or is_as_before(case.left, runs.before, runs.whole.left), case.call
    counted("calls at which a run was interrupted", len(runs.cases))


@pytest.mark.skipif(
    shutil.which("strace") is None, reason="strace, which lists the calls of a process, is missing"
)
def test_no_call_is_missed(staged: Staging, tmp_path: Path) -> None:
    """The calls that these tests break are all calls of the run that change the disk, as the system
    itself counts them.
    """
    stage = staged("force")
    counted = stage.begun(fault=REFUSED_CALL).calls
    stage.begin()
    calls = "mkdir,mkdirat,rename,renameat,renameat2,unlink,unlinkat,rmdir,symlinkat,linkat,mknodat"
    calls = f"{calls},fsync,syncfs,write,openat,chmod"
    traced: list[str | Path] = [
        "strace",
        "-f",
        "-qq",
        "-e",
        f"trace={calls}",
        "-o",
        str(tmp_path / "trace"),
        TOOL,
        "create",
        "--force",
    ]
    quiet = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run(traced, cwd=stage.work, check=True, capture_output=True, env=quiet)
    lines = [
        line.split(maxsplit=1)[1]
        for line in (tmp_path / "trace").read_text(encoding="utf-8").splitlines()
    ]
    # The rest of a line that was cut.
    lines = [line for line in lines if not line.startswith("<... ")]
    # Signals change nothing: that a child ended, or, if git ends before it reads, SIGPIPE.
    changing = [
        line for line in lines if not re.match(r"--- SIG|write\([12],|openat\((?!.*O_CREAT)", line)
    ]
    names = [
        "rmdir" if "AT_REMOVEDIR" in line else line.partition("(")[0].removesuffix("at")
        for line in changing
    ]
    assert [call.split()[0] for call in counted] == names
