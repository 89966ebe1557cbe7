"""Fetch: the bytes of a candidate, within the limit of its form."""

from returns.result import Failure, Success

from pipeline.disk import Disk
from pipeline.json_text import FILE_LIMIT, PACKAGE_LIMIT
from pipeline.outcome import Outcome, alone
from pipeline.problems import ConfigUnreadable, LimitExceeded
from pipeline.source import Source
from pipeline.tree import Candidate


def fetch(candidate: Candidate, disk: Disk) -> Outcome[bytes]:
    """Load a candidate. Problems: `ConfigUnreadable`, `LimitExceeded`."""
    limit = PACKAGE_LIMIT if candidate.form == "package" else FILE_LIMIT
    loaded = disk.load(candidate.path, limit + 1).alt(lambda cause: alone(ConfigUnreadable(candidate.shown, cause)))
    return loaded.bind(
        lambda content: (
            Success(content)
            if len(content) <= limit
            else Failure((LimitExceeded(Source(candidate.shown), "bytes", limit),))
        )
    )
