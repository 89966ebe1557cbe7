"""Laws of names: a plan for some components does to them what a plan for all does, and leaves the
others alone.
"""

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from hypothesis import event, given, settings
from hypothesis import strategies as st
from returns.result import Success

from pipeline.archives.archive import Archive, ArchiveFile, Component
from pipeline.building.draft import Drop, PlanOptions, ProjectReader
from pipeline.building.merging.preference import Preference
from pipeline.building.stores.record import Files, FileState, Record, RecordedComponent
from pipeline.building.stores.state import State
from pipeline.building.stores.tree import Tree
from pipeline.building.survey import Target
from pipeline.config.flags import read_flags
from pipeline.merge import merge
from pipeline.plan import choose, plan
from pipeline.report.diagnostics.archives import ArchiveRejected, Flaw
from pipeline.report.events import ComponentKind
from pipeline.report.outcome import BuildOutcome, value_of
from pipeline.selection.choices import Choice
from pipeline.selection.hosting import Asked
from tests.support.disks import START
from tests.support.drafts import reader_of
from tests.support.sweep import law

OLD, NEW, MINE = ({"f": FileState(digest=digest)} for digest in ("old", "new", "mine"))
COMPONENTS: tuple[tuple[ComponentKind, str], ...] = (
    *(("module", name) for name in "abc"),
    *(("theme", name) for name in "cd"),
)
PATHS = [f"{kind}s/{name}" for kind, name in COMPONENTS]
files = st.sampled_from(["a.zip", "b.zip", "c.zip", "d.zip"])


def archive(
    kind_and_name: tuple[ComponentKind, str], file: str, version: str, is_refused: bool
) -> Archive:
    """An archive of a component; a refused one may hold anything."""
    kind, name = kind_and_name
    return Archive(
        file=ArchiveFile(path=PurePath("/drop") / file, display_path=file),
        digest=version,
        content=version,
        file_count=1,
        component=None if is_refused else Component(kind=kind, name=name, version=version),
        refusals=(ArchiveRejected(file, Flaw("bad")),) if is_refused else (),
    )


archives = st.lists(
    st.builds(
        archive,
        st.sampled_from(COMPONENTS),
        files,
        st.sampled_from(["1", "2"]),
        st.sampled_from([False] * 9 + [True]),
    ),
    max_size=4,
    unique_by=lambda each: each.file,
)
recorded = st.builds(
    lambda file, digest: RecordedComponent(archive=file, digest=digest, content=digest, files=OLD),
    files,
    st.sampled_from(["1", "2"]),
)
records = st.dictionaries(st.sampled_from(PATHS), recorded, max_size=4).map(Record)
places = st.dictionaries(st.sampled_from(PATHS), st.sampled_from([OLD, NEW, MINE]), max_size=5)
flags = st.fixed_dictionaries(
    {},
    optional={
        "theme": st.sampled_from(["auto", "none", "c"]),
        "modules_exclude": st.sampled_from([("a",), ("b.zip",), ("*",)]),
        "modules_only": st.sampled_from([("a",), ("[bc]",)]),
    },
)
options = st.fixed_dictionaries(
    {
        "prefer": st.sampled_from([Preference(), Preference("theirs"), Preference("mine")]),
        "prune": st.booleans(),
        "keep_going": st.just(True),
    }
)


def reader_of_project(there: dict[str, Files]) -> ProjectReader:
    """A project with some components, and archives that give new files."""

    def looked_at(paths: Sequence[str]) -> dict[str, Target]:
        return {
            path: Target(occupancy="present", tree=Tree(dict(there[path])))
            if path in there
            else Target()
            for path in paths
        }

    def given(choices: Sequence[Choice]) -> list[BuildOutcome[Files]]:
        return [Success(NEW) for _ in choices]

    return reader_of(view_targets=looked_at, view_occupancies=looked_at, list_contents=given)


projects = st.tuples(archives, records, places)
"""The archives of a drop, what the record says, and what is there."""


@settings(max_examples=law(400))
@given(projects, flags, options, st.frozensets(st.sampled_from(PATHS), max_size=3))
def test_to_name_components_is_to_leave_the_others_alone(
    project: tuple[list[Archive], Record, dict[str, Files]],
    said: dict[str, str | tuple[str, ...]],
    asked: dict[str, Any],
    names: frozenset[str],
) -> None:
    """Named components have the steps that a plan for all gives them, if there is one; the record
    of the others does not change.

    With `--mine` and `--force`, a named component is also built if its base is unknown.
    """
    drop, before, there = project
    resolved = merge((read_flags(said, START),), START)
    by_file = {each.file: each for each in drop}
    folder = Drop(
        "drop", lambda _: tuple(by_file), lambda files: [(by_file[file],) for file in files]
    )
    everything = value_of(
        plan(
            choose(resolved, folder),
            before,
            State(),
            reader_of_project(there),
            PlanOptions(**asked),
        )
    )
    event("no plan for all" if everything is None else f"{len(everything.changes)} changes")
    if everything is not None:
        selection = choose(resolved, folder, Asked(tuple(names)))
        some = plan(
            selection, before, State(), reader_of_project(there), PlanOptions(names=names, **asked)
        ).unwrap()
        decides = asked["prefer"].whole != "nobody"
        left = (step for step in everything.skipped if step.survey.choice)
        freed = {step.path for step in left if step.path in names and decides}
        event(f"freed by its name: {bool(freed)}")
        alike = [step for step in some.steps if step.path not in freed]
        assert alike == [step for step in everything.steps if step.path in names]
        assert freed <= {step.path for step in some.steps}
        after, kept = some.record.components, everything.record.components
        assert {path: after.get(path) for path in PATHS if path not in freed} == {
            path: (kept if path in names else before.components).get(path)
            for path in PATHS
            if path not in freed
        }
