"""Why an archive is refused, as a run judges it."""

from toolz import unique

from pipeline.archives.archive import Entry
from pipeline.archives.vet import vet, vet_links
from pipeline.archives.zip.structure import Refusal
from pipeline.report.diagnostics.archives import ArchiveRejected


def refusals_of(
    entries: tuple[Entry, ...], root: str = "", record_refusals: tuple[Refusal, ...] = ()
) -> tuple[ArchiveRejected, ...]:
    """The reasons to refuse `x.zip` as a whole, and for its links, given the folder that is the component."""
    return tuple(unique((*vet("x.zip", entries, record_refusals), *vet_links("x.zip", entries, root))))
