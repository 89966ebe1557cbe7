"""Completion: print the completion script that cyclopts makes for a shell (`docs/reference/commands.md`)."""

import re
from typing import Annotated, Final, Literal, TypeAlias

from cyclopts import Parameter

from io_edges.cli.app import app
from io_edges.cli.flags import LogFlags
from io_edges.cli.session import RunConsole
from io_edges.report.console import print_line

Shell: TypeAlias = Literal["bash", "zsh", "fish"]
_BASH: Final = ("complete -F", "complete -o bashdefault -o default -F")
"""Where a function offers nothing, bash itself completes files and folders, and quotes the blanks in their names."""
_VALUE: Final = (re.compile(r"^( +'\*--[\w-]+)(\[.*\]:[\w-]+)(?=' )", re.MULTILINE), r"\1=\2:_files")
_WORD: Final = (re.compile(r"^( +'(?:\*-\w\[.*\]|(?:\d|\*):(?!.*->)).*)(?=' )", re.MULTILINE), r"\1:_files")
"""In zsh the same has to be asked for, after a flag, also behind `=`, and for an argument."""
_ZSH: Final = '[[ $funcstack[1] == _tool ]] && _cyclopts_tool "$@" || compdef _cyclopts_tool tool'
"""What the script does in zsh's path of functions, and if it is sourced."""


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
    """The script of cyclopts, but where that offers nothing it offers files and folders, as fish always does."""
    made = app.generate_completion(shell=shell)
    match shell:
        case "bash":
            return made.replace(*_BASH)
        case "zsh":
            for pattern, offered in (_VALUE, _WORD):
                made = pattern.sub(offered, made)
            return made + _ZSH
        case "fish":
            return made
