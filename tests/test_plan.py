"""The build's chain, run alone: from a drop and a project to a plan (`docs/building.md`)."""

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any, Final

import pytest
from msgspec.structs import replace
from returns.result import Failure, Success

from pipeline.archives.archive import Archive, ArchiveFile, Component
from pipeline.archives.places import FolderProbe, Places
from pipeline.building.draft import Drop, PlanOptions, ProjectReader
from pipeline.building.hooks import Hook, HookFolder, Hooks, Script
from pipeline.building.merging.preference import Preference, Preferred
from pipeline.building.patching.payload import Payload
from pipeline.building.steps import Plan
from pipeline.building.stores.record import Files, FileState, Record, RecordedComponent
from pipeline.building.stores.state import LastBuild, State
from pipeline.building.stores.tree import Tree
from pipeline.building.survey import Target
from pipeline.config.layers import Assignment, Decision
from pipeline.plan import choose, plan
from pipeline.report.diagnostic import Command, WarningDiagnostic
from pipeline.report.diagnostics.archives import ArchiveRejected, Flaw
from pipeline.report.diagnostics.bases import UnknownBase, UnknownComponent
from pipeline.report.diagnostics.building import (
    OutOfDate,
    files_edited,
    gives_others,
    kept_components,
    not_as_recorded,
)
from pipeline.report.diagnostics.conflicts import DisputedFile, OutputConflict
from pipeline.report.diagnostics.disk import denied
from pipeline.report.diagnostics.drop import DropNotFound, repacked_archive
from pipeline.report.diagnostics.runs import missing_hook_folder, skipped_hook
from pipeline.report.diagnostics.selection import ComponentAmbiguous, ThemeAmbiguous
from pipeline.report.location import BUILT_IN, Location
from pipeline.report.outcome import BuildOutcome
from pipeline.selection.choices import Choice, Reason
from pipeline.selection.hosting import Asked
from pipeline.selection.select import Selection
from pipeline.systems.backdrop import BACKDROP
from tests.support.cases import case_of
from tests.support.drafts import NOTHING, built_step, choice_of, untouched
from tests.support.recognition import project_with
from tests.support.selecting import archive

OLD, NEW, MINE = ({"f": FileState(digest=digest)} for digest in ("old", "new", "mine"))
DAMAGED = ArchiveRejected("b.zip", Flaw("damaged"))
UNREADABLE = denied("h")


def choice(name: str, digest: str = "2") -> Choice:
    """A selected module."""
    return choice_of(
        name, version="1", archive={"digest": digest, "content": digest, "file_count": 1}
    )


A, B, C = map(choice, "abc")
SELECTION = Selection((A, B))


def recorded(name: str, digest: str = "1") -> RecordedComponent:
    """The record of a module of one file."""
    return RecordedComponent(archive=f"{name}.zip", digest=digest, content=digest, files=OLD)


def record(*names: str) -> Record:
    """A record of modules."""
    return Record({f"modules/{name}": recorded(name) for name in names})


class World:
    """A project with some modules, an archive of each with new files, and what was asked for."""

    def __init__(self, **there: Files | Target) -> None:
        self.there = {
            f"modules/{name}": each
            if isinstance(each, Target)
            else Target(occupancy="present", tree=Tree(dict(each)))
            for name, each in there.items()
        }
        self.gives: dict[str, BuildOutcome[Files]] = {}
        self.says: dict[str, Component] = {}
        self.state = State()
        self.scripts: dict[str, BuildOutcome[tuple[Script, ...] | None]] = {}
        self.obstacle = Target()
        self.unused: tuple[WarningDiagnostic, ...] = ()
        self.ignores_case = False
        self.looked: list[str] = []
        self.read: list[str] = []

    def places(self, paths: Sequence[str]) -> dict[str, Target]:
        """The target of each path."""
        self.looked += paths
        return {path: self.there.get(path, Target()) for path in paths}

    def occupancies(self, paths: Sequence[str]) -> dict[str, Target]:
        """The target of each path, or what is in the place of the folder for backups."""
        return {path: self.there.get(path, self.obstacle) for path in paths}

    def contents(self, choices: Sequence[Choice]) -> list[BuildOutcome[Files]]:
        """The new files, unless the test gives others."""
        self.read += [each.component.name for each in choices]
        return [self.gives.get(each.component.name, Success(NEW)) for each in choices]

    def installed(self, found: Mapping[str, Files]) -> dict[str, Component | None]:
        """The components that the installed modules declare."""
        return {path: self.says.get(path.removeprefix("modules/")) for path in found}

    def plan(self, selection: Selection, before: Record, **options: Any) -> BuildOutcome[Plan]:
        """Plan a run."""
        reader = ProjectReader(
            project=PurePath("/p"),
            command=Command("drop"),
            view_targets=self.places,
            view_occupancies=self.occupancies,
            list_contents=self.contents,
            recognise_installed=self.installed,
            find_named=lambda *_: (),
            list_scripts=lambda path: self.scripts[str(path)],
            texts=NOTHING,
            ignores_case=lambda: self.ignores_case,
            unused=self.unused,
        )
        return plan(selection, before, self.state, reader, PlanOptions(**options))


def present(files: Files) -> Target:
    """A component that is there."""
    return Target(occupancy="present", tree=Tree(dict(files)))


def conflict(name: str) -> OutputConflict:
    """That both sides changed the file of a module."""
    return OutputConflict(
        f"modules/{name}", disputed=(DisputedFile(f"modules/{name}/f", "edited"),)
    )


def test_a_drop_is_opened_as_far_as_needed() -> None:
    """An archive that a pattern leaves out by its file name is not opened."""
    asked: list[str] = []
    archives = {each.archive.file: each.archive for each in (A, B)}

    def examine(files: Sequence[ArchiveFile]) -> list[tuple[Archive, ...]]:
        asked.extend(file.name for file in files)
        return [(archives[file],) for file in files]

    settings = case_of({"theme": "none", "exclude": ["a.zip"]}).settings
    drop = Drop("drop", lambda _: tuple(archives), examine)
    selection = choose(settings, drop)
    assert asked == ["b.zip"]
    assert [(each.path, each.selected) for each in selection.choices] == [
        ("modules/a", False),
        ("modules/b", True),
    ]
    elsewhere = choose(settings, drop, record=Record().within(Places("own/themes", "own/modules")))
    assert [each.path for each in elsewhere.choices] == ["own/modules/a", "own/modules/b"]


@pytest.mark.parametrize(
    ("there", "prunes", "is_missed"),
    [
        ("modules/custom/mine/mine.info", False, False),
        ("modules/custom/mine/mine.info", True, False),
        ("modules/mine/mine.info", False, False),
        ("modules/mine/mine.info", True, True),
        ("elsewhere/mine/mine.info", False, True),
    ],
)
def test_what_the_project_keeps_need_not_be_built(
    there: str, prunes: bool, is_missed: bool
) -> None:
    """A component that is left out still meets needs if the project keeps it."""
    mine = archive("module", "mine", evidence="mine.info")
    archives = {each.file: each for each in (mine, archive("module", "user", requires=("mine",)))}
    drop = Drop(
        "drop", lambda _: tuple(archives), lambda files: [(archives[file],) for file in files]
    )
    settings = case_of({"theme": "none", "exclude": ["mine"]}).settings
    host = project_with(BACKDROP)
    project = replace(host, is_there=lambda path: path == there or host.is_there(path))
    record = Record({"modules/mine": recorded("mine")})
    for probe in (project, FolderProbe("p", there.__eq__, str)):
        selection = choose(settings, drop, Asked(prunes=prunes), record, probe)
        assert ("needed-component" in {each.code for each in selection.warnings}) == is_missed


def test_a_download_has_the_name_of_what_was_built_from_it() -> None:
    """A guessed name is looked for among the recorded components before the folders."""
    file = ArchiveFile(path=PurePath("/drop/kit-main.zip"), display_path="kit-main.zip")
    component = Component(
        kind="module", name="main", named_by="main/ (folder)", is_guessed=True, evidence="f"
    )
    drop = Drop(
        "drop", lambda _: (file,), lambda _: [(replace(A.archive, file=file, component=component),)]
    )
    built = replace(recorded("a"), archive="kit-main.zip", files={"f": FileState()})
    selection = choose(
        case_of({"theme": "none"}).settings, drop, record=Record({"modules/kit": built})
    )
    assert [each.path for each in selection.choices] == ["modules/kit"]


def test_archives_that_come_to_one_folder() -> None:
    """Archives that would be built in one folder are versions of one component, whatever they are
    called: the highest is built, once.
    """
    names = {"sea_kit": "1.0", "sea-kit": "2.0"}
    found = {
        ArchiveFile(path=PurePath(f"/drop/{name}.zip"), display_path=f"{name}.zip"): Component(
            kind="module", name=name, evidence="sea.php", version=version
        )
        for name, version in names.items()
    }
    archives = tuple(
        replace(A.archive, file=file, component=component, content=component.name)
        for file, component in found.items()
    )
    drop = Drop("drop", lambda _: tuple(found), lambda _: [(each,) for each in archives])
    record = Record(
        {"modules/sea-kit-master": replace(recorded("a"), files={"sea.php": FileState()})}
    )
    selection = choose(case_of({"theme": "none"}).settings, drop, record=record)
    seen = [(each.component.name, each.path, each.selected) for each in selection.choices]
    assert seen == [
        ("sea-kit", "modules/sea-kit-master", True),
        ("sea_kit", "modules/sea-kit-master", False),
    ]


def test_a_plan() -> None:
    """A missing component is added without comparing its archive; one on disk is compared, or kept
    without an archive.
    """
    world, before = World(b=OLD, c=OLD), record("b", "c")
    steps = (
        built_step(A, Target(), Payload(), None),
        built_step(B, present(OLD), Payload(NEW), recorded("b")),
        untouched("modules/c", recorded("c"), present(OLD)),
    )
    assert world.plan(SELECTION, before) == Success(
        Plan(
            project=PurePath("/p"),
            steps=steps,
            record=before,
            warnings=(kept_components((), ("modules/c",)),),
        )
    )
    assert world.read == ["b"]


def test_an_archive_that_was_built_here_is_not_read() -> None:
    """An archive that the state knows is not opened; one that only the record knows is."""
    world, built = World(a=OLD), recorded("a", "2")
    world.gives["a"] = Success(OLD)
    assert len(world.plan(Selection((A,)), Record({"modules/a": built})).unwrap().changes) == 0
    assert world.read == ["a"]
    world.state = State({"modules/a": LastBuild(component=built)})
    done = world.plan(Selection((A,)), Record({"modules/a": built})).unwrap()
    assert ([step.action for step in done.steps], world.read) == (["keep"], ["a"])


def test_archives_are_asked_for_in_the_order_of_their_files() -> None:
    """The members of a bundle are read one after another, whatever their components are called."""
    bundle = ArchiveFile(path=PurePath("/drop/0.zip"), display_path="0.zip")
    member = replace(B, archive=replace(B.archive, file=bundle.at("b")))
    world = World(a=OLD, b=OLD)
    names = frozenset({"modules/a", "modules/b"})
    done = world.plan(
        Selection((A, member)), Record(), prefer=Preference("theirs"), names=names
    ).unwrap()
    assert (world.read, [step.name for step in done.steps]) == (["b", "a"], ["a", "b"])


def test_the_errors_of_the_selection() -> None:
    """Errors of the selection stop the plan; with `--keep-going`, only refused archives do not."""
    undecided = ThemeAmbiguous((), Location("drop"))
    refused = replace(B, archive=replace(B.archive, refusals=(DAMAGED,)))
    damaged, both = (
        Selection((A, refused), errors=each) for each in ((DAMAGED,), (DAMAGED, undecided))
    )
    assert World().plan(damaged, Record()) == Failure((DAMAGED,))
    assert World().plan(both, Record(), keep_going=True) == Failure((DAMAGED, undecided))
    done = World().plan(damaged, Record(), keep_going=True).unwrap()
    assert ([step.name for step in done.steps], done.refused) == (["a"], (DAMAGED,))


@pytest.mark.parametrize("keep_going", [False, True])
def test_conflicts(keep_going: bool) -> None:
    """Conflicts stop the plan, together with archives whose damage only shows then; with
    `--keep-going`, both are skipped.
    """
    world = World(a=MINE, b=OLD, c=OLD)
    world.gives["b"] = Failure((DAMAGED,))
    outcome = world.plan(Selection((A, B, C)), record("a", "b", "c"), keep_going=keep_going)
    if keep_going:
        done = outcome.unwrap()
        assert ([step.name for step in done.steps], done.refused) == (
            ["c"],
            (DAMAGED, conflict("a")),
        )
        assert done.component_errors == (conflict("a"),)
    else:
        assert outcome == Failure((conflict("a"), DAMAGED))


def test_a_plan_for_some_components() -> None:
    """Only named components are planned and reported, and the record of the others does not
    change.
    """
    world, before = World(a=OLD, b=MINE, c=OLD, d=OLD), record("a", "b", "c", "d")
    refused = replace(B, archive=replace(B.archive, refusals=(DAMAGED,)))
    selection = Selection((A, refused), errors=(DAMAGED, ThemeAmbiguous(("x", "y"), BUILT_IN)))
    names = frozenset({"modules/a", "modules/c"})
    done = world.plan(selection, before, names=names).unwrap()
    assert [(step.name, step.action) for step in done.steps] == [("a", "update"), ("c", "keep")]
    assert (done.warnings, done.record, done.refused) == (
        (kept_components((), ("modules/c",)),),
        before,
        (),
    )
    assert (world.looked, world.read) == (["modules/a", "modules/c"], ["a"])
    pruned = world.plan(selection, before, names=names, prune=True).unwrap()
    assert [(step.name, step.action) for step in pruned.steps] == [("a", "update"), ("c", "remove")]
    assert world.plan(selection, before, names=frozenset({"modules/b"})) == Failure((DAMAGED,))
    frozen = world.plan(selection, before, names=frozenset({"modules/d"}), frozen=True)
    assert frozen == Failure((not_as_recorded("modules/d", "d.zip", "1", ""),))


RUN = {"f": replace(OLD["f"], executable=True)}


@pytest.mark.parametrize(
    ("before", "selected", "gives", "expected"),
    [
        (Record({"modules/a": recorded("a", "2")}), (A,), OLD, ()),
        (Record({"modules/a": recorded("a", "2")}), (A,), NEW, gives_others("modules/a", "a.zip")),
        (record("a"), (A,), OLD, (repacked_archive("a.zip", "modules/a"),)),
        (record("a"), (A,), NEW, not_as_recorded("modules/a", "a.zip", "1", "2")),
        (record("a"), (A,), RUN, not_as_recorded("modules/a", "a.zip", "1", "2")),
        (record("a"), (), NEW, not_as_recorded("modules/a", "a.zip", "1", "")),
        (record(), (A,), NEW, not_as_recorded("modules/a", "a.zip", "", "2")),
    ],
    ids=[
        "same",
        "another record",
        "packed again",
        "other content",
        "other mode",
        "not selected",
        "not recorded",
    ],
)
def test_frozen(
    before: Record,
    selected: tuple[Choice, ...],
    gives: Files,
    expected: tuple[WarningDiagnostic, ...] | OutOfDate,
) -> None:
    """A frozen plan takes only recorded components from the recorded archives, or from archives
    with the very same files.
    """
    world = World()
    world.gives["a"] = Success(gives)
    outcome = world.plan(Selection(selected), before, frozen=True)
    if isinstance(expected, tuple):
        assert outcome.unwrap().warnings == expected
    else:
        assert outcome == Failure((expected,))


def test_a_record_that_has_what_is_not_built() -> None:
    """An older record may have the files of a folder that the system takes out of a theme;
    `--frozen` accepts it.
    """
    choice = replace(A, component=replace(A.component, apart="dependencies"))
    older = recorded("a", "2")
    older = replace(
        older,
        files={
            **older.files,
            "dependencies": FileState(kind="folder"),
            "dependencies/b": FileState(),
        },
    )
    world = World()
    world.gives["a"] = Success(OLD)
    assert (
        world.plan(Selection((choice,)), Record({"modules/a": older}), frozen=True)
        .unwrap()
        .warnings
        == ()
    )
    assert isinstance(
        world.plan(Selection((A,)), Record({"modules/a": older}), frozen=True), Failure
    )


def test_an_archive_that_is_damaged_where_it_is_compared() -> None:
    """An archive whose damage shows when it is compared is refused."""
    world = World()
    world.gives["a"] = Failure((DAMAGED,))
    assert world.plan(Selection((A,)), record("a"), frozen=True).unwrap().refused == (DAMAGED,)


@pytest.mark.parametrize(
    ("prefer", "passes"), [("nobody", False), ("theirs", False), ("mine", True)]
)
def test_an_edit_where_everything_is_as_recorded(prefer: Preferred, passes: bool) -> None:
    """An edit that stays is not as recorded, so a frozen plan needs the flag that prefers it."""
    world, before = World(a=MINE), record("a")
    recorded = before.components["modules/a"]
    world.gives["a"] = Success(recorded.files)
    choice = replace(
        A, archive=replace(A.archive, digest=recorded.digest, content=recorded.content)
    )
    outcome = world.plan(Selection((choice,)), before, frozen=True, prefer=Preference(prefer))
    assert outcome.map(lambda _: None) == (
        Success(None) if passes else Failure((files_edited("modules/a", ("f",)),))
    )


LEFT_OUT = replace(A, selected=False)


def test_pruning() -> None:
    """A component without an archive is removed, unless something is in the way."""
    done = (
        World(c=OLD, b=OLD)
        .plan(Selection((LEFT_OUT,)), record("c", "gone", "b"), prune=True)
        .unwrap()
    )
    assert [
        (step.path, step.action, step.file_count, step.merge.removed) for step in done.steps
    ] == [(f"modules/{name}", "remove", 1, ("f",)) for name in "bc"]
    assert (done.record, done.warnings) == (record("c", "b"), ())
    blocked = World(c=Target(occupancy="link", obstacle="modules"))
    assert blocked.plan(Selection((LEFT_OUT,)), record("c"), prune=True) == Failure(
        (OutputConflict("modules", reason="link"),)
    )


def test_pruning_leaves_what_is_in_doubt() -> None:
    """A component that may be in a refused archive is not removed, and no warning names it."""
    refused = replace(
        A, archive=replace(A.archive, refusals=(DAMAGED,)), reason=Reason("refused"), selected=False
    )
    before = record("a", "c")
    done = World(a=OLD, c=OLD).plan(Selection((refused,)), before, prune=True).unwrap()
    assert [step.path for step in done.skipped] == ["modules/a"]
    assert (done.warnings, done.record) == (
        (kept_components((), ("modules/c",), in_doubt=True),),
        before,
    )


def test_pruning_what_is_not_known() -> None:
    """A component that another version has replaced is not removed, and that is the error of the
    run.
    """
    two = {"f": FileState(digest="old"), "g": FileState(digest="old")}
    world = World(c={name: FileState(digest="mine") for name in two})
    world.says = {"c": Component(kind="module", name="c", version="2", evidence="f")}
    before = Record({"modules/c": replace(recorded("c"), version="1", files=two)})
    done = world.plan(Selection((LEFT_OUT,)), before, prune=True).unwrap()
    unknown = UnknownBase(UnknownComponent("modules/c", version="2"))
    assert (done.steps, done.refused, done.record) == ((), (unknown,), before)


def test_what_is_kept() -> None:
    """A kept component is reported and a missing one is forgotten; if something is in the way,
    nothing is done.
    """
    left_out = replace(B, selected=False)
    world = World(b=OLD, c=OLD, d=Target(occupancy="link", obstacle="modules"))
    done = world.plan(Selection((left_out,)), record("b", "c", "d", "gone")).unwrap()
    assert done.steps == tuple(
        untouched(f"modules/{name}", recorded(name), present(OLD)) for name in "bc"
    )
    assert [step.path for step in done.skipped] == ["modules/d", "modules/gone"]
    assert (done.record, done.warnings) == (
        record("b", "c", "d"),
        (kept_components(("modules/b",), ("modules/c",)),),
    )


def test_pruning_with_an_empty_drop() -> None:
    """If the drop has no archive, nothing is removed, and that is an error before any other."""
    world = World(c=OLD)
    assert world.plan(Selection((), errors=(DAMAGED,)), record("c"), prune=True) == Failure(
        (DropNotFound("drop", is_empty=True),)
    )
    done = world.plan(Selection(()), record("c")).unwrap()
    assert done.warnings == (kept_components((), ("modules/c",), in_doubt=True),)


@pytest.mark.parametrize(
    "options", [{"prefer": Preference("theirs")}, {"prefer": Preference("mine")}]
)
def test_the_place_of_backups(options: dict[str, object]) -> None:
    """A plan that moves files to the backup is refused if something is in the backup's place."""
    world = World(a=MINE)
    assert len(world.plan(Selection((A,)), record("a"), **options).unwrap().steps) == 1
    world.obstacle = Target(occupancy="file", obstacle=".tool/backup")
    blocked = OutputConflict(".tool/backup", reason="file")
    assert world.plan(Selection((A,)), record("a"), **options) == Failure((blocked,))
    world.gives["a"] = Success(OLD)
    assert world.plan(SELECTION, Record({"modules/a": recorded("a", "2")})).unwrap().refused == ()


CONFIGURED = Assignment("config", Location("tool.config.json", 1, 2), "h/post")
FOLDERS = (
    HookFolder(
        "init",
        PurePath("init"),
        Decision("hooks.initScriptsDir", Assignment("default", BUILT_IN, "init"), ()),
    ),
    HookFolder("post", PurePath("post"), Decision("hooks.postScriptsDir", CONFIGURED, ())),
)
HOOK = Hook("init", PurePath("/h/a.sh"), "h/a.sh", "sh")
SCRIPTS = (Script(HOOK.path, "h/a.sh", False), Script(PurePath("/h/b.js"), "h/b.js", False))


def test_hooks() -> None:
    """Scripts are planned; a missing folder is reported if a setting names it; an unreadable one is
    an error.
    """
    world = World()
    world.scripts = {"init": Success(SCRIPTS), "post": Success(None)}
    done = world.plan(Selection(()), Record(), hooks=FOLDERS).unwrap()
    assert done.hooks.scripts == (HOOK,)
    missing = missing_hook_folder("hooks.postScriptsDir", "h/post", CONFIGURED.location)
    assert done.warnings == (skipped_hook("init", "h/b.js", ".js"), missing)
    world.scripts["post"] = Failure((UNREADABLE,))
    assert world.plan(Selection(()), Record(), hooks=FOLDERS) == Failure((UNREADABLE,))


def test_hooks_that_may_not_run() -> None:
    """Scripts that may not run are reported without a warning; an unreadable folder of theirs does
    not matter.
    """
    world = World()
    world.scripts = {"init": Success(SCRIPTS), "post": Success(None)}
    done = world.plan(
        Selection(()), Record(), hooks=FOLDERS, hooks_forbidden_by="--no-hooks"
    ).unwrap()
    assert (done.hooks, done.warnings) == (Hooks((HOOK,), forbidden_by="--no-hooks"), ())
    world.scripts["post"] = Failure((UNREADABLE,))
    done = world.plan(
        Selection(()), Record(), hooks=FOLDERS, hooks_forbidden_by="--no-hooks"
    ).unwrap()
    assert done.hooks.scripts == ()


CASES: Final[dict[str, tuple[str, Files, Record, tuple[str, str] | None]]] = {
    "a file of the user": ("a", MINE, Record(), ("a/F", "a/f")),
    "a folder of the user": ("a", {"D/x/y": MINE["f"]}, Record(), ("a/d", "a/D")),
    "an edited file of the record": ("a", MINE, record("a"), None),
    "a file of the record": ("a", OLD, record("a"), None),
    "nothing": ("a", {}, record("A"), None),
    "another component": ("a", OLD, record("A"), ("a", "A")),
}
"""A component, what is there, what is recorded, and what differs only in case: what is to be built,
and what is there.

The archive has the files `F` and `d/x/z`."""


@pytest.mark.parametrize("what", CASES)
def test_a_disk_that_ignores_case(what: str) -> None:
    """On a disk that ignores case, a new file or component is in conflict with one that differs
    only in case and stays; elsewhere both can exist.
    """
    name, there, before, alike = CASES[what]
    names = (name, *(path.rpartition("/")[2] for path in before.components)) if there else ()
    world, selection = World(b=NEW, **dict.fromkeys(names, there)), Selection((choice(name), B))
    world.gives[name] = Success({"F": NEW["f"], "d/x/z": NEW["f"]})
    elsewhere = world.plan(selection, before)
    world.ignores_case = True
    outcome = world.plan(selection, before)
    if alike is None:
        assert outcome == elsewhere
    else:
        new, old = (f"modules/{each}" for each in alike)
        assert outcome == Failure((OutputConflict(new, reason="case", other=old),))
        assert world.plan(selection, before, keep_going=True).unwrap().changes == ()


def test_components_that_a_disk_does_not_tell_apart() -> None:
    """On a disk that ignores case, two components that differ only in case are an error that names
    both archives, also with `--keep-going`.
    """
    world, selection = World(), Selection((choice("a"), B, choice("A")))
    assert len(world.plan(selection, Record()).unwrap().changes) == 3
    world.ignores_case = True
    error = ComponentAmbiguous("module", "a", ("A.zip", "a.zip"))
    assert world.plan(selection, Record(), keep_going=True) == Failure((error,))
