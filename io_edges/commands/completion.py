"""Completion: the command that prints a completion script, as it was installed for the shells (`docs/manual.md`)."""

from pathlib import Path
from typing import Final

from io_edges.flag_values import Shell
from io_edges.report.console import print_line

SCRIPTS: Final[dict[Shell, str]] = {"bash": "tool.bash", "zsh": "_tool", "fish": "tool.fish"}
"""The script of each shell."""


def completion(shell: Shell) -> None:
    """Print the completion script of a shell."""
    path = Path(__file__).parent.parent / "manual" / SCRIPTS[shell]
    print_line(path.read_text(encoding="utf-8").removesuffix("\n"))
