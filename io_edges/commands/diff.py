"""Diff: the command that compares two configurations, leaf by leaf."""

import sys
from collections.abc import Iterable

from msgspec.structs import replace
from toolz import merge

from io_edges.disk import real_disk
from io_edges.report.console import Console, print_line
from io_edges.report.screens import screen_of
from io_edges.system.stop import Stop, require
from pipeline.explain.difference import Comparison, differences, lines
from pipeline.report.escape import to_json
from pipeline.report.outcome import collect
from pipeline.report.problems import UsageError
from pipeline.resolve import Request, resolve

COMMAND = "tool config diff"
_IN_EFFECT = "the configuration in effect"


def diff(request: Request, files: tuple[str, ...], env: tuple[str, ...], console: Console) -> None:
    """Print each leaf that differs between two configurations. Raises `Stop`."""
    a, b = _sides(request, files, env)
    pair = (resolve(each, real_disk(each.start, console, no_exec=each.no_exec)) for each in (a, b))
    before, after = (resolution.settings for resolution in require(collect(pair)))
    names = _called(a, ()), _called(b, env)
    changed = differences(before, after, request.start)
    if console.log_format == "json":
        print_line(to_json(Comparison(*names, changed)))
    elif changed:
        print_line("\n".join(lines(changed, screen_of(sys.stdout))))
    else:
        console.say(f"no setting differs between {names[0]} and {names[1]}")


def _sides(request: Request, files: tuple[str, ...], env: tuple[str, ...]) -> tuple[Request, Request]:
    """What is compared: two files, or one with itself under other variables, or what is in effect with either."""
    match files:
        case ():
            if not env:
                raise Stop(UsageError("expected two files, or a variable: `--env CI=1`", COMMAND))
            a = b = request
        case (file,):
            b = replace(request, config=file)
            a = b if env else request
        case (file, other):
            a, b = replace(request, config=file), replace(request, config=other)
        case _:
            raise Stop(UsageError("expected at most two files", COMMAND))
    return a, replace(b, environ=merge(request.environ, _variables(env)))


def _variables(env: Iterable[str]) -> dict[str, str]:
    """The variables of `--env`. Raises `Stop` if one is not `NAME=VALUE`."""
    pairs = [each.partition("=") for each in env]
    for name, equals, _ in pairs:
        if not name or not equals:
            raise Stop(UsageError(f"expected `--env NAME=VALUE`, found `--env {name}{equals}`", COMMAND))
    return {name: value for name, _, value in pairs}


def _called(request: Request, env: tuple[str, ...]) -> str:
    return " with ".join(filter(None, (request.config or _IN_EFFECT, " ".join(env))))
