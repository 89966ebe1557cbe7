"""Habits: flags that other programs have, and what to type here instead."""

from itertools import chain
from typing import Final

from cyclopts import UnknownOptionError

from io_edges.report.wording import meant
from pipeline.report.near import near_names

_JSON: Final = "`--log-format=json` gives JSON"
_COLOUR: Final = "colour follows the terminal: set `NO_COLOR=1` or `FORCE_COLOR=1` in the environment"
_HABITS: Final = {
    "--json": _JSON,
    "--format": _JSON,
    "--color": _COLOUR,
    "--colour": _COLOUR,
    "--no-color": _COLOUR,
    "--yes": "only `tool init` asks something, and takes `--yes`",
    "-y": "only `tool init` asks something, and takes `--yes`",
    "--no-hooks": "only `tool create` runs hook scripts, and takes `--no-hooks`",
    "--ignore-scripts": "`tool create --no-hooks` runs no hook script; `--no-exec` evaluates no configuration either",
    "--dry-run": "`tool create --dry-run` shows what would be done",
    "--drop": "the folder with the archives is an argument: `tool create FOLDER`",
    "--module": "`--only` or `--include` names modules",
    "--modules": "`--only` or `--include` names modules",
    "--clean": "`tool create --prune` removes what is not selected any more",
    "--overwrite": "`tool create --force` builds the archive's version of a file in conflict",
    "--debug": "`--verbose` shows more",
    "--silent": "`--quiet` shows only warnings and errors",
    "--cwd": "change to the folder first: `cd FOLDER`",
    "-C": "change to the folder first: `cd FOLDER`",
}
"""What to do about a flag of other programs or other commands, by the flag as it is typed."""
_NEARNESS: Final = 0.75


def unknown_flag(error: UnknownOptionError) -> tuple[str, str]:
    """What is wrong about a flag that a command does not have, and what to type; empty if nobody can say."""
    flag = (error.token.keyword or error.token.value).partition("=")[0]
    names = chain.from_iterable(each.names for each in error.argument_collection if each.parse)
    known = [name for name in names if name.startswith("--")]
    near = near_names(flag, known, _NEARNESS)[:1] if flag.startswith("--") else ()
    return f"Unknown option: {flag}", _HABITS.get(flag) or meant(near)
