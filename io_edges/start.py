"""Start: the console script. Small, so that an interrupt while the rest is being imported is quiet as well.

Of the 140 ms of processor time that `tool config show` takes, the collector would take 10 more while modules are
imported, and finalising the interpreter 10 more at the end.
"""

import gc
import os
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line and end the process."""
    gc.disable()  # imported modules stay
    try:
        from io_edges.cli import main as run

        gc.freeze()
        gc.enable()
        code = run()
    except KeyboardInterrupt:
        code = 130
    except (OSError, ImportError, MemoryError) as error:  # before anything is loaded that could report it
        cause = ascii(str(error))[1:-1] or "out of memory"
        os.write(2, f"error: FileSystemProblem: tool cannot be loaded: {cause}\n".encode())
        code = 74
    os._exit(code)  # everything is written and cleaned up
