"""Judge: leave out components that need another version of the system, and warn of overrides that
an update breaks.

Only components that change are judged. The rules are in `docs/building.md`.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct
from toolz import first, unique

from pipeline.archives.archive import Component
from pipeline.archives.constraints import is_beyond
from pipeline.archives.entry_names import last_part
from pipeline.archives.versions import Rank, rank
from pipeline.building.draft import Draft, MergedDraft, Theme
from pipeline.building.steps import Step
from pipeline.building.stores.record import are_alike
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.updates import (
    Override,
    UnmetRequirement,
    beyond_limit,
    stale_override,
)
from pipeline.selection.choices import Choice
from pipeline.systems.residences import folders_around, host_of, with_inner_folders
from pipeline.systems.table import system_called

_SHOWN: Final = (
    r"(?i)(?!src/)(?:[\w-][^/]*/)*[\w-][^/]*\.(?:php|html|css|js|svg|png|jpe?g|gif|webp|tpl|twig)"
)
"""The parent theme's files that a child theme shows: no hidden files, data,
documents or sources.
"""
_ITS_OWN: Final = r"(?i)style\.css|functions\.php|screenshot\.\w+|[^/]*\.js"
"""The files that every theme has of its own: its description, and the configuration
of its tools.
"""
_COMMENTS: Final = (
    rb"(?s)(?:\xef\xbb\xbf)?(?:\s|<\?php\b|\?>|/\*.*?\*/|//[^\n]*+"
    rb"|\{\*.*?\*\}|\{#.*?#\}|<!--.*?-->)*+"
)
_GUARD: Final = rb"(?:(?:header\([^;]*+|exit|die)(?:;\s*+|\Z))*+"
_VERSION: Final = rb"(?im)^(?:<\?php)?[ \t/*#@{]*@version[ \t]++([^\s*]++)"
_HEAD: Final = 8 * 1024
"""The first bytes of a template, which may state its version."""


class _Update(Struct, frozen=True):
    """An update of a component, with the overridable files that it changes or removes."""

    step: Step
    choice: Choice
    files: tuple[str, ...]


def judge_updates(draft: MergedDraft) -> MergedDraft:
    """Pass over components that do not run on the system in the project; warn of overrides that
    fall behind.

    Components that stay as they are, and files that are only restored, are not judged.
    """
    skipped = list[Step]()
    unmet = list[UnmetRequirement]()
    limits = list[WarningDiagnostic]()
    host = host_of(draft.record.places, draft.reader.probe)
    for step in draft.plan.changes:
        choice = step.choice
        if (
            host is None
            or choice is None
            or _is_known(step, choice)
            or host.runs(choice.component) is not False
        ):
            continue
        wanted = choice.component.runs_on
        too_new = is_beyond(host.version, wanted, system_called(choice.component.system).accepts)
        if host.system.is_above(host.version, wanted):
            limits.append(beyond_limit(step.path, host.name, wanted, host.version))
        elif not draft.options.forces_named:
            skipped.append(step)
            unmet.append(
                UnmetRequirement(step.path, host.name, wanted, host.version, too_new, step.kind)
            )
    draft = draft.skipping(skipped, *unmet)
    return draft.with_warnings(*limits, *_stale_overrides(draft))


def _is_known(step: Step, choice: Choice) -> bool:
    """Whether a step builds the recorded archive, or restores what was built on this machine."""
    written = step.survey.written
    is_restored = (
        step.action == "update" and written is not None and written.comes_from(choice.archive)
    )
    recorded = step.survey.recorded
    return is_restored or (recorded is not None and recorded.comes_from(choice.archive))


def _stale_overrides(draft: MergedDraft) -> Iterator[WarningDiagnostic]:
    updates = list[_Update]()
    for step in draft.plan.steps:
        if step.choice and step.action == "update":
            files = _overridable(step, step.choice)
            if files:
                updates.append(_Update(step, step.choice, files))
    if not updates:
        return
    themes = draft.reader.recognise_themes(
        with_inner_folders(folders_around(draft.record.places.themes))
    )
    touched = set[str]()
    for step in draft.plan.steps:
        touched.update(f"{step.path}/{name}" for name in step.merge.touched)
    for update in updates:
        stale = tuple(_stale(update, _overrides(update, themes, touched), draft))
        if stale:
            path = update.step.path
            yield stale_override(path, stale, draft.reader.command.line("diff", path, "--theirs"))


def _overridable(step: Step, choice: Choice) -> tuple[str, ...]:
    """The overridable files that an update changes or removes."""
    merge = step.merge
    files = list[str]()
    for name, state in sorted(merge.disk.items()):
        if state.kind != "file" or not may_be_overridden(choice.component, name):
            continue
        new = merge.archive.get(name)
        if not are_alike(new, state) and not are_alike(new, merge.base.get(name)):
            files.append(name)
    return tuple(files)


def _overrides(
    update: _Update, themes: Mapping[str, Theme], touched: Collection[str]
) -> list[tuple[str, str]]:
    """Pairs of a file of the component and the path of its override, except overrides that the
    run changes.
    """
    pairs = list[tuple[str, str]]()
    for folder, theme in themes.items():
        if folder == update.step.path:
            continue
        ancestors = ancestors_of(theme, themes.values())
        for name, own in overridden(
            update.choice.component, update.files, theme, ancestors
        ).items():
            override = f"{folder}/{own}"
            if override not in touched:
                pairs.append((name, override))
    return pairs


def _stale(update: _Update, pairs: Sequence[tuple[str, str]], draft: Draft) -> Iterator[Override]:
    """The overrides that fall behind the new version, given pairs of a file and the path of
    its override.
    """
    if not pairs:
        return
    step = update.step
    component = update.choice.component
    texts = draft.reader.texts
    then = {
        name: successor(component, name, step.merge.archive) for name in unique(map(first, pairs))
    }
    old = texts.read_disk(step.path, then)
    new = texts.read_archive(update.choice, [*filter(None, then.values())])
    for name, path in pairs:
        if is_stale(draft.reader.probe.content(path), old.get(name, b""), new.get(then[name])):
            yield Override(path, f"{step.path}/{name}", is_removed=not then[name])


def overridden(
    component: Component, files: Collection[str], theme: Theme, ancestors: Collection[str]
) -> dict[str, str]:
    """The files of a component that a theme overrides, each with the overriding path in the theme.

    `ancestors` are the names of the themes that the theme builds on.
    """
    if theme.component.system != component.system:
        return {}
    if component.built_kind == "theme":
        if component.name not in ancestors:
            return {}
        files = tuple(filter(_is_shown, files))
    overrides = dict[str, str]()
    suffix = system_called(component.system).templates
    if suffix:
        by_name = {
            last_part(path): path
            for path in sorted(theme.files, reverse=True)
            if path.endswith(suffix)
        }
        for file in files:
            if last_part(file) in by_name:
                overrides[file] = by_name[last_part(file)]
        return overrides
    for file in files:
        for path in _override_paths(file, component):
            if path in theme.files:
                overrides[file] = path
    return overrides


def may_be_overridden(component: Component, path: str) -> bool:
    """Whether any theme could override a file of the component."""
    suffix = system_called(component.system).templates
    if suffix:
        return path.endswith(suffix)
    return bool(_override_paths(path, component))


def successor(component: Component, path: str, files: Collection[str]) -> str:
    """The file in the new version that the override of `path` corresponds to; empty if
    there is none.

    It has the same path, or the same name if the system finds templates by name. `files` are those
    of the new version.
    """
    if path in files:
        return path
    if not system_called(component.system).templates:
        return ""
    return min((file for file in files if last_part(file) == last_part(path)), default="")


def _override_paths(path: str, component: Component) -> tuple[str, ...]:
    """The paths in a theme at which it can override a file, the preferred one last."""
    folders = reversed(system_called(component.system).overrides(component))
    return tuple(
        own.format(component.name) + path.removeprefix(of)
        for of, own in folders
        if path.startswith(of)
    )


def _is_shown(path: str) -> bool:
    """Whether a child theme shows this file of its parent if it has no such file itself."""
    return bool(re.fullmatch(_SHOWN, path)) and not re.fullmatch(_ITS_OWN, path)


def ancestors_of(theme: Theme, themes: Iterable[Theme]) -> frozenset[str]:
    """The names of the themes that a theme builds on, directly or not."""
    parents = {other.component.name: other.component.parent for other in themes}
    name = theme.component.parent
    above = set[str]()
    while name and name not in above:
        above.add(name)
        name = parents.get(name)
    return frozenset(above)


def is_stale(override: bytes, old: bytes, new: bytes | None) -> bool:
    """Whether an override falls behind, given the old and the new version of the file that
    it overrides.

    If the override and the new version have an `@version`, that decides. Otherwise it is stale if
    the file changed. Guard files and leading comments are ignored; an override equal to the new
    file is not stale.
    """
    if new is None:
        return not _is_guard(old)
    mine = _version_in(override)
    theirs = _version_in(new)
    if mine and theirs:
        return mine < theirs
    changed = _without_comment(new) not in map(_without_comment, (old, override))
    return changed and not (_is_guard(old) and _is_guard(new))


def _version_in(content: bytes) -> Rank | None:
    match = re.search(_VERSION, content[:_HEAD])
    if match is None:
        return None
    return rank(match[1].decode(errors="replace"))


def _without_comment(content: bytes) -> bytes:
    return re.sub(_COMMENTS, b"", content, count=1).rstrip()


def _is_guard(content: bytes) -> bool:
    """Whether a file only keeps a web server from listing its folder."""
    return bool(re.fullmatch(_GUARD, _without_comment(content)))
