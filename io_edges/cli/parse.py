"""Parse: which command a command line runs, and with what.

Before it looks at the command line, cyclopts describes every parameter of the command, at 0.2 ms each, and a command
has up to 30. So it is given the command with those flags alone that stand on the command line. What it refuses is
parsed again with all of them: an unusual spelling of a flag, and everything that is wrong.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import Field, fields
from inspect import BoundArguments, Parameter, Signature, signature
from typing import Any, TypeAlias, get_args

from cyclopts import App, CycloptsError

from io_edges.cli.app import app
from io_edges.flags import OPTIONS, Flags

Parsed: TypeAlias = tuple[Callable[..., None], BoundArguments, Mapping[str, Any]]
"""A command, what it is called with, and the names of what the command line does not give."""


def parse(tokens: Sequence[str], commands: App = app) -> Parsed:
    """Parse a command line. Raises `CycloptsError` if it is wrong."""
    _, nodes, rest = commands.parse_commands(tokens)
    if command := nodes[-1].default_command:
        alone = App(default_parameter=app.default_parameter, group_parameters=OPTIONS, help_flags=(), version_flags=())
        alone.default(_with_flags_among(rest, command))
        with suppress(CycloptsError):
            return alone.parse_args(rest, exit_on_error=False, print_error=False)
    return commands.parse_args(tokens, exit_on_error=False, print_error=False)


def _with_flags_among(tokens: Sequence[str], command: Callable[..., None]) -> Callable[..., None]:
    """A command, as one that takes of its flags those alone that are among the tokens, each by itself."""
    bundles = {name: kind for name, each in signature(command).parameters.items() if (kind := _bundle(each))}
    parameters = tuple(_parameters(command, {token.partition("=")[0] for token in tokens}))

    def lean(*positional: object, **keywords: object) -> None:
        for name, kind in bundles.items():
            keywords[name] = kind(
                **{each.name: keywords.pop(each.name) for each in fields(kind) if each.name in keywords}
            )
        command(*positional, **keywords)

    lean.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    lean.__annotations__ = {each.name: each.annotation for each in parameters}
    return lean


def _parameters(command: Callable[..., None], words: Collection[str]) -> Iterator[Parameter]:
    """The parameters of a command, in place of each bundle of flags those that are among the words."""
    for each in signature(command).parameters.values():
        if kind := _bundle(each):
            for field in fields(kind):
                if not _spellings(field).isdisjoint(words):
                    yield Parameter(field.name, Parameter.KEYWORD_ONLY, default=field.default, annotation=field.type)
        else:
            yield each


def _bundle(parameter: Parameter) -> Any:
    """The dataclass of a parameter that stands for several flags; `None` for any other."""
    kind = next(iter(get_args(parameter.annotation)), None)
    return kind if isinstance(kind, type) and issubclass(kind, Flags) else None


def _spellings(field: Field[object]) -> set[str]:
    """How a flag is usually spelled."""
    spellings = {f"--{field.name.replace('_', '-')}"}
    for each in getattr(field.type, "__metadata__", ()):
        spellings.update(each.name or (), each.alias or (), each.negative or ())
    return spellings
