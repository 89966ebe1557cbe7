"""Fetch: the bytes of a candidate, within the limit of its form."""

from returns.result import Failure, Success

from pipeline.config.disk import Disk
from pipeline.config.json_places import FILE_LIMIT, PACKAGE_LIMIT
from pipeline.config.tree import Candidate
from pipeline.report.outcome import Outcome, alone
from pipeline.report.problems import ConfigUnreadable, LimitExceeded
from pipeline.report.source import Source


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
