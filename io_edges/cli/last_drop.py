"""Last drop: remember the drop of a run that builds, even if it fails, for runs that name none."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import PurePath
from typing import Final

from io_edges.archives.find import drop_error, find_archives
from io_edges.building.project import Project, ProjectView
from io_edges.building.store import save_last_drop
from io_edges.cli.changes import Progress
from io_edges.cli.rest import with_drop
from io_edges.cli.session import AnyRun
from io_edges.cli.words import Positionals, remembered
from io_edges.report.console import Console
from io_edges.report.exit_codes import EXIT_CODES, error_name
from io_edges.system.stop import Stop
from pipeline.building.stores.last_drop import LastDrop
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.drop import DropNotFound
from pipeline.schema import AUTO

_NONE: Final = (64, 65, 72)
"""The exit codes of runs whose drop is not remembered: wrong arguments or settings, or no drop."""


def drop_to_remember(words: Positionals, start: PurePath, view: ProjectView) -> LastDrop | None:
    """The drop of a run, to be remembered; `None` if it is missing, or has no archive and
    nothing is built.
    """
    if drop_error(words.drop, start) or not (
        view.record.components or find_archives(words.drop, start, AUTO)
    ):
        return None
    return LastDrop(remembered(words.drop, start, view.path), with_names=bool(words.names))


def check_without_names(words: Positionals, run: AnyRun) -> None:
    """Raise `Stop` if the remembered drop is that of a run with names, as this run may be meant
    for another.
    """
    if words.is_remembered and words.with_names:
        raise Stop(
            DropNotFound(words.drop, is_unnamed=True, command=with_drop(words.drop, run.drop))
        )


@contextmanager
def remembering(project: Project, progress: Progress, console: Console) -> Iterator[None]:
    """Remember the drop in the end, however the run ends. If it fails, the project must
    not be empty.
    """
    try:
        yield
    except BaseException as error:
        if not _forgets_drop(error) and _has_entries(project):
            _remember(project, progress)  # its warning is not reported beside the error
        raise
    console.warn(_remember(project, progress))


def _forgets_drop(error: BaseException) -> bool:
    """Whether a run that ends with an error remembers no drop."""
    if isinstance(error, Stop):
        return EXIT_CODES[error_name(error.errors[0])] in _NONE
    return isinstance(error, Exception) and not isinstance(error, OSError)  # a bug


def _has_entries(project: Project) -> bool:
    with suppress(OSError):
        return next(iter(project.folder.entries()), None) is not None
    return False


def _remember(project: Project, progress: Progress) -> tuple[WarningDiagnostic, ...]:
    """Write the drop; return a warning if the system refuses it."""
    if progress.last_drop is None:
        return ()
    return save_last_drop(project.folder, project.last_drop, progress.last_drop)
