"""The command line, `tool config`: each command that looks at the configuration, with what it takes."""

from typing import Annotated

from cyclopts import App, Parameter

from io_edges.cli import register, request_of
from io_edges.flag_values import not_empty
from io_edges.flags import OPTIONS, DiffFlags, MigrateFlags, SettingFlags, ShowFlags, ValidateFlags
from io_edges.report.console import Console

config = App(name="config", help="Look at the configuration; build nothing.", group_parameters=OPTIONS)


@register(config)
def show(
    drop: Annotated[str, Parameter(validator=not_empty)] = ".",
    /,
    *,
    flags: Annotated[ShowFlags, Parameter(name="*")] = ShowFlags(),  # noqa: B008 - frozen
    settings: Annotated[SettingFlags, Parameter(name="*")] = SettingFlags(),  # noqa: B008 - frozen
    console: Annotated[Console, Parameter(parse=False)],
) -> None:
    """Print every setting, where it came from and what it overrode.

    Parameters
    ----------
    drop
        The folder with the archives that are on the page of --html.
    """
    request = request_of(flags, settings, console)
    if flags.html is None:
        from io_edges.commands.config import show

        show(request, console)
    else:
        from io_edges.commands.explain import Question
        from io_edges.commands.page import write_page

        write_page(Question(request, None, drop, flags.output, console, is_complete=True), flags.html)


@register(config)
def validate(
    *files: Annotated[str, Parameter(validator=not_empty, metavar="FILE")],
    flags: Annotated[ValidateFlags, Parameter(name="*")] = ValidateFlags(),  # noqa: B008 - frozen
    console: Annotated[Console, Parameter(parse=False)],
) -> None:
    """Check the configuration and its presets, or the files that are named.

    Parameters
    ----------
    files
        Files to check instead; each is read as by --config.
    """
    from io_edges.commands.validate import Check, validate

    request = request_of(flags, flags, console)
    validate(Check(request, files, flags.strict, flags.discover), flags.format, console)


@register(config)
def diff(
    *files: Annotated[str, Parameter(validator=not_empty, metavar="FILE")],
    flags: Annotated[DiffFlags, Parameter(name="*")] = DiffFlags(),  # noqa: B008 - frozen
    console: Annotated[Console, Parameter(parse=False)],
) -> None:
    """Compare two configurations, and print the settings that differ; exit with 0 in any case.

    Parameters
    ----------
    files
        Two files; or one, which is compared with what is in effect or, with --env, with itself.
    """
    from io_edges.commands.diff import diff

    diff(request_of(flags, flags, console), files, flags.env, console)


@register(config)
def migrate(
    *,
    flags: Annotated[MigrateFlags, Parameter(name="*")] = MigrateFlags(),  # noqa: B008 - frozen
    console: Annotated[Console, Parameter(parse=False)],
) -> None:
    """Rewrite the 0.x file in the version 1 shape, and print what changes."""
    from io_edges.commands.migrate import migrate

    migrate(request_of(flags, flags, console), console, dry_run=flags.dry_run)


config.command("io_edges.commands.config:schema", help="Print the JSON Schema of a configuration.")
config.command("io_edges.commands.config:types", help="Print the TypeScript declaration of the module tool.")
