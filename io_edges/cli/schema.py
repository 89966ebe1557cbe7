"""Schema: the command that prints the JSON Schema of a configuration (`docs/configuration.md`)."""

import json

from io_edges.cli.flags import LogFlags
from io_edges.cli.session import RunConsole
from io_edges.report.console import print_line
from pipeline.init.json_schema import json_schema


def schema(*, flags: LogFlags = LogFlags(), console: RunConsole) -> None:
    """Print the JSON Schema of a configuration.

    Examples:
      Save the schema for an editor:
        tool config schema > tool.schema.json
      Look one setting up:
        tool config schema | jq .properties.theme

    Documentation: docs/configuration.md
    """
    console.set_verbosity(quiet=flags.quiet, verbose=flags.verbose)
    print_line(json.dumps(json_schema(), indent=2))
