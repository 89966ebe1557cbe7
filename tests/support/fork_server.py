"""Runs the command in forks of one process that has everything imported, and has run the
command itself.

Reads requests as lines of JSON on standard input (`forks` sends them) and answers each with a line;
of a run on a terminal, it first names its process. For shells it listens at a socket, to which
`shell_client` sends them with the standard streams. A fork is what the installed command is from
its entry point on: it has the arguments, environment, folder, mask and standard streams of the
request, and nothing of the process that asked. What it shares with the runs before is made of the
code alone: what the libraries work out once about types, expressions and flags.
"""

import gc
import importlib
import json
import os
import pkgutil
import resource
import signal
import socket
import sys
import tempfile
import traceback
import zipfile
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, NoReturn

from cyclopts import App, CycloptsError
from cyclopts.argument import ArgumentCollection

import io_edges
import pipeline
from io_edges import start
from io_edges.cli.app import app, names_below
from io_edges.cli.main import main
from io_edges.system.signals import ENDING
from tests.support import memory, modeless
from tests.support.forks import GROUP, NO_FAULT
from tests.support.shim import Shim, share_all_work

_STREAMS: Final = ("stdin", os.O_RDONLY), ("out", os.O_WRONLY), ("err", os.O_WRONLY)
"""The standard streams, with how they are opened."""
_CALLS: Final = 3
"""The descriptor on which a shim reports calls."""
_HEAVY: Final = ("cyclopts.help", "pickle", "rich.console", "yaml")
"""What a run may import besides its own modules."""
_ON_A_TERMINAL: Final = {"io_edges.init.terminal"}
"""What no fork imports that has no terminal: a quarter of all that it would have to copy."""
_REHEARSED: Final = (
    *(
        ("create",),
        ("create", "--check"),
        ("create", "--force"),
        ("status",),
        ("diff",),
        ("undo",),
        ("inspect", "m"),
    ),
    *(("inspect", "m.zip"), ("config", "show"), ("config", "validate"), ("init", "--yes")),
)
"""What the process runs itself."""


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Run the command once; give its exit code, or less the signal that ended it, and the calls
    that a shim saw.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _run(
            request,
            (os.open(request[name], mode | os.O_NOCTTY) for name, mode in _STREAMS),
            writing,
        )
    os.close(writing)
    if request["terminal"]:
        _tell({"pid": child})
    with os.fdopen(reading, encoding="utf-8") as pipe:
        calls = pipe.read().splitlines()
    return {"code": os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), "calls": calls}


def serve(address: str) -> NoReturn:
    """Run the command for whoever asks at a socket, several at once, and answer with
    the exit code.
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as server:
        server.bind(address)
        server.listen()
        _tell({"listens": address})
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        while True:
            client, _ = server.accept()
            if os.fork() == 0:
                server.close()
                _answer_at(client)
            client.close()


def _answer_at(client: socket.socket) -> NoReturn:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    message, streams, _, _ = socket.recv_fds(client, 1 << 18, len(_STREAMS))
    child = os.fork()
    if child == 0:
        _run({**NO_FAULT, **json.loads(message)}, streams, os.open(os.devnull, os.O_WRONLY))
    for each in (0, 1, 2, *streams):  # whoever reads what the run writes waits for its end alone
        os.close(each)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    client.send(str(code).encode())
    os._exit(0)


def _run(request: dict[str, Any], streams: Iterable[int], calls: int) -> None:
    try:
        for descriptor, stream in enumerate(streams):
            os.dup2(stream, descriptor)
        os.dup2(calls, _CALLS, inheritable=False)
        os.closerange(_CALLS + 1, 64)
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - for as long as the process lives
        os.chdir(request["cwd"])
        os.umask(request["umask"])
        os.environ.clear()
        os.environ.update(request["env"])
        if request["way"] or request["apart"] or request["meanwhile"]:
            Shim(request, _CALLS).install()
        if request["modeless"]:
            modeless.simulate()
        if request["processes"]:
            share_all_work(request["processes"])
        if request["files"]:
            resource.setrlimit(resource.RLIMIT_NOFILE, (request["files"], request["files"]))
        if request["user"]:
            os.setgroups([GROUP])
            os.setgid(request["user"])
            os.setuid(request["user"])
        sys.argv = [request["tool"], *request["args"]]
        start.main()
    except BaseException:  # noqa: BLE001 - whatever it is, the fork must not go on as a server
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(70)


def _tell(what: dict[str, Any]) -> None:
    sys.stdout.write(f"{json.dumps(what)}\n")
    sys.stdout.flush()


def _import_everything(but: Collection[str]) -> None:
    for package in (pipeline, io_edges):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if module.name not in but:
                importlib.import_module(module.name)
    for name in _HEAVY:
        importlib.import_module(name)


def _rehearse() -> None:
    """Run the command in a project that goes away, a few times, for what is worked out in the
    first runs only.
    """
    with tempfile.TemporaryDirectory(dir=memory.place()) as folder, _as_it_was(folder):
        Path(".git").mkdir()
        with zipfile.ZipFile("m.zip", "w") as archive:
            archive.writestr("m/m.php", "<?php class m extends Module {}")
        for way in ("text", "json"):
            os.environ["TOOL_LOG_FORMAT"] = way
            for args in _REHEARSED:
                sys.argv = ["tool", *args]
                main()


@contextmanager
def _as_it_was(folder: str) -> Iterator[None]:
    """Be in a folder, with nothing on the standard streams, and put everything back that a run sets
    in its process.
    """
    environment, arguments, here = dict(os.environ), sys.argv, Path.cwd()
    handlers = {each: signal.getsignal(each) for each in ENDING}
    streams, nothing = [os.dup(number) for number in range(3)], os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(nothing, number)
    os.chdir(folder)
    yield
    os.chdir(here)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.close(nothing)
    for each, handler in handlers.items():
        signal.signal(each, handler)
    sys.argv = arguments
    os.environ.clear()
    os.environ.update(environment)


def _prepare_flags() -> None:
    """Make what the library knows of the flags of each command, which is half of a short run, for
    one use in a fork.
    """
    assemble, ready = App.assemble_argument_collection, dict[tuple[Any, ...], ArgumentCollection]()

    def keep(node: App, **options: Any) -> ArgumentCollection:
        ready[id(node), *options.items()] = assemble(node, **options)
        return assemble(node, **options)

    def take(node: App, **options: Any) -> ArgumentCollection:
        return ready.pop((id(node), *options.items()), None) or assemble(node, **options)

    App.assemble_argument_collection = keep  # type: ignore[method-assign, assignment]
    for names in _commands(app):
        with suppress(CycloptsError):  # an argument is missing, which is said when all is made
            app.parse_args(names, exit_on_error=False, print_error=False)
    App.assemble_argument_collection = take  # type: ignore[method-assign, assignment]


def _commands(node: App, *above: str) -> Iterator[list[str]]:
    """The names of each command, with those of its group."""
    for name in names_below(node) or ():
        yield [*above, name]
        yield from _commands(node[name], *above, name)


if __name__ == "__main__":
    _import_everything(() if sys.argv[1:] == ["terminals"] else _ON_A_TERMINAL)
    _rehearse()
    _prepare_flags()
    gc.collect()
    if sys.argv[1:2] == ["shells"]:
        serve(sys.argv[2])
    for line in sys.stdin:
        _tell(answer(json.loads(line)))
