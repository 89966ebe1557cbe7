"""Fish: the completion script for fish 3 and later. It reads no file and runs nothing (`docs/manual.md`)."""

from collections.abc import Iterable, Iterator
from typing import Final

from docs.manual.command import FOLDERS, Argument, Command, Flag, Paths, brief

_HEAD = """\
# Completion of tool for fish, made from its command line by docs/generate.py.

# Print the command that has been typed so far, and the number of the argument that follows.
function __tool_position
    set -l command tool
    set -l position 1
    set -l flag no
    for word in (commandline -opc)[2..-1]
        if test $flag = yes
            set flag no
        else if string match -q -- '-*' $word
            contains -- "$command $word" $__tool_valued; and set flag yes
        else if contains -- "$command $word" $__tool_commands
            set command "$command $word"
        else
            set position (math $position + 1)
        end
    end
    echo $command
    echo $position
end

# Whether a command has been typed, and the argument at a position follows.
function __tool_at
    set -l typed (__tool_position)
    test "$typed[1]" = "$argv[1]"; or return 1
    not set -q argv[2]; or test $argv[2] = '*'; or test "$typed[2]" = $argv[2]
end

# Print the components that are here.
function __tool_components
    set -l folders FOLDERS
    string replace -r '.*/(.+)/$' '$1' -- $folders
end

complete -c tool -f
"""
_PATHS: Final[dict[Paths, str]] = {
    "none": "",
    "files": " -F",
    "folders": " -a '(__fish_complete_directories (commandline -ct))'",
}


def fish_script(commands: Iterable[Command]) -> str:
    """The completion script."""
    every = tuple(commands)
    valued = (
        f"{command.name} {name}" for command in every for flag in command.flags if flag.value for name in flag.names
    )
    lists = (("__tool_commands", (each.name for each in every[1:])), ("__tool_valued", valued))
    tables = "".join(f"set -g {name}{''.join(f' {_quoted(each)}' for each in entries)}\n" for name, entries in lists)
    lines = (line for command in every for line in _command(command))
    head = _HEAD.replace("FOLDERS", " ".join(f"{each}/*/" for each in FOLDERS))
    return head + tables + "\n" + "\n".join(lines) + "\n"


def _command(command: Command) -> Iterator[str]:
    at = f"complete -c tool -n \"__tool_at '{command.name}'\""
    for each in command.commands:
        yield f"{at} -a {each.words[-1]} -d {_quoted(brief(each.summary))}"
    for flag in command.flags:
        names = "".join(f" -l {name[2:]}" if name.startswith("--") else f" -s {name[1:]}" for name in flag.names)
        yield f"{at}{names}{_value(flag)} -d {_quoted(brief(flag.meaning))}"
        if flag.negative:
            yield f"{at} -l {flag.negative[2:]} -d {_quoted(brief(flag.meaning))}"
    for number, argument in enumerate(command.arguments, 1):
        yield from _argument(command.name, "*" if argument.is_repeatable else f"{number}", argument)


def _value(flag: Flag) -> str:
    """What a flag takes: words, paths, or any text."""
    if flag.value is None:
        return ""
    words = f" -a {_quoted(' '.join(flag.value.words))}" if flag.value.words else ""
    return f" -{'r' if flag.value.paths == 'files' else 'x'}{_PATHS[flag.value.paths]}{words}"


def _argument(command: str, position: str, argument: Argument) -> Iterator[str]:
    at = f"complete -c tool -n \"__tool_at '{command}' '{position}'\""
    words = _quoted(" ".join(("(__tool_components)" * argument.value.is_component, *argument.value.words)).strip())
    if argument.value.is_component:
        yield f"{at} -k -a {words}"
    elif argument.value.words:
        yield f"{at} -a {words}"
    if argument.value.paths != "none":
        yield f"{at}{_PATHS[argument.value.paths]}"


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
