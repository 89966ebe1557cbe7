"""Page: the command that writes why everything is as it is into one page (`docs/explain.md`)."""

from pathlib import Path, PurePath
from typing import Final

from io_edges.commands.explain import ExplainRun, explanation
from io_edges.report.console import print_path
from io_edges.system.atomic import replace_file
from io_edges.system.stop import Stop, os_errors_as_problems
from pipeline.explain.page import page
from pipeline.report.build_problems import OutputConflict

_BEGINNING: Final = b"<!doctype html>"
"""What every page begins with; a file that does not is none of ours."""


def write_page(run: ExplainRun, file: str) -> None:
    """Write the page of a whole run, and print its path. Raises `Stop`, also if anything but a page is in the way."""
    path = run.request.start / file
    current = _current(path, file)
    content = page(explanation(run)).encode(errors="replace")
    try:
        replace_file(path, content, over="nothing" if current is None else current)
    except FileExistsError as error:
        raise Stop(OutputConflict(file, reason="changed")) from error
    print_path(str(path))


def _current(path: PurePath, file: str) -> bytes | None:
    """The page that is there, if there is one. Raises `Stop` if it is something else."""
    with os_errors_as_problems(path):
        content = Path(path).read_bytes() if Path(path).is_file() else b""
        if content.startswith(_BEGINNING):
            return content
        if Path(path).exists():
            raise Stop(OutputConflict(file, reason="page"))
    return None
