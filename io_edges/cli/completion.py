"""Completion: the command that prints a completion script, as it was installed for the shells (`docs/manual.md`)."""

from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

from cyclopts import Parameter

from io_edges.cli.flags import LogFlags
from io_edges.cli.session import RunConsole
from io_edges.report.console import print_line

Shell: TypeAlias = Literal["bash", "zsh", "fish"]
SCRIPTS: Final[dict[Shell, str]] = {"bash": "tool.bash", "zsh": "_tool", "fish": "tool.fish"}


def completion(
    shell: Annotated[Shell, Parameter(metavar="SHELL", help="The shell that is to load the script.")],
    /,
    *,
    flags: LogFlags = LogFlags(),
    console: RunConsole,
) -> None:
    """Print the script that lets a shell complete the commands, flags and values of tool.

    Examples:
      Install the script for bash:
        tool completion bash > ~/.local/share/bash-completion/completions/tool
      Install the script for fish:
        tool completion fish > ~/.config/fish/completions/tool.fish

    Documentation: tool help manual
    """
    console.listen(quiet=flags.quiet, verbose=flags.verbose)
    path = Path(__file__).parent / "shells" / SCRIPTS[shell]
    print_line(path.read_text(encoding="utf-8").removesuffix("\n"))
