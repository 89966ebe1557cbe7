"""Start: the console script. Small, so that an interrupt while the rest is being imported leaves no traceback either.

Measured, in processor time: the collector would take about 10 ms while modules are imported, for `--version`,
`config show` and `create --dry-run` alike; finalising the interpreter at the end 15, 0 and 15 ms.
"""

import gc
import os
import sys

TYPE_CHECKING = False  # that of `typing`, whose import would take longer than all else before an interrupt is caught
if TYPE_CHECKING:
    from typing import NoReturn

_NOT_POSIX = (
    "error: tool needs a POSIX system, such as Linux or macOS; on Windows, install it in WSL (`wsl --install`)\n"
)
_INSTALL_AGAIN = "  = help: install it again, in an environment of its own: with pipx or `uv tool install`\n"
_OBJECTS = 10_000
"""New objects after which it looks for unused ones: with the usual 700, a build of 8,000 files takes 5 ms longer."""


def main() -> "NoReturn":
    """Run the command line and end the process; where the system is not POSIX, only say so."""
    if os.name != "posix":
        os.write(2, _NOT_POSIX.encode())
        os._exit(69)
    gc.disable()  # imported modules stay
    try:
        from io_edges.main import main as run

        gc.freeze()
        gc.set_threshold(_OBJECTS)
        gc.enable()
        code = run()
    except KeyboardInterrupt:  # while modules are imported, or while the end is reported
        if os.isatty(2) and "json" not in f"{sys.argv} {os.environ.get('TOOL_LOG_FORMAT')}":
            os.write(2, b"\ninterrupted\n")
        code = 130
    except (OSError, ImportError, MemoryError) as error:  # before anything is loaded that could report it
        cause = ascii(str(error))[1:-1] or "out of memory"
        is_missing = isinstance(error, ModuleNotFoundError) or cause.startswith("cannot import name")
        advice = _INSTALL_AGAIN if is_missing else ""
        os.write(2, f"error: FileSystemProblem: tool cannot be loaded: {cause}\n{advice}".encode())
        code = 74
    os._exit(code)  # everything is written and cleaned up
