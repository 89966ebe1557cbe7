"""Help: `tool help` and `--help`, as cyclopts prints them.

The docstring of a command has its summary, its examples and its
page (`docs/reference/commands.md`).
"""

import re
import sys
from collections.abc import Sequence
from inspect import cleandoc
from io import StringIO
from typing import Annotated, Final, Literal

from cyclopts import App, Parameter

from io_edges.cli.app import app, command_at, names_below
from io_edges.report.console import print_line
from io_edges.report.screens import screen_of
from pipeline.report.layout import Screen

WIDEST: Final = 100
"""The maximum width of help on a terminal, in columns."""
_UNBROKEN: Final = 10_000
"""The width of plain help: each flag is on one line, so that programs find it, and a
terminal wraps it.
"""
_ARGS: Final = re.compile(r"\[ARGS(\.\.\.)?\]")
"""The name of cyclopts for optional arguments."""


def show_help(
    *command: Annotated[
        str, Parameter(allow_leading_hyphen=True, help="The command, as typed after tool.")
    ],
) -> None:
    """Print the help of a command.

    Examples:
      Show the help of a command:
        tool help create
      Show the help of a command in a group:
        tool help config show

    Documentation: docs/reference/commands.md
    """
    names, nodes, rest = app.parse_commands(command)
    if rest and not rest[0].startswith("-") and names_below(nodes[-1]):
        # It reports the error.
        app.parse_args([*names, *rest], exit_on_error=False, print_error=False)
    print_line(help_text(names, screen_of(sys.stdout)))


def help_text(names: Sequence[str], screen: Screen) -> str:
    """The help of a command: with frames on a terminal, plain in a pipe and for a screen reader."""
    from rich.console import Console

    node = command_at(names)
    text = node.help
    if node.default_command:
        text = node.default_command.__doc__ or ""
    node.help_epilogue = cleandoc(text).partition("\n\n")[2]
    app.help_formatter = "plain"
    width = _UNBROKEN
    if screen.columns:
        app.help_formatter = "default"
        width = min(screen.columns, WIDEST)
    colours: Literal["standard"] | None = None
    if screen.colour:
        colours = "standard"
    shown = StringIO()
    console = Console(file=shown, width=width, color_system=colours)
    app.help_print(names, console=console)
    text = _ARGS.sub(lambda _: _positionals(node), shown.getvalue(), 1)
    return "\n".join(map(str.rstrip, text.rstrip().splitlines()))


def _positionals(command: App) -> str:
    """The names of the optional arguments of a command."""
    words = list[str]()
    for argument in command.assemble_argument_collection():
        if argument.index is None:
            continue
        word = argument.name
        if argument.field_info.kind is argument.field_info.VAR_POSITIONAL:
            word = f"{word}..."
        words.append(f"[{word}]")
    return " ".join(words)
