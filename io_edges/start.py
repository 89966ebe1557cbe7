"""Start: the console script. Small, so that an interrupt while the rest is imported is quiet too."""

import gc
import os
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line and end the process."""
    gc.disable()  # what is imported stays: looking for garbage in it would cost 2 ms
    try:
        from io_edges.cli import main as run

        gc.freeze()
        gc.enable()
        code = run()
    except KeyboardInterrupt:
        code = 130
    except (OSError, ImportError, MemoryError) as error:  # while there is nothing yet that could tell it
        os.write(2, f"error: FileSystemProblem: tool cannot be loaded: {str(error)!a}\n".encode())
        code = 74
    os._exit(code)  # all is written and removed by now, and taking the interpreter apart would cost 15 ms more
