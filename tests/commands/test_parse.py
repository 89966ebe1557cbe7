"""How a command line is parsed: which values are given, and what is refused in which words."""

from typing import Any

import pytest

from io_edges.cli.app import app

ACCEPTED: dict[str, tuple[str, dict[str, Any]]] = {
    "": (".", {}),
    "drop": ("drop", {}),
    "drop --dry-run": ("drop", {"dry_run": True}),
    "-n drop -q": ("drop", {"quiet": True, "dry_run": True}),
    "drop -nq": ("drop", {"quiet": True, "dry_run": True}),
    "drop --output=out -o other": ("drop", {"output": "other"}),
    "drop --output out": ("drop", {"output": "out"}),
    "drop -oout": ("drop", {"output": "out"}),
    "--exclude a --exclude=b drop --exclude ...": ("drop", {"modules_exclude": ("a", "b", "...")}),
    "--no-cache --log-format json --wait 2.5": (".", {"wait": 2.5, "cache_enabled": False, "log_format": "json"}),
    "--dry_run --log_format=json": (".", {"dry_run": True, "log_format": "json"}),
    "--init-scripts-dir hooks --on-failure fail": (
        ".",
        {"hooks_init_scripts_dir": "hooks", "hooks_on_failure": "fail"},
    ),
    "--theme=--dry-run": (".", {"theme": "--dry-run"}),
    "-- drop": ("drop", {}),
    "-- --theme": ("--theme", {}),
    "drop -- --dry-run": ("drop --dry-run", {}),
    "drop a -n b": ("drop a b", {"dry_run": True}),
}
"""What is typed after `tool create`: the drop and the names, and the flags that differ from their defaults."""


@pytest.mark.parametrize(("line", "given"), ACCEPTED.items())
def test_a_command_line_that_is_right(line: str, given: tuple[str, dict[str, Any]]) -> None:
    """Flags can be written in several ways and in any order; the last single value is used, a list has all values."""
    _, bound, _ = app.parse_args(["create", *line.split()], exit_on_error=False, print_error=False)
    bundles = [bound.arguments[name] for name in ("flags", "settings") if name in bound.arguments]
    values = {
        name: value for each in bundles for name, value in vars(each).items() if value != getattr(type(each), name)
    }
    words = (bound.arguments.get("drop", "."), *bound.arguments.get("names", ()))
    assert (" ".join(words), values) == given
