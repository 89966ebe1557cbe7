"""Stage: prepare a component in the staging folder, so that only renames are left.

What the archive gives anew is extracted. What is the user's, or the same as before, is linked to, so that it is in its
place at every moment.
"""

import errno
import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace
from toolz import groupby

from io_edges.building.extract import Extractor, extract
from io_edges.building.staging import Staging
from io_edges.system.carry import carry_all, carry_at, copy_at, give_likeness
from io_edges.system.folder import Folder
from io_edges.system.helpers import share
from io_edges.system.stop import Stop
from io_edges.system.trees import NOTHING, Snapshot, walk
from pipeline.building.cache import KnownFiles
from pipeline.building.journal import Swap
from pipeline.building.plan import Step
from pipeline.building.record import as_recorded
from pipeline.report.build_problems import ArchiveRejected
from pipeline.selection.choices import Choice

_ELSEWHERE = "it is on another disk than the project"
_OTHERS = "what is in it belongs to another user"


class Site(Struct, frozen=True):
    """The project, the staging folder in it, and what extracts archives."""

    project: Folder
    staging: Staging
    extractor: Extractor


class Extracted(Struct, frozen=True):
    """What was extracted of a new component, or why its archive is refused."""

    written: Snapshot = Snapshot()
    refusals: tuple[ArchiveRejected, ...] = ()


class _Extracted(Struct, frozen=True):
    """What was extracted of one archive file, by slot."""

    components: dict[str, Extracted]


def extract_new(steps: Mapping[str, Step], site: Site) -> dict[str, Extracted]:
    """Extract the components that are new into slots, with helpers if there is much of it. Raises `OSError`.

    Those of one archive file are extracted by one process, so that it is opened only once.
    """
    new = [(slot, step.choice) for slot, step in steps.items() if step.choice and step.target.standing == "absent"]
    for slot, _ in new:
        site.staging.make(slot).close()
    files: dict[object, list[tuple[str, Choice]]] = groupby(lambda each: each[1].archive.file.path, new)
    sizes = [sum(choice.archive.size for _, choice in choices) for choices in files.values()]
    done = share([*files.values()], sizes, partial(_extract, site=site), _Extracted, site.extractor.bar)
    return {slot: extracted for each in done for slot, extracted in each.components.items()}


def _extract(choices: Sequence[tuple[str, Choice]], site: Site) -> _Extracted:
    components: dict[str, Extracted] = {}
    for slot, choice in choices:
        with site.staging.open(slot) as folder:
            try:
                components[slot] = Extracted(extract(choice, None, folder, site.extractor))
            except Stop as stop:
                refusals = tuple(each for each in stop.problems if isinstance(each, ArchiveRejected))
                components[slot] = Extracted(refusals=refusals)
    return _Extracted(components)


def stage(step: Step, slot: str, site: Site, extracted: Mapping[str, Extracted]) -> tuple[Swap, KnownFiles]:
    """Prepare a step, given what was extracted; return what is left to do, and the digests of the written files.

    Raises `Stop` if its archive is refused, and `OSError`.
    """
    cause = _ELSEWHERE if is_elsewhere(step.path, site) else ""
    swap = Swap(path=step.path, slot=slot, before=dict(step.target.files), in_place=cause)
    if step.target.standing == "absent":
        return _added(swap, step, site, extracted)
    with site.project.inner(step.path) as old:
        swap = replace(swap, old=os.fstat(old.fd).st_ino, users=_back_up(swap, step, old, site))
        if not swap.in_place and not _can_be_given(_owners(step.path, site), swap, site.staging):
            swap = replace(swap, in_place=_OTHERS)
        return _merged(swap, step, step.choice, old, site) if step.choice else (swap, NOTHING)


def is_elsewhere(path: str, site: Site) -> bool:
    """Whether a component is, or would be, on another disk than the staging folder. Raises `OSError`."""
    places = (site.project.status(each) for each in (path, path.partition("/")[0]))
    place = next((status for status in places if status and stat.S_ISDIR(status.st_mode)), None)
    return place is not None and place.st_dev != os.fstat(site.staging.folder.fd).st_dev


def _added(swap: Swap, step: Step, site: Site, extracted: Mapping[str, Extracted]) -> tuple[Swap, KnownFiles]:
    if step.choice is None:
        return swap, NOTHING
    done = extracted[swap.slot]
    if done.refusals:
        raise Stop(*done.refusals)
    component = as_recorded(step.choice.archive, done.written.files)
    inode = site.staging.inodes[swap.slot]
    return replace(swap, new=inode, after=done.written.files, component=component), done.written.known


def _merged(swap: Swap, step: Step, choice: Choice, old: Folder, site: Site) -> tuple[Swap, KnownFiles]:
    """Make the new folder of a component that is there. On another disk, it has only what is to be replaced."""
    after, result, written = step.outcome, step.merge, Snapshot()
    with site.staging.make(swap.slot) as folder:
        if result.written:
            written = extract(choice, {name: after[name] for name in result.written}, folder, site.extractor)
        for name in result.switched:
            copy_at(old, name, folder, executable=after[name].executable)
        linked = sorted(set(result.carried) - set(result.switched))
        cause = swap.in_place or _carry_all(linked, old, folder)
        for path, inside in walk(site.staging.folder, swap.slot):
            _be_like(old, path[len(swap.slot) + 1 :], inside)
        inode = os.fstat(folder.fd).st_ino
    return replace(swap, new=inode, after=after, component=step.component, in_place=cause), written.known


def _carry_all(names: Iterable[str], old: Folder, new: Folder) -> str:
    """Carry files into the new folder; return the cause if they must stay where they are, else an empty string."""
    try:
        return "" if carry_all(old, names, new) else _OTHERS
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        return _ELSEWHERE


def _owners(path: str, site: Site) -> set[int]:
    """The other users to whom folders of a component belong."""
    return {os.fstat(folder.fd).st_uid for _, folder in walk(site.project, path)} - {os.geteuid()}


def _can_be_given(owners: Iterable[int], swap: Swap, staging: Staging) -> bool:
    """Whether folders can be given to these users. If not, theirs can perhaps not be emptied, either."""
    for owner in owners:
        with staging.make(swap.aside) as probe:
            try:
                os.fchown(probe.fd, owner, -1)
            except OSError:
                return False
            finally:
                staging.folder.prune(swap.aside)
    return True


def _be_like(old: Folder, path: str, new: Folder) -> None:
    """Give a new folder the likeness of the old one of its path, if there is one."""
    status = old.status(path) if path else os.fstat(old.fd)
    if status and stat.S_ISDIR(status.st_mode):
        with old.inner(path) if path else old.again() as folder:
            give_likeness(folder, new)


def _back_up(swap: Swap, step: Step, old: Folder, site: Site) -> tuple[str, ...]:
    """Put in a folder of their own the files that go to the backup, and return their paths."""
    ours, theirs = step.merge.backed_up("disk"), step.merge.backed_up("archive")
    if not ours and not theirs:
        return ()
    with site.staging.make(swap.backup) as folder:
        for name in ours:
            try:
                carry_at(old, name, folder)
            except OSError as error:
                if error.errno != errno.EXDEV:
                    raise
                copy_at(old, name, folder)
        if theirs and step.choice and step.component:
            files = {name: step.component.files[name] for name in theirs if name in step.component.files}
            extract(step.choice, files, folder, site.extractor)
            return (*ours, *files)
    return ours
