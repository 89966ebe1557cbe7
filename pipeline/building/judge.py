"""Judge: warn of what an update breaks outside its component (`docs/building.md`).

Only components that change are judged, and only files are read that are needed for it.
"""

import shlex
from collections.abc import Collection, Iterator, Mapping
from pathlib import PurePath

from toolz import first, unique

from pipeline.archives.archive import Component
from pipeline.archives.formats.php import constant_in
from pipeline.archives.whole import versions_of
from pipeline.building.draft import Draft
from pipeline.building.overrides import Theme, ancestors_of, is_stale, may_be_overridden, overridden, successor
from pipeline.building.record import are_alike
from pipeline.building.steps import Step
from pipeline.building.target_folders import WP_CONTENT, Places
from pipeline.report.diagnostics.updates import Override, StaleOverride, UnmetRequirement
from pipeline.selection.choices import Choice
from pipeline.selection.requirements import satisfies


def judge(draft: Draft) -> Draft:
    """Note what the planned updates break."""
    if draft.options.preview and not draft.options.judges:
        return draft
    return draft.with_warnings(*_unmet_requirements(draft), *_stale_overrides(draft))


def _unmet_requirements(draft: Draft) -> Iterator[UnmetRequirement]:
    """The components that change, and that do not run on the version of the system that is in the project."""
    changed, before = {step.path for step in draft.plan.changes}, draft.plan.before.components
    for choice in draft.choices:
        base, component = before.get(choice.path), choice.component
        is_new = base is None or base.stands_for != choice.archive.digest or choice.path in changed
        if is_new and component.runs_on and (found := _system(component, draft)):
            system, version = found
            if satisfies(version, component.runs_on) is False:
                yield UnmetRequirement(choice.path, system, component.runs_on, version)


def _system(component: Component, draft: Draft) -> tuple[str, str] | None:
    """The system in the project that a component is for, and its version; `None` if its files do not say it."""
    folder = PurePath(draft.record.places.of(component.built_kind))
    roots = (*folder.parents, *(PurePath("..") for _ in range(draft.found.project.name == WP_CONTENT)))
    for system, file, constant in versions_of(component.system):
        for root in roots:
            if version := constant_in(draft.found.content(str(root / file)), constant):
                return system, version
    return None


def _stale_overrides(draft: Draft) -> Iterator[StaleOverride]:
    updates = ((step, step.choice) for step in draft.plan.steps if step.choice and step.action == "update")
    changes = tuple((step, choice, files) for step, choice in updates if (files := _overridable(step, choice)))
    themes = draft.found.themes(_folders(draft.record.places)) if changes else {}
    for step, choice, files in changes if themes else ():
        if stale := tuple(_stale(step, choice, files, themes, draft)):
            yield StaleOverride(step.path, stale, _command(step.path, draft))


def _overridable(step: Step, choice: Choice) -> tuple[str, ...]:
    """The files that an update changes or removes, and that a theme could override."""
    component, merge = choice.component, step.merge
    return tuple(
        name
        for name, state in sorted(merge.disk.items())
        if state.kind == "file"
        and may_be_overridden(component, name)
        and not are_alike(merge.archive.get(name), state)
        and not are_alike(merge.archive.get(name), merge.base.get(name))
    )


def _stale(
    step: Step, choice: Choice, files: Collection[str], themes: Mapping[str, Theme], draft: Draft
) -> Iterator[Override]:
    """The overrides that fall behind, except those that this run changes as well."""
    touched = {f"{each.path}/{name}" for each in draft.plan.steps for name in each.merge.touched}
    pairs = [
        (name, path)
        for folder, theme in themes.items()
        if folder != step.path
        for name, own in overridden(choice.component, files, theme, ancestors_of(theme, themes.values())).items()
        if (path := f"{folder}/{own}") not in touched
    ]
    then = {name: successor(choice.component, name, step.merge.archive) for name in unique(map(first, pairs))}
    texts = draft.found.texts
    old, new = (texts.there(step.path, then), texts.given(choice, [*filter(None, then.values())])) if then else ({}, {})
    for name, path in pairs:
        if is_stale(draft.found.content(path), old.get(name, b""), new.get(then[name])):
            yield Override(path, f"{step.path}/{name}", is_removed=not then[name])


def _command(path: str, draft: Draft) -> str:
    """The command that shows the change of a component before it is built."""
    drop, output = draft.found.drop, draft.found.output
    where = () if output == "." else (f"--output={output}",)
    return shlex.join(("tool", "diff", f"./{drop}" if drop.startswith("-") else drop, path, "--theirs", *where))


def _folders(places: Places) -> tuple[str, ...]:
    """The folders of a project that have themes: its own, and those that Drupal has in and beside it."""
    folder = PurePath(places.themes)
    above = folder.parent if folder.name == "contrib" else folder
    return tuple(map(str, (above, above / "contrib", above / "custom")))
