"""Types: the command that prints the TypeScript declaration of the module
`tool` (`docs/configuration.md`).
"""

from io_edges.cli.flags import LogFlags
from io_edges.cli.session import RunConsole
from io_edges.report.console import print_line
from pipeline.init.declaration import ambient_declaration


def types(*, flags: LogFlags = LogFlags(), console: RunConsole) -> None:
    """Print the TypeScript declaration of the module tool.

    Examples:
      Let an editor know the module tool:
        tool config types > tool.d.ts
      Read the type of a configuration:
        tool config types | less

    Documentation: docs/configuration.md
    """
    console.set_verbosity(quiet=flags.quiet, verbose=flags.verbose)
    print_line(ambient_declaration().rstrip("\n"))
