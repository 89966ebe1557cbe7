"""The pictures of the documentation that are drawn from real sessions on a terminal."""

import os
import re
import shutil
from collections.abc import Iterable, Iterator
from functools import reduce
from io import StringIO
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory

from pyte.screens import Char, Screen
from rich.console import CONSOLE_SVG_FORMAT, Console
from rich.style import Style
from rich.text import Text

from tests.support.forks import TOOL
from tests.support.terminals import DOWN, ENTER, Terminal

DROP = Path(__file__).parent / "quickstart" / "drop"
WIDTH = 9
"""Of a column, in pixels of a page."""
_FORMAT = re.sub(r"@font-face \{\{.*?\}\}\s*", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
"""Rich's, without the fonts that it would load from a server."""


def pictures() -> dict[str, str]:
    """Every picture: its path in the repository and its SVG."""
    return {"docs/create.svg": _create(), "docs/init.svg": _init()}


def _create() -> str:
    """Three commands in a shell: what is in the drop, its first build, and a second run."""
    with TemporaryDirectory() as folder:
        shutil.copytree(DROP, Path(folder, "drop"))
        env = {
            "PATH": f"{TOOL.parent}:{os.environ['PATH']}",
            "PS1": r"\[\e[1m\]$ ",
            "PS0": r"\e[0m",
        }
        shell = ("bash", "--norc", "--noprofile", "--noediting")
        with Terminal(Path(folder), columns=60, lines=24, env=env, shell=shell) as terminal:
            terminal.see("$")
            terminal.press("ls -1 drop" + ENTER, "shop_sitemap-3.0.1.zip\n$")
            terminal.press("tool create drop" + ENTER, " s\n$")
            terminal.press("tool create drop" + ENTER, "nothing to change", " s\n$")
            return _drawn(terminal.screen, "create", {folder: "/shop", r"\d+\.\d\d s": "0.02 s"})


def _init() -> str:
    """A session of `tool init`, as it looks on a terminal while a question is asked."""
    with TemporaryDirectory() as folder:
        shutil.copytree(DROP, Path(folder, "drop"))
        with Terminal(Path(folder), "init", "drop", columns=80, lines=22) as terminal:
            terminal.see(" » auto")
            terminal.press(DOWN * 2, " » harbour")
            terminal.press(ENTER, "? Modules to leave out (")
            terminal.see_whole()
            terminal.press("shop_re*, shop_sitemap", "shop_re*, shop_sitemap")
            terminal.see_whole()
            return _drawn(terminal.screen, "init", {})


def _drawn(screen: Screen, name: str, replaced: dict[str, str]) -> str:
    """Draw the screen of a terminal; what a pattern matches, which differs from run to run,
    is replaced.
    """
    console = Console(record=True, width=screen.columns, file=StringIO())
    rows = [row for row, text in enumerate(screen.display) if text.strip(" $")]
    for row in range(rows[0], rows[-1] + 1):
        cells = (screen.buffer[row][column] for column in range(screen.columns))
        console.print(_line(cells, replaced))
    svg = console.export_svg(title=f"tool {name} drop", unique_id=name, code_format=_FORMAT)
    return svg.replace("<svg ", f'<svg width="{screen.columns * WIDTH}" ', 1)


def _line(cells: Iterable[Char], replaced: dict[str, str]) -> Text:
    runs = (
        ("".join(text for text, _ in run), style)
        for style, run in groupby(_styled(cells), itemgetter(1))
    )
    line = Text.assemble(
        *((reduce(_replace, replaced.items(), text), style) for text, style in runs)
    )
    line.rstrip()
    return line


def _styled(cells: Iterable[Char]) -> Iterator[tuple[str, Style]]:
    """Each character with its style; a blank has that of the text before it, however a question
    was redrawn.
    """
    style = Style()
    for cell in cells:
        if cell.data != " " or cell.reverse != bool(style.reverse):
            style = _style(cell)
        yield cell.data, style


def _replace(text: str, pair: tuple[str, str]) -> str:
    return re.sub(*pair, text)


def _style(cell: Char) -> Style:
    named = cell.fg if len(cell.fg) != len("rrggbb") else f"#{cell.fg}"
    return Style(color=None if named == "default" else named, bold=cell.bold, reverse=cell.reverse)
