"""Config: the commands that look at the configuration and build nothing."""

import json
from pathlib import PurePath
from typing import Annotated, Final

from cyclopts import Parameter

from io_edges.disk import real_disk
from io_edges.flags import LogFlags
from io_edges.report.console import Console, print_line
from io_edges.system.stop import require
from pipeline.config.layers import Layer
from pipeline.config.tree import Reading
from pipeline.emit import decisions, emit
from pipeline.init.declaration import ambient_declaration
from pipeline.init.json_schema import json_schema
from pipeline.report.escape import escape
from pipeline.report.outcome import Outcome, collect
from pipeline.resolve import Request, load_named, resolve

_WAYS: Final[dict[Reading, str]] = {"literal": ", read as a literal", "evaluated": ", evaluated"}
"""How a script was read."""


def show(request: Request, console: Console) -> None:
    """Print every setting, with its layer, its source and what it overrode. Raises `Stop`."""
    resolution = require(resolve(request, real_disk(request.start, console, no_exec=request.no_exec)))
    console.log_format = resolution.settings.log_format
    console.looked_at(resolution.located)
    console.warn(resolution.settings.notes)
    for line in emit(decisions(resolution.settings), resolution.settings.log_format):
        print_line(line)


def validate(request: Request, files: tuple[str, ...], console: Console) -> None:
    """Check the given files, or the configuration found and its presets, and print each valid one. Raises `Stop`."""
    if files:
        layers = require(collect(_load(file, request, console) for file in files))
        console.warn(note for layer in layers for note in layer.notes)
        valid = {file: [*layer.readings.values()] for file, layer in zip(files, layers, strict=True)}
    else:
        resolution = require(resolve(request, real_disk(request.start, console, no_exec=request.no_exec)))
        console.looked_at(resolution.located)
        console.warn(resolution.settings.notes)
        readings = resolution.settings.readings
        valid = {file: [readings[file]] if file in readings else [] for file in resolution.files}
    for file, reading in valid.items():
        print_line(escape("".join((f"{file}: valid", *(_WAYS[each] for each in reading)))))
    if not valid:
        console.say(f"no configuration in {PurePath(request.start)} or above it: the defaults hold")


def _load(file: str, request: Request, console: Console) -> Outcome[Layer]:
    """Make the layer of a file, which is a run of its own."""
    return load_named(request.start, file, real_disk(request.start, console, no_exec=request.no_exec))


def schema(
    *,
    flags: Annotated[LogFlags, Parameter(name="*")] = LogFlags(),  # noqa: B008 - frozen
    console: Annotated[Console, Parameter(parse=False)],
) -> None:
    """Print the JSON Schema of a configuration."""
    console.listen(quiet=flags.quiet, verbose=flags.verbose)
    print_line(json.dumps(json_schema(), indent=2))


def types(
    *,
    flags: Annotated[LogFlags, Parameter(name="*")] = LogFlags(),  # noqa: B008 - frozen
    console: Annotated[Console, Parameter(parse=False)],
) -> None:
    """Print the TypeScript declaration of the module `tool`."""
    console.listen(quiet=flags.quiet, verbose=flags.verbose)
    print_line(ambient_declaration().rstrip("\n"))
