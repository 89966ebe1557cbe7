"""Missing: what is needed, and neither the drop nor the project has (`docs/archives.md`).

Other programs put modules into a project, too, so it is looked for in it; what is not seen there may yet be elsewhere.
"""

from collections.abc import Iterator
from pathlib import PurePath
from typing import Final

from msgspec.structs import replace
from toolz import concat, unique

from pipeline.building.draft import Draft
from pipeline.building.target_folders import Places
from pipeline.report.diagnostics.selection import missing_need
from pipeline.selection.needs import missing_needs

_NESTING: Final = frozenset({"Backdrop", "Drupal", "Drupal 7"})
"""The systems that find modules in modules."""
_BESIDE: Final = ("modules", "themes", "profiles", "sites/all/modules", "sites/all/themes")


def warn_of_missing(draft: Draft) -> Draft:
    """Note what the components that are built need, if it is not there when the run is done."""
    steps = draft.plan.steps
    built = [step.choice.component for step in steps if step.choice]
    wanted = missing_needs(built, draft.selection.choices)
    if not wanted:
        return draft
    names = frozenset(concat((each.name, each.project) for each in wanted))
    removed = frozenset(step.path for step in steps if step.action == "remove")
    is_deep = any(each.system in _NESTING for each in built)
    there = draft.found.elsewhere(tuple(unique(_folders(draft.record.places))), names, removed, is_deep)
    missed = tuple(
        missing_need(each.kind, each.name, each.project, each.needed_by)
        for each in wanted
        if there.isdisjoint((each.name, each.project))
    )
    return replace(draft, plan=replace(draft.plan, missing=missed))


def _folders(places: Places) -> Iterator[str]:
    """Where modules and themes may be in a project: in its folders of them, and where Drupal looks besides."""
    for each in (places.modules, places.themes):
        folder = PurePath(each).parent if PurePath(each).name == "contrib" else PurePath(each)
        for base in (folder.parent, PurePath()):
            yield from (str(base / other) for other in _BESIDE)
        yield str(folder)
