"""Zsh: the completion script for zsh. It reads no file and runs nothing (`docs/manual.md`)."""

from collections.abc import Iterable, Iterator
from typing import Final

from docs.manual.command import FOLDERS, Argument, Command, Flag, Paths, ValueSpec, brief

_HEAD = """\
#compdef tool
# Completion of tool for zsh, made from its command line by docs/generate.py.

# Complete words, or a file.
_tool_word_or_file() {
  _alternative "words:word:($*)" 'files:file:_files'
}

# Complete the components that are here, then words in their order, then paths of a kind.
_tool_component() {
  local kind=$1 shown=1
  shift
  local -a components=(FOLDERS)
  compadd -V components -a components && shown=0
  compadd -V words -- "$@" && shown=0
  _files $kind && shown=0
  return shown
}
"""
_TAIL = """
if [[ $funcstack[1] == _tool ]]; then
  _tool "$@"
else
  compdef _tool tool
fi
"""
_PATHS: Final[dict[Paths, str]] = {"none": " ", "files": "_files", "folders": "_files -/"}


def zsh_script(commands: Iterable[Command]) -> str:
    """The completion script: a function for each command."""
    every = tuple(commands)
    functions = (_group(each) if each.commands else _setting(each) for each in reversed(every))
    head = _HEAD.replace("FOLDERS", " ".join(f"{each}/*(N-/:t)" for each in FOLDERS))
    return "\n".join((head, *functions)) + _TAIL


def _function(command: Command) -> str:
    return f"_{'_'.join(command.words)}"


def _setting(command: Command) -> str:
    last = len(command.arguments)
    arguments = (_argument(number, each, is_last=number == last) for number, each in enumerate(command.arguments, 1))
    specs = (*_flags(command), *arguments)
    return f"{_function(command)}() {{\n  _arguments -s -S{_lines(specs)}\n}}\n"


def _group(command: Command) -> str:
    """A group: its flags, then one of its commands, which completes the rest."""
    name = _function(command)
    described = _lines(_quoted(f"{each.words[-1]}:{_escaped(brief(each.summary))}") for each in command.commands)
    cases = "\n".join(f"      {each.words[-1]}) {_function(each)} ;;" for each in command.commands)
    specs = _lines((*_flags(command), _quoted(f"1:command:{name}_names"), _quoted("*::argument:->rest")))
    return f"""\
{name}_names() {{
  local -a commands=({described.replace(chr(92), "")}
  )
  _describe -t commands command commands
}}

{name}() {{
  local curcontext=$curcontext state
  local -a line
  typeset -A opt_args
  _arguments -C -s -S{specs} && return
  [[ $state == rest ]] || return 1
  case $words[1] in
{cases}
  esac
}}
"""


def _lines(specs: Iterable[str]) -> str:
    return "".join(f" \\\n    {spec}" for spec in specs)


def _flags(command: Command) -> Iterator[str]:
    """The flags; two that exclude one another are offered until one is there."""
    for flag in command.flags:
        others = "- *" if flag.names[0] in {"--help", "--version"} else " ".join(flag.spellings)
        excluded = "*" if flag.is_repeatable else f"({others})"
        text = f"[{_escaped(brief(flag.meaning))}]{_taken(flag)}"
        for name in flag.spellings:
            yield _quoted(f"{excluded}{name}{'=' if flag.value and name.startswith('--') else ''}{text}")


def _taken(flag: Flag) -> str:
    return f":{'value' if flag.value.is_choice else flag.value.label}:{_action(flag.value)}" if flag.value else ""


def _argument(number: int, argument: Argument, *, is_last: bool) -> str:
    """An argument; one that may be left out is not said to be, if that would have the next one offered, too."""
    place = "*" if argument.is_repeatable else f"{number}:" if is_last and not argument.is_required else number
    return _quoted(f"{place}:{_escaped(argument.value.display)}:{_action(argument.value)}")


def _action(value: ValueSpec) -> str:
    """What completes a value: words, paths, or both."""
    words = " ".join(value.words)
    if value.is_component:
        return f" _tool_component {'-/' if value.paths == 'folders' else '-f'} {words}".rstrip()
    if value.words and value.paths != "none":
        return f" _tool_word_or_file {words}"
    return f"({words})" if words else _PATHS[value.paths]


def _escaped(text: str) -> str:
    """Text inside a specification."""
    for char in "\\[]:":
        text = text.replace(char, f"\\{char}")
    return text


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
