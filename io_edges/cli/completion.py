"""Completion: print the completion script that cyclopts makes for a shell (`docs/reference/commands.md`)."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Final, Literal, TypeAlias

from cyclopts import Parameter

from io_edges.cli.app import app, names_below
from io_edges.cli.flags import LogFlags
from io_edges.cli.help import pages
from io_edges.cli.session import RunConsole
from io_edges.report.console import print_line
from pipeline.schema import BUNDLED, SETTINGS

Shell: TypeAlias = Literal["bash", "zsh", "fish"]
_VALUE: Final = (re.compile(r"^( +'\*--[\w-]+)(\[.*\]:[\w-]+)(?=' )", re.MULTILINE), r"\1=\2:_files")
_WORD: Final = (re.compile(r"^( +'(?:\*-\w\[.*\]|(?:\d|\*):(?!.*->)).*)(?=' )", re.MULTILINE), r"\1:_files")
"""In zsh, files have to be asked for, after a flag, also behind `=`, and for an argument."""
_BASH: Final = """
_tool_more() {{
  local cur="${{COMP_WORDS[COMP_CWORD]}}" prev="${{COMP_WORDS[COMP_CWORD-1]}}" offered
  [[ $cur == = ]] && cur=
  [[ $prev == = ]] && prev="${{COMP_WORDS[COMP_CWORD-2]}}"
  _tool
  [[ $cur == -* ]] && return
  case $prev in
    {folders}) compopt +o bashdefault +o default -o dirnames ;;
    {words}
  esac
  [[ $offered ]] && COMPREPLY=($(compgen -W "$offered" -- "$cur"))
}}
complete -o bashdefault -o default -F _tool_more tool
"""
"""Where the function offers nothing, bash itself completes files or folders, and quotes the blanks in their names."""
_ZSH: Final = """
_tool_more() {{
  local before=$words[CURRENT-1]
  local -a offered
  [[ $PREFIX == --*=* ]] && before=${{PREFIX%%=*}}
  case $before in
    ({folders}) [[ $PREFIX == --*=* ]] && compset -P '*='; [[ $PREFIX == -* ]] || {{ _files -/; return }} ;;
    {words}
  esac
  if (( $#offered )) && [[ $PREFIX != -* || $PREFIX == *=* ]]; then
    [[ $PREFIX == --*=* ]] && compset -P '*='
    compadd -a offered
    _files
  else
    _cyclopts_tool "$@"
  fi
}}
[[ $funcstack[1] == _tool ]] && _tool_more "$@" || compdef _tool_more tool
"""
"""The last line is for both ways to load the script: from zsh's path of functions, and sourced."""
_USING: Final = "complete -c tool -n '__fish_tool_using_command {}' {}"


def completion(
    shell: Annotated[Shell, Parameter(help="The shell that loads the script.")],
    /,
    *,
    flags: LogFlags = LogFlags(),
    console: RunConsole,
) -> None:
    """Print the completion script of a shell.

    Examples:
      Install the script for bash:
        tool completion bash > ~/.local/share/bash-completion/completions/tool
      Install the script for fish:
        tool completion fish > ~/.config/fish/completions/tool.fish

    Documentation: tool help reference/commands
    """
    console.listen(quiet=flags.quiet, verbose=flags.verbose)
    print_line(script(shell).rstrip())


def script(shell: Shell) -> str:
    """The script of cyclopts, which also offers presets, settings, pages and, where only a folder fits, folders."""
    made, folders, offered = app.generate_completion(shell=shell), tuple(_before_folders()), _offered()
    match shell:
        case "bash":
            words = "\n    ".join(f"{word}) offered='{' '.join(names)}' ;;" for word, names in offered.items())
            return made + _BASH.format(folders="|".join(folders), words=words)
        case "zsh":
            for pattern, replacement in (_VALUE, _WORD):
                made = pattern.sub(replacement, made)
            words = "\n    ".join(f"({word}) offered=({' '.join(names)}) ;;" for word, names in offered.items())
            return made + _ZSH.format(folders="|".join(folders), words=words)
        case "fish":
            return "\n".join((made, *_fish(folders, offered), ""))


def _fish(folders: Iterable[str], offered: Mapping[str, Iterable[str]]) -> Iterator[str]:
    """The lines for fish; an argument of a command with a drop is a folder, too: a component."""
    for word in folders:
        if not word.startswith("-"):
            yield _USING.format(word, "-f -a '(__fish_complete_directories)'")
        else:
            option = f"-l {word[2:]}" if word.startswith("--") else f"-s {word[1:]}"
            yield f"complete -c tool {option} -x -a '(__fish_complete_directories)'"
    for word, names in offered.items():
        of_flag = f"complete -c tool -l {word[2:]} -r -a '{' '.join(names)}'"
        yield of_flag if word.startswith("-") else _USING.format(word, f"-a '{' '.join(names)}'")


def _before_folders() -> Iterator[str]:
    """The flags and the commands after which a folder is typed."""
    commands = [name for name in names_below(app) if not names_below(app[name])]
    arguments = [(name, each) for name in commands for each in app[name].assemble_argument_collection()]
    yield from dict.fromkeys(name for name, each in arguments if each.index == 0 and each.name == "DROP")
    yield from dict.fromkeys(flag for _, each in arguments if each.parameter.metavar == "FOLDER" for flag in each.names)


def _offered() -> dict[str, tuple[str, ...]]:
    """The words that are offered behind a word, beside files."""
    return {
        "explain": tuple(setting.path for setting in SETTINGS),
        "help": (*names_below(app), *pages()),
        "--preset": tuple(BUNDLED),
    }
