"""Missing: warn of needs of components that neither the drop nor the project satisfies
after the run.

The system in the project decides, by the markers in the folders that it searches. Without a system,
or if a folder cannot be read, there is no warning. The rules are in `docs/archives.md`.
"""

from collections.abc import Collection, Iterable, Iterator
from functools import cache
from typing import Final, TypeAlias

from toolz import concat

from pipeline.archives.archive import Component
from pipeline.archives.entry_names import last_part
from pipeline.archives.markers import Root, make_root
from pipeline.archives.places import FolderProbe, joined
from pipeline.building.draft import Draft, JudgedDraft
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.selection import missing_need
from pipeline.report.events import ComponentKind
from pipeline.selection.needs import MissingNeed, archive_to_rename, missing_needs
from pipeline.systems.residences import Host, folders_around, host_of, with_inner_folders
from pipeline.values import replace

_CONFIG: Final = "config"
"""The folder of a component that may hold its marker."""
_CODE: Final = ".php"
"""The suffix of a component that is a single file."""
_Key: TypeAlias = tuple[ComponentKind, str]
"""The kind and the name of a component, in lower case."""


def warn_of_missing(draft: JudgedDraft) -> JudgedDraft:
    """Warn of needs that neither the drop nor the project satisfies after the run."""
    removed = frozenset(step.path for step in draft.plan.steps if step.action == "remove")
    needing = [*_built(draft), *_orphans(draft, removed)]
    if not needing:
        return draft
    host = host_of(draft.record.places, draft.reader.probe)
    if host is None:
        return draft
    wanted = missing_needs(filter(host.takes, needing), draft.selection.choices)
    if not wanted:
        return draft
    there = _there(host, wanted, removed, draft)
    if there is None:
        return draft
    missed = tuple(_warning(need, draft) for need in wanted if there.isdisjoint(_keys(need)))
    return draft.with_plan(replace(draft.plan, missing=missed))


def _warning(need: MissingNeed, draft: Draft) -> WarningDiagnostic:
    """The warning of a missing need, with an archive in the drop that satisfies it once
    it is renamed.
    """
    archive = archive_to_rename(need.kind, need.name, draft.selection.choices)
    return missing_need(need.kind, need.name, need.project, need.needed_by, archive)


def _built(draft: JudgedDraft) -> Iterator[Component]:
    """The built components that need others."""
    for step in draft.plan.steps:
        if step.choice is None:
            continue
        component = step.choice.component
        if component.requires or component.parent:
            yield component


def _orphans(draft: Draft, removed: Collection[str]) -> Iterator[Component]:
    """The themes that somebody else has put into the project, and whose parent the run removes."""
    places = draft.record.places
    parents = {last_part(path) for path in removed if places.kind_of(path) == "theme"}
    if not parents:
        return
    for path, theme in draft.reader.recognise_themes(
        with_inner_folders(folders_around(places.themes))
    ).items():
        if path not in removed and theme.component.parent in parents:
            yield theme.component


def _keys(need: MissingNeed) -> set[_Key]:
    """The keys of what satisfies a need: the module itself, or the project that holds it."""
    return {(need.kind, need.name.casefold()), (need.kind, need.project.casefold())}


def _there(
    host: Host, wanted: Iterable[MissingNeed], removed: frozenset[str], draft: Draft
) -> set[_Key] | None:
    """The keys of wanted components that the project has; `None` if a folder cannot be searched.

    The search looks directly in the folders of the system first. If the system finds modules within
    modules, it then looks at any depth for the names of the markers.
    """
    reader = draft.reader
    folders = host.folders(draft.record.places, reader.probe)
    near = tuple(
        joined(folder, inner) for folder in folders for inner in ("", *host.system.folders.inner)
    )
    paths = reader.find_named(near, _named(wanted, ("", _CODE)), removed, False)
    if paths is None:
        return None
    probe = replace(reader.probe, content=cache(reader.probe.content))
    there = set(concat(_keys_at(path, host, probe) for path in paths))
    rest = [need for need in wanted if there.isdisjoint(_keys(need))]
    if not rest or not host.system.is_nesting:
        return there
    paths = reader.find_named(folders, _named(rest, host.system.endings), removed, True)
    if paths is None:
        return None
    return there.union(concat(_keys_at(path, host, probe) for path in paths))


def _named(wanted: Iterable[MissingNeed], endings: Iterable[str]) -> frozenset[str]:
    """The names that a file or folder of a wanted component may have, with each of the endings."""
    names = set[str]()
    for _, name in concat(map(_keys, wanted)):
        names.update(name + ending for ending in endings)
    return frozenset(names)


def _keys_at(path: str, host: Host, probe: FolderProbe) -> Iterator[_Key]:
    """The keys of the components that the system sees in a folder, or in a file and
    its namesakes.
    """
    for kind, name in host.has_at(_root_at(path, probe)):
        called = last_part(path).removesuffix(_CODE)
        if host.system.endings:
            called = name
        yield kind, called.casefold()


def _root_at(path: str, probe: FolderProbe) -> Root:
    """The files at a path of the project that may be markers."""
    folder = path
    names = list(probe.names(path))
    if _CONFIG in names:
        names += (f"{_CONFIG}/{name}" for name in probe.names(f"{path}/{_CONFIG}"))
    if not names:
        folder, _, file = path.rpartition("/")
        stem = file.partition(".")[0]
        names = [name for name in probe.names(folder) if name.startswith(f"{stem}.")]
    return make_root(f"{folder}/", names, lambda name, limit: probe.content(name)[:limit])
