"""Help: the command `tool help`, and what `--help` prints of a command, laid out in a width (`docs/manual.md`).

It is read from the function of a command and its flags. The docstring of the function is a summary, and what the help
ends with.
"""

import shutil
from collections.abc import Iterable, Iterator, Mapping
from inspect import cleandoc
from pathlib import Path
from textwrap import TextWrapper
from typing import Annotated, Any, Final, NamedTuple

from cyclopts import App, Parameter
from toolz import groupby

from io_edges.cli.app import app, command_at, names_below
from io_edges.cli.flags import ANSWERS, OPTIONS
from io_edges.cli.usage import unknown_command
from io_edges.report.console import print_line
from io_edges.system.stop import Stop
from pipeline.report.diagnostics.settings import UsageError
from pipeline.schema import SETTINGS, Setting

NARROWEST: Final = 40
WIDEST: Final = 100
"""The fewest and the most columns that help is laid out in."""
OWN_FLAGS: Final = {("--help", "-h"): "Print this help.", ("--version", "-V"): "Print the version of tool."}
"""The flags that every command has."""
SETTING_OF: Final = {setting.flag: setting for setting in SETTINGS}
"""The setting of a flag."""
_COLUMN: Final = 26
"""Where descriptions begin, where there is room for two columns."""
_ROOMY: Final = 60
"""The columns from which there is."""
_SHORT: Final = 4
"""The room for `-q, `."""
_VERBATIM: Final = "    "
"""What a line of the ending begins with that is not broken: a command line."""


class _Row(NamedTuple):
    """A command, an argument or a flag, with what it means and what is known about it."""

    label: str
    meaning: str
    facts: Mapping[str, str] = {}


def show_help(
    *command: Annotated[
        str, Parameter(allow_leading_hyphen=True, help="The command, as it is typed after tool; or a page, as page.md.")
    ],
) -> None:
    """Print the help of a command, or a page of the documentation.

    Examples:
      Show the help of a command in a group:
        tool help config show
      Print the page that lists all others:
        tool help README

    Documentation: tool help manual
    """
    names, nodes, rest = app.parse_commands(command)
    pages = {} if names else _pages()
    if len(rest) == 1 and (found := [pages[name] for name in pages if _is_called(name, rest[0])]):
        print_line(found[0].read_text("utf-8").rstrip())
        return
    if rest and not rest[0].startswith("-") and names_below(nodes[-1]):
        message, advice = unknown_command(rest[0], names, [page.stem for page in pages.values()])
        raise Stop(UsageError(message, " ".join(("tool", *names)), instead=advice))
    columns = shutil.get_terminal_size().columns
    print_line(help_text(names, columns))
    if pages:
        print_line("\n".join(("", *_wrapped(f"Pages: {', '.join(pages)}", _width(columns), "  "))))


def _pages() -> dict[str, Path]:
    """The pages by their paths: in an installation beside the package `cli`, in a clone in its folder `docs`."""
    installed, cloned = (Path(__file__).parents[up] / "docs" for up in (1, 2))
    docs = installed if installed.is_dir() else cloned
    pages = (page for folder in ("", "howto", "reference") for page in sorted((docs / folder).glob("*.md")))
    return {page.relative_to(docs).with_suffix("").as_posix(): page for page in pages}


def _is_called(page: str, asked: str) -> bool:
    """Whether a page is asked for, by its path or the last part of it."""
    return f"/docs/{page}".endswith(f"/{asked.removesuffix('.md')}")


def _width(columns: int) -> int:
    return min(max(NARROWEST, columns), WIDEST)


def help_text(names: Iterable[str], columns: int) -> str:
    """The help of a command. No line is wider than `columns`, which are kept from `NARROWEST` to `WIDEST`."""
    words, width = tuple(names), _width(columns)
    node = command_at(words)
    summary, ending = summary_and_ending(node)
    below = tuple(_Row(name, summary_and_ending(node[name])[0]) for name in names_below(node))
    parts = [
        _wrapped(summary, width),
        _wrapped(f"Usage: {usage_line(words)}", width, "       "),
        _table("Commands:", below, width),
        _table(
            "Arguments:", (_Row(_display(each), each.parameter.help, facts(each)) for each in positionals(node)), width
        ),
        *(_section(group, flags, width) for group, flags in flag_groups(node)),
        [line for each in ending.split("\n") for line in _ending(each, width) or [""]],
    ]
    return "\n\n".join("\n".join(part) for part in parts if part)


def summary_and_ending(node: App) -> tuple[str, str]:
    """The docstring of a command: its summary, and what its help ends with: examples, and a page."""
    summary, _, ending = cleandoc(node.help).partition("\n\n")
    return " ".join(summary.split()), ending


def usage_line(words: Iterable[str]) -> str:
    """How a command is typed."""
    node = command_at(words)
    rest = ("COMMAND",) if names_below(node) else map(_display, positionals(node))
    return " ".join(("tool", *words, "[OPTIONS]", *rest))


def positionals(node: App) -> list[Any]:
    """What a command takes besides flags."""
    return [each for each in _arguments(node) if not each.names[0].startswith("-")]


def flag_groups(node: App) -> list[tuple[Any, list[Any]]]:
    """The flags of a command by their groups, by rank; in the first, those with short names first."""
    flags = [each for each in _arguments(node) if each.names[0].startswith("-")]
    groups = {OPTIONS: [], **groupby(lambda each: each.parameter.group[-1], flags)}
    groups[OPTIONS].sort(key=lambda each: not short_name(each))
    return sorted(groups.items(), key=lambda item: item[0].sort_key)


def _arguments(node: App) -> list[Any]:
    every = () if names_below(node) else node.assemble_argument_collection(parse_docstring=True)
    return [each for each in every if each.show]


def short_name(argument: Any) -> str:
    """The name of one letter of a flag; empty if there is none."""
    return next((name for name in argument.names if not name.startswith("--")), "")


def takes_value(flag: Any) -> bool:
    """Whether a value follows a flag."""
    return not (flag.is_flag() or flag.negatives)


def value_label(argument: Any) -> str:
    """What a value is called: all that it can be, or a name."""
    return "|".join(argument.get_choices() or (argument.parameter.metavar or argument.names[0],))


def is_required(argument: Any) -> bool:
    """Whether an argument cannot be left out."""
    return bool(argument.parameter.required) or argument.field_info.required


def is_repeatable(argument: Any) -> bool:
    """Whether an argument can be given several times."""
    kind = argument.field_info.kind
    return kind is kind.VAR_POSITIONAL


def facts(argument: Any) -> dict[str, str]:
    """The default of an argument; of a setting also its variable (env) and its key, unless it is an answer."""
    setting, default = SETTING_OF.get(argument.names[0]), argument.field_info.default
    if setting is None:
        return {"default": default} if isinstance(default, str) else {}
    env = {"env": setting.variable} if argument.parameter.group[-1] != ANSWERS else {}
    key = {"key": setting.path} if argument.parameter.help == setting.meaning else {}
    return {"default": _default(setting), **env, **key}


def _default(setting: Setting) -> str:
    """The built-in value, as help names it."""
    return str(setting.default or "empty") if setting.type != "boolean" else str(setting.default).lower()


def _display(argument: Any) -> str:
    """An argument in a usage line: `[DROP]`, `ARCHIVE...`."""
    label = f"{value_label(argument)}{'...' if is_repeatable(argument) else ''}"
    return label if is_required(argument) else f"[{label}]"


def display_of(flag: Any) -> str:
    """A flag as help lists it: `--theme THEME`, `--cache, --no-cache`."""
    names = (flag.names[0], *flag.negatives)
    return f"{', '.join(names)}{f' {value_label(flag)}' if takes_value(flag) else ''}"


def _section(group: Any, flags: list[Any], width: int) -> list[str]:
    """A group of flags: its title, what holds for all of them, and a row for each."""
    intro = [*_wrapped(group.help, width, "  ", "  "), ""] if group.help else []
    rows = [_Row(_with_short(short_name(each), display_of(each)), each.parameter.help, facts(each)) for each in flags]
    own = [_Row(_with_short(short, name), text) for (name, short), text in OWN_FLAGS.items() if group == OPTIONS]
    title, *lines = _table(f"{group.name}:", (*rows, *own), width)
    return [title, *intro, *lines]


def _with_short(short: str, label: str) -> str:
    return f"{f'{short}, ' if short else '':{_SHORT}}{label}"


def _table(title: str, rows: Iterable[_Row], width: int) -> list[str]:
    """A title with its rows; empty without any."""
    lines = [line for row in rows for line in _lines(row, width)]
    return [title, *lines] if lines else []


def _lines(row: _Row, width: int) -> Iterator[str]:
    """A label with its meaning beside it, or below it if there is no room; the facts follow, none broken in two."""
    indent = _COLUMN if width >= _ROOMY else _SHORT
    unbroken = " ".join(f"[{name}:\0{text}]" for name, text in row.facts.items())
    lines = [text for part in (row.meaning, unbroken) for text in _wrapped(part, width, " " * indent, " " * indent)]
    head = f"  {row.label}"
    if lines and len(head) + 2 <= indent:
        lines[0] = head + lines[0][len(head) :]
    else:
        yield head
    yield from (line.replace("\0", " ") for line in lines)


def _ending(line: str, width: int) -> list[str]:
    indent = line[: len(line) - len(line.lstrip())]
    return [line] if line.startswith(_VERBATIM) else _wrapped(line, width, indent)


def _wrapped(text: str, width: int, indent: str = "", first: str = "") -> list[str]:
    return TextWrapper(
        width, initial_indent=first, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    ).wrap(text)
