"""Completion: print the completion script that cyclopts makes for a shell (`docs/reference/commands.md`)."""

from typing import Annotated, Literal, TypeAlias

from cyclopts import Parameter

from io_edges.cli.app import app
from io_edges.cli.flags import LogFlags
from io_edges.cli.session import RunConsole
from io_edges.report.console import print_line

Shell: TypeAlias = Literal["bash", "zsh", "fish"]


def completion(
    shell: Annotated[Shell, Parameter(help="The shell that loads the script.")],
    /,
    *,
    flags: LogFlags = LogFlags(),
    console: RunConsole,
) -> None:
    """Print the completion script of a shell.

    Examples:
      Install the script for bash:
        tool completion bash > ~/.local/share/bash-completion/completions/tool
      Install the script for fish:
        tool completion fish > ~/.config/fish/completions/tool.fish

    Documentation: docs/reference/commands.md
    """
    console.set_verbosity(quiet=flags.quiet, verbose=flags.verbose)
    print_line(app.generate_completion(shell=shell).rstrip())
