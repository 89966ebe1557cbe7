"""Show: the command that prints every setting, and where it comes from (`docs/configuration.md`)."""

from io_edges.cli.flags import CommonFlags, SettingFlags
from io_edges.cli.session import RunConsole, request_of, resolve_and_report
from io_edges.report.console import print_line
from pipeline.emit import decisions, emit


def show(*, flags: CommonFlags = CommonFlags(), settings: SettingFlags = SettingFlags(), console: RunConsole) -> None:
    """Print every setting, where it came from and what it overrode.

    Examples:
      Show the settings as with the preset ci:
        tool config show --preset=ci
      Print them as one JSON object a line:
        tool config show --log-format=json

    Documentation: tool help configuration
    """
    resolved = resolve_and_report(request_of(flags, settings, console), console).settings
    for line in emit(decisions(resolved), resolved.log_format, console.product_screen):
        print_line(line)
