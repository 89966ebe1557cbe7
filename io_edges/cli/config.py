"""Config: the list of the commands below `tool config`."""

from cyclopts import App

from io_edges.flags import OPTIONS

config = App(name="config", help="Look at the configuration; build nothing.", group_parameters=OPTIONS)
config.command("io_edges.cli.show:show")
config.command("io_edges.cli.validate:validate")
config.command("io_edges.cli.diff:diff")
config.command("io_edges.cli.migrate:migrate")
config.command("io_edges.cli.schema:schema")
config.command("io_edges.cli.types:types")
