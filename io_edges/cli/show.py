"""Show: the command that prints each setting and its source (`docs/configuration.md`)."""

from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from io_edges.cli.flags import CommonFlags, SettingFlags
from io_edges.cli.session import RunConsole, read_request, resolve_and_report
from io_edges.report.console import print_line
from pipeline.emit import decisions, emit
from pipeline.schema import SETTING_NAMES, settings_named

if TYPE_CHECKING:
    _SettingName = str
else:
    _SettingName = Literal[SETTING_NAMES]


def show(
    *names: Annotated[
        _SettingName,
        Parameter(
            name="SETTING",
            help="Only these settings; an object such as modules stands for all its settings.",
        ),
    ],
    flags: CommonFlags = CommonFlags(),
    settings: SettingFlags = SettingFlags(),
    console: RunConsole,
) -> None:
    """Print each setting, where it came from and what it overrode.

    Examples:
      Show the settings as with the preset ci:
        tool config show --preset=ci
      Print one setting, for a program:
        tool config show theme --log-format=json

    Documentation: docs/configuration.md
    """
    request = read_request(flags, settings, console)
    resolved = resolve_and_report(request, flags, console).settings
    shown = settings_named(names)
    events = (event for event in decisions(resolved) if not names or event.path in shown)
    for line in emit(events, resolved.log_format, console.product_screen):
        print_line(line)
