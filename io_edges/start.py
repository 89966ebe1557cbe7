"""Start: the console script. Small, so that an interrupt while the rest is being imported leaves no traceback either.

Measured, in processor time: the collector would take about 10 ms while modules are imported, for `--version`,
`config show` and `create --dry-run` alike; finalising the interpreter at the end 15, 0 and 15 ms.
"""

import _signal  # type: ignore[import-not-found] # what Python has loaded already of `signal`
import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

_NOT_POSIX = (
    "error: tool needs a POSIX system, such as Linux or macOS; on Windows, install it in WSL (`wsl --install`)\n"
)
_INSTALL_AGAIN = "  = help: install it again, in an environment of its own: with pipx or `uv tool install`\n"
_INTERRUPTED = 130
_UNAVAILABLE = 69
_LAST_STREAM = 2
_OBJECTS = 100_000
"""New objects after which it looks for unused ones: with 10,000, an unchanged run over 8,000 files takes 4 ms more."""


def main() -> None:
    """Run the command line and end the process; where the system is not POSIX, only say so."""
    if os.name != "posix":
        os.write(2, _NOT_POSIX.encode())
        os._exit(_UNAVAILABLE)
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:  # which it is not under nohup
        _signal.signal(_signal.SIGINT, _end)
    gc.disable()  # imported modules stay
    _fill_standard_streams()
    try:
        from io_edges.cli.main import main as run

        gc.freeze()
        gc.set_threshold(_OBJECTS)
        gc.enable()
        code = run()
    except KeyboardInterrupt:  # while the end is reported
        _end()
    except Exception as error:  # noqa: BLE001 - before anything is loaded that could report it
        cause = ascii(str(error))[1:-1]
        if isinstance(error, MemoryError | SystemError):  # C code that gets no memory may say only the latter
            cause = "out of memory"
        message = f"error: FileSystemProblem: tool cannot be loaded: {cause}\n"
        if isinstance(error, ImportError):
            message += _INSTALL_AGAIN
        os.write(2, message.encode())
        code = os.EX_IOERR
    os._exit(code)  # everything is written and cleaned up


def _end(*_: object) -> "NoReturn":
    """End the process, interrupted before there is anything to clean up: in an import, the error would be wrapped."""
    if os.isatty(2) and "json" not in f"{sys.argv} {os.environ.get('TOOL_LOG_FORMAT')}":
        os.write(2, b"\ninterrupted\n")
    os._exit(_INTERRUPTED)


def _fill_standard_streams() -> None:
    """Connect each standard stream that is closed to the null device, so that no file that is opened takes its number.

    For Python it stays closed: nothing is written to it.
    """
    try:
        while (descriptor := os.open(os.devnull, os.O_RDWR)) <= _LAST_STREAM:
            os.set_inheritable(descriptor, True)
        os.close(descriptor)
    except OSError:
        pass
