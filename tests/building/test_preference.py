"""`--keep-mine` and `--take-theirs` decide about single files in conflict, as `--mine` and
`--force` do about all.
"""

import pytest
from msgspec.structs import replace

from pipeline.building.draft import PlanOptions
from pipeline.building.judging.obstacles import check_patterns
from pipeline.building.merging.files_merge import merge_files
from pipeline.building.merging.preference import (
    Preference,
    Preferred,
    idle_patterns,
    wrong_patterns,
)
from pipeline.building.patching.payload import Payload
from pipeline.building.stores.record import FileState, Record, RecordedComponent
from pipeline.building.stores.tree import Tree
from pipeline.building.survey import Target
from pipeline.report.diagnostics.conflicts import idle_pattern
from tests.support.drafts import built_step, choice_of, draft_of
from tests.support.project import Project, Ran, php
from tests.support.tables import rows

OLD = {
    "m/m.php": php("m", "1"),
    "m/a.css": "old\n",
    "m/b.css": "old\n",
    "m/c.php": "1\n2\n3\n4\n5\n",
}
NEW = {
    **OLD,
    "m/m.php": php("m", "2"),
    "m/a.css": "new\n",
    "m/b.css": "new\n",
    "m/c.php": "1\n2\n3\n4\nfive\n",
}
MINE = "one\n2\n3\n4\n5\n"


@pytest.mark.parametrize(
    ("prefer", "path", "whose"),
    [
        (Preference(), "modules/m/a", "nobody"),
        (Preference("mine"), "modules/m/a", "mine"),
        (Preference(mine=("modules/m/a",)), "modules/m/a", "mine"),
        (Preference(mine=("modules/m/a",)), "modules/m/A", "nobody"),
        (Preference(mine=("a",)), "modules/m/a", "nobody"),
        (Preference("mine", theirs=("modules/*.css",)), "modules/m/deep/a.css", "theirs"),
        (Preference("mine", theirs=("modules/*.css",)), "modules/m/a.php", "mine"),
        (Preference(theirs=(r"modules/m/a\x1b",)), "modules/m/a\x1b", "theirs"),
    ],
)
def test_what_is_preferred(prefer: Preference, path: str, whose: Preferred) -> None:
    """A glob that matches the path in the project decides before what is preferred of all other
    files.
    """
    assert prefer.of(path) == whose


def test_a_pattern_that_is_a_path() -> None:
    """A pattern without a glob names one file, which is then kept although the system
    rewrites it.
    """
    prefer = Preference(mine=("modules/m/config.xml", "modules/n/*"))
    assert [
        prefer.names_exactly(path) for path in ("modules/m/config.xml", "modules/n/config.xml")
    ] == [
        True,
        False,
    ]


def test_patterns_that_are_refused() -> None:
    """A pattern that matches no file is a usage error, and so is a file that both flags match."""
    files = ("modules/m/a", "modules/m/b")
    prefer = Preference(mine=("modules/m/a", "modules/n/*"), theirs=("*/a", "*/c"))
    assert [each.message for each in wrong_patterns(prefer, files)] == [
        "--keep-mine: no file of a component matches `modules/n/*`",
        "--take-theirs: no file of a component matches `*/c`",
        "--keep-mine and --take-theirs both match `modules/m/a`",
    ]
    assert not list(wrong_patterns(Preference(mine=("*/a",)), files))
    decided = [*idle_patterns(prefer, ("modules/m/a",))]
    assert decided == [
        idle_pattern("--keep-mine", "modules/n/*"),
        idle_pattern("--take-theirs", "*/c"),
    ]


@pytest.mark.parametrize(("patterns", "idle", "wrong"), rows("preference", "patterns in a plan"))
def test_patterns_in_a_plan(
    patterns: tuple[str, ...], idle: tuple[str, ...], wrong: tuple[str, ...]
) -> None:
    """Patterns match files on disk, in the archive or in the record, of components in scope; idle
    ones are reported.
    """
    base, mine, new = (
        {name: FileState(digest=digest) for name in ("a", "c")} for digest in ("1", "2", "3")
    )
    recorded = RecordedComponent(
        archive="b.zip", digest="1", content="1", files={**base, "gone": base["a"]}
    )
    target = Target(
        occupancy="present", tree=Tree({"a": mine["a"], "c": base["c"], "mine": mine["a"]})
    )
    files = {"a": new["a"], "c": base["c"], "new": new["a"], "mine": new["a"]}
    options = PlanOptions(
        prefer=Preference(mine=patterns), names=frozenset({"modules/b", "modules/c"})
    )
    choice = choice_of("b", version="1")
    step = built_step(choice, target, Payload(files), recorded, options.prefer)
    others = {
        path: replace(recorded, files={"x": base["a"]}) for path in ("modules/c", "modules/d")
    }
    done = check_patterns(
        draft_of(step, options=options, record=Record({"modules/b": recorded, **others}))
    )
    if wrong:
        assert [each.message for each in done.failure()] == [
            f"--keep-mine: no file of a component matches `{each}`" for each in wrong
        ]
    else:
        assert done.unwrap().plan.warnings == tuple(
            idle_pattern("--keep-mine", each) for each in idle
        )


def test_a_pattern_for_an_edited_file() -> None:
    """A pattern decides about an edited file only with `--frozen`, where it accepts the edit."""
    recorded = RecordedComponent(
        archive="b.zip", digest="1", content="1", files={"a": FileState(digest="1")}
    )
    target = Target(occupancy="present", tree=Tree({"a": FileState(digest="2")}))
    prefer = Preference(mine=("modules/b/a",))
    step = built_step(
        choice_of("b", version="1"), target, Payload(recorded.files), recorded, prefer
    )
    idle = (idle_pattern("--keep-mine", "modules/b/a"),)
    drafts = [
        draft_of(step, options=PlanOptions(prefer=prefer, frozen=frozen))
        for frozen in (True, False)
    ]
    assert [check_patterns(draft).unwrap().plan.warnings for draft in drafts] == [(), idle]


@pytest.mark.parametrize(
    ("preferred", "verdict"),
    [
        ({"a": "theirs"}, "forced"),
        ({"a/b": "mine"}, "declined"),
        ({"a": "theirs", "a/b": "mine"}, "disputed"),
    ],
)
def test_a_file_against_a_folder(preferred: dict[str, Preferred], verdict: str) -> None:
    """If one side has a folder, a preference for any file of either side decides, unless both are
    preferred.
    """
    states = {name: FileState(digest=name) for name in ("a", "a/b")}
    merge = merge_files(
        {}, {"a/b": states["a/b"]}, {"a": states["a"]}, lambda name: preferred.get(name, "nobody")
    )
    assert verdict in {each.verdict for each in merge.outcomes.values()}


@pytest.fixture
def updated(project: Project) -> Project:
    """A project whose module has an update in which three edited files changed."""
    project.archive("m.zip", OLD)
    assert project.create().code == 0
    for name in ("a.css", "b.css"):
        project.write(f"modules/m/{name}", "mine\n")
    project.write("modules/m/c.php", MINE)
    project.archive("m.zip", NEW)
    return project


def left(project: Project) -> list[str]:
    """What is in the files that both sides changed."""
    return [
        (project.root / "modules/m" / name).read_text(encoding="utf-8")
        for name in ("a.css", "b.css", "c.php")
    ]


def said(ran: Ran) -> tuple[int, list[str]]:
    """The exit code, with the errors and warnings but those about backups."""
    names = [
        each.get("error") or each["code"]
        for each in ran.log
        if each["event"] in {"error", "warning"}
    ]
    return ran.code, [each for each in names if each != "backed-up"]


@pytest.mark.parametrize(("flags", "expected"), rows("preference", "single files"))
def test_single_files_are_decided(
    updated: Project, flags: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    """Patterns override the flags for all files, and merging; the version that is not built goes to
    the backup.
    """
    assert said(updated.create(".", *flags)) == (0, [])
    assert left(updated) == [*expected]
    backups = [path.read_text() for path in updated.root.glob(".tool/backup/*/modules/m/*")]
    assert len(backups) == len(expected)


def test_undoing_decides_about_single_files_as_well(updated: Project) -> None:
    """Patterns decide for each file that was edited since the run whether undo keeps it or restores
    it.
    """
    updated.create("--force")
    for name in ("a.css", "b.css"):
        updated.write(f"modules/m/{name}", "later\n")
    json_log = {"TOOL_LOG_FORMAT": "json"}
    assert said(updated.run("undo", "--keep-mine=*a.css", env=json_log)) == (73, ["OutputConflict"])
    assert said(updated.run("undo", "--keep-mine=nothing", env=json_log)) == (64, ["UsageError"])
    flags = ("--keep-mine=*a.css", "--take-theirs=*/b.css", "--take-theirs=*/m.php")
    assert "idle-pattern" in said(updated.run("undo", *flags, env=json_log))[1]
    assert left(updated) == ["later\n", "mine\n", MINE]
