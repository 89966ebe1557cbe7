"""The steps of undoing a run, planned on values."""

from collections.abc import Mapping
from pathlib import PurePath

from msgspec.structs import replace
from returns.result import Success

from pipeline.archives.archive import Component
from pipeline.building.draft import Draft, Found, PlanOptions
from pipeline.building.merging.preference import Preference, Preferred
from pipeline.building.steps import Plan, Step, Target
from pipeline.building.stores.journal import Journal
from pipeline.building.stores.record import Files, Record
from pipeline.building.stores.state import State
from pipeline.building.undo import offer_previous
from pipeline.plan import plan_undo
from pipeline.report.outcome import BuildOutcome
from pipeline.selection.select import Selection
from tests.support.drafts import NOTHING

NOTHING_FOUND = Found(
    project=PurePath("/p"),
    places=lambda _: {},
    occupancies=lambda _: {},
    contents=lambda _: (),
    installed=lambda _: {},
    elsewhere=lambda *_: frozenset(),
    scripts=lambda _: Success(None),
    texts=NOTHING,
)


def undo_planned(previous: Journal, places: Mapping[str, Target]) -> BuildOutcome[Plan]:
    """The plan of undoing a run."""
    found = replace(NOTHING_FOUND, places=lambda _: dict(places))
    return plan_undo(previous, Record(), State(), found, PlanOptions())


def undo_steps(
    previous: Journal,
    places: Mapping[str, Target],
    prefer: Preferred = "nobody",
    found: Component | None = None,
    state: State | None = None,
) -> tuple[Step, ...]:
    """The steps of undoing a run, where components that may be other versions say that they are `found`."""

    def installed(suspects: Mapping[str, Files]) -> Mapping[str, Component | None]:
        return dict.fromkeys(suspects, found)

    project = replace(NOTHING_FOUND, places=lambda _: dict(places), installed=installed)
    options, plan = PlanOptions(prefer=Preference(prefer)), Plan(project=PurePath("/p"), steps=())
    return offer_previous(previous, Draft(Selection(()), Record(), state or State(), project, options, plan)).plan.steps
