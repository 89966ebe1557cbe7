"""Bash: the completion script for bash 3.2 and later. It reads no file and runs nothing (`docs/manual.md`)."""

from collections.abc import Iterable, Iterator

from toolz import groupby, unique

from docs.manual.command import FOLDERS, Command, ValueSpec

_HEAD = """\
# Completion of tool for bash, made from its command line by docs/generate.py.

# Set what follows a command: the commands below it, its flags, and those of them that take a value.
_tool_command() {
    commands='' flags='' valued=''
    case $1 in
"""
_VALUES = """\
    esac
}

# Set what a value may be: of a flag, or of the argument at a position.
_tool_value() {
    choices='' paths=none components=no
    case $1 in
"""
_TAIL = """\
    esac
}

_tool() {
    local current=${COMP_WORDS[COMP_CWORD]} command=tool flag='' position=1 options=yes
    local commands flags valued choices='' paths=none components=no word i
    _tool_command "$command"
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ $word == '=' ]]; then
            continue # between a flag and its value, which are words of their own
        elif [[ -n $flag ]]; then
            flag=''
        elif [[ $options == yes && $word == '--' ]]; then
            options=no
        elif [[ $options == yes && $word == -* ]]; then
            [[ " $valued " == *" $word "* ]] && flag=$word
        elif [[ " $commands " == *" $word "* ]]; then
            command+=" $word"
            _tool_command "$command"
        else
            ((position++))
        fi
    done
    [[ $current == '=' ]] && current=''
    if [[ -n $flag ]]; then
        _tool_value "$command $flag"
    elif [[ $options == yes && $current == -* ]]; then
        choices=$flags
    elif [[ -n $commands ]]; then
        choices=$commands
    else
        _tool_value "$command $position"
    fi
    COMPREPLY=()
    if [[ $components == yes ]]; then
        compopt -o nosort 2> /dev/null # since bash 4.4
        for word in FOLDERS; do
            word=${word%/} word=${word##*/}
            [[ $word == "$current"* && $word != *[!A-Za-z0-9_.-]* ]] && COMPREPLY+=("$word")
        done
    fi
    if [[ $components == yes && $paths == files && -n $current ]]; then
        compopt -o filenames 2> /dev/null # beside the words, as some begin like files
        while IFS= read -r word; do
            COMPREPLY+=("$word")
        done < <(compgen -f -- "$current")
    fi
    while IFS= read -r word; do
        COMPREPLY+=("$word")
    done < <(compgen -W "$choices" -- "$current")
    # Where nothing else matches, readline completes paths; bash 3.2 cannot be told which.
    case $paths in
        folders) compopt -o dirnames +o default +o bashdefault ;;
        none) compopt +o default +o bashdefault ;;
    esac 2> /dev/null
}

complete -o bashdefault -o default -F _tool tool
"""


def bash_script(commands: Iterable[Command]) -> str:
    """The completion script."""
    every = tuple(commands)
    return "".join((_HEAD, *map(_command, every), _VALUES, *_values(every), _TAIL)).replace(
        "FOLDERS", " ".join(f"{each}/*/" for each in FOLDERS)
    )


def _command(command: Command) -> str:
    flags = [name for flag in command.flags for name in flag.spellings]
    valued = [name for flag in command.flags if flag.value for name in flag.names]
    below = [each.words[-1] for each in command.commands]
    lists = (("commands", below), ("flags", flags), ("valued", valued))
    lines = "".join(f"            {name}='{' '.join(words)}'\n" for name, words in lists if words)
    return f"        '{command.name}')\n{lines}            ;;\n"


def _values(commands: tuple[Command, ...]) -> Iterator[str]:
    """A case for each different value, with the flags and arguments that take it."""
    places = [*_flag_places(commands), *_argument_places(commands)]
    offered = groupby(lambda each: (each[1].words, each[1].paths, each[1].is_component), places)
    for (words, paths, is_component), group in offered.items():
        if words or paths != "none":
            patterns = " | ".join(unique(pattern for pattern, _ in group))
            choices = f"            choices='{' '.join(words)}'\n" if words else ""
            choices += "            components=yes\n" if is_component else ""
            yield f"        {patterns})\n{choices}            paths={paths}\n            ;;\n"


def _flag_places(commands: tuple[Command, ...]) -> Iterator[tuple[str, ValueSpec]]:
    """A pattern for each flag that takes a value: one for all commands, unless it takes something else in one."""
    taken = [(each.name, name, flag.value) for each in commands for flag in each.flags for name in flag.names]
    for command, name, value in taken:
        if value:
            is_same = all(other == value for _, flag, other in taken if flag == name)
            yield (f"*' {name}'" if is_same else f"'{command} {name}'"), value


def _argument_places(commands: tuple[Command, ...]) -> Iterator[tuple[str, ValueSpec]]:
    """A pattern for each argument, by its position."""
    for command in commands:
        for number, argument in enumerate(command.arguments, 1):
            yield f"'{command.name} '{'[0-9]*' if argument.is_repeatable else number}", argument.value
