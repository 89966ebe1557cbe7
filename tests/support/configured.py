"""What the configuration of a folder sets, read in this process."""

from pathlib import Path, PurePath

from io_edges.disk import real_disk
from io_edges.report.console import Console
from pipeline.resolve import Request, resolve


def configured(folder: Path) -> dict[str, object]:
    """The values that the configuration file sets, by the path of the setting."""
    start = PurePath(folder)
    settings = resolve(Request(start=start), real_disk(start, Console())).unwrap().settings
    found = {
        decision.path: assignment.value
        for decision in settings.decisions
        for assignment in decision.assignments
        if assignment.layer == "config"
    }
    return {
        path: list(value) if isinstance(value, tuple) else value for path, value in found.items()
    }
