"""How a command line is parsed into values."""

from typing import Any

import pytest

from io_edges.cli.app import app
from tests.support.tables import rows


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize(("line", "words", "flags"), rows("command_lines", "accepted"))
def test_a_command_line_that_is_right(
    line: str, words: tuple[str, ...], flags: dict[str, Any]
) -> None:
    """Flags can be written in several ways and in any order; of a single value the last is used,
    of a list all of them.
    """
    _, bound, _ = app.parse_args(["create", *line.split()], exit_on_error=False, print_error=False)
    bundles = [bound.arguments[name] for name in ("flags", "settings") if name in bound.arguments]
    values = {
        name: value
        for each in bundles
        for name, value in vars(each).items()
        if value != getattr(type(each), name)
    }
    given = (bound.arguments.get("drop", "."), *bound.arguments.get("names", ()))
    assert (given, values) == (words, flags)
