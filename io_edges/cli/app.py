"""App: the commands, each in a module of its own, which is imported when it is called or its
help is printed.
"""

from collections.abc import Iterable
from functools import reduce
from typing import Final

from cyclopts import App, Parameter

from io_edges.cli.flags import OPTIONS

app = App(
    name="tool",
    help="""Build a project from the theme and module archives that you drop into a folder.

    Examples:
      Build the themes and modules in drop/ into the current folder:
        tool create drop
      Show the help of a command, as tool create --help does:
        tool help create

    Documentation: docs/README.md
    """,
    version_flags=("--version", "-V"),
    group_parameters=OPTIONS,
    # The last of several values wins; lists collect all.
    default_parameter=Parameter(allow_repeating=True),
    help_format="plaintext",  # in any other, `<name>` would be markup
    result_action="return_value",
)
config = App(
    name="config",
    help="""Show and check the configuration; build nothing.

    Examples:
      Show where every setting comes from:
        tool config show
      Check the configuration that a run would read:
        tool config validate

    Documentation: docs/configuration.md
    """,
    group_parameters=OPTIONS,
    sort_key=9,
)
_COMMANDS: Final[dict[str, str | App]] = {
    "create": "Build themes/<name> and modules/<name> from the archives in a folder.",
    "status": "Show what is built, and how it differs from the drop and the last build.",
    "diff": "Print the changes of the next run as a diff for git apply and patch -p1.",
    "patch": "Save your edits as patches, which every build applies.",
    "undo": "Undo the last run that changed the project.",
    "redo": "Reverse the last undo.",
    "log": "List the versions that can be built again, then the runs, the newest last.",
    "init": "Ask seven questions and write a configuration into the current folder.",
    "inspect": "Print what an archive or a component is, and why it is built or not.",
    "config": config,
    "completion": "Print the completion script of a shell.",
    "help": "Print the help of a command.",
}
_OF_CONFIG: Final[dict[str, str | App]] = {
    "show": "Print each setting, where it came from and what it overrode.",
    "validate": "Check the configuration and its presets, or the given files.",
    "schema": "Print the JSON Schema of a configuration.",
    "types": "Print the TypeScript declaration of the module tool.",
}
"""The first sentence of each command's docstring, so that lists of commands need no imports."""
for node, summaries in ((app, _COMMANDS), (config, _OF_CONFIG)):
    for rank, (name, summary) in enumerate(summaries.items()):
        if isinstance(summary, App):
            node.command(summary)
        else:
            function = name
            if name == "help":
                function = "show_help"
            node.command(f"io_edges.cli.{name}:{function}", name=name, help=summary, sort_key=rank)
for node in (app, config):
    node["--help"].group = (OPTIONS,)
    node["--version"].group = (OPTIONS,)


def command_at(names: Iterable[str]) -> App:
    """The command, or the group of commands, with these names."""
    return reduce(lambda node, name: node[name], names, app)


def names_below(node: App) -> tuple[str, ...]:
    """The names of the commands of a group; a command has none."""
    if node.default_command:
        return ()
    return tuple(name for name in node if not name.startswith("-"))
