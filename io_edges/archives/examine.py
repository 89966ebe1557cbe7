"""Examine: open an archive and recognise it, or each member of a bundle."""

import zlib
from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from toolz import unique

from io_edges.archives.data import Damage
from io_edges.archives.zips import OpenArchive, Vetted, open_archive, open_inner
from io_edges.system.stop import problem_of
from pipeline.archives.archive import Archive, ArchiveFile, Entry, with_component
from pipeline.archives.entry_names import is_junk
from pipeline.archives.markers import BUDGET, MEMBER_LIMIT, Root, cost_of
from pipeline.archives.vet import excess, vet, vet_links
from pipeline.archives.zip.lookalikes import PART
from pipeline.recognition.bundles import (
    INNER_DEPTH,
    Members,
    inner_archives,
    is_wrapper,
    leftovers,
    recognise_folders,
)
from pipeline.recognition.recognise import find_roots, is_by_package, recognise
from pipeline.recognition.unmarked import backup, is_part, passed_over, without_marker
from pipeline.report.diagnostics.archives import Flaw, Mend, guessed_names, not_built
from pipeline.values import replace

_COSTLY: Final = Flaw("its markers are too large, or too many, with those of the archives in it")
_TOO_MANY_INSIDE: Final = Flaw(
    f"it has more than {MEMBER_LIMIT:,} archives in it", Mend("unpack it, and put them in the drop")
)
_TOO_MANY_COMPONENTS: Final = Flaw(
    f"it has more than {MEMBER_LIMIT:,} components", Mend("unpack it, and pack them by themselves")
)


class Budget(Struct):
    """The totals of an archive file and the archives in it, and what reading their markers
    may still cost.
    """

    packed: int
    """The bytes of packed data in the file."""
    remaining: int = BUDGET
    reserve: int = 0
    """The part that is reserved for the archives that follow."""
    archives: int = 0
    entries: int = 0
    size: int = 0
    """The bytes of unpacked data."""

    def count(self, entries: Sequence[Entry]) -> None:
        """Count the entries of an archive."""
        self.archives += 1
        self.entries += len(entries)
        self.size += sum(entry.size for entry in entries)

    def check(self) -> None:
        """Raise `Damage` if the budget is exceeded, or if the archives would unpack to too much."""
        if self.remaining < 0:
            raise Damage(_COSTLY)
        if self.archives > MEMBER_LIMIT + 1:
            raise Damage(_TOO_MANY_INSIDE)
        if self.archives > 1 and (flaw := excess(self.entries, self.size, self.packed)):
            raise Damage(flaw)


class MarkerReader:
    """Reads the beginning of each entry once. A damaged entry gives `b""`, and its
    damage is noted.
    """

    def __init__(self, opened: OpenArchive, budget: Budget) -> None:
        self.damages: list[Damage] = []
        self._budget = budget
        self._opened = opened
        self._contents: dict[str, tuple[int, bytes]] = {}

    def read(self, name: str, limit: int) -> bytes:
        """Read at most `limit` bytes of a file; `b""` if it is not a file or exceeds the budget."""
        files = self._opened.files
        asked, content = self._contents.get(name, (-1, b""))
        if asked < limit:
            content = b""
            if name in files:
                content = self._beginning(files[name], limit)
            self._contents[name] = limit, content
        return content[:limit]

    def _beginning(self, entry: Entry, limit: int) -> bytes:
        self._budget.remaining -= cost_of(entry.name, min(entry.size, limit))
        if self._budget.remaining < self._budget.reserve:
            return b""
        content = b""
        try:
            for chunk in self._opened.chunks(entry, zlib):  # loaded already, and markers are small
                content += chunk
                if len(content) >= limit:
                    break
        except Damage as damage:
            self.damages.append(damage)
            return b""
        return content[:limit]


def look_into(file: ArchiveFile, vetted: Vetted | None = None) -> tuple[Archive, ...]:
    """Open an archive and recognise it, or each member of a bundle. Errors become refusals of
    the archive.

    The structure of a harmless archive is kept in `vetted`.
    """
    try:
        with open_archive(file.path) as opened:
            examined = _examine(file, opened, Budget(sum(entry.packed for entry in opened.entries)))
            if len(examined) > MEMBER_LIMIT:
                raise Damage(_TOO_MANY_COMPONENTS)
            if vetted and not any(each.refusals for each in examined):
                vetted.keep(file.path, opened)
            return examined
    except Damage as damage:
        return (_refused(file, damage),)
    except OSError as error:
        return (Archive(file=file, refusals=(problem_of(file.path, error),)),)


def _examine(file: ArchiveFile, opened: OpenArchive, budget: Budget) -> tuple[Archive, ...]:
    """Recognise an open archive, and warn of guessed names. Raises `Damage` if reading the markers
    costs too much.
    """
    first, *rest = _recognised(file, opened, budget)
    guessed = tuple(
        entry.name for entry in opened.entries if entry.guessed and not is_junk(entry.name)
    )
    if guessed:
        first = replace(
            first, warnings=(*first.warnings, guessed_names(file.display_path, guessed))
        )
    return (first, *rest)


def _recognised(file: ArchiveFile, opened: OpenArchive, budget: Budget) -> tuple[Archive, ...]:
    """Vet the entries, then recognise what they are. Even a refused archive may be recognised.

    Raises `Damage` if reading the markers exceeds the budget.
    """
    refusals = vet(file.display_path, opened.entries, opened.flaws)
    count = len(opened.entries)
    budget.count(opened.entries)
    archive = Archive(
        file=file,
        signature=opened.signature,
        digest=opened.digest(),
        entries=count,
        refusals=refusals,
    )
    if any(refusal.flaw.entry is None for refusal in refusals):
        if is_part(file.display_path):
            return (_refused(file, Damage(PART)),)
        return (archive,)
    reader = MarkerReader(opened, budget)
    roots = find_roots(opened.entries, reader.read)
    recognitions = recognise(file, roots)
    budget.check()
    recognitions = recognitions or backup(file, roots)
    members = Members()
    if not recognitions or is_by_package(recognitions[0]):
        members = _members_of(file, roots, budget)
        if any(map(_is_marked, members.folders)):
            recognitions = ()
    if not refusals:
        archive = replace(
            archive, refusals=tuple(damage.rejection_of(file) for damage in reader.damages)
        )
    if recognitions or (reader.damages and not members.folders):
        return _examined_as(archive, opened, recognitions) or (archive,)
    if refusals:  # what is refused is not opened further
        members = replace(members, archives=())
    return _without_marker(archive, opened, roots, members, budget)


def _members_of(file: ArchiveFile, roots: tuple[Root, ...], budget: Budget) -> Members:
    """The possible members of a bundle; none if examining its folders exceeds the budget.

    An archive in a bundle may spend half of the remaining budget, so that some is left for
    those after it.
    """
    budget.reserve = 0
    if file.inner:
        budget.reserve = budget.remaining - budget.remaining // 2
    members = Members(recognise_folders(file, roots), inner_archives(roots))
    is_overspent = budget.remaining < budget.reserve
    budget.remaining = max(budget.remaining, budget.reserve)
    budget.reserve = 0
    if not is_overspent:
        return members
    if members.folders:  # a bundle is built whole, or refused
        raise Damage(_COSTLY)
    return Members()


def _without_marker(
    archive: Archive, opened: OpenArchive, roots: tuple[Root, ...], members: Members, budget: Budget
) -> tuple[Archive, ...]:
    """Recognise an archive without a marker: as a bundle by its folders and archives, or else
    by its name.
    """
    file = archive.file
    folders = members.folders
    is_deep = len(file.inner) == INNER_DEPTH
    inside: tuple[Archive, ...] = ()
    if not is_deep:
        inside = _archives_in(file, opened, roots, members.archives, budget)
    if folders or any(_is_marked(each) for each in inside):
        examined = [*_examined_as(archive, opened, folders), *inside]
        warnings = (*examined[0].warnings, *leftovers(file, roots[-1], members))
        examined[0] = replace(examined[0], warnings=warnings)
        return tuple(examined)
    if any(_tells_why_not(each) for each in inside) and is_wrapper(roots[-1], members.archives):
        return inside
    if file.inner:
        return _examined_as(
            archive, opened, (passed_over(file, roots, nested=is_deep and members.archives != ()),)
        )
    return _examined_as(archive, opened, (without_marker(file, roots),))


def _is_marked(archive: Archive) -> bool:
    """Whether an archive in a bundle is a component, by its marker."""
    component = archive.component
    return component is not None and component.evidence is not None and component.what is None


def _tells_why_not(archive: Archive) -> bool:
    """Whether an archive in a bundle is no component for another reason than a missing marker."""
    unmarked = not_built(archive.file.display_path, "unmarked")
    others = (each for each in archive.warnings if each.code == unmarked.code and each != unmarked)
    return bool(archive.refusals) or any(others)


def _examined_as(
    archive: Archive, opened: OpenArchive, recognised: tuple[Archive, ...]
) -> tuple[Archive, ...]:
    """Everything that was recognised in an archive; a member consists of the entries
    in its folder.
    """
    examined: list[Archive] = []
    for each in recognised:
        file = each.file
        component = each.component
        refusals = (*archive.refusals, *each.refusals)
        entries = (
            opened.index.below(component.root) if component and file.member else opened.entries
        )
        if component and component.root and any(entry.kind == "link" for entry in entries):
            # a link may stay in the archive but leave the component
            refusals = tuple(
                unique((*refusals, *vet_links(file.display_path, entries, component.root)))
            )
        one = replace(
            archive, file=file, entries=len(entries), warnings=each.warnings, refusals=refusals
        )
        one = replace(one, others=each.others)
        if component:
            one = with_component(one, component, entries)
        examined.append(one)
    return tuple(examined)


def _archives_in(
    file: ArchiveFile,
    opened: OpenArchive,
    roots: tuple[Root, ...],
    names: tuple[str, ...],
    budget: Budget,
) -> tuple[Archive, ...]:
    """Recognise the archives in a bundle. Raises `Damage` if too much has to be read
    or unpacked.
    """
    examined: list[Archive] = []
    for name in filter(opened.files.__contains__, names):
        member = file.at(name.removeprefix(roots[-1].prefix), inner=name)
        try:
            examined += _examine(member, open_inner(opened, name), budget)
        except Damage as damage:
            examined.append(_refused(member, damage))
        budget.check()
    return tuple(examined)


def _refused(file: ArchiveFile, damage: Damage) -> Archive:
    return Archive(file=file, refusals=(damage.rejection_of(file),))
