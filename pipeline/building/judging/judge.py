"""Judge: leave out what the system in the project is too old for; warn of what an update breaks.

The rules are in `docs/building.md`. Only components that change are judged, and only files are read that are needed
for it.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from toolz import first, unique

from pipeline.archives.archive import Component
from pipeline.archives.constraints import is_beyond
from pipeline.archives.entry_names import last_part
from pipeline.archives.versions import Rank, rank
from pipeline.building.draft import Draft, Theme
from pipeline.building.steps import Step
from pipeline.building.stores.record import are_alike
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.updates import Override, UnmetRequirement, beyond_limit, stale_override
from pipeline.selection.choices import Choice
from pipeline.systems.residences import folders_around, host_of, with_inner_folders
from pipeline.systems.table import system_called

_SHOWN: Final = r"(?i)(?!src/)(?:[\w-][^/]*/)*[\w-][^/]*\.(?:php|html|css|js|svg|png|jpe?g|gif|webp|tpl|twig)"
"""The files of a parent that a theme shows: no hidden files, data, documents, or sources of its build."""
_ITS_OWN: Final = r"(?i)style\.css|functions\.php|screenshot\.\w+|[^/]*\.js"
"""The files that each theme has for itself: its description, and the configuration of its tools."""
_COMMENTS: Final = rb"(?s)(?:\xef\xbb\xbf)?(?:\s|<\?php\b|\?>|/\*.*?\*/|//[^\n]*+|\{\*.*?\*\}|\{#.*?#\}|<!--.*?-->)*+"
_GUARD: Final = rb"(?:(?:header\([^;]*+|exit|die)(?:;\s*+|\Z))*+"
_VERSION: Final = rb"(?im)^(?:<\?php)?[ \t/*#@{]*@version[ \t]++([^\s*]++)"
_HEAD: Final = 8 * 1024
"""Bytes in which a template may say its version."""


def judge(draft: Draft) -> Draft:
    """Take out the components that do not run on the system in the project; note what the other updates break.

    What a run adds or updates is judged, not what it keeps, nor files that it restores.
    """
    passed_over = list[Step]()
    unmet = list[UnmetRequirement]()
    limits = list[WarningDiagnostic]()
    host = host_of(draft.record.places, draft.found.probe)
    for step in draft.plan.changes:
        choice = step.choice
        if host is None or choice is None or _is_known(step, choice) or host.runs(choice.component) is not False:
            continue
        wanted = choice.component.runs_on
        too_new = is_beyond(host.version, wanted, system_called(choice.component.system).accepts)
        if host.system.is_limiting and too_new:
            limits.append(beyond_limit(step.path, host.name, wanted, host.version))
        elif not draft.options.consents:
            passed_over.append(step)
            unmet.append(UnmetRequirement(step.path, host.name, wanted, host.version, too_new, step.kind))
    draft = draft.passing_over(passed_over, *unmet)
    return draft.with_warnings(*limits, *_stale_overrides(draft))


def _is_known(step: Step, choice: Choice) -> bool:
    """Whether a step builds the archive that the record names, or restores what was built here."""
    written = step.survey.written
    is_restored = step.action == "update" and written is not None and written.comes_from(choice.archive)
    recorded = step.survey.recorded
    return is_restored or (recorded is not None and recorded.comes_from(choice.archive))


def _stale_overrides(draft: Draft) -> Iterator[WarningDiagnostic]:
    steps = draft.plan.steps
    updates = [
        (step, step.choice, _overridable(step, step.choice))
        for step in steps
        if step.choice and step.action == "update"
    ]
    folders = with_inner_folders(folders_around(draft.record.places.themes))
    themes = draft.found.themes(folders) if any(files for _, _, files in updates) else {}
    if not themes:
        return
    touched = frozenset(f"{step.path}/{name}" for step in steps for name in step.merge.touched)
    for step, choice, files in updates:
        stale = tuple(_stale(step, choice, _overrides(step.path, choice.component, files, themes, touched), draft))
        if stale:
            yield stale_override(step.path, stale, draft.found.command.line("diff", step.path, "--theirs"))


def _overridable(step: Step, choice: Choice) -> tuple[str, ...]:
    """The files that an update changes or removes, and that a theme could override."""
    component = choice.component
    merge = step.merge
    return tuple(
        name
        for name, state in sorted(merge.disk.items())
        if state.kind == "file"
        and may_be_overridden(component, name)
        and not are_alike(merge.archive.get(name), state)
        and not are_alike(merge.archive.get(name), merge.base.get(name))
    )


def _overrides(
    path: str, component: Component, files: Collection[str], themes: Mapping[str, Theme], touched: Collection[str]
) -> list[tuple[str, str]]:
    """Files of a component, each with the path of an override in a theme, but for those that this run changes too."""
    pairs = [
        (name, f"{folder}/{own}")
        for folder, theme in themes.items()
        if files and folder != path
        for name, own in overridden(component, files, theme, ancestors_of(theme, themes.values())).items()
    ]
    return [(name, override) for name, override in pairs if override not in touched]


def _stale(step: Step, choice: Choice, pairs: Sequence[tuple[str, str]], draft: Draft) -> Iterator[Override]:
    """The overrides that fall behind."""
    then = {name: successor(choice.component, name, step.merge.archive) for name in unique(map(first, pairs))}
    texts = draft.found.texts
    old, new = (texts.there(step.path, then), texts.given(choice, [*filter(None, then.values())])) if then else ({}, {})
    for name, path in pairs:
        if is_stale(draft.found.probe.content(path), old.get(name, b""), new.get(then[name])):
            yield Override(path, f"{step.path}/{name}", is_removed=not then[name])


def overridden(
    component: Component, files: Collection[str], theme: Theme, ancestors: Collection[str]
) -> dict[str, str]:
    """Which of some files of a component a theme overrides, given the themes that it builds on: each with its own."""
    if theme.component.system != component.system:
        return {}
    if component.built_kind == "theme":
        files = tuple(filter(_is_shown, files)) if component.name in ancestors else ()
    if suffix := system_called(component.system).templates:
        own = {last_part(each): each for each in sorted(theme.files, reverse=True) if each.endswith(suffix)}
        return {each: own[last_part(each)] for each in files if last_part(each) in own}
    beside = {each: _beside(each, component) for each in files}
    return {each: path for each, paths in beside.items() for path in paths if path in theme.files}


def may_be_overridden(component: Component, path: str) -> bool:
    """Whether a theme could override a file of a component at all."""
    if suffix := system_called(component.system).templates:
        return path.endswith(suffix)
    return bool(_beside(path, component))


def successor(component: Component, path: str, files: Collection[str]) -> str:
    """The file of another version that an override of a file is of then, given its files; empty if there is none.

    It is the same path, or where templates go by their names any that is called so.
    """
    if path in files or not system_called(component.system).templates:
        return path if path in files else ""
    return next((each for each in sorted(files) if last_part(each) == last_part(path)), "")


def _beside(path: str, component: Component) -> tuple[str, ...]:
    """The paths at which a theme can override a file, the preferred one last."""
    folders = reversed(system_called(component.system).overrides(component))
    return tuple(own.format(component.name) + path.removeprefix(of) for of, own in folders if path.startswith(of))


def _is_shown(path: str) -> bool:
    """Whether a theme that builds on another shows this file of it, unless it has its own."""
    return bool(re.fullmatch(_SHOWN, path)) and not re.fullmatch(_ITS_OWN, path)


def ancestors_of(theme: Theme, themes: Iterable[Theme]) -> frozenset[str]:
    """The names of the themes that a theme builds on, directly or not."""
    parents = {each.component.name: each.component.parent for each in themes}
    name = theme.component.parent
    above = set[str]()
    while name and name not in above:
        above.add(name)
        name = parents.get(name)
    return frozenset(above)


def is_stale(override: bytes, old: bytes, new: bytes | None) -> bool:
    """Whether an override falls behind, given the old and the new version of what it overrides.

    Where it and the new version have an `@version`, that decides. Neither what guards a folder counts, nor another
    comment at the beginning; one that is as the new version is not stale.
    """
    if new is None:
        return not _is_guard(old)
    mine, theirs = map(_version_in, (override, new))
    if mine and theirs:
        return mine < theirs
    changed = _without_comment(new) not in map(_without_comment, (old, override))
    return changed and not (_is_guard(old) and _is_guard(new))


def _version_in(content: bytes) -> Rank | None:
    match = re.search(_VERSION, content[:_HEAD])
    return rank(match[1].decode(errors="replace")) if match else None


def _without_comment(content: bytes) -> bytes:
    return re.sub(_COMMENTS, b"", content, count=1).rstrip()


def _is_guard(content: bytes) -> bool:
    """Whether a file does nothing but keep a folder from being listed."""
    return bool(re.fullmatch(_GUARD, _without_comment(content)))
