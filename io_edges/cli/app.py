"""App: the list of commands. `main` parses and runs one of them; cyclopts imports it then, which saves 3 ms."""

from cyclopts import App, Parameter

from io_edges.flags import OPTIONS

app = App(
    name="tool",
    help="Builds a project from the theme and module archives that you drop into a folder.",
    version_flags=("--version", "-V"),
    group_parameters=OPTIONS,
    default_parameter=Parameter(allow_repeating=True),  # of one value the last wins; lists collect all
    result_action="return_value",
)
app.command("io_edges.cli.create:create")
app.command("io_edges.cli.status:status")
app.command("io_edges.cli.init:init")
app.command("io_edges.cli.inspect:inspect")
app.command("io_edges.cli.explain:explain")
app.command("io_edges.cli.config:config", help="Look at the configuration; build nothing.")
app.command("io_edges.cli.completion:completion")
app.command("io_edges.cli.help:show_help", name="help")
