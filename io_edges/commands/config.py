"""Config: the commands that look at the configuration and build nothing."""

from io_edges.disk import real_disk
from io_edges.report.console import Console, print_line
from io_edges.system.stop import require
from pipeline.emit import decisions, emit
from pipeline.resolve import Request, resolve


def show(request: Request, console: Console) -> None:
    """Print every setting, with its layer, its source and what it overrode. Raises `Stop`."""
    resolution = require(resolve(request, real_disk(request.start, console, no_exec=request.no_exec)))
    console.log_format = resolution.settings.log_format
    console.looked_at(resolution.located)
    console.warn(resolution.settings.notes)
    for line in emit(decisions(resolution.settings), resolution.settings.log_format, console.product_screen):
        print_line(line)


def print_schema() -> None:
    """Print the JSON Schema of a configuration."""
    import json  # costs start-up time, as what is printed does

    from pipeline.init.json_schema import json_schema

    print_line(json.dumps(json_schema(), indent=2))


def print_types() -> None:
    """Print the TypeScript declaration of the module `tool`."""
    from pipeline.init.declaration import ambient_declaration  # costs start-up time

    print_line(ambient_declaration().rstrip("\n"))
