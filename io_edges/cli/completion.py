"""Completion: print the completion script that cyclopts makes for a shell (`docs/reference/commands.md`)."""

import re
from typing import Annotated, Final, Literal, TypeAlias

from cyclopts import Parameter

from io_edges.cli.app import app
from io_edges.cli.flags import LogFlags
from io_edges.cli.session import RunConsole
from io_edges.report.console import print_line

_COMPGEN: Final = re.compile(r'COMPREPLY=\( \$\(compgen (-[fd]) -- "\$\{cur\}"\) \)')
_FILENAMES: Final = r"""local IFS=$'\\n'; COMPREPLY=( $(compgen \1 -- "${cur}") ); compopt -o filenames 2>/dev/null"""
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
    print_line(script_of(shell).rstrip())


def script_of(shell: Shell) -> str:
    """The script that cyclopts makes; in that for bash, a path may have blanks, and a folder ends in a slash."""
    return _COMPGEN.sub(_FILENAMES, app.generate_completion(shell=shell))
