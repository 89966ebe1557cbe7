"""Keep: what a run leaves for later when all is in place: archives, a line in the log, and what it replaced.

All of it can be done again, as the next run after a kill does. A copy of an archive shares its blocks with it where the
disk can do that; it is never a hard link, as people overwrite archives in place. Last, the staging folder, with the
journal and what was replaced, takes the place of that of the run before.
"""

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from functools import partial
from operator import attrgetter
from typing import Final

from toolz import unique

from io_edges.archives.data import Damage
from io_edges.archives.zips import Opener
from io_edges.building.staging import Staging
from io_edges.building.store import OWN_LIMIT, read_own
from io_edges.system.folder import Folder
from io_edges.system.link_or_copy import link_or_copy
from io_edges.system.stop import cause_of
from io_edges.system.syscalls import clone, stat_signature
from io_edges.system.trees import remove
from io_edges.system.whole_file import FRESH, fresh_name, write_whole
from pipeline.archives.archive import Archive
from pipeline.building.journal import Journal, needed_archives, read_journal
from pipeline.building.layout import (
    ARCHIVES,
    LOCAL,
    LOG_FILE,
    PLAN_FILE,
    PREVIOUS,
    RUN_FILE,
    STAGED_ARCHIVES,
    STAGING,
    is_digest,
    kept_path,
)
from pipeline.building.patch_file import Patch
from pipeline.building.record import Record
from pipeline.building.run_log import LoggedRun, logged, read_log, write_log
from pipeline.building.state import State
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.disk import LeftOver, UnwritableFile
from pipeline.report.wording import listed

KEPT_LIMIT: Final = 1024**3
"""How many bytes of archives are kept, at the most."""
_CHUNK: Final = 1024**2
_ARCHIVES, _PREVIOUS, _STAGING = (each.rpartition("/")[2] for each in (ARCHIVES, PREVIOUS, STAGING))
"""Their names in the local folder."""


def keep_archives(
    archives: Iterable[Archive], project: Folder, staging: Staging, opener: Opener, limit: int = KEPT_LIMIT
) -> UnwritableFile | None:
    """Copy archives that are not kept yet into the staging folder; return which of them are too large to be kept.

    Raises `OSError`.
    """
    wanted = {each.digest: each for each in archives if is_digest(each.digest)}
    left_out: list[str] = []
    with staging.make(STAGED_ARCHIVES) as folder:
        for size, digest in sorted((_size(each, opener), each.digest) for each in wanted.values()):
            limit -= size
            if limit < 0:
                left_out.append(wanted[digest].file.display_path)
            elif not _is_kept(digest, project):
                _keep(wanted[digest], folder, opener)
    cause = f"it holds 1 GiB, and there is no room for {listed(sorted(left_out))}"
    return UnwritableFile(ARCHIVES, cause, is_cache=False) if left_out else None


def keep_patches(patches: Iterable[Patch], project: Folder, staging: Staging) -> None:
    """Write patches that are not kept yet beside the archives. Raises `OSError`."""
    with staging.open(STAGED_ARCHIVES) as folder:
        for each in {patch.digest: patch for patch in patches}.values():
            if not _is_kept(each.digest, project, "patch"):
                _write(folder, f"{each.digest}.patch", (each.text,))


def _is_kept(digest: str, project: Folder, suffix: str = "zip") -> bool:
    with suppress(OSError):  # the run says so when it cannot put it there
        return project.status(kept_path(digest, suffix)) is not None
    return False


def _size(archive: Archive, opener: Opener) -> int:
    """The size of an archive; of one in a bundle that of the bundle, if it cannot be opened any more."""
    if archive.file.inner:
        with suppress(Damage, FileNotFoundError):
            return opener.open(archive.file).size
    return sum(archive.signature[:1])


def _keep(archive: Archive, folder: Folder, opener: Opener) -> None:
    """Copy an archive, unless it has changed since it was looked into. Raises `OSError`."""
    name = f"{archive.digest}.zip"
    with suppress(Damage, FileNotFoundError):
        if archive.file.inner:
            opened = opener.open(archive.file)
            if opened.signature == archive.signature:
                parts = (opened.read(at, min(_CHUNK, opened.size - at)) for at in range(0, opened.size, _CHUNK))
                _write(folder, name, parts)
            return
        source = os.open(archive.file.path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            if stat_signature(os.fstat(source)) == archive.signature:
                _write(folder, name, iter(partial(os.read, source, _CHUNK), b""), source)
        finally:
            os.close(source)


def _write(folder: Folder, name: str, parts: Iterable[bytes], source: int | None = None) -> None:
    """Write a file, if it cannot share the blocks of the one that it is a copy of."""
    with folder.naming_errors(name), os.fdopen(folder.create(name), "wb") as file:
        folder.give_rights(file.fileno())
        if source is None or not clone(source, file.fileno()):
            file.writelines(parts)


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
        left_out = (
            _attempted(f"{LOCAL}/{LOG_FILE}", lambda: _log(logged(journal), local)),
            _attempted(ARCHIVES, lambda: _file_archives(local, staging.folder)),
            _attempted(ARCHIVES, lambda: _forget_archives(local, needed)),
            _attempted(PREVIOUS, lambda: _make_room(local)),
        )
        notes = tuple(unique((note for note in left_out if note), key=attrgetter("file")))
        if journal.run.keeps and not left_out[-1]:
            return (*notes, *_become_previous(journal, local, staging))
        for change in journal.moves:
            remove(staging.folder, change.replaced)
        staging.folder.discard(RUN_FILE)
    return notes


def _attempted(path: str, leave: Callable[[], None]) -> UnwritableFile | None:
    """Leave something for later, on the second attempt if the first is refused; return what is said if that is, too."""
    with suppress(OSError):
        leave()
        return None
    try:
        leave()
    except OSError as error:
        return UnwritableFile(path, cause_of(error), is_cache=False)
    return None


def load_previous(project: Folder) -> Journal | None:
    """What the last run that changed the project did; `None` if it is not kept, or damaged. Raises `OSError`."""
    if project.status(PREVIOUS) is None:
        return None
    with project.inner(PREVIOUS) as folder:
        data = read_own(folder, f"{PREVIOUS}/{RUN_FILE}")
    return read_journal(data) if data else None


def load_log(project: Folder) -> tuple[LoggedRun, ...]:
    """The runs that changed the project, the newest last. Raises `OSError`."""
    if project.status(LOCAL) is None:
        return ()
    with project.inner(LOCAL) as local:
        return read_log(local.read(LOG_FILE, OWN_LIMIT) or b"")


def _log(run: LoggedRun, local: Folder) -> None:
    runs = read_log(local.read(LOG_FILE, OWN_LIMIT) or b"")
    if run.id not in {each.id for each in runs}:
        write_whole(local, LOG_FILE, write_log(runs, run), like="folder")


def _file_archives(local: Folder, staging: Folder) -> None:
    """Put the archives that a run keeps where they are kept, which may be another disk."""
    if staging.look(STAGED_ARCHIVES) is None:
        return
    with staging.inner(STAGED_ARCHIVES) as staged, local.child(_ARCHIVES, make=True) as kept:
        local.give_rights(kept.fd)
        for name, is_folder in staged.entries():
            if not is_folder and _is_archive(name) and kept.look(name) is None:
                link_or_copy(staged, name, kept, fresh := fresh_name(), across=True)
                kept.move(fresh, kept, name)


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
    if local.look(_PREVIOUS):
        local.move(_PREVIOUS, local, fresh_name())
    for _ in range(2):  # a refusal may be temporary
        with suppress(OSError):
            local.discard(PLAN_FILE)
            for name, is_folder in local.entries():
                if is_folder and re.fullmatch(FRESH, name):
                    with suppress(OSError):
                        remove(local, name)


def _become_previous(journal: Journal, local: Folder, staging: Staging) -> Iterator[WarningDiagnostic]:
    """Let the staging folder be what is kept, without what it has besides; what is not the tool's stays there."""
    foreign = staging.clear(but={RUN_FILE, *(change.replaced for change in journal.moves)})
    local.move(_STAGING, local, _PREVIOUS)
    if foreign:
        with local.child(_STAGING, make=True) as left:
            local.give_rights(left.fd)
            for name in foreign:
                staging.folder.move(name, left, name)
        yield LeftOver(STAGING, f"`{foreign[0]}` in it was not made by this run")
