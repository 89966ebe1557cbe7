"""Keep: what a run leaves for later when all is in place: archives, a line in the log, and what it replaced.

All of it can be done again, as the next run after a kill does. A copy of an archive shares its blocks with it where the
disk can do that; it is never a hard link, as people overwrite archives in place. Last, the staging folder, with the
journal and what was replaced, takes the place of that of the run before.
"""

import errno
import os
import re
import stat
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from functools import partial
from itertools import accumulate
from operator import attrgetter
from typing import Final

from toolz import unique

from io_edges.archives.data import Damage
from io_edges.archives.zips import Opener
from io_edges.building.backups import move_unread
from io_edges.building.staging import Staging
from io_edges.building.store import OWN_LIMIT, read_own
from io_edges.system.folder import Folder
from io_edges.system.stop import cause_of
from io_edges.system.syscalls import clone, stat_signature
from io_edges.system.trees import remove
from io_edges.system.whole_file import FRESH, fresh_name, write_whole
from pipeline.archives.archive import Archive
from pipeline.building.patching.patch_file import Patch
from pipeline.building.stores.journal import Journal, needed_archives, read_journal
from pipeline.building.stores.layout import (
    ARCHIVES,
    LOCAL,
    LOG_FILE,
    PLAN_FILE,
    PREVIOUS,
    RUN_FILE,
    STAGING,
    is_digest,
)
from pipeline.building.stores.record import Record
from pipeline.building.stores.run_log import LoggedRun, logged, read_log, with_run, write_log
from pipeline.building.stores.state import State
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
                    _write(kept, f"{each.digest}.patch", (each.text,), staging)
    except OSError as error:
        if error.errno not in _REFUSED:
            raise
        return unwritable_file(ARCHIVES, cause_of(error), is_cache=False)
    left_out = sorted(each.file.display_path for digest, each in archives.items() if digest not in fitting)
    cause = f"it holds 1 GiB, and there is no room for {listed(left_out)}"
    return unwritable_file(ARCHIVES, cause, is_cache=False) if left_out else None


def _size(archive: Archive, opener: Opener) -> int:
    """The size of an archive; of one in a bundle that of the bundle, if it cannot be opened any more."""
    if archive.file.inner:
        with suppress(Damage, FileNotFoundError):
            return opener.open(archive.file).size
    return sum(archive.signature[:1])


def _keep(archive: Archive, kept: Folder, staging: Staging, opener: Opener) -> None:
    """Copy an archive, unless it has changed since it was looked into. Raises `OSError`."""
    name = f"{archive.digest}.zip"
    if kept.lstat(name):
        return
    with suppress(Damage, FileNotFoundError):
        if archive.file.inner:
            opened = opener.open(archive.file)
            if opened.signature == archive.signature:
                parts = (opened.read(at, min(_CHUNK, opened.size - at)) for at in range(0, opened.size, _CHUNK))
                _write(kept, name, parts, staging)
            return
        source = os.open(archive.file.path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            if stat_signature(os.fstat(source)) == archive.signature:
                _write(kept, name, iter(partial(os.read, source, _CHUNK), b""), staging, source)
        finally:
            os.close(source)


def _write(kept: Folder, name: str, parts: Iterable[bytes], staging: Staging, source: int | None = None) -> None:
    """Write a file that is not kept yet, whole; it need not be written if it can share the blocks of a `source`."""
    if kept.lstat(name):
        return
    fresh = fresh_name()
    try:
        with kept.naming_errors(name), os.fdopen(kept.create(fresh), "wb") as file:
            kept.give_rights(file.fileno())
            if source is None or not clone(source, file.fileno()):
                file.writelines(parts)
        staging.kept.append(name)
        kept.move(fresh, kept, name)
    except BaseException:
        kept.discard(fresh)
        raise


def keep(
    journal: Journal, record: Record, state: State, project: Folder, staging: Staging
) -> tuple[WarningDiagnostic, ...]:
    """Leave for later what a run did, given record and state after it; return what the system refuses twice.

    Raises `OSError` if it refuses to remove the journal.
    """
    done = {change.path for change in journal.moves}
    needed = needed_archives(journal, record)
    needed |= {digest for path, each in state.components.items() if path not in done for digest in each.component.kept}
    with project.inner(LOCAL) as local:
        if not staging.is_in(local):  # it is kept already
            return ()
        move_unread(journal, project, staging.folder)
        left_out = (
            _attempted(f"{LOCAL}/{LOG_FILE}", lambda: _log(logged(journal), local)),
            _attempted(ARCHIVES, lambda: _forget_archives(local, needed)),
            _attempted(PREVIOUS, lambda: _make_room(local)),
        )
        warnings = tuple(unique((warning for warning in left_out if warning), key=attrgetter("location")))
        is_kept = journal.run.keeps and not left_out[-1]
        staging.clear(but={RUN_FILE, *(change.undo for change in journal.moves if is_kept)})
        local.move(_STAGING, local, _PREVIOUS if is_kept else fresh_name())  # the next run has nothing to settle
        if not is_kept:
            _sweep(local)
    return warnings


def _attempted(path: str, leave: Callable[[], None]) -> WarningDiagnostic | None:
    """Leave something for later, on the second attempt if the first is refused; return what is said if that is, too."""
    with suppress(OSError):
        leave()
        return None
    try:
        leave()
    except OSError as error:
        return unwritable_file(path, cause_of(error), is_cache=False)
    return None


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


def _forget_archives(local: Folder, needed: Collection[str]) -> None:
    """Remove the archives that are not needed, given by digests, and what a killed run left half copied."""
    with suppress(FileNotFoundError), local.child(_ARCHIVES) as kept:
        names = {name for name, is_folder in kept.entries() if not is_folder}
        for name in sorted(name for name in names if name.partition(".")[0] not in needed):
            if _is_archive(name) or re.fullmatch(FRESH, name):
                kept.discard(name)


def _is_archive(name: str) -> bool:
    stem, _, suffix = name.partition(".")
    return suffix in {"zip", "patch"} and is_digest(stem)


def _make_room(local: Folder) -> None:
    """Remove what the run before kept; if this user cannot, as another may have folders in it, a later one does."""
    if local.lstat(_PREVIOUS):
        local.move(_PREVIOUS, local, fresh_name())
    _sweep(local)


def _sweep(local: Folder) -> None:
    """Remove what was renamed to be removed, as far as the system allows."""
    for _ in range(2):  # a refusal may be temporary
        with suppress(OSError):
            local.discard(PLAN_FILE)
            for name, status in local.statuses():
                if re.fullmatch(FRESH, name) and not stat.S_ISREG(status.st_mode):
                    with suppress(OSError):
                        (remove if stat.S_ISDIR(status.st_mode) else Folder.discard)(local, name)
