"""Bundles: archives that hold several components, as folders or as archives. One level deep (`docs/archives.md`)."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from pipeline.archives import ArchiveFile, Entry
from pipeline.markers import Root
from pipeline.problems import ArchiveRejected
from pipeline.recognise import MEMBER_LIMIT
from pipeline.vet import RATIO_FROM, RATIO_LIMIT, SIZE_LIMIT
from pipeline.zip_structure import ENTRY_LIMIT

INNER_LIMIT: Final = 256 * 1024**2
"""Bytes of an archive in a bundle, which is read into memory."""
_SUFFIX: Final = ".zip"
_NEVER: Final = frozenset({"test", "tests", "fixtures", "vendor", "node_modules"})
"""Folders whose archives are no components."""


class Load(Struct, frozen=True):
    """What would come out of an archive: entries, and bytes before and after."""

    entries: int = 0
    size: int = 0
    packed: int = 0

    def and_in_it(self, entries: Iterable[Entry]) -> "Load":
        """Add what would come out of an archive in it, which is packed already."""
        inside = load_of(entries)
        return Load(self.entries + inside.entries, self.size + inside.size, self.packed)


def load_of(entries: Iterable[Entry]) -> Load:
    """What would come out of an archive with these entries."""
    found = tuple(entries)
    return Load(len(found), sum(entry.size for entry in found), sum(entry.packed for entry in found))


def vet_load(file: ArchiveFile, load: Load) -> tuple[ArchiveRejected, ...]:
    """Refuse a bundle out of which, with the archives in it, more would come than out of any archive."""
    reasons = (
        (load.entries > ENTRY_LIMIT, f"it has more than {ENTRY_LIMIT:,} entries, with those of the archives in it"),
        (load.size > SIZE_LIMIT, "more than 2 GiB would come out of it and the archives in it"),
        (
            load.size > RATIO_FROM and load.size > RATIO_LIMIT * load.packed,
            f"with the archives in it, it would grow more than {RATIO_LIMIT} times",
        ),
    )
    return tuple(ArchiveRejected(file.shown, reason) for applies, reason in reasons if applies)[:1]


def inner_archives(roots: tuple[Root, ...]) -> tuple[str, ...]:
    """The archives that lie beside one another or one folder down, where no marker told: their entries' names.

    None where there is code beside them: they are files of a component then.
    """
    if not roots or roots[-1].has_code:
        return ()
    root = roots[-1]
    found = sorted(name for name in root.names if name.lower().endswith(_SUFFIX) and _is_offered(name))
    return tuple(root.prefix + name for name in found) if len(found) <= MEMBER_LIMIT else ()


def _is_offered(name: str) -> bool:
    folder, _, last = name.rpartition("/")
    return "/" not in folder and folder.lower() not in _NEVER and not last.startswith(".")
