"""Describe: the commands as values, read as their help is."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from msgspec.structs import replace

from docs.manual.command import Argument, Command, Example, Flag, Paths, Section, ValueSpec
from io_edges.cli.app import command_at, names_below
from io_edges.cli.flags import OPTIONS
from io_edges.cli.help import (
    OWN_FLAGS,
    facts,
    flag_groups,
    is_repeatable,
    is_required,
    positionals,
    summary_and_ending,
    takes_value,
    usage_line,
)
from io_edges.report.codes import EXIT_CODES
from io_edges.report.explanations import CODES, WARNINGS
from pipeline.schema import AUTO, BUNDLED, NONE, SETTINGS

_PATHS: Final[dict[str, Paths]] = {
    "FILE": "files",
    "NAME": "folders",
    "THEME": "files",
    "PRESET": "files",
    "ARCHIVE|FOLDER": "files",
    "FOLDER": "folders",
    "DROP": "folders",
}
"""Which paths the value of a label may be."""
_WORDS: Final = {
    "THEME": (AUTO, NONE),
    "PRESET": tuple(BUNDLED),
}
"""Which words the value of a label may be, among others."""
_SUBJECTS: Final = (*(setting.path for setting in SETTINGS), "config", *WARNINGS, *EXIT_CODES, *map(str, CODES))
"""What `tool explain` takes besides components and archives."""
_LISTS: Final = {setting.flag for setting in SETTINGS if setting.type == "strings"}


def describe_all(*names: str) -> Iterator[Command]:
    """Describe a command, and all below it."""
    command = describe(*names)
    yield command
    for each in command.commands:
        yield from describe_all(*each.words[1:])


def describe(*names: str) -> Command:
    """Describe a command; of those below it, only name and summary."""
    node = command_at(names)
    summary, ending = summary_and_ending(node)
    examples, _, page = ending.partition("\n\n")
    return Command(
        words=("tool", *names),
        usage=usage_line(names),
        summary=summary,
        arguments=tuple(_argument(each, names) for each in positionals(node)),
        sections=tuple(_section(group, flags) for group, flags in flag_groups(node)),
        commands=tuple(
            Command(words=("tool", *names, name), summary=summary_and_ending(node[name])[0])
            for name in names_below(node)
        ),
        examples=tuple(_examples(examples.split("\n")[1:])),
        page=page.removeprefix("Documentation: "),
    )


def _examples(lines: list[str]) -> Iterator[Example]:
    for meaning, line in zip(lines[::2], lines[1::2], strict=True):
        yield Example(line.strip(), meaning.strip().removesuffix(":"))


def _argument(argument: Any, command: tuple[str, ...]) -> Argument:
    value = _value(argument)
    if value.is_component and command == ("explain",):
        value = replace(value, words=_SUBJECTS, paths="files")
    return Argument(
        value=value,
        meaning=argument.parameter.help,
        default=facts(argument).get("default", ""),
        is_required=is_required(argument),
        is_repeatable=is_repeatable(argument),
    )


def _section(group: Any, flags: Iterable[Any]) -> Section:
    own = (Flag(names=names, meaning=meaning) for names, meaning in OWN_FLAGS.items() if group == OPTIONS)
    return Section(group.name, (*map(_flag, flags), *own))


def _flag(argument: Any) -> Flag:
    negative = next(iter(argument.negatives), "")
    known = facts(argument)
    return Flag(
        names=tuple(each for each in argument.names if each != negative),
        negative=negative,
        meaning=argument.parameter.help,
        value=_value(argument) if takes_value(argument) else None,
        is_repeatable=argument.names[0] in _LISTS,
        default=known.get("default", ""),
        variable=known.get("env", ""),
        key=known.get("key", ""),
    )


def _value(argument: Any) -> ValueSpec:
    label, choices = argument.parameter.metavar or argument.names[0], argument.get_choices()
    words = choices or _WORDS.get(label, ())
    return ValueSpec(label, words, _PATHS.get(label, "none"), is_choice=bool(choices), is_component=label == "NAME")
