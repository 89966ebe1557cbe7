"""Man: the man page `tool(1)`, in the macros of man(7) (`docs/manual.md`)."""

from collections.abc import Iterable, Iterator, Mapping

from docs.manual.command import Argument, Command, Flag


def man_page(commands: Iterable[Command], files: Mapping[str, str], codes: Mapping[int, str], version: str) -> str:
    """The page: of the first command name, summary and examples, then every command, and each setting once.

    `files` are names of files and variables with what they are for, `codes` what each exit code says.
    """
    root, *others = commands
    settings = {flag.key: flag for command in others for flag in command.flags if flag.key and flag.variable}
    lines = (
        f'.TH TOOL 1 "" "tool {_text(version)}" "tool"',
        ".nh",  # no word is broken in two
        ".ad l",
        ".SH NAME",
        _text(f"{root.name} - {root.summary.removesuffix('.')}"),
        ".SH SYNOPSIS",
        _text(root.usage),
        ".SH COMMANDS",
        *(line for command in others for line in _command(command, root)),
        ".SH OPTIONS",
        "Every command takes:",
        *(line for flag in root.flags for line in _flag(flag)),
        ".SH SETTINGS",
        "What each flag sets can also be set by its variable (env), by its key in a configuration, and by a preset.",
        *(line for flag in settings.values() for line in _flag(flag)),
        ".SH FILES AND VARIABLES",
        *(line for name, meaning in files.items() for line in _item(name, meaning)),
        ".SH EXIT STATUS",
        *(line for code, meaning in codes.items() for line in _item(str(code), meaning)),
        ".SH SEE ALSO",
        _text(root.page),
    )
    return "\n".join(lines) + "\n"


def _command(command: Command, root: Command) -> Iterator[str]:
    """A command with its own flags; those of every command and of settings are told of once."""
    yield f".SS {_text(command.usage)}"
    yield _text(command.summary)
    for argument in command.arguments:
        yield from _item(_argument(argument), argument.meaning)
    for flag in command.flags:
        if flag not in root.flags and not (flag.key and flag.variable):
            yield from _flag(flag)
    if any(flag.key and flag.variable for flag in command.flags):
        yield from (".PP", _text("It takes the flags of the settings below, too."))
    for example in command.examples:
        yield from (".PP", _text(f"{example.meaning}:"), ".PP", ".RS 4", _text(example.line), ".RE")


def _argument(argument: Argument) -> str:
    return argument.display + (f" [default: {argument.default}]" if argument.default else "")


def _flag(flag: Flag) -> Iterator[str]:
    head = f"{flag.short}, {flag.display}" if flag.short else flag.display
    yield from _item(head, " ".join((flag.meaning, *flag.facts)))


def _item(head: str, text: str) -> tuple[str, ...]:
    return ".TP", f".B {_text(head)}", _text(text)


def _text(text: str) -> str:
    """Text that no macro is seen in."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped
