"""Keep: what a run leaves for later when all is in place: backups, archives, a line in the log, what it replaced.

All of it can be done again, as the next run after a kill does. A copy of an archive shares its blocks with it where the
disk can do that; it is never a hard link, as people overwrite archives in place. Last, the staging folder, with the
journal and what was replaced, takes the place of that of the run before.
"""

import errno
import os
import re
import stat
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import sha256
from itertools import accumulate, chain, count
from operator import attrgetter, methodcaller
from typing import BinaryIO, Final

from toolz import unique

from io_edges.archives.data import Damage
from io_edges.archives.zips import Opener
from io_edges.building.in_place import Workspace
from io_edges.building.local import Staging, check_way, inside
from io_edges.building.store import OWN_LIMIT, Store, read_own
from io_edges.report.progress import Bar
from io_edges.system.folder import FRESH, Folder, copy_content, fresh_name
from io_edges.system.metadata import link_or_copy_at
from io_edges.system.stop import cause_of, refused_twice
from io_edges.system.syscalls import open_regular, stat_signature
from io_edges.system.trees import above, remove, survey
from io_edges.system.whole_file import write_whole
from pipeline.archives.archive import Archive
from pipeline.building.patching.patch_file import Patch
from pipeline.building.showing.run_log import LoggedRun, logged, read_log, with_run, write_log
from pipeline.building.stores.journal import Journal, needed_archives, read_journal
from pipeline.building.stores.layout import (
    ARCHIVES,
    BACKUPS,
    LOCAL,
    LOG_FILE,
    PATCH_SUFFIX,
    PATCHES,
    PLAN_FILE,
    PREVIOUS,
    RUN_FILE,
    STAGED_BACKUP,
    STAGING,
    is_digest,
)
from pipeline.building.stores.record import is_unread
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.disk import unwritable_file
from pipeline.report.wording import listed

KEPT_LIMIT: Final = 1024**3
"""How many bytes of archives are kept, at the most."""
_CHUNK: Final = 1024**2
_REFUSED: Final = frozenset({errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.ELOOP})
"""With what archives are refused where no run can keep any."""
_ARCHIVES, _PREVIOUS, _STAGING = (each.rpartition("/")[2] for each in (ARCHIVES, PREVIOUS, STAGING))
"""Their names in the local folder."""


def keep_archives(
    sources: Iterable[Archive | Patch], project: Folder, staging: Staging, opener: Opener, limit: int = KEPT_LIMIT
) -> WarningDiagnostic | None:
    """Keep archives and patches that are not kept yet; return which could not be. Raises `OSError`.

    Of archives that are too large together, the largest are left out.
    """
    wanted = {each.digest: each for each in sources if is_digest(each.digest)}
    archives = {digest: each for digest, each in wanted.items() if isinstance(each, Archive)}
    sizes = sorted((_size(each, opener), digest) for digest, each in archives.items())
    totals = accumulate(size for size, _ in sizes)
    fitting = [digest for (_, digest), total in zip(sizes, totals, strict=True) if total <= limit]
    try:
        with project.inner(LOCAL) as local, local.child(_ARCHIVES, make=True) as kept:
            local.give_rights(kept.fd)
            for digest in fitting:
                _keep(archives[digest], kept, staging, opener)
            for each in wanted.values():
                if isinstance(each, Patch):
                    _write(kept, f"{each.digest}.patch", methodcaller("write", each.text), staging)
    except OSError as error:
        if error.errno not in _REFUSED:
            raise
        return unwritable_file(ARCHIVES, cause_of(error), is_cache=False)
    left_out = sorted(each.file.display_path for digest, each in archives.items() if digest not in fitting)
    cause = f"it holds 1 GiB, and there is no room for {listed(left_out)}"
    return unwritable_file(ARCHIVES, cause, is_cache=False) if left_out else None


def keep_patches(texts: Iterable[bytes], project: Folder, staging: Staging) -> None:
    """Keep patches. Raises `OSError`."""
    with project.inner(LOCAL) as local, local.child(_ARCHIVES, make=True) as kept:
        local.give_rights(kept.fd)
        for text in texts:
            name = f"{sha256(text).hexdigest()}{PATCH_SUFFIX}"
            if kept.lstat(name) is None:
                staging.kept.append(name)
                write_whole(kept, name, text, like="folder")  # what a killed run has left beside it goes


def _size(archive: Archive, opener: Opener) -> int:
    """The size of an archive; of one in a bundle that of the bundle, if it cannot be opened any more."""
    if archive.file.inner:
        with suppress(Damage, FileNotFoundError):
            return opener.open(archive.file).size
    return sum(archive.signature[:1])


def _keep(archive: Archive, kept: Folder, staging: Staging, opener: Opener) -> None:
    """Copy an archive, unless it has changed since it was looked into. Raises `OSError`."""
    name = f"{archive.digest}.zip"
    with suppress(Damage, FileNotFoundError):
        if archive.file.inner and not kept.lstat(name):
            opened = opener.open(archive.file)
            if opened.signature == archive.signature:
                parts = (opened.read(at, min(_CHUNK, opened.size - at)) for at in range(0, opened.size, _CHUNK))
                _write(kept, name, lambda file: file.writelines(parts), staging)
        elif not archive.file.inner:
            with open_regular(archive.file.path) as source:
                if stat_signature(os.fstat(source.fileno())) == archive.signature:
                    _write(kept, name, lambda file: copy_content(source.fileno(), file.fileno()), staging)


def _write(kept: Folder, name: str, write: Callable[[BinaryIO], object], staging: Staging) -> None:
    """Write a file whole, if it is not kept yet. Raises `OSError`."""
    if kept.lstat(name):
        return
    fresh = fresh_name()
    try:
        with kept.naming_errors(name), os.fdopen(kept.create(fresh), "wb") as file:
            kept.give_rights(file.fileno())
            write(file)
        staging.kept.append(name)
        kept.move(fresh, kept, name)
    except BaseException:
        kept.discard(fresh)
        raise


def keep(
    journal: Journal, store: Store, workspace: Workspace, staging: Staging, home: Folder
) -> tuple[WarningDiagnostic, ...]:
    """Leave for later what a run did, given record and state after it; return what the system refuses twice.

    `home` is the folder that `patches/` is in. Raises `OSError` if it refuses to remove the journal.
    """
    project = workspace.project
    bar = workspace.bar
    done = {change.path for change in journal.moves}
    needed = needed_archives(journal, store.record)
    others = (each.component for path, each in store.state.components.items() if path not in done)
    needed |= {digest for component in others for digest in component.kept}
    with project.inner(LOCAL) as local:
        if not staging.is_in(local):  # it is kept already
            return ()
        move_unread(journal, project, staging.folder)
        left_out = (
            _attempted(f"{LOCAL}/{LOG_FILE}", lambda: _log(logged(journal), local)),
            _attempted(ARCHIVES, lambda: _forget_archives(local, needed, home)),
            _attempted(PREVIOUS, lambda: _make_room(local, bar)),
        )
        warnings = tuple(unique((warning for warning in left_out if warning), key=attrgetter("location")))
        is_kept = journal.run.keeps and not left_out[-1]
        staging.clear(but={RUN_FILE, *(change.undo for change in journal.file_changes if is_kept)})
        local.move(_STAGING, local, _PREVIOUS if is_kept else fresh_name())  # the next run has nothing to settle
        if not is_kept:
            _sweep(local, bar)
    return warnings


def _attempted(path: str, leave: Callable[[], None]) -> WarningDiagnostic | None:
    """Leave something for later; return the warning if the system refuses it."""
    refused = refused_twice(leave)
    return unwritable_file(path, cause_of(refused), is_cache=False) if refused else None


def load_previous(project: Folder) -> Journal | None:
    """What the last run that changed the project did; `None` if it is not kept, or damaged. Raises `OSError`."""
    if project.status(PREVIOUS) is None:
        return None
    with project.inner(PREVIOUS) as folder:
        data = read_own(folder, f"{PREVIOUS}/{RUN_FILE}")
    return read_journal(data) if data else None


def load_log(project: Folder) -> tuple[LoggedRun, ...]:
    """The runs that changed a project, the newest last. Raises `OSError`."""
    if project.status(LOCAL) is None:
        return ()
    with project.inner(LOCAL) as local:
        return _logged_in(local)


def _logged_in(local: Folder) -> tuple[LoggedRun, ...]:
    return read_log(local.read(LOG_FILE, OWN_LIMIT) or b"")


def _log(run: LoggedRun, local: Folder) -> None:
    before = _logged_in(local)
    if (runs := with_run(before, run)) != before:
        write_whole(local, LOG_FILE, write_log(runs), like="folder")


def _forget_archives(local: Folder, needed: Collection[str], home: Folder) -> None:
    """Remove the archives that are not needed, given by digests, and what a killed run left half copied.

    Of the kept patches, those that lie in `patches/` stay, as they may not be built yet.
    """
    with suppress(FileNotFoundError), local.child(_ARCHIVES) as kept:
        names = {name for name, is_folder in kept.entries() if not is_folder}
        forgotten = {name for name in names if name.partition(".")[0] not in needed and _is_ours(name)}
        if any(map(_is_patch, forgotten)):
            forgotten -= _patches_there(home)
        for name in sorted(forgotten):
            kept.discard(name)


def _is_ours(name: str) -> bool:
    return _is_archive(name) or re.fullmatch(FRESH, name) is not None


def _is_patch(name: str) -> bool:
    return name.endswith(PATCH_SUFFIX)


def _patches_there(home: Folder) -> set[str]:
    """The names under which the patches in `patches/` are kept; none if the folder cannot be read."""
    try:
        files = survey(home, PATCHES).files if home.lstat(PATCHES) else {}
    except OSError:
        return set()
    return {f"{state.digest}{PATCH_SUFFIX}" for name, state in files.items() if _is_patch(name)}


def _is_archive(name: str) -> bool:
    stem, _, suffix = name.partition(".")
    return suffix in {"zip", "patch"} and is_digest(stem)


def _make_room(local: Folder, bar: Bar) -> None:
    """Remove what the run before kept; if this user cannot, as another may have folders in it, a later one does."""
    if local.lstat(_PREVIOUS):
        local.move(_PREVIOUS, local, fresh_name())
    _sweep(local, bar)


def _sweep(local: Folder, bar: Bar) -> None:
    """Remove what was renamed to be removed, as far as the system allows."""
    refused_twice(partial(local.discard, PLAN_FILE))
    refused_twice(partial(_discard_renamed, local, bar))


def _discard_renamed(local: Folder, bar: Bar) -> None:
    for name, status in local.statuses():
        if stat.S_ISREG(status.st_mode) or not re.fullmatch(FRESH, name):
            continue
        is_folder = stat.S_ISDIR(status.st_mode)
        refused_twice(partial(remove, local, name, bar.count) if is_folder else partial(local.discard, name))


_UNFINISHED: Final = f".{0:016x}.tool-new"
"""What a backup that is not renamed is called until it is whole; the next one replaces what a killed run left of it."""


def new_backup(project: Folder, stamp: str) -> str:
    """The path of a folder for files that are moved away, named after the time, that does not exist yet.

    Raises `Stop` if something else is where such folders are, and `OSError`.
    """
    check_way(project, BACKUPS)
    names = chain((f"{BACKUPS}/{stamp}",), (f"{BACKUPS}/{stamp}-{number}" for number in count(2)))
    return next(name for name in names if project.status(name) is None)


def place_backup(backup: str, project: Folder, staging: Folder) -> None:
    """Rename the staged backup, or copy it to another disk, unless that was done. Raises `Stop`, `OSError`."""
    if staging.lstat(STAGED_BACKUP):
        with _backups_in(project) as backups:
            try:
                staging.move(STAGED_BACKUP, backups, _name(backup))
            except OSError as error:
                if error.errno != errno.EXDEV:
                    raise
                with staging.child(STAGED_BACKUP) as source:
                    _put_all(source, survey(staging, STAGED_BACKUP).files, backups, _name(backup))
                remove(staging, STAGED_BACKUP)


def take_back_backup(backup: str, project: Folder, staging: Folder) -> None:
    """Undo `place_backup`. Raises `OSError`."""
    if project.obstacle(BACKUPS) or project.status(BACKUPS) is None:
        return
    with project.inner(BACKUPS) as backups:
        remove(backups, _UNFINISHED)
        if backups.lstat(_name(backup)) and staging.lstat(STAGED_BACKUP) is None:
            try:
                backups.move(_name(backup), staging, STAGED_BACKUP)
            except OSError as error:
                if error.errno != errno.EXDEV:
                    raise
                remove(backups, _name(backup))


def move_unread(journal: Journal, project: Folder, staging: Folder) -> None:
    """Move the files to the backup that were moved aside, as no link could be made of them. Raises `OSError`."""
    for change in journal.moves:
        for name in (name for name in change.backed_up if is_unread(change.before.get(name))):
            with (
                above(staging, f"{change.undo}/{name}") as (kept, last),
                above(project, f"{journal.backup}/{change.path}/{name}", make=True) as (backup, _),
            ):
                if kept.lstat(last) and backup.lstat(last) is None:
                    kept.move(last, backup, last)


@contextmanager
def _backups_in(project: Folder) -> Iterator[Folder]:
    """Open the folder of backups, made if it is missing. Raises `Stop` and `OSError`."""
    with inside(project, BACKUPS, make=True) as backups, project.inner(LOCAL) as local:
        local.give_rights(backups.fd)
        yield backups


def _put_all(source: Folder, names: Iterable[str], backups: Folder, name: str) -> None:
    """Link or copy files to a new backup, unless there is one of that name."""
    remove(backups, _UNFINISHED)
    with backups.child(_UNFINISHED, make=True) as folder:
        for each in names:
            link_or_copy_at(source, each, folder)
    if backups.lstat(name) is None:
        backups.move(_UNFINISHED, backups, name)


def _name(backup: str) -> str:
    return backup.rpartition("/")[2]
