"""Undo: what happens to each component, and what the log says of runs, as pure functions."""

from msgspec.structs import replace

from pipeline.archives.archive import Component
from pipeline.building.showing.run_log import (
    LINES,
    LoggedComponent,
    LoggedRun,
    VersionLine,
    archives_by_age,
    log_entry,
    log_lines,
    names_not_logged,
    read_log,
    version_lines,
    versions_kept,
    with_run,
    write_log,
)
from pipeline.building.stores.changes import Change, Run, StoreEntry
from pipeline.building.stores.journal import Journal, read_journal
from pipeline.building.stores.kept import BuiltAs, KeptBuild
from pipeline.building.stores.record import Files, FileState, RecordedComponent
from pipeline.building.stores.sealed import seal
from pipeline.building.stores.state import LastBuild, State
from pipeline.building.stores.tree import Tree
from pipeline.building.stores.undoable import archives_built_again
from pipeline.building.survey import Target
from pipeline.report.diagnostic import Command
from pipeline.report.diagnostics.building import NothingToUndo
from pipeline.report.diagnostics.conflicts import DisputedFile, OutputConflict
from pipeline.report.diagnostics.runs import not_logged
from pipeline.report.layout import PIPE
from pipeline.report.outcome import errors_of, value_of
from tests.support.drafts import undo_planned, undo_steps

OLD, NEW, MINE = (FileState(digest=text) for text in ("old", "new", "mine"))
BUILT = RecordedComponent(archive="m.zip", digest="1", content="1", version="1.0", files={"a": OLD})
UPDATED = RecordedComponent(
    archive="m.zip", digest="2", content="2", version="2.0", files={"a": NEW}
)
RUN = Run(id="0", time="2026-01-01T00:00:00Z", command=("tool", "create"))
CHANGES = (
    Change(
        path="modules/u",
        slot="0",
        entry_before=StoreEntry(BUILT, LastBuild(component=BUILT)),
        entry_after=StoreEntry(UPDATED),
        before={"a": OLD},
        after={"a": NEW},
        backed_up=("a",),
    ),
    Change(
        path="modules/r", slot="1", removes=True, entry_before=StoreEntry(BUILT), before={"a": OLD}
    ),
    Change(
        path="modules/n",
        slot="2",
        adds=True,
        entry_after=StoreEntry(UPDATED),
        after={"a": NEW},
        merged=("a",),
    ),
)
PREVIOUS = Journal(run=RUN, changes=CHANGES, backup=".tool/backup/1", record="digest")


def there(**files: FileState) -> Target:
    """A component that is there."""
    return Target(occupancy="present", tree=Tree(files, dict.fromkeys(files, (1,))))


def test_what_is_read_back() -> None:
    """The changes of a run can be written and read back, unless they are damaged or have a
    component twice.
    """
    assert read_journal(seal(PREVIOUS)) == PREVIOUS
    assert read_journal(b"{}") is None
    change = Change(path="modules/m", slot="0")
    assert (
        read_journal(seal(replace(PREVIOUS, changes=(change, Change(path="modules/alone")))))
        is not None
    )
    for twice in ({"path": "modules/n"}, {"slot": "1"}):
        assert (
            read_journal(seal(replace(PREVIOUS, changes=(change, replace(change, **twice)))))
            is None
        )


def test_the_steps_back() -> None:
    """Undo restores an updated component, brings a removed one back, and removes an added one
    except for the user's files.

    If a component is already as before, only that is recorded; if it never was on disk, there is
    nothing to do.
    """
    places = {"modules/u": there(a=NEW), "modules/r": Target(), "modules/n": there(a=NEW)}
    steps = undo_steps(PREVIOUS, places, "nobody")
    assert [(step.path, step.action) for step in steps] == [
        ("modules/u", "update"),
        ("modules/r", "add"),
        ("modules/n", "remove"),
    ]
    added = undo_steps(PREVIOUS, {**places, "modules/n": there(a=NEW, own=MINE)}, "nobody")[-1]
    assert (added.action, added.merge.files) == ("update", {"own": MINE})
    done = {"modules/u": there(a=OLD), "modules/r": there(a=OLD), "modules/n": Target()}
    again = undo_steps(PREVIOUS, done, "nobody")
    assert [(step.action, step.merge.changed) for step in again] == [
        ("update", ()),
        ("update", ()),
        ("keep", ()),
    ]
    assert archives_built_again(PREVIOUS.own, lambda _: True) == ("m.zip", "m.zip")


def test_a_component_of_which_only_the_record_changed() -> None:
    """The step of a component of which only the record changed comes last and restores the
    record.
    """
    alone = Change(
        path="modules/alone", entry_before=StoreEntry(BUILT), entry_after=StoreEntry(UPDATED)
    )
    (step,) = undo_steps(replace(PREVIOUS, changes=(alone,)), {}, "nobody")
    assert (step.path, step.action, step.survey.written, step.component) == (
        "modules/alone",
        "keep",
        UPDATED,
        BUILT,
    )


def test_undo_is_planned_as_a_build_is() -> None:
    """The plan of an undo has the record from before; a conflict that stops it says that it is
    about undoing.
    """
    places = {"modules/u": there(a=NEW), "modules/r": Target(), "modules/n": there(a=NEW)}
    planned = value_of(undo_planned(PREVIOUS, places))
    assert planned and planned.record.components == {"modules/u": BUILT, "modules/r": BUILT}
    disputed = (DisputedFile("modules/u/a", "edited"),)
    errors = errors_of(undo_planned(PREVIOUS, {**places, "modules/u": there(a=MINE)}))
    assert errors == (OutputConflict("modules/u", disputed=disputed, undoing=True),)


def test_what_was_replaced_in_place() -> None:
    """A file that the run did not change was not saved, so if somebody has deleted it since, it
    stays deleted.
    """
    files = {"a": OLD, "same": MINE}
    before, after = {**files, "removed": OLD}, {**files, "a": NEW}
    change = replace(CHANGES[0], before=before, after=after)
    (step,) = undo_steps(
        replace(PREVIOUS, changes=(change,)), {"modules/u": there(a=NEW)}, "nobody"
    )
    assert (step.action, step.merge.files) == ("update", {"a": OLD, "removed": OLD})


WIDE: Files = {"m.json": NEW, "lib": NEW, "same": OLD}
BEFORE: Files = {"m.json": OLD, "lib": OLD, "same": OLD}
OTHER: Files = {"m.json": MINE, "lib": MINE, "same": OLD, "new": MINE, "upload": MINE}
LEFT = replace(UPDATED, files=dict(WIDE))
WAS = replace(BUILT, files=dict(BEFORE))


def widely(**more: object) -> Journal:
    """An update of three files."""
    change = Change(
        path="modules/u",
        slot="0",
        entry_before=StoreEntry(WAS),
        entry_after=StoreEntry(LEFT),
        before=dict(BEFORE),
        after=dict(WIDE),
    )
    return replace(PREVIOUS, changes=(replace(change, **more),))


def since(
    previous: Journal, files: Files, version: str, state: State | None = None
) -> tuple[object, ...]:
    """Why the module cannot be taken back, if its marker says a version."""
    places = {"modules/u": Target(occupancy="present", tree=Tree(dict(files)))}
    found = Component(kind="module", name="u", version=version, evidence="m.json")
    (step,) = undo_steps(previous, places, "theirs", found, state)
    return step.errors


def test_another_version_since() -> None:
    """If another version has replaced the component since, the run cannot be taken back, unless
    that is the version from before it.

    A marker that the run or a later one left is no evidence, and neither is one without a readable
    version.
    """
    update, error = widely(), NothingToUndo("replaced", "modules/u", "3.0", command=Command("drop"))
    state = State(
        {"modules/u": LastBuild(component=LEFT, tree=Tree({"m.json": MINE, "upload": MINE}))}
    )
    assert since(update, OTHER, "3.0") == (error,)
    assert since(update, OTHER, "3.0", state) == ()
    assert since(update, OTHER, "2.0") == since(update, OTHER, "1.0") == ()
    assert (
        since(update, {**WIDE, "m.json": MINE}, "3.0")
        == since(update, {"m.json": NEW}, "3.0")
        == ()
    )
    assert since(widely(after=OTHER), OTHER, "3.0") == ()
    assert (
        since(widely(removes=True), OTHER, "3.0")
        == since(widely(entry_after=StoreEntry()), OTHER, "3.0")
        == ()
    )
    gone = (NothingToUndo("gone", "modules/u", command=Command("drop")),)
    assert [
        step.errors for step in undo_steps(update, {"modules/u": Target()}, "nobody", None, state)
    ] == [gone]
    assert since(widely(entry_before=StoreEntry()), OTHER, "1.0") == (replace(error, run="1.0"),)
    redone = replace(update, run=replace(update.run, kind="undo"))
    assert since(redone, OTHER, "3.0") == (NothingToUndo("replaced", "modules/u", "3.0"),)
    assert (
        error.message
        == "`modules/u` has been replaced since the run that could be undone: 3.0 is on disk"
    )


def test_what_is_built_again() -> None:
    """An archive is reported as built again if it is in the drop and not older than the version
    that comes back.
    """
    redo = replace(
        PREVIOUS,
        changes=(
            replace(
                CHANGES[0], entry_before=CHANGES[0].entry_after, entry_after=CHANGES[0].entry_before
            ),
        ),
    )
    for undone, expected in ((replace(PREVIOUS, changes=CHANGES[:1]), ("m.zip",)), (redo, ())):
        assert archives_built_again(undone.own, lambda _: True) == expected
        assert archives_built_again(undone.own, lambda _: False) == ()
    assert archives_built_again(redo.own, lambda each: each.version == "1.0") == ()


def test_what_is_the_users() -> None:
    """Files that stay and that no archive gave are counted as in a build: edited or added."""
    mine = {"a": OLD, "edited": MINE, "added": MINE, "empty": FileState(kind="folder")}
    said = replace(BUILT, files={"a": OLD, "edited": OLD})
    change = replace(
        CHANGES[0], entry_before=StoreEntry(said), before=mine, after={**mine, "a": NEW}
    )
    (step,) = undo_steps(
        replace(PREVIOUS, changes=(change,)), {"modules/u": there(**{**mine, "a": NEW})}, "nobody"
    )
    assert (step.merge.changed, step.merge.edited, step.merge.of("added")) == (
        ("a",),
        ("edited",),
        ("added",),
    )


def test_what_the_log_says() -> None:
    """The log lists for each run what it added, updated, removed and merged; names limit it to
    these components.
    """
    alone = (
        Change(path="modules/x", entry_after=StoreEntry(BUILT)),
        Change(path="modules/y", entry_before=StoreEntry(BUILT), entry_after=StoreEntry(BUILT)),
    )
    run = log_entry(replace(PREVIOUS, changes=(*CHANGES, *alone)))
    assert run == LoggedRun(
        id="0",
        time=RUN.time,
        command=RUN.command,
        added=(LoggedComponent(path="modules/n", version="2.0", digest="2"),),
        updated=(LoggedComponent(path="modules/u", version="2.0", previous="1.0", digest="2"),),
        removed=(LoggedComponent(path="modules/r", previous="1.0", digest="1"),),
        recorded=(LoggedComponent(path="modules/x", version="1.0", digest="1"),),
        merged=("modules/n/a",),
        backup=".tool/backup/1",
    )
    assert log_lines((run,), "text", PIPE) == (
        "2026-01-01T00:00:00Z  tool create",
        "  added     modules/n  2.0",
        "  updated   modules/u  1.0 → 2.0",
        "  removed   modules/r  1.0",
        "  recorded  modules/x  1.0",
        "  merged: `modules/n/a`",
        "  backed up: `.tool/backup/1`",
    )
    bare = replace(run, recorded=(), merged=(), backup="")
    assert log_lines((bare,), "text", PIPE)[-1] == "  removed  modules/r  1.0"
    assert run.restricted_to(()) == run
    assert [each.path for each in run.restricted_to(("u", "modules/r")).components] == [
        "modules/u",
        "modules/r",
    ]
    data = write_log((run,))
    assert read_log(b'{"id": "to\n' + data + b'{"id": "to') == (run,)
    assert with_run((run,), run) == (run,)
    assert log_lines((run,), "json", PIPE) == (data.decode().rstrip("\n"),)
    many = [replace(run, id=str(number)) for number in range(1, LINES + 9)]
    assert with_run(tuple(many), run) == (*many[9:], run)


def test_the_colours_of_the_log() -> None:
    """What was added is green, what was changed cyan, and what was removed red."""
    component = (LoggedComponent(path="modules/m", version="1.0"),)
    run = LoggedRun(id="1", time="", command=(), added=component, updated=component)
    run = replace(run, removed=component, recorded=component)
    assert log_lines((run,), "text", replace(PIPE, colour=True))[1:] == (
        "\x1b[32m  added\x1b[0m     modules/m  1.0",
        "\x1b[36m  updated\x1b[0m   modules/m  1.0",
        "\x1b[31m  removed\x1b[0m   modules/m  1.0",
        "\x1b[36m  recorded\x1b[0m  modules/m  1.0",
    )


def test_names_that_the_log_has_not() -> None:
    """A name that no run changed is reported with similar names, written in the same way; an empty
    log has none.
    """
    run = LoggedRun(id="1", time="", command=(), added=(LoggedComponent(path="modules/shop"),))
    assert names_not_logged((run,), ("shop", "modules/shop/", "shopp", "modules/shpo", "x")) == (
        not_logged("shopp", ("modules/shop",), ("shop",)),
        not_logged("modules/shpo", ("modules/shop",), ("modules/shop",)),
        not_logged("x", ("modules/shop",)),
    )
    assert names_not_logged((), ("shop",)) == ()


def test_the_order_in_which_archives_were_built() -> None:
    """The archive that a run built last is the last one, and each is listed once."""
    first, second = (LoggedComponent(path="modules/m", digest=each) for each in ("1", "2"))
    bare = LoggedRun(id="0", time=RUN.time, command=RUN.command)
    runs = (
        replace(bare, added=(first,)),
        replace(bare, updated=(second,)),
        replace(bare, updated=(first,)),
    )
    assert archives_by_age(runs) == ("2", "1")
    assert (
        archives_by_age((bare, replace(bare, removed=(LoggedComponent(path="modules/x"),)))) == ()
    )


def version_line(build: KeptBuild, version: str) -> VersionLine:
    """The line of a kept archive."""
    built = build.built
    return VersionLine(
        name=f"{built.path}@{version}",
        path=built.path,
        version=built.version,
        archive=built.archive,
        digest=build.digest,
        damaged=build.is_damaged,
    )


def test_the_versions_that_are_kept() -> None:
    """Each kept archive is listed by the name that builds it: its version, or its digest if the
    version is missing or not unique.
    """

    def kept(digest: str, path: str, version: str | None, is_damaged: bool = False) -> KeptBuild:
        built = BuiltAs(path=path, archive="m.zip", content="1", version=version)
        return KeptBuild(digest * 64, built, is_damaged)

    other = kept("5", "modules/z", "1.0")
    builds = (
        other,
        kept("1", "modules/m", "1.0"),
        kept("2", "modules/m", "1.0"),
        kept("3", "modules/m", None),
    )
    damaged = kept("4", "modules/m", "2.0", is_damaged=True)
    names = ("111111", "222222", "333333", "2.0")
    lines = tuple(map(version_line, (*builds[1:], damaged), names))
    assert versions_kept((*builds, damaged), ()) == (*lines, version_line(other, "1.0"))
    assert (
        versions_kept((*builds, damaged), ("modules/m/",))
        == versions_kept((*builds, damaged), ("m",))
        == lines
    )
    assert versions_kept(builds, ("other",)) == ()
    assert version_lines(lines[2:], "text", PIPE) == (
        "modules/m@333333  m.zip  kept",
        "modules/m@2.0     m.zip  kept archive is damaged",
    )
    assert version_lines(lines[3:], "json", PIPE) == (
        '{"event":"version","name":"modules/m@2.0","path":"modules/m","version":"2.0","archive":"m.zip",'
        f'"digest":"{damaged.digest}","damaged":true}}',
    )
