"""App: the commands, each in a module of its own, which is imported when it is called or its help is printed."""

from collections.abc import Iterable
from functools import reduce

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

    Documentation: tool help README
    """,
    version_flags=("--version", "-V"),
    group_parameters=OPTIONS,
    default_parameter=Parameter(allow_repeating=True),  # of one value the last wins; lists collect all
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

    Documentation: tool help configuration
    """,
    group_parameters=OPTIONS,
    sort_key=9,
)
for rank, name in enumerate(("create", "status", "diff", "patch", "undo", "log", "init", "inspect", "explain")):
    app.command(f"io_edges.cli.{name}:{name}", sort_key=rank)
app.command(config)
app.command("io_edges.cli.completion:completion", sort_key=10)
app.command("io_edges.cli.help:show_help", name="help", sort_key=11)
for rank, name in enumerate(("show", "validate", "schema", "types")):
    config.command(f"io_edges.cli.{name}:{name}", sort_key=rank)
for each in (app, config):
    each["--help"].group = each["--version"].group = (OPTIONS,)


def command_at(names: Iterable[str]) -> App:
    """The command, or the group of commands, of that name."""
    return reduce(lambda node, name: node[name], names, app)


def names_below(node: App) -> tuple[str, ...]:
    """The names of the commands of a group; a command has none."""
    return tuple(name for name in node if not name.startswith("-")) if node.default_command is None else ()
