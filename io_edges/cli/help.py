"""Help: `tool help` and `--help`: the help of a command as cyclopts prints it, or a page of the documentation.

The docstring of a command is its summary, its examples and its page (`docs/reference/commands.md`).
"""

import sys
from collections.abc import Callable, Iterable, Sequence
from inspect import cleandoc
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter
from cyclopts.help import HelpPanel, PlainFormatter

from io_edges.cli.app import app, command_at, names_below
from io_edges.cli.usage import unknown_command
from io_edges.report.console import print_line
from io_edges.report.screens import screen_of
from io_edges.system.stop import Stop
from pipeline.report.diagnostics.settings import UsageError
from pipeline.report.layout import Screen

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions

WIDEST: Final = 100
"""The most columns that help is laid out in on a terminal."""
_UNBROKEN: Final = 10_000
"""The columns where nothing is drawn: each flag is one line, which a program finds, and a terminal breaks."""


class _Plain(PlainFormatter):
    """The plain help of cyclopts, with what a group says about all of its flags."""

    def __call__(self, console: "Console", options: "ConsoleOptions", panel: HelpPanel) -> None:
        if panel.entries and str(panel.description):
            from rich.padding import Padding

            console.print(f"{panel.title}:")
            console.print(Padding.indent(panel.description, 2))
            panel = panel.copy(title="")
        super().__call__(console, options, panel)


def show_help(
    *command: Annotated[
        str, Parameter(allow_leading_hyphen=True, help="The command, as typed after tool; or a page, as page.md.")
    ],
) -> None:
    """Print the help of a command, or a page of the documentation.

    Examples:
      Show the help of a command in a group:
        tool help config show
      Print the page that lists all others:
        tool help README

    Documentation: tool help reference/commands
    """
    names, nodes, rest = app.parse_commands(command)
    pages, screen = {} if names else _pages(), screen_of(sys.stdout)
    if len(rest) == 1 and (found := [pages[name] for name in pages if _is_called(name, rest[0])]):
        print_line(_page(found[0].read_text("utf-8").rstrip(), screen))
        return
    if rest and not rest[0].startswith("-") and names_below(nodes[-1]):
        message, advice = unknown_command(rest[0], names, [page.stem for page in pages.values()])
        raise Stop(UsageError(message, " ".join(("tool", *names)), instead=advice))
    print_line(help_text(names, screen, pages))


def help_text(names: Sequence[str], screen: Screen, pages: Iterable[str] = ()) -> str:
    """The help of a command: drawn on a terminal, plain in a pipe and where it is read aloud."""
    node = command_at(names)
    text = node.help if node.default_command is None else node.default_command.__doc__ or ""
    node.usage, node.help_epilogue = usage_line(names), cleandoc(text).partition("\n\n")[2]
    if pages:
        node.help_epilogue += f"\n\nPages: {', '.join(pages)}"
    app.help_formatter = "default" if screen.columns else _Plain()
    return _printed(screen, lambda console: app.help_print(names, console=console))


def usage_line(names: Sequence[str]) -> str:
    """How a command is typed: `tool status [OPTIONS] [DROP] [NAME...]`."""
    node = command_at(names)
    arguments = () if names_below(node) else node.assemble_argument_collection()
    positionals = (each for each in arguments if each.show and each.index is not None)
    labels = ((f"{each.name}{'...' if each.is_var_positional() else ''}", each.required) for each in positionals)
    rest = ("COMMAND",) if names_below(node) else (label if required else f"[{label}]" for label, required in labels)
    return " ".join(("tool", *names, "[OPTIONS]", *rest))


def _pages() -> dict[str, Path]:
    """The pages by their paths: in an installation beside the package `cli`, in a clone in its folder `docs`."""
    installed, cloned = (Path(__file__).parents[up] / "docs" for up in (1, 2))
    docs = installed if installed.is_dir() else cloned
    pages = (page for folder in ("", "howto", "reference") for page in sorted((docs / folder).glob("*.md")))
    return {page.relative_to(docs).with_suffix("").as_posix(): page for page in pages}


def _is_called(page: str, asked: str) -> bool:
    """Whether a page is asked for, by its path or the last part of it."""
    return f"/docs/{page}".endswith(f"/{asked.removesuffix('.md')}")


def _page(text: str, screen: Screen) -> str:
    """A page: laid out on a terminal, as it is written in a pipe and where it is read aloud."""
    if not screen.columns:
        return text
    from rich.markdown import Markdown

    return _printed(screen, lambda console: console.print(Markdown(text, hyperlinks=False)))


def _printed(screen: Screen, show: Callable[["Console"], None]) -> str:
    """What is shown, without the blanks at the ends of lines."""
    from rich.console import Console

    width = min(screen.columns, WIDEST) if screen.columns else _UNBROKEN
    shown = StringIO()
    show(Console(file=shown, width=width, color_system="standard" if screen.colour else None))
    return "\n".join(map(str.rstrip, shown.getvalue().rstrip().splitlines()))
