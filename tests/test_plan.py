"""Plan and hooks, run alone: what a run will do, as a value (`docs/building.md`, `docs/hooks.md`)."""

from pathlib import PurePath

from returns.result import Failure

from pipeline.archives import Archive, ArchiveFile, Component, Entry, describe
from pipeline.choices import Reason
from pipeline.events import ArchiveEvent, ComponentEvent, HookEvent, SummaryEvent
from pipeline.hooks import Hook, Script, plan_hooks
from pipeline.notes import SkippedHook
from pipeline.plan import Plan, Step, Target, archive_events, component_events, hook_events, plan_steps, summary
from pipeline.problems import OutputConflict
from pipeline.select import Choice, Selection


def choice(name: str) -> Choice:
    """A selected module of two files and a folder, one of the files junk."""
    component = Component(kind="module", name=name, version="1", evidence=f"{name}/m.json", root=f"{name}/")
    names = (f"{name}/a", f"{name}/b/c", f"{name}/.DS_Store", "__MACOSX/x")
    entries = (Entry(name=f"{name}/b", kind="folder"), *(Entry(name=each) for each in names))
    file = ArchiveFile(path=PurePath(f"/drop/{name}.zip"), shown=f"{name}.zip")
    return Choice(describe(Archive(file=file), component, entries), component, True, Reason("unmentioned"))


A, B, C = map(choice, "abc")
TARGETS = {
    "modules/a": Target("absent"),
    "modules/b": Target("same"),
    "modules/c": Target("different", ("modules/c/a",)),
}


def test_steps() -> None:
    """What is absent is added, what is the same is kept, what differs is updated with `force`."""
    assert plan_steps((A, B, C), TARGETS, force=True).unwrap() == (
        Step(choice=A, action="add", path="modules/a"),
        Step(choice=B, action="keep", path="modules/b"),
        Step(choice=C, action="update", path="modules/c"),
    )


def test_only_an_update_displaces() -> None:
    """What is updated is moved aside first."""
    steps = plan_steps((A, B, C), TARGETS, force=True).unwrap()
    assert [step.displaces for step in steps] == [False, False, True]


def test_conflicts() -> None:
    """Without `force` every component that differs is a conflict, with the files that do."""
    targets = {**TARGETS, "modules/a": Target("different", ("x",))}
    assert plan_steps((A, B, C), targets, force=False) == Failure(
        (OutputConflict("modules/a", ("x",)), OutputConflict("modules/c", ("modules/c/a",)))
    )


def test_what_is_in_the_way() -> None:
    """A file or a link on the way is a conflict with `force` too, told once for all components behind it."""
    targets = {
        "modules/a": Target("file", ("modules",)),
        "modules/b": Target("file", ("modules",)),
        "modules/c": Target("link", ("modules/c",)),
    }
    assert plan_steps((A, B, C), targets, force=True) == Failure(
        (OutputConflict("modules", found="file"), OutputConflict("modules/c", found="link"))
    )


def test_what_is_told() -> None:
    """Archives, components, hooks and the end of the run are told from the plan."""
    steps = plan_steps((A, B), TARGETS, force=False).unwrap()
    hook = Hook("init", "a.sh", PurePath("/h/a.sh"), "h/a.sh", "sh")
    plan = Plan(project=PurePath("/p"), steps=steps, init=(hook,))
    reason = "no pattern speaks about it"
    assert archive_events(Selection((A,), ())) == (ArchiveEvent("a.zip", "module", "a", "1", True, reason, "a/m.json"),)
    assert component_events(plan) == (
        ComponentEvent("module", "a", "add", "modules/a", 2),
        ComponentEvent("module", "b", "keep", "modules/b", 2),
    )
    assert hook_events(plan) == (HookEvent("init", "a.sh", "planned"),)
    assert summary(plan, 1.23456) == SummaryEvent("/p", 1, 0, 1, 0, 1.235)


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
    assert notes == (SkippedHook("post", "b.js", ".js"), SkippedHook("post", "notes.txt", ".txt"))
