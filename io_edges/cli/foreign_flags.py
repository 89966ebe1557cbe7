"""Foreign flags: flags and commands that other programs have, and what to type here instead."""

import os
import shlex
from collections.abc import Sequence
from itertools import chain
from typing import Final

from cyclopts import UnknownOptionError

from io_edges.cli.app import command_at, names_below
from pipeline.report.wording import listed, meant, suggest

_JSON: Final = "`--log-format=json` gives JSON"
_COLOUR: Final = "colour follows the terminal: set `NO_COLOR=1` or `FORCE_COLOR=1` in the environment"
_FLAGS: Final = {
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
_OF_CREATE: Final = ("--check", "--frozen", "--mine", "--prune", "--keep-going", "--wait")
_BUILD: Final = "`tool create` builds, and updates what was built"
_REMOVE: Final = "`tool create --prune` removes what is not selected any more, or has no archive in the drop any more"
_CHECK: Final = "`tool config validate` checks the configuration, `tool create --check` what is built"
_COMMANDS: Final = {
    **dict.fromkeys(("build", "make", "run", "install", "add", "apply", "sync", "update", "upgrade"), _BUILD),
    **dict.fromkeys(("clean", "delete", "prune", "remove", "rm", "uninstall"), _REMOVE),
    **dict.fromkeys(("check", "lint", "test", "verify"), _CHECK),
    **dict.fromkeys(("plan", "preview"), "`tool create --dry-run` shows what would be done"),
    **dict.fromkeys(("list", "ls"), "`tool status` prints what is built, `tool inspect` what archives are"),
    "info": "`tool inspect` prints what an archive is, `tool explain` why it is built or not",
    "new": "`tool init` writes a configuration, `tool create` builds",
    "version": "`tool --version` prints the version",
    "why": "`tool explain` prints why something is as it is",
}
"""What to do about a command of other programs."""
_OF_CONFIG: Final = {
    **dict.fromkeys(("get", "list", "ls"), "`tool config show` prints every setting, `tool explain SETTING` one"),
    **dict.fromkeys(("edit", "set", "unset"), "`tool init` writes a configuration; a setting is changed in its file"),
    "check": "`tool config validate` checks the configuration",
}
"""What to do about a command of the group `config` of other programs."""
_NEARNESS: Final = 0.75


def unknown_command(word: str, group: Sequence[str], pages: Sequence[str] = ()) -> tuple[str, str]:
    """What is wrong about a command that there is not, or a page where one may be asked for, and what to type."""
    commands = names_below(command_at(group))
    if not group and word in names_below(command_at(("config",))):
        return f"Unknown command: {word}", f"it is one of `tool config`: `tool config {word}`"
    foreign = (_OF_CONFIG if group else _COMMANDS).get(word, "")
    near = suggest(word, (*commands, *pages))[:1]
    known = "`tool help` names the commands and pages" if pages else f"the commands are {listed(commands)}"
    kind = "command or page" if pages and not (foreign or {*near} & {*commands}) else "command"
    return f"Unknown {kind}: {word}", foreign or meant(near) or known


def unknown_flag(error: UnknownOptionError) -> tuple[str, str]:
    """What is wrong about a flag that a command does not have, and what to type; empty if nobody can say."""
    flag = (error.token.keyword or error.token.value).partition("=")[0]
    names = chain.from_iterable(each.names for each in error.argument_collection if each.parse)
    known = [name for name in names if name.startswith("--")]
    meant_flag = suggest(flag, known, _NEARNESS)[:1] if flag.startswith("--") else ()
    advice = _foreign(flag, error.command_chain or ()) or meant(meant_flag) or _as_path(error.token.value)
    return f"Unknown option: {flag}", advice


def _foreign(flag: str, command: Sequence[str]) -> str:
    """What to type for a flag of other programs or commands."""
    if flag in _OF_CREATE:
        return f"only `tool create` takes `{flag}`"
    return "write it out: `--yes`" if (flag, *command) == ("-y", "init") else _FLAGS.get(flag, "")


def _as_path(word: str) -> str:
    """What to type for a file or folder whose name begins with a dash; empty if there is none."""
    return f"if you mean the path, write `{shlex.join((f'./{word}',))}`" if os.path.lexists(word) else ""
