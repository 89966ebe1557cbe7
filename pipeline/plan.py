"""Plan: from a folder of archives and a project to what a run does. The second table of contents,
beside `resolve`.

    find → examine → select → plan → apply

`find`, `examine` (which recognises what an archive is) and `apply` touch the disk and are in
`io_edges` (`archives/find.py`, `archives/examine.py`, `building/apply.py`). `select` and `plan`
write nothing. They read the drop, the project and archives with the functions in `Drop` and
`ProjectReader`, which may raise `Stop`.
`docs/building.md` and `docs/archives.md` have the rules.
"""

from collections.abc import Iterator
from functools import partial
from typing import Final

from pipeline.archives.archive import Archive, ArchiveFile
from pipeline.archives.places import FolderProbe
from pipeline.building.draft import Draft, Drop, JudgedDraft, PlanOptions, ProjectReader
from pipeline.building.hooks import plan_hooks
from pipeline.building.judging.copies import find_homes, may_be_base
from pipeline.building.judging.elsewhere import leave_copies, stays_in_project
from pipeline.building.judging.folders import with_folders, with_known_name
from pipeline.building.judging.frozen import check_frozen
from pipeline.building.judging.judge import judge_updates
from pipeline.building.judging.main_files import warn_of_renamed
from pipeline.building.judging.missing import warn_of_missing
from pipeline.building.judging.obstacles import check_own_places, check_patterns, refuse_conflicts
from pipeline.building.judging.sources import as_sources, is_built_from_sources
from pipeline.building.names import canonical_path, with_recorded
from pipeline.building.planning.compare import compare, pick, warn_of_old_versions
from pipeline.building.planning.patching import find_patches
from pipeline.building.planning.removals import check_archives, remove_components, update_stores
from pipeline.building.planning.text_merge import merge_texts
from pipeline.building.steps import Plan
from pipeline.building.stores.record import Record
from pipeline.building.stores.state import State
from pipeline.building.stores.undoable import Undoable
from pipeline.config.layers import Settings
from pipeline.report.outcome import BuildOutcome
from pipeline.selection.hosting import NOTHING_ASKED, Asked, Hosting, as_read_by
from pipeline.selection.select import Selection, select, stays_closed
from pipeline.systems.residences import host_of
from pipeline.values import replace

NO_RECORD: Final = Record()
"""The record of a project in which nothing is built."""
NO_PROJECT: Final = FolderProbe("", lambda _: False, lambda path: path)
"""A project without files."""


def choose(
    settings: Settings,
    drop: Drop,
    asked: Asked = NOTHING_ASKED,
    record: Record = NO_RECORD,
    project: FolderProbe = NO_PROJECT,
) -> Selection:
    """Find, examine and recognise the archives of a drop, and select those that a project builds.

    The system in the project decides which archives are for it. A name in `asked` may decide
    between themes.
    """
    host = host_of(record.places, project)
    candidates = tuple(as_read_by(host, archive) for archive in _examined(settings, drop))
    # A component's home is found by its name, and a guessed name gives way to that of the home.
    # So homes are found by the archives' own names, then by the components' final names.
    own_homes = find_homes(candidates, record, project)
    is_built_from = partial(is_built_from_sources, homes=own_homes, record=record, project=project)
    archives = tuple(as_sources(archive, settings, host, is_built_from) for archive in candidates)
    final_archives = tuple(with_known_name(archive, own_homes) for archive in archives)
    homes = find_homes(final_archives, record, project) if final_archives != archives else own_homes
    own_names = dict[ArchiveFile, str]()
    for archive in archives:
        if archive.component:
            own_names[archive.file] = archive.component.name
    names = frozenset(canonical_path(name, record.places) for name in asked.names)
    hosting = Hosting(
        host,
        replace(asked, names=names),
        folders={key: home.folder for key, home in homes.items() if home.folder},
        may_be_from=partial(may_be_base, homes=homes, record=record),
        remains=lambda choice: stays_in_project(choice, host, record, project, prunes=asked.prunes),
    )
    hosting = with_recorded(hosting, final_archives, record)
    selection = select(settings, final_archives, drop.name, names, hosting)
    return with_folders(selection, homes, record, own_names)


def _examined(settings: Settings, drop: Drop) -> Iterator[Archive]:
    """The archives of a drop. Those that a setting leaves out by their file names
    are not opened.
    """
    files = drop.find(settings.theme)
    opened = tuple(file for file in files if not stays_closed(settings, file))
    archives = dict(zip(opened, drop.examine(opened), strict=True))
    for file in files:
        yield from archives.get(file, (Archive(file=file),))


def plan(
    selection: Selection, record: Record, state: State, reader: ProjectReader, options: PlanOptions
) -> BuildOutcome[Plan]:
    """Plan what a run does to a project, given its record and its state.

    Errors: why the run cannot begin; a stage reports all of its errors at once.
    """
    return (
        check_archives(
            Draft(selection, record, state, reader, options, Plan(project=reader.project, steps=()))
        )
        .bind(pick)
        .map(find_patches)
        .map(compare)
        .map(merge_texts)
        .bind(check_patterns)
        .map(leave_copies)
        .map(judge_updates)
        .map(warn_of_renamed)
        .bind(check_frozen)
        .map(remove_components)
        .bind(_finished)
    )


def plan_undo(
    previous: Undoable, record: Record, state: State, reader: ProjectReader, options: PlanOptions
) -> BuildOutcome[Plan]:
    """Plan a run that undoes the last run that changed a project, or a part of it.

    Errors: as for `plan`.
    """
    from pipeline.building.planning.undo import offer_patches, offer_previous  # costs start-up time

    draft = Draft(
        Selection(()), record, state, reader, options, Plan(project=reader.project, steps=())
    )
    return check_patterns(offer_previous(previous, offer_patches(previous, draft))).bind(_finished)


def _finished(draft: JudgedDraft) -> BuildOutcome[Plan]:
    """Complete a plan whose steps are decided: refuse conflicts, update record and state, add
    warnings and hooks.
    """
    return (
        refuse_conflicts(draft)
        .map(warn_of_old_versions)
        .map(update_stores)
        .bind(check_own_places)
        .map(warn_of_missing)
        .bind(_with_hooks)
    )


def _with_hooks(draft: JudgedDraft) -> BuildOutcome[Plan]:
    options = draft.options
    planned = plan_hooks(options.hooks, options.hooks_forbidden_by, draft.reader.list_scripts)
    return planned.map(
        lambda hooks: replace(draft.with_warnings(*hooks.warnings).plan, hooks=hooks)
    )
