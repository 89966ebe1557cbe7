"""Completion: print the completion script that cyclopts makes for a
shell (`docs/reference/commands.md`).
"""

import re
from typing import Annotated, Final, Literal, TypeAlias

from cyclopts import Parameter

from io_edges.cli.app import app, names_below
from io_edges.cli.flags import LogFlags
from io_edges.cli.session import RunConsole
from io_edges.report.console import print_line

_COMPGEN: Final = re.compile(r'COMPREPLY=\( \$\(compgen (-[fd]) -- "\$\{cur\}"\) \)')
_FILENAMES: Final = (
    r"""local IFS=$'\\n'; COMPREPLY=( $(compgen \1 -- "${cur}") ); """
    "compopt -o filenames 2>/dev/null"
)
_HELP: Final = {
    "bash": (
        r'("help"\)\n.*?else\n)( +)COMPREPLY=\(\)',
        r'\1\2COMPREPLY=( $(compgen -W "{names}" -- "${{cur}}") )',
    ),
    "zsh": (r"('\*)(:The command, as typed after tool\.)'", r"'1\2:({names})'"),
    "fish": (r"\Z", r"\ncomplete -c tool -n '__fish_tool_using_command help' -f -a '{names}'\n"),
}
"""For each shell, a pattern in the script of cyclopts, and a replacement that
completes `tool help`.
"""
Shell: TypeAlias = Literal["bash", "zsh", "fish"]


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

    Documentation: docs/reference/commands.md
    """
    console.set_verbosity(quiet=flags.quiet, verbose=flags.verbose)
    print_line(script_of(shell).rstrip())


def script_of(shell: Shell) -> str:
    """The script of cyclopts, which also completes the commands after `tool help`.

    In the script for bash, paths may have spaces, and folders end with a slash.
    """
    script = _COMPGEN.sub(_FILENAMES, app.generate_completion(shell=shell))
    place, text = _HELP[shell]
    return re.sub(
        place, text.format(names=" ".join(names_below(app))), script, count=1, flags=re.DOTALL
    )
