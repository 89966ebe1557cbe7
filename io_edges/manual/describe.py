"""Describe: the commands, read from the functions and flags that cyclopts parses them with."""

from collections.abc import Iterator
from functools import reduce
from typing import Any, Final

from cyclopts import App
from toolz import groupby

from io_edges.flags import ANSWERS, OPTIONS
from io_edges.manual.examples import EXAMPLES, PAGES
from io_edges.report.exit_codes import EXIT_CODES
from io_edges.report.explanations import CODES
from io_edges.report.warning_explanations import WARNING_EXPLANATIONS
from pipeline.config.presets import BUNDLED
from pipeline.manual.command import Argument, Command, Flag, Paths, Section, ValueSpec
from pipeline.schema import AUTO, LEAVES, NONE, Leaf

OWN: Final = (
    Flag(names=("--help", "-h"), meaning="Print this help."),
    Flag(names=("--version", "-V"), meaning="Print the version of tool."),
)
"""The flags that every command has."""
_PATHS: Final[dict[str, Paths]] = {
    "FILE": "files",
    "NAME": "files",
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
    "NAME": (*(leaf.path for leaf in LEAVES), "config", *EXIT_CODES, *WARNING_EXPLANATIONS, *map(str, CODES)),
}
"""Which words the value of a label may be, among others."""
_BY_FLAG: Final = {leaf.flag: leaf for leaf in LEAVES}


def describe_all(app: App, *names: str) -> Iterator[Command]:
    """Describe a command, and all below it."""
    command = describe(app, *names)
    yield command
    for each in command.commands:
        yield from describe_all(app, *each.words[1:])


def describe(app: App, *names: str) -> Command:
    """Describe a command; of those below it, only name and summary."""
    node = reduce(lambda inner, name: inner[name], names, app)
    words = ("tool", *names)
    below = names_below(node)
    every = () if below else node.assemble_argument_collection(parse_docstring=True)
    arguments = [each for each in every if each.show]
    return Command(
        words=words,
        summary=_summary(node),
        arguments=tuple(_argument(each) for each in arguments if _is_positional(each)),
        sections=tuple(_sections([each for each in arguments if not _is_positional(each)])),
        commands=tuple(Command(words=(*words, name), summary=_summary(node[name])) for name in below),
        examples=EXAMPLES.get(" ".join(words), ()),
        page=PAGES.get(" ".join(words), ""),
    )


def names_below(node: App) -> tuple[str, ...]:
    """The names of the commands of a group."""
    return tuple(name for name in node if not name.startswith("-")) if node.default_command is None else ()


def _summary(node: App) -> str:
    return f"{' '.join(node.help.partition(chr(10) * 2)[0].split()).removesuffix('.')}."


def _is_positional(argument: Any) -> bool:
    return not argument.names[0].startswith("-")


def _argument(argument: Any) -> Argument:
    kind, default = argument.field_info.kind, argument.field_info.default
    return Argument(
        _value(argument, argument.parameter.metavar or argument.names[0]),
        argument.parameter.help or "",
        default if isinstance(default, str) else "",
        is_required=bool(argument.parameter.required) or argument.field_info.required,
        is_repeatable=kind is kind.VAR_POSITIONAL,
    )


def _sections(arguments: list[Any]) -> Iterator[Section]:
    """The groups of flags, in the order of their rank; first those of the command itself."""
    groups = groupby(lambda each: each.parameter.group[-1], arguments)
    own = sorted(
        map(_flag, groups.pop(OPTIONS, ())), key=lambda flag: not flag.short
    )  # those that are typed most first
    yield Section(OPTIONS.name, (*own, *OWN))
    for group in sorted(groups, key=lambda group: group.sort_key):
        yield Section(group.name, tuple(map(_flag, groups[group])), group.help)


def _flag(argument: Any) -> Flag:
    """One flag; that of a setting has the key and, where they count, the variable and the default."""
    name, negatives, default = argument.names[0], argument.negatives, argument.field_info.default
    leaf = _BY_FLAG.get(name)
    return Flag(
        names=tuple(each for each in argument.names if each not in negatives),
        negative=negatives[0] if negatives else "",
        meaning=argument.parameter.help or "",
        value=None if argument.is_flag() or negatives else _value(argument, argument.parameter.metavar or "TEXT"),
        is_repeatable=bool(leaf and leaf.type == "strings"),
        default=_default(leaf) if leaf else default if isinstance(default, str) else "",
        variable=leaf.variable if leaf and argument.parameter.group[-1] != ANSWERS else "",
        key=leaf.path if leaf and argument.parameter.help == leaf.meaning else "",
    )


def _value(argument: Any, label: str) -> ValueSpec:
    choices = argument.get_choices()
    words = choices or _WORDS.get(label, ())
    return ValueSpec(label, words, _PATHS.get(label, "none"), is_choice=bool(choices))


def _default(leaf: Leaf) -> str:
    """The built-in value, as help names it."""
    match leaf.default:
        case str():
            return leaf.default
        case bool():
            return "true" if leaf.default else "false"
        case _:
            return "empty"
