"""Extract: write components into the staging folder, each file checked against what its archive declares."""

import os
from contextlib import ExitStack
from hashlib import sha256

from msgspec import Struct
from msgspec.structs import replace

from io_edges.archives.members import Opener
from io_edges.archives.zips import Damage, OpenArchive
from io_edges.building.targets import as_recorded, mode_of
from io_edges.report.progress import Bar
from io_edges.system.folder import Folder
from io_edges.system.stop import Stop
from io_edges.system.trees import file_state
from pipeline.archives.archive import Entry, contents, describe
from pipeline.archives.entry_names import clashes
from pipeline.archives.vet import vet_links
from pipeline.building.journal import Swap
from pipeline.building.plan import Step
from pipeline.building.record import FileState
from pipeline.selection.choices import Choice


class Site(Struct, frozen=True):
    """Where components are extracted to, what opens their archives, and what shows the progress."""

    staging: Folder
    opener: Opener
    bar: Bar
    ignores_case: bool = False


def stage(step: Step, slot: str, site: Site) -> Swap:
    """Prepare a step so that only renames are left. Raises `Stop` if its archive is refused, and `OSError`."""
    replaces = step.target.standing != "absent"
    swap = Swap(path=step.path, slot=slot, replaces=replaces, seen=dict(step.target.seen), users=step.users)
    if step.choice is None:
        return swap
    files = _extract(step.choice, slot, site)
    status = site.staging.look(slot)
    return replace(swap, inode=status and status.st_ino, component=as_recorded(step.choice, files))


def _extract(choice: Choice, slot: str, site: Site) -> dict[str, FileState]:
    archive, root = choice.archive, choice.component.root
    site.bar.begin(archive.file.display_path)
    try:
        vetted = site.opener.open(archive.file)
        opened, below = vetted.opened, vetted.index.below(root)
        if refusals := (*vetted.refusals, *vet_links(archive.file.display_path, below, root)):
            raise Stop(*refusals)
        if opened.stamp != archive.stamp or describe(archive, choice.component, below) != archive:
            raise Damage("it changed while it was read")
        given = contents(below, root)
        for name, other in clashes(name for name, _ in given) if site.ignores_case else ():
            raise Damage(f"it differs from `{name}` only in case, which this disk does not tell apart", other)
        with site.staging.inner(slot, make=True) as folder:
            return _write_all(given, opened, folder, site.bar)
    except Damage as damage:
        raise Stop(damage.rejection_of(archive.file)) from damage


def _write_all(
    given: tuple[tuple[str, Entry], ...], opened: OpenArchive, folder: Folder, bar: Bar
) -> dict[str, FileState]:
    """Write entries. For those in the same folder that follow one another, the folder is opened only once."""
    states: dict[str, FileState] = {}
    with ExitStack() as stack:
        inside, here = folder, ""
        for name, entry in given:
            if entry.kind == "folder":
                folder.inner(name, make=True).close()
                continue
            above, _, last = name.rpartition("/")
            if above != here:
                stack.close()
                inside, here = stack.enter_context(folder.inner(above, make=True)) if above else folder, above
            states[name] = _write(entry, last, opened, inside, bar)
    return states


def _write(entry: Entry, name: str, opened: OpenArchive, folder: Folder, bar: Bar) -> FileState:
    """Write a file or link. Modes are 0755 for executable files and folders and 0644 for others, less the umask."""
    if entry.kind == "link":
        folder.link(name, entry.target or "")
        return FileState(kind="link", target=entry.target)
    digest = sha256()
    with os.fdopen(folder.create(name, mode_of(entry)), "wb") as file:
        for chunk in opened.chunks(entry):
            digest.update(chunk)
            file.write(chunk)
            bar.advance(len(chunk))
        file.flush()
        return file_state(os.fstat(file.fileno()), digest.hexdigest())
