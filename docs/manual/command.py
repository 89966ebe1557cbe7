"""Command: one command of the command line as a value, from which man page and completion are made."""

import re
from collections.abc import Iterable
from typing import Literal, TypeAlias

from msgspec import Struct, structs

Paths: TypeAlias = Literal["none", "files", "folders"]

FOLDERS = (
    *("modules", "themes", "wp-content/plugins", "wp-content/themes"),
    *(f"{root}{kind}/contrib" for root in ("", "web/", "docroot/") for kind in ("modules", "themes")),
)
"""Where the components may be that completion offers: in a project, WordPress and Drupal."""
_BRIEF = 100
"""The most characters of a description in a list of completions."""


class ValueSpec(Struct, frozen=True):
    """What a flag or an argument takes: what the help calls it, and what completion offers."""

    label: str
    words: tuple[str, ...] = ()
    paths: Paths = "none"
    is_choice: bool = False
    """Whether it must be one of the words."""
    is_component: bool = False
    """Whether it may be the name of a component, which are offered first, and the words in their order."""

    @property
    def display(self) -> str:
        """The value in a usage line: its name, or every choice."""
        return "|".join(self.words) if self.is_choice else self.label


class Argument(Struct, frozen=True):
    """What a command takes besides flags."""

    value: ValueSpec
    meaning: str
    default: str = ""
    is_required: bool = False
    is_repeatable: bool = False

    @property
    def display(self) -> str:
        """The argument in a usage line: `[DROP]`, `ARCHIVE...`."""
        label = f"{self.value.display}{'...' if self.is_repeatable else ''}"
        return label if self.is_required else f"[{label}]"


class Flag(Struct, frozen=True, kw_only=True):
    """One flag. `names` has the long name first; `negative` sets a boolean to false."""

    names: tuple[str, ...]
    meaning: str
    negative: str = ""
    value: ValueSpec | None = None
    is_repeatable: bool = False
    default: str = ""
    variable: str = ""
    key: str = ""
    """The path of the setting in a configuration."""

    @property
    def short(self) -> str:
        """The name of one letter; empty if there is none."""
        return self.names[1] if self.names[1:] else ""

    @property
    def display(self) -> str:
        """The flag as help lists it: `--theme THEME`, `--cache, --no-cache`."""
        return f"{self.names[0]}{f', {self.negative}' if self.negative else ''}" + (
            f" {self.value.display}" if self.value else ""
        )

    @property
    def facts(self) -> tuple[str, ...]:
        """The default, the variable and the key, each in brackets."""
        pairs = (("default", self.default), ("env", self.variable), ("key", self.key))
        return tuple(f"[{name}: {text}]" for name, text in pairs if text)

    @property
    def spellings(self) -> tuple[str, ...]:
        """Every name."""
        return (*self.names, self.negative) if self.negative else self.names


class Section(Struct, frozen=True):
    """Flags that belong together."""

    title: str
    flags: tuple[Flag, ...]


class Example(Struct, frozen=True):
    """A command line as it is typed, and what it does."""

    line: str
    meaning: str


class Command(Struct, frozen=True, kw_only=True):
    """One command, or a group of them; `words` begin with `tool`."""

    words: tuple[str, ...]
    summary: str
    usage: str = ""
    arguments: tuple[Argument, ...] = ()
    sections: tuple[Section, ...] = ()
    commands: tuple["Command", ...] = ()
    """Those of a group, each with its name and summary alone."""
    examples: tuple[Example, ...] = ()
    page: str = ""
    """The page of the documentation, in the repository."""

    @property
    def name(self) -> str:
        """The command as it is typed."""
        return " ".join(self.words)

    @property
    def flags(self) -> tuple[Flag, ...]:
        """The flags of every section."""
        return tuple(flag for section in self.sections for flag in section.flags)


def with_help_of(commands: Iterable[Command]) -> tuple[Command, ...]:
    """The commands as they are typed: what follows `tool help` are the others again, without their own flags.

    The first is `tool` itself, as in `docs.manual.describe`.
    """
    every = tuple(commands)
    words = (*every[0].words, "help")
    (command,) = (each for each in every if each.words == words)
    others = tuple(each for each in every if each is not command)
    return others + tuple(
        structs.replace(
            _moved(each, words),
            sections=command.sections,
            arguments=(),
            commands=tuple(_moved(below, words) for below in each.commands if below.words != words),
        )
        for each in others
    )


def _moved(command: Command, words: tuple[str, ...]) -> Command:
    return structs.replace(command, words=(*words, *command.words[1:]))


def brief(text: str) -> str:
    """The first sentence of a description without backticks, no longer than a list of completions has room for."""
    sentence = re.split(r"\.(?: |$)", text.replace("`", ""), maxsplit=1)[0]
    return sentence if len(sentence) <= _BRIEF else f"{sentence[: sentence.rindex(' ', 0, _BRIEF)]}…"
