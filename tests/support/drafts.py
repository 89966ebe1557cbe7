"""Drafts in which stages of a plan are run alone."""

from pathlib import PurePath
from typing import Any

from returns.result import Success

from pipeline.building.draft import Contents, Draft, Found, PlanOptions
from pipeline.building.merging.lines import Git
from pipeline.building.steps import Plan, Step
from pipeline.building.stores.record import Record
from pipeline.building.stores.state import State
from pipeline.selection.select import Selection

PROJECT = PurePath("/p")
NO_OPTIONS, NO_RECORD = PlanOptions(), Record()
NO_GIT = Git(merge=lambda *_: b"", diff=lambda *_: b"")
NOTHING = Contents(there=lambda *_: {}, given=lambda *_: {}, kept=lambda *_: None, patch=lambda *_: None, git=NO_GIT)


def draft_of(*steps: Step, options: PlanOptions = NO_OPTIONS, record: Record = NO_RECORD, **found: Any) -> Draft:
    """A draft of a plan with these steps, in a project in which nothing is found but what is given."""
    looking = {
        "project": PROJECT,
        "drop": "drop",
        "places": lambda _: {},
        "occupancies": lambda _: {},
        "contents": lambda _: (),
        "installed": lambda _: {},
        "elsewhere": lambda *_: frozenset(),
        "scripts": lambda _: Success(None),
        "texts": NOTHING,
        **found,
    }
    plan = Plan(project=looking["project"], steps=steps, before=record)
    return Draft(Selection(()), record, State(), Found(**looking), options, plan)
