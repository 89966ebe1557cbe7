"""Start: the console script. It is small, so that an interrupt during the other imports leaves
no traceback.

Measured, in processor time: the garbage collector would take about 10 ms while modules are
imported, for `--version`, `config show` and `create --dry-run` alike; finalising the interpreter at
the end would take 15, 0 and 15 ms.
"""

import _signal  # type: ignore[import-not-found] # the loaded part of `signal`
import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

_NOT_POSIX = (
    "error: tool needs a POSIX system, such as Linux or macOS; on Windows, install it in "
    "WSL (`wsl --install`)\n"
)
_INSTALL_AGAIN = (
    "  = help: install it again, in an environment of its own: with pipx or `uv tool install`\n"
)
_INTERRUPTED = 130
_UNAVAILABLE = 69
_LAST_STREAM = 2
_SCRIPTS = ("tool.config.ts", "tool.config.js")
"""The configurations in the current folder that Deno evaluates; there, they come first."""
_OBJECTS = 100_000
"""After so many new objects the garbage collector runs. With 10,000, a run over 8,000 files
takes 4 ms more.
"""

_at_end: "list[Callable[[], None]]" = []
"""Functions that end processes which were started here."""


def main() -> None:
    """Run the command line and end the process; on a system that is not POSIX, only report that."""
    if os.name != "posix":
        os.write(2, _NOT_POSIX.encode())
        os._exit(_UNAVAILABLE)
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:  # not so under nohup
        _signal.signal(_signal.SIGINT, _end)
    gc.disable()  # imported modules are never freed
    _fill_standard_streams()
    try:
        if any(map(os.path.isfile, _SCRIPTS)):
            from io_edges.scripts import deno

            _at_end.append(deno.end_ahead)
            deno.start_ahead(sys.argv[1:])  # Deno loads while Python does
        from io_edges.cli.main import main as run

        gc.freeze()
        gc.set_threshold(_OBJECTS)
        gc.enable()
        code = run()
        _clean_up()
    except KeyboardInterrupt:  # a second one, while the first is reported
        _end()
    except Exception as error:  # noqa: BLE001 - before anything is loaded that could report it
        cause = ascii(str(error))[1:-1]
        # C code that gets no memory may raise only the latter.
        if isinstance(error, MemoryError | SystemError):
            cause = "out of memory"
        message = f"error: FileSystemProblem: tool cannot be loaded: {cause}\n"
        if isinstance(error, ImportError):
            message += _INSTALL_AGAIN
        os.write(2, message.encode())
        code = os.EX_IOERR
        _clean_up()
    os._exit(code)  # everything is written and cleaned up


def _end(*_: object) -> "NoReturn":
    """End a process that was interrupted before it changed anything. Raised in an import, an
    error would be wrapped.
    """
    if os.isatty(2) and not _logs_json():
        os.write(2, b"\ninterrupted\n")
    _clean_up()
    os._exit(_INTERRUPTED)


def _clean_up() -> None:
    """End what was started here and is still there."""
    for end in _at_end:
        end()


def _logs_json() -> bool:
    """Whether a flag or the variable asks for JSON; the configuration is not read yet."""
    command_line = " ".join(sys.argv).replace("_", "-").replace("=", " ")
    return (
        "--log-format json" in command_line
        or os.environ.get("TOOL_LOG_FORMAT", "").strip() == "json"
    )


def _fill_standard_streams() -> None:
    """Connect closed standard streams to the null device, so that no opened file takes
    their descriptors.

    Python still takes them for closed and writes nothing to them.
    """
    try:
        while (descriptor := os.open(os.devnull, os.O_RDWR)) <= _LAST_STREAM:
            os.set_inheritable(descriptor, True)
        os.close(descriptor)
    except OSError:
        pass
