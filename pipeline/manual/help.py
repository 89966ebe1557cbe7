"""Help: what `--help` prints about a command: pure text, laid out in a width (`docs/manual.md`)."""

from collections.abc import Iterator
from textwrap import TextWrapper
from typing import Final

from pipeline.manual.command import Argument, Command, Flag, Section

NARROWEST: Final = 40
WIDEST: Final = 100
"""The fewest and the most columns that help is laid out in."""
_COLUMN: Final = 26
"""Where descriptions begin, where there is room for two columns."""
_ROOMY: Final = 60
"""The columns from which there is."""
_SHORT: Final = 4
"""The room for `-q, `."""


def help_text(command: Command, columns: int) -> str:
    """The help of a command. No line is wider than `columns`, which are kept from `NARROWEST` to `WIDEST`."""
    width = min(max(NARROWEST, columns), WIDEST)
    parts = [
        _wrapped(command.summary, width),
        _wrapped(f"Usage: {command.usage}", width, "       "),
        _commands(command, width),
        _arguments(command.arguments, width),
        *(_section(section, width) for section in command.sections),
        _examples(command, width),
        _wrapped(f"Documentation: {command.page} in the repository of tool", width) if command.page else [],
    ]
    return "\n\n".join("\n".join(part) for part in parts if part)


def _commands(command: Command, width: int) -> list[str]:
    rows = [(each.words[-1], each.summary) for each in command.commands]
    return ["Commands:", *(line for row in rows for line in _row(*row, (), width))] if rows else []


def _arguments(arguments: tuple[Argument, ...], width: int) -> list[str]:
    lines = [
        line
        for each in arguments
        for line in _row(each.display, each.meaning, (f"[default: {each.default}]",) if each.default else (), width)
    ]
    return ["Arguments:", *lines] if lines else []


def _section(section: Section, width: int) -> list[str]:
    intro = [*_wrapped(section.intro, width, "  ", "  "), ""] if section.intro else []
    return [f"{section.title}:", *intro, *(line for flag in section.flags for line in _flag(flag, width))]


def _flag(flag: Flag, width: int) -> Iterator[str]:
    short = f"{flag.short}, " if flag.short else ""
    yield from _row(short.ljust(_SHORT) + flag.display, flag.meaning, flag.facts, width)


def _row(label: str, meaning: str, facts: tuple[str, ...], width: int) -> Iterator[str]:
    """A label with its meaning beside it, or below it if there is no room; the facts follow, none broken in two."""
    indent = _COLUMN if width >= _ROOMY else _SHORT
    unbroken = " ".join(fact.replace(" ", "\0") for fact in facts)
    lines = [text for part in (meaning, unbroken) for text in _wrapped(part, width, " " * indent, " " * indent)]
    lines = [line.replace("\0", " ") for line in lines]
    head = f"  {label}"
    if lines and len(head) + 2 <= indent:
        yield head + lines.pop(0)[len(head) :]
    else:
        yield head
    yield from lines


def _examples(command: Command, width: int) -> list[str]:
    """Each example below what it does."""
    lines = [
        line
        for each in command.examples
        for line in (*_wrapped(f"{each.meaning}:", width, "  ", "  "), f"    {each.line}")
    ]
    return ["Examples:", *lines] if lines else []


def _wrapped(text: str, width: int, indent: str = "", first: str = "") -> list[str]:
    return TextWrapper(
        width, initial_indent=first, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    ).wrap(text)
