"""Plan and hooks, run alone: what a run will do, as a value (`docs/building.md`, `docs/hooks.md`)."""

from pathlib import PurePath

from msgspec.structs import replace
from returns.result import Failure, Success

from pipeline.archives.archive import Archive, ArchiveFile, Component, Entry, describe
from pipeline.building.hooks import Hook, Script, plan_hooks
from pipeline.building.plan import (
    Departures,
    Plan,
    Step,
    Target,
    archive_events,
    build_step,
    component_events,
    departing_step,
    departures,
    hook_events,
    record_found,
    summary,
    told_apart_by_case,
    without_conflict,
)
from pipeline.building.record import FileState, Record, RecordedComponent
from pipeline.report.build_notes import SkippedHook
from pipeline.report.build_problems import ArchiveRejected, ComponentAmbiguous, OutputConflict
from pipeline.report.events import ArchiveEvent, ComponentEvent, HookEvent, SummaryEvent
from pipeline.selection.choices import Reason
from pipeline.selection.select import Choice, Selection


def choice(name: str) -> Choice:
    """A selected module of two files and a folder, one of the files junk."""
    component = Component(kind="module", name=name, version="1", evidence=f"{name}/m.json", root=f"{name}/")
    names = (f"{name}/a", f"{name}/b/c", f"{name}/.DS_Store", "__MACOSX/x")
    entries = (Entry(name=f"{name}/b", kind="folder"), *(Entry(name=each) for each in names))
    file = ArchiveFile(path=PurePath(f"/drop/{name}.zip"), display_path=f"{name}.zip")
    return Choice(describe(Archive(file=file), component, entries), component, True, Reason("unmentioned"))


A, B, C = map(choice, "abc")
SEEN = {"a": FileState(size=1), "b/c": FileState(size=2)}
ABSENT, STALE = Target(standing="absent"), Target(standing="stale", seen=SEEN)
MINE = Target(standing="different", users=("a",), seen=SEEN)
RECORDED = RecordedComponent(archive="b.zip", digest="1", content="2", files=SEEN)
SAME = Target(standing="same", seen=SEEN, recorded=RECORDED)


def recorded(archive: str) -> RecordedComponent:
    """What the record says of a component that came from an archive."""
    return replace(RECORDED, archive=archive)


def test_steps() -> None:
    """What is absent is added, what is the same is kept, what is not whole or not new is updated."""
    steps = tuple(build_step(each, target) for each, target in ((A, ABSENT), (B, SAME), (C, STALE)))
    assert steps == (
        Step(kind="module", name="a", action="add", files=2, target=ABSENT, choice=A),
        Step(kind="module", name="b", action="keep", files=2, target=SAME, choice=B),
        Step(kind="module", name="c", action="update", files=2, target=STALE, choice=C),
    )
    assert without_conflict(steps, force=False) == Success(steps)
    plan = Plan(project=PurePath("/p"), steps=steps)
    assert [(step.path, step.users) for step in plan.changes] == [("modules/a", ()), ("modules/c", ())]


def test_a_theme_that_departs() -> None:
    """A component of the record is told by its path; as many files are removed as stand there."""
    step = departing_step("themes/sea", "remove", MINE)
    assert step == Step(kind="theme", name="sea", action="remove", files=2, target=MINE)
    assert (step.path, step.users) == ("themes/sea", ("a",))


def test_conflicts() -> None:
    """Without `force` every component with files of the user is a conflict that names them."""
    steps = (build_step(A, MINE), build_step(B, SAME), departing_step("themes/sea", "remove", MINE))
    assert without_conflict(steps, force=True) == Success(steps)
    assert without_conflict(steps, force=False) == Failure(
        (OutputConflict("modules/a", ("modules/a/a",)), OutputConflict("themes/sea", ("themes/sea/a",)))
    )


def test_what_is_in_the_way() -> None:
    """A file or a link on the way is a conflict with `force` too, told once for all components behind it."""
    file, link = Target(standing="file", obstacle="modules"), Target(standing="link", obstacle="modules/c")
    steps = (build_step(A, file), build_step(B, file), build_step(C, link))
    assert without_conflict(steps, force=True) == Failure(
        (OutputConflict("modules", reason="file"), OutputConflict("modules/c", reason="link"))
    )


def test_components_that_differ_in_case() -> None:
    """A disk that ignores case could hold one of them only, so that both archives are named."""
    shout = replace(A, component=replace(A.component, name="A"))
    steps = (build_step(A, ABSENT), build_step(B, SAME), build_step(shout, ABSENT))
    assert tuple(told_apart_by_case(steps)) == (ComponentAmbiguous("module", "A", ("a.zip", "a.zip")),)


def test_what_departs() -> None:
    """What is left out is removed; what is gone from the drop is kept, or removed with `prune`; what is built stays."""
    closed = Choice(
        Archive(file=ArchiveFile(path=PurePath("/drop/x.zip"), display_path="x.zip")),
        C.component,
        False,
        Reason("pattern"),
    )
    selection = Selection((A, replace(B, selected=False), closed))
    record = Record(
        {
            "modules/a": recorded("a.zip"),
            "modules/b": recorded("old name.zip"),
            "modules/closed": recorded("x.zip"),
            "modules/unsure": recorded("broken.zip"),
            "modules/gone": recorded("gone.zip"),
        }
    )
    left_out = ("modules/b", "modules/closed")
    assert departures(record, selection, ["broken.zip"], prune=False) == Departures(left_out, ("modules/gone",))
    assert departures(record, selection, [], prune=True) == Departures((*left_out, "modules/gone", "modules/unsure"))
    assert departures(record, selection, ["new.zip"], prune=True) == Departures(
        left_out, ("modules/gone", "modules/unsure")
    )


def test_what_departs_as_its_archive_holds_something_else() -> None:
    """A component whose archive holds something else is gone, and is kept; if that is refused nothing is known."""
    member = replace(
        B, archive=replace(B.archive, file=ArchiveFile(path=PurePath("/b.zip"), display_path="b.zip").at("in"))
    )
    record = Record(
        {"themes/a": recorded("a.zip"), "modules/was": recorded("b.zip"), "modules/no": recorded("b.zip!no")}
    )
    selection = Selection((A, member))
    gone = ("modules/no", "modules/was", "themes/a")
    assert departures(record, selection, [], prune=False) == Departures((), gone)
    refusals = (ArchiveRejected("b.zip!in", "bad"),)
    doubtful = replace(member, archive=replace(member.archive, refusals=refusals))
    unsure = departures(record, Selection((A, doubtful)), ["b.zip!in"], prune=False)
    assert unsure == Departures((), ("themes/a",))
    left_out = replace(doubtful, selected=False)
    assert departures(record, Selection((A, left_out)), [], prune=True) == Departures(gone)


def test_what_the_record_finds() -> None:
    """The record takes up what stands already, keeps what will be replaced or was not looked at, forgets the absent."""
    kept = {"modules/c": recorded("c.zip"), "modules/refused": recorded("r.zip")}
    record = Record({**kept, "modules/vanished": recorded("v.zip")})
    steps = (build_step(A, ABSENT), build_step(B, SAME), build_step(C, STALE))
    assert record_found(record, steps, ["modules/vanished"]) == Record({**kept, "modules/b": RECORDED})


def test_what_is_told() -> None:
    """Archives, components, hooks and the end of the run are told from the plan."""
    steps = (build_step(A, ABSENT), build_step(B, SAME))
    hook = Hook("init", "a.sh", PurePath("/h/a.sh"), "h/a.sh", "sh")
    plan = Plan(project=PurePath("/p"), steps=steps, init=(hook,))
    reason = "no pattern mentions it"
    assert archive_events(Selection((A,), ())) == (ArchiveEvent("a.zip", "module", "a", "1", True, reason, "a/m.json"),)
    assert component_events(plan) == (
        ComponentEvent("module", "a", "add", "modules/a", 2),
        ComponentEvent("module", "b", "keep", "modules/b", 2),
    )
    assert hook_events(plan) == (HookEvent("init", "a.sh", "planned"),)
    assert summary(plan.project, "done", plan.steps, 2, 1.23456) == SummaryEvent("/p", "done", 1, 0, 1, 0, 2, 1.235)


def test_hooks() -> None:
    """Scripts run in the byte order of their names, by themselves or by their suffix; the rest is skipped."""
    files = {
        "20.sh": False,
        "10 é.py": False,
        "Z": True,
        "b.js": False,
        "b.ts": True,
        ".hidden.sh": True,
        "old.sh~": True,
        "notes.txt": False,
        "a.SH": False,
    }
    hooks, notes = plan_hooks(
        "post", (Script(PurePath("/h") / name, f"h/{name}", flag) for name, flag in files.items())
    )
    assert [(hook.script, hook.runner) for hook in hooks] == [
        ("10 é.py", "python"),
        ("20.sh", "sh"),
        ("Z", "itself"),
        ("a.SH", "sh"),
        ("b.ts", "itself"),
    ]
    assert notes == (SkippedHook("post", "h/b.js", ".js"), SkippedHook("post", "h/notes.txt", ".txt"))


def test_what_departs_with_its_bundle() -> None:
    """A member is left out with its bundle, and stays if that cannot be told; what was refused leaves nothing out."""
    file = ArchiveFile(path=PurePath("/drop/x.zip"), display_path="x.zip")
    closed = Choice(Archive(file=file), C.component, False, Reason("pattern"))
    refused = Choice(Archive(file=file), replace(C.component, name="gone"), False, Reason("refused"))
    record = Record({"modules/in": recorded("x.zip!in"), "modules/gone": recorded("y.zip")})
    assert departures(record, Selection((closed,)), [], prune=False) == Departures(("modules/in",), ("modules/gone",))
    assert departures(record, Selection((refused,)), ["x.zip"], prune=False) == Departures((), ("modules/gone",))
