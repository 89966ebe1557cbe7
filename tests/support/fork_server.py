"""Runs the command in forks of one process that has everything imported.

Reads requests as lines of JSON on standard input (`forks` sends them) and answers each with a line. A fork is
what the installed command is from its entry point on: it has the arguments, environment, folder, mask and standard
streams of the request, and nothing of the process that asked.
"""

import importlib
import json
import os
import pkgutil
import resource
import sys
import traceback
from typing import Any, Final

import io_edges
import pipeline
from io_edges import start
from tests.support.shim import Shim, share_all_work

_CALLS: Final = 3
"""The descriptor on which a shim tells of calls."""
_HEAVY: Final = ("cyclopts.help", "rich.console", "yaml")
"""What a run may import besides its own modules."""


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Run the command once; give its exit code, or less the signal that ended it, and the calls that a shim saw."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _run(request, writing)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as pipe:
        calls = pipe.read().splitlines()
    return {"code": os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), "calls": calls}


def _run(request: dict[str, Any], calls: int) -> None:
    try:
        for name, mode, descriptor in (("stdin", os.O_RDONLY, 0), ("out", os.O_WRONLY, 1), ("err", os.O_WRONLY, 2)):
            os.dup2(os.open(request[name], mode), descriptor)
        os.dup2(calls, _CALLS, inheritable=False)
        os.closerange(_CALLS + 1, 64)
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - for as long as the process lives
        os.chdir(request["cwd"])
        os.umask(request["umask"])
        os.environ.clear()
        os.environ.update(request["env"])
        if request["way"] or request["in_place"]:
            Shim(request["number"], request["way"], _CALLS).install(request["exchange"], request["in_place"])
        if request["processes"]:
            share_all_work(request["processes"])
        if request["files"]:
            resource.setrlimit(resource.RLIMIT_NOFILE, (request["files"], request["files"]))
        sys.argv = [request["tool"], *request["args"]]
        start.main()
    except BaseException:  # noqa: BLE001 - whatever it is, the fork must not go on as a server
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(70)


def _import_everything() -> None:
    for package in (pipeline, io_edges):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    for name in _HEAVY:
        importlib.import_module(name)


if __name__ == "__main__":
    _import_everything()
    for line in sys.stdin:
        sys.stdout.write(f"{json.dumps(answer(json.loads(line)))}\n")
        sys.stdout.flush()
