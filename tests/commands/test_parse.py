"""How a command line is parsed: as with all flags, though most of them are not described."""

from typing import Annotated

import pytest
from cyclopts import App, CycloptsError, Parameter

from io_edges.cli.app import app
from io_edges.cli.parse import parse
from io_edges.flag_values import not_empty
from io_edges.flags import OPTIONS, CreateFlags, SettingFlags

LINES = (
    "",
    "drop",
    "drop --dry-run",
    "-n drop -q",
    "drop -nq",
    "drop --output=out -o other",
    "drop --output out",
    "drop -oout",
    "--exclude a --exclude=b drop --exclude ...",
    "--no-cache --log-format json --wait 2.5",
    "--dry_run --log_format=json",
    "--init-scripts-dir hooks --on-failure fail",
    "--theme=--dry-run",
    "--theme --dry-run",
    "-- drop",
    "drop -- --dry-run",
    "-- --theme",
    "--dry-run=true",
    "--no-dry-run",
    "--wait -1",
    "--wait soon",
    "--on-failure perhaps",
    "--output",
    "--output=",
    "--thene classic",
    "drop drop",
    "-x",
)


@pytest.mark.parametrize("line", LINES)
def test_a_command_line_is_parsed_as_with_all_flags(line: str) -> None:
    """What is on a command line has the same values, or is refused in the same words, as with all flags described."""
    commands = App(name="tool", default_parameter=app.default_parameter, group_parameters=OPTIONS)
    values: list[object] = []

    @commands.command
    def create(
        drop: Annotated[str, Parameter(validator=not_empty)] = ".",
        /,
        *,
        flags: Annotated[CreateFlags, Parameter(name="*")] = CreateFlags(),  # noqa: B008 - frozen
        settings: Annotated[SettingFlags, Parameter(name="*")] = SettingFlags(),  # noqa: B008 - frozen
    ) -> None:
        values.append((drop, vars(flags), vars(settings)))

    tokens = ["create", *line.split()]
    try:
        whole = commands.parse_args(tokens, exit_on_error=False, print_error=False)
    except CycloptsError as error:
        with pytest.raises(type(error)) as raised:
            parse(tokens, commands)
        assert str(raised.value) == str(error)
    else:
        for command, bound, _ in (whole, parse(tokens, commands)):
            command(*bound.args, **bound.kwargs)
        assert values == [values[0], values[0]]


def test_only_the_flags_of_the_command_line_are_described() -> None:
    """A flag that is not on the command line costs nothing."""
    _, bound, _ = parse(["create", "drop", "-n", "--theme=classic"])
    assert list(bound.signature.parameters) == ["drop", "dry_run", "theme", "console"]
