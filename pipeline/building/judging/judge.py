"""Judge: leave out what the system in the project is too old for; warn of what an update breaks and of what is missing.

The rules are in `docs/building.md`. Only components that change are judged, and only files are read that are needed
for it.
"""

from collections.abc import Collection, Iterator, Mapping
from pathlib import PurePath
from typing import Final

from toolz import concat, first, unique

from pipeline.archives.archive import Component
from pipeline.archives.formats.php import constant_in
from pipeline.archives.others import versions_of
from pipeline.building.draft import Draft
from pipeline.building.judging.overrides import Theme, ancestors_of, is_stale, may_be_overridden, overridden, successor
from pipeline.building.steps import Step
from pipeline.building.stores.record import are_alike
from pipeline.building.target_folders import KINDS, WP_CONTENT, folders_around, with_inner_folders
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.selection import missing_need
from pipeline.report.diagnostics.updates import Override, UnmetRequirement, beyond_limit, stale_override
from pipeline.selection.choices import Choice
from pipeline.selection.needs import missing_needs
from pipeline.selection.versions import lowest, satisfies

_LIMITING: Final = "PrestaShop"
"""The system that enforces the upper limit by itself, and so often that modules do not keep it up to date."""
_NESTING: Final = frozenset({"Backdrop", "Drupal", "Drupal 7"})
"""The systems that find modules in modules."""


def judge(draft: Draft) -> Draft:
    """Take out the components that do not run on the system in the project; note what the other updates break."""
    found = tuple(_unmet_requirements(draft))
    unmet = [each for each in found if isinstance(each, UnmetRequirement) and not draft.options.consents]
    limits = [each for each in found if isinstance(each, WarningDiagnostic)]
    draft = draft.without_steps(unmet)
    return draft.with_warnings(*limits, *_stale_overrides(draft))


def _unmet_requirements(draft: Draft) -> Iterator[UnmetRequirement | WarningDiagnostic]:
    """The components that a run adds or updates, and that do not run on the version of the system in the project."""
    for step in draft.plan.changes:
        choice, recorded = step.choice, step.recorded
        if choice is None or (step.action == "update" and recorded and recorded.comes_from(choice.archive)):
            continue
        wanted = choice.component.runs_on
        system, version = _system(choice.component, draft) if wanted else ("", "")
        if satisfies(version, wanted) is not False:
            continue
        if system == _LIMITING and satisfies(version, lowest(wanted)):
            yield beyond_limit(step.path, system, wanted, version)
        else:
            yield UnmetRequirement(step.path, system, wanted, version)


def _system(component: Component, draft: Draft) -> tuple[str, str]:
    """The system in the project that a component is for, and its version; both empty if its files do not say it."""
    folder = PurePath(draft.record.places.of(component.built_kind))
    roots = (*folder.parents, *(PurePath("..") for _ in range(draft.found.project.name == WP_CONTENT)))
    for system, file, constant in versions_of(component.system):
        for root in roots:
            if version := constant_in(draft.found.content(str(root / file)), constant):
                return system, version
    return "", ""


def _stale_overrides(draft: Draft) -> Iterator[WarningDiagnostic]:
    updates = ((step, step.choice) for step in draft.plan.steps if step.choice and step.action == "update")
    changes = tuple((step, choice, files) for step, choice in updates if (files := _overridable(step, choice)))
    folders = with_inner_folders(folders_around(draft.record.places.themes))
    themes = draft.found.themes(folders) if changes else {}
    for step, choice, files in changes if themes else ():
        if stale := tuple(_stale(step, choice, files, themes, draft)):
            yield stale_override(step.path, stale, draft.found.command.line("diff", step.path, "--theirs"))


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


def warn_of_missing(draft: Draft) -> Draft:
    """Note what the components that are built need, if neither the drop nor the project has it after the run.

    Other programs put modules into a project, too; what is not seen there may yet be elsewhere.
    """
    steps = draft.plan.steps
    built = [step.choice.component for step in steps if step.choice]
    wanted = missing_needs(built, draft.selection.choices)
    if not wanted:
        return draft
    names = frozenset(concat((each.name, each.project) for each in wanted))
    removed = frozenset(step.path for step in steps if step.action == "remove")
    is_deep = any(each.system in _NESTING for each in built)
    tops = [top for kind in KINDS for top in folders_around(draft.record.places.of(kind))]
    folders = tuple(unique((*tops, *(PurePath(top).with_name("profiles").as_posix() for top in tops))))
    there = draft.found.elsewhere(folders, names, removed, is_deep)
    missed = tuple(
        missing_need(each.kind, each.name, each.project, each.needed_by)
        for each in wanted
        if there.isdisjoint((each.name, each.project))
    )
    return draft.with_plan(missing=missed)
