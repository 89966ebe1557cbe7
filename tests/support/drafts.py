"""Drafts in which stages of a plan are run alone."""

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from msgspec.structs import replace
from returns.result import Success

from pipeline.archives.archive import Archive, ArchiveFile, Component
from pipeline.building.draft import Contents, JudgedDraft, PlanOptions, ProjectReader
from pipeline.building.merging.lines import Git
from pipeline.building.merging.preference import Preference, Preferred
from pipeline.building.patching.payload import Payload
from pipeline.building.planning.compare import build_step
from pipeline.building.planning.undo import offer_previous
from pipeline.building.steps import Plan, Step
from pipeline.building.stores.journal import Journal
from pipeline.building.stores.record import Record, RecordedComponent
from pipeline.building.stores.state import State
from pipeline.building.survey import Survey, Target
from pipeline.plan import plan_undo
from pipeline.report.diagnostic import Command
from pipeline.report.events import ComponentKind
from pipeline.report.outcome import BuildOutcome
from pipeline.selection.choices import Choice, Reason
from pipeline.selection.select import Selection

PROJECT = PurePath("/p")
NO_OPTIONS, NO_RECORD = PlanOptions(), Record()
NOBODY, ABSENT = Preference(), Target()
NO_OTHERS: Mapping[str, Any] = {}
NO_GIT = Git(merge=lambda *_: b"", merge_trees=lambda *_: b"", diff=lambda *_: b"")
NOTHING = Contents(
    read_disk=lambda *_: {},
    read_archive=lambda *_: {},
    read_kept=lambda *_: None,
    read_patch=lambda *_: None,
    git=NO_GIT,
)


def reader_of(**functions: Any) -> ProjectReader:
    """A reader of an empty project, in which these functions find something."""
    nothing = {
        "project": PROJECT,
        "command": Command("drop"),
        "view_targets": lambda _: {},
        "view_occupancies": lambda _: {},
        "list_contents": lambda _: (),
        "recognise_installed": lambda _: {},
        "find_named": lambda *_: (),
        "list_scripts": lambda _: Success(None),
        "texts": NOTHING,
    }
    return ProjectReader(**{**nothing, **functions})


def draft_of(
    *steps: Step, options: PlanOptions = NO_OPTIONS, record: Record = NO_RECORD, **functions: Any
) -> JudgedDraft:
    """A draft of a plan with these steps, in an empty project in which these functions
    find something.
    """
    reader = reader_of(**functions)
    return JudgedDraft(
        Selection(()), record, State(), reader, options, Plan(project=reader.project, steps=steps)
    )


def undo_planned(previous: Journal, places: Mapping[str, Target]) -> BuildOutcome[Plan]:
    """The plan of undoing a run."""
    return plan_undo(
        previous.own,
        Record(),
        State(),
        reader_of(view_targets=lambda _: dict(places)),
        PlanOptions(),
    )


def undo_steps(
    previous: Journal,
    places: Mapping[str, Target],
    prefer: Preferred = "nobody",
    found: Component | None = None,
    state: State | None = None,
) -> tuple[Step, ...]:
    """The steps of undoing a run, where components that may be other versions say that they
    are `found`.
    """
    draft = draft_of(
        options=PlanOptions(prefer=Preference(prefer)),
        view_targets=lambda _: dict(places),
        recognise_installed=lambda suspects: dict.fromkeys(suspects, found),
    )
    return offer_previous(previous.own, replace(draft, state=state or State())).plan.steps


def choice_of(
    name: str = "m",
    *,
    file: str = "",
    selected: bool = True,
    archive: Mapping[str, Any] = NO_OTHERS,
    **component: Any,
) -> Choice:
    """A module in an archive that is called like it, with what else is known of both."""
    shown = file or f"{name}.zip"
    what = Component(**{"kind": "module", "name": name, **component})
    found = Archive(
        file=ArchiveFile(path=PurePath("/drop") / shown, display_path=shown), component=what
    )
    return Choice(replace(found, **archive), what, selected, Reason("unmentioned"))


def built_step(
    choice: Choice,
    target: Target,
    payload: Payload,
    base: RecordedComponent | None,
    prefer: Preference = NOBODY,
) -> Step:
    """The step of a selected component that was surveyed, and built before if it has a base."""
    kind = choice.component.built_kind
    survey = Survey(
        kind=kind, path=choice.path, target=target, written=base, recorded=base, choice=choice
    )
    return build_step(survey, choice, payload, base, prefer)


def kind_at(path: str) -> ComponentKind:
    """The kind of a component in the usual folders."""
    return "theme" if path.startswith("themes/") else "module"


def untouched(path: str, built: RecordedComponent | None = None, target: Target = ABSENT) -> Step:
    """The step of a component that is not selected."""
    return Step(
        survey=Survey(kind=kind_at(path), path=path, target=target, written=built, recorded=built),
        base=built,
    )
